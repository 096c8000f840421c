import type { Stores } from '#adapters/persistence/stores.js';
import type { createManualClock } from '#test/support/manual-clock.js';

export type ManualClock = ReturnType<typeof createManualClock>;

/** Gives stores without anything in them. */
export type MakeStores = (clock: ManualClock) => Promise<Stores>;

export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;
