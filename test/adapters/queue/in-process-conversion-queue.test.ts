import { systemClock } from '#adapters/clock/system-clock.js';
import { createConversionSlots } from '#adapters/queue/conversion-slots.js';
import { createInProcessConversionQueue } from '#adapters/queue/in-process-conversion-queue.js';
import { TIER_IDS, type TierId } from '#domain/tiers/tier.js';
import { describeConversionQueue } from '#test/contracts/conversion-queue.js';

describeConversionQueue('that of one process', async ({ workers, waiting, waitLimitMs, vectorizeToFile }) => {
  const limits = { running: workers, waiting, waitLimitMs };
  let alive = true;
  const slots = createConversionSlots({
    workers,
    tiers: Object.fromEntries(TIER_IDS.map((id) => [id, limits])) as Record<TierId, typeof limits>,
    clock: systemClock,
    isAlive: () => alive,
  });
  const queue = createInProcessConversionQueue({ slots, vectorizeToFile });
  return {
    queue,
    async loseWorkers() {
      alive = false;
    },
    close: () => queue.close(),
  };
});
