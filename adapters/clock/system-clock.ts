import type { Clock } from '#application/ports/clock.js';

/** The machine's own clock. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
};
