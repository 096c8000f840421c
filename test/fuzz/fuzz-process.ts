import { openSync, writeSync } from 'node:fs';
import { createChoices, seedOfCase } from './choices.js';
import type { FuzzOrder, FuzzReport } from './run-fuzz.js';
import { SURFACES } from './surfaces/index.js';

/** The process in which cases run, so that one that ends it, or never ends, is one find and not the end of the run. */
const CHECK_EVERY = 500;
const MOST_FINDS = 25;

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { stack, message, cause } = error;
  return `${stack ?? message}${cause === undefined ? '' : `\n  because: ${describe(cause)}`}`.slice(0, 4000);
};

async function work({ surface: name, seed, from, to, progressFile }: FuzzOrder): Promise<void> {
  const progress = openSync(progressFile, 'w');
  const outcomes: Record<string, number> = {};
  const finds: FuzzReport['finds'][number][] = [];
  let done = 0;
  let index = from;
  const report = (ended: boolean) => process.send!({ outcomes, finds, done, ended } satisfies FuzzReport);
  const find = (what: string, error: unknown) => {
    if (finds.length < MOST_FINDS) finds.push({ index, what, error: describe(error) });
  };
  process.on('uncaughtException', (error) => find('thrown where nobody catches it', error));
  process.on('unhandledRejection', (error) => find('rejected where nobody catches it', error));

  const surface = await SURFACES[name]();
  const check = () => surface.checkLeaks().catch((error: unknown) => find('leaked', error));
  for (; index < to && finds.length < MOST_FINDS; index++) {
    // Written at once: whoever ends this process ends it after this.
    writeSync(progress, `${index}`.padEnd(12), 0);
    const startMs = performance.now();
    try {
      const outcome = await surface.run(createChoices(seedOfCase(seed, index)));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    } catch (error) {
      find('failed', error);
    }
    const tookMs = performance.now() - startMs;
    if (tookMs > surface.limitMs) find('took too long', `${Math.round(tookMs)} ms`);
    done++;
    if (done % CHECK_EVERY === 0) {
      await check();
      report(false);
    }
  }
  await check();
  await surface.close().catch((error: unknown) => find('leaked at the end', error));
  // What was left behind by the last case is thrown before the end.
  await new Promise((resolve) => setTimeout(resolve, 20));
  report(true);
  process.disconnect();
}

process.once('message', (order: FuzzOrder) => void work(order));
// It heads a group of its own: nobody else ends it where who began it is gone.
process.once('disconnect', () => process.exit());
