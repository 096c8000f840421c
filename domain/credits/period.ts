/** Months and days in UTC, as text that sorts as time does. All times are milliseconds since 1970-01-01 UTC. */

const DAY_MS = 24 * 60 * 60 * 1000;

/** `2026-11`: the month that credits and quotas count in. */
export const periodOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 7);

/** `2026-11-21` */
export const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** The last `count` days up to and with today, oldest first. */
export const lastDays = (timeMs: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => dayOf(timeMs - (count - 1 - i) * DAY_MS));

/** The first millisecond of the next month: monthly credits are renewed then. */
export function nextPeriodMs(timeMs: number): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
