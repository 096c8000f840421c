/** Between two looks at what has to be asked of another process, ms. */
const PAUSE_MS = 20;

/** Resolves once the condition holds; the test's own time limit ends it where it never does. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (;;) {
    const answer = holds();
    if (await answer) return;
    await new Promise<void>((resolve) => {
      if (answer instanceof Promise) setTimeout(resolve, PAUSE_MS);
      else setImmediate(resolve);
    });
  }
}
