import { setTimeout as wait } from 'node:timers/promises';

/** Longer than anything takes to close that is being closed. */
const CLOSED_WITHIN_MS = 30_000;
/** The first pause before this is looked for, ms, and how many times as long each is as the one before. */
const FIRST_PAUSE_MS = 1;
const LONGER_BY = 1.5;
/** What never ends by itself, a server and a process of its own; time limits and connections that are kept for a while do. */
const LASTING: ReadonlySet<string> = new Set(['TCPServerWrap', 'ProcessWrap']);

/**
 * Loaded by mocha: around each file of tests, or around all where they run in one process, looks for what was opened and not
 * closed (a service whose test failed before it was stopped, a browser). Such a run names what is open, and fails.
 */
export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    await wait(FIRST_PAUSE_MS);
    const before = countOpen();
    const root = this.test?.parent;
    // Behind what the files themselves have for their ends, which is there by now.
    root?.afterAll('closes what it opened', async function () {
      this.timeout(2 * CLOSED_WITHIN_MS);
      const left = await waitForClosed(before);
      const files = [...new Set(root.suites.map(({ file }) => file))];
      if (left.length > 0) throw new Error(`${files.join(', ')} left open: ${left.join(', ')}`);
    });
  },
};

/** Where all run in this process: whatever still keeps it alive in the end is named, ended, and a failure. */
export function mochaGlobalTeardown(): void {
  // The timer itself keeps nothing alive: where all is closed, the process ends long before.
  setTimeout(() => {
    console.error(`The tests have ended, but left open: ${process.getActiveResourcesInfo().join(', ')}`);
    // Mocha's own listener writes how many tests have failed; this one comes after it.
    process.once('exit', () => {
      process.exitCode ||= 1;
    });
    process.exit();
  }, CLOSED_WITHIN_MS).unref();
}

/** The types of which there is more than `before` for as long as that is waited for. */
async function waitForClosed(before: ReadonlyMap<string, number>): Promise<readonly string[]> {
  const giveUpMs = performance.now() + CLOSED_WITHIN_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= LONGER_BY) {
    await wait(pauseMs);
    const left = [...countOpen()].flatMap(([type, count]) => (count > (before.get(type) ?? 0) ? [type] : []));
    if (left.length === 0 || performance.now() > giveUpMs) return left;
  }
}

/** Of what keeps this process alive for good how many there are, by type. */
function countOpen(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo())
    if (LASTING.has(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
