/** Longer than anything takes to close that is being closed. */
const CLOSED_WITHIN_MS = 30_000;

/**
 * Loaded by mocha: ends a run that does not end by itself. What a test leaves open (a service whose test failed before it
 * was stopped, a browser, a connection) keeps the process alive for good; such a run names what is open, and fails.
 */
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
