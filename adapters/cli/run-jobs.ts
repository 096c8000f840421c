/** Does `work` for every item, at most `width` at once, in their order. Stops taking new ones once `stopped` says so. Rejects with what `work` rejects with, when all that run have ended. */
export async function runJobs<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<void>,
  stopped: () => boolean = () => false,
): Promise<void> {
  let next = 0;
  const failures: unknown[] = [];
  const one = async () => {
    while (next < items.length && failures.length === 0 && !stopped()) {
      const item = items[next++] as Item;
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, one));
  if (failures.length > 0) throw failures[0];
}
