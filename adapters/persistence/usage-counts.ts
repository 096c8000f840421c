import type { UsageDay, UsageEvent } from '#application/ports/usage-meter.js';

const DAY_MS = 24 * 60 * 60 * 1000;
export const ERROR_LIFETIME_MS = 7 * DAY_MS;
/** A client that fails all day must not fill the disk; older ones go at the next sweep. */
export const MAX_ERRORS_PER_ACCOUNT = 1000;

export const emptyDay = (date: string): UsageDay => ({
  date,
  conversions: 0,
  exports: 0,
  credits_used: 0,
  failures: 0,
});

/** The day with one more event. */
export const addEvent = (day: UsageDay, { kind, credits, times = 1 }: UsageEvent): UsageDay => ({
  date: day.date,
  conversions: day.conversions + (kind === 'conversion' ? times : 0),
  exports: day.exports + (kind === 'export' ? times : 0),
  credits_used: day.credits_used + credits,
  failures: day.failures + (kind === 'failure' ? times : 0),
});
