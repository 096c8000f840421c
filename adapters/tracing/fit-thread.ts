import { parentPort } from 'node:worker_threads';
import { fitChains } from './engine/fit/fit-chains.js';
import type { FitJob } from './split-fitter.js';

// The second thread of one picture: fits the chains it is given and says so through the flag, since the first one sleeps on it.
parentPort?.on('message', ({ map, samples, nodePositions, settings, from, to, flag, port }: FitJob) => {
  const curves = fitChains(map, samples, nodePositions, settings, from, to);
  port.postMessage(curves);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
});
