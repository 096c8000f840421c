/**
 * Gathers what is asked for while earlier work is under way, and does it together: one transaction serves many callers. The
 * first caller waits for nobody. `run` answers in the order it was asked; where it rejects, all of its callers are told so.
 */
export function gather<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  maxItems: number,
): (item: Item) => Promise<Answer> {
  interface Waiting {
    readonly item: Item;
    resolve(answer: Answer): void;
    reject(error: unknown): void;
  }
  const waiting: Waiting[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxItems);
      try {
        const answers = await run(batch.map(({ item }) => item));
        for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as Answer);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void runAll();
    });
}
