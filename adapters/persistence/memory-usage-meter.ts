import type { Clock } from '#application/ports/clock.js';
import { type RecordedError, USAGE_DAYS, type UsageDay, type UsageMeter } from '#application/ports/usage-meter.js';
import { dayOf, lastDays } from '#domain/credits/period.js';
import type { MemoryAccountRepository } from './memory-account-repository.js';
import { addEvent, ERROR_LIFETIME_MS, emptyDay, MAX_ERRORS_PER_ACCOUNT } from './usage-counts.js';

export function createMemoryUsageMeter({
  accounts,
  clock,
}: {
  readonly accounts: MemoryAccountRepository;
  readonly clock: Clock;
}): UsageMeter {
  /** By account, then date. */
  const days = new Map<string, Map<string, UsageDay>>();
  let errors: RecordedError[] = [];
  accounts.onRemove((accountId) => {
    days.delete(accountId);
    errors = errors.filter((error) => error.accountId !== accountId);
  });
  const isThere = async (accountId: string) => (await accounts.find(accountId)) !== undefined;

  return {
    async record(event) {
      if (!(await isThere(event.accountId))) return;
      const own = days.get(event.accountId) ?? new Map<string, UsageDay>();
      const date = dayOf(clock.wallMs());
      days.set(event.accountId, own.set(date, addEvent(own.get(date) ?? emptyDay(date), event)));
    },
    history: async (accountId) =>
      lastDays(clock.wallMs(), USAGE_DAYS).map((date) => days.get(accountId)?.get(date) ?? emptyDay(date)),
    async recordError(error) {
      if (await isThere(error.accountId)) errors.push({ ...error, atMs: clock.wallMs() });
    },
    recentErrors: async (accountId, limit) =>
      errors
        .filter((error) => error.accountId === accountId && error.atMs > clock.wallMs() - ERROR_LIFETIME_MS)
        .reverse()
        .slice(0, Math.min(limit, MAX_ERRORS_PER_ACCOUNT)),
    async sweep() {
      const [oldest = ''] = lastDays(clock.wallMs(), USAGE_DAYS);
      let gone = 0;
      for (const own of days.values()) for (const date of own.keys()) if (date < oldest && own.delete(date)) gone++;
      const counts = new Map<string, number>();
      const kept = errors.toReversed().filter(({ accountId, atMs }) => {
        const count = (counts.get(accountId) ?? 0) + 1;
        counts.set(accountId, count);
        return atMs > clock.wallMs() - ERROR_LIFETIME_MS && count <= MAX_ERRORS_PER_ACCOUNT;
      });
      gone += errors.length - kept.length;
      errors = kept.reverse();
      return gone;
    },
  };
}
