import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { FitAllChains } from './engine/draw-regions.js';
import type { ChainCurves } from './engine/fit/curves.js';
import { type FitMap, type FitSamples, type FitSettings, fitChains, joinCurves } from './engine/fit/fit-chains.js';

/** A stretch of one picture's chains, for the second thread. */
export interface FitJob {
  readonly map: FitMap;
  readonly samples: FitSamples;
  readonly nodePositions: Float64Array;
  readonly settings: FitSettings;
  readonly from: number;
  readonly to: number;
  /** Becomes 1 when the answer lies at the port. */
  readonly flag: Int32Array;
  readonly port: MessagePort;
}

export interface SplitFitter {
  readonly fit: FitAllChains;
  close(): Promise<void>;
}

/** Fewer edge samples than this are fitted sooner than handed over. */
const LEAST_SAMPLES = 8000;
/** A second thread that says nothing for so long is given up, and its part is done here. */
const PATIENCE_MS = 60_000;

/**
 * Fits the chains of one picture on two cores: one half in the calling thread, the other in a thread of its own that is started
 * with the first large picture and kept. The answer is the same to the bit as that of one thread, since chains do not depend on
 * each other. The calling thread sleeps while it waits, as it would be busy otherwise.
 */
export function createSplitFitter(): SplitFitter {
  let thread: Worker | undefined;
  const startThread = (): Worker => {
    const started = new Worker(new URL('./fit-thread.js', import.meta.url));
    // Never what keeps the process alive, and started anew after a failure.
    started.unref();
    started.on('error', () => {
      thread = undefined;
    });
    return started;
  };
  return {
    fit(map, samples, nodePositions, settings) {
      const count = map.startNode.length;
      const total = samples.x.length;
      if (total < LEAST_SAMPLES || count < 2) return fitChains(map, samples, nodePositions, settings, 0, count);
      const half = chainAt(samples.starts, total / 2);
      thread ??= startThread();
      const flag = new Int32Array(new SharedArrayBuffer(4));
      const { port1, port2 } = new MessageChannel();
      // Only what the other thread reads travels. Arrays are copied: once one has been handed over, V8 checks each use of any for that.
      const { width, height, startNode, endNode, left, right } = map;
      const behind = samplesBehind(samples, half);
      const job: FitJob = {
        map: { width, height, startNode, endNode, left, right },
        samples: behind,
        nodePositions,
        settings,
        from: half,
        to: count,
        flag,
        port: port2,
      };
      thread.postMessage(job, [port2]);
      const first = fitChains(map, samples, nodePositions, settings, 0, half);
      Atomics.wait(flag, 0, 0, PATIENCE_MS);
      const answer = receiveMessageOnPort(port1);
      port1.close();
      const second =
        (answer?.message as ChainCurves | undefined) ?? fitChains(map, samples, nodePositions, settings, half, count);
      return joinCurves(first, second);
    },
    async close() {
      await thread?.terminate();
      thread = undefined;
    },
  };
}

/** The samples of the chains from number `chain` on, numbered as before: those before have none. */
function samplesBehind({ starts, x, y, weight }: FitSamples, chain: number): FitSamples {
  const first = starts[chain] as number;
  const own = starts.map((start) => Math.max(0, start - first));
  return { starts: own, x: x.slice(first), y: y.slice(first), weight: weight.slice(first) };
}

/** The first chain that begins at or after a sample. */
function chainAt(starts: Int32Array, sample: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) < sample) low = middle + 1;
    else high = middle;
  }
  return low;
}
