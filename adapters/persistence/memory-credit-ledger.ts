import type { Clock } from '#application/ports/clock.js';
import type { CreditLedger } from '#application/ports/credit-ledger.js';
import { EMPTY_BALANCE, type LedgerEntry } from '#domain/credits/balance.js';
import { PLANS } from '#domain/credits/plans.js';
import { ServiceError } from '#domain/errors.js';
import { assertCredits, createCreditHold, HOLD_LIFETIME_MS } from './credit-hold.js';
import { applyChange, balanceNow, type ChangeAnswer, type LedgerChange, type LedgerState } from './ledger-state.js';
import type { MemoryAccountRepository } from './memory-account-repository.js';
import { randomId } from './secrets.js';

export interface MemoryCreditLedgerDeps {
  readonly accounts: Pick<MemoryAccountRepository, 'find' | 'onRemove'>;
  readonly clock: Clock;
  readonly holdLifetimeMs?: number;
}

/** A CreditLedger that lasts as long as the process. */
export function createMemoryCreditLedger(deps: MemoryCreditLedgerDeps): CreditLedger {
  const { accounts, clock, holdLifetimeMs = HOLD_LIFETIME_MS } = deps;
  const lists = new Map<string, LedgerEntry[]>();
  const kept: Omit<LedgerState, 'quotaOf'> = {
    balances: new Map(),
    holds: new Map(),
    references: new Set(),
    append(accountId, entry) {
      const list = lists.get(accountId) ?? [];
      list.push(entry);
      lists.set(accountId, list);
    },
  };
  accounts.onRemove((accountId, ledgerAlias) => {
    kept.balances.delete(accountId);
    for (const hold of kept.holds.values()) if (hold.accountId === accountId) kept.holds.delete(hold.id);
    lists.set(ledgerAlias, lists.get(accountId) ?? []);
    lists.delete(accountId);
  });
  const quotaOf = async (accountId: string) => {
    const account = await accounts.find(accountId);
    return account && PLANS[account.plan].monthlyCredits;
  };
  const change = async (wanted: LedgerChange): Promise<ChangeAnswer> => {
    const quota = await quotaOf(wanted.accountId);
    const answer = applyChange({ ...kept, quotaOf: () => quota }, wanted, clock.wallMs());
    if (answer instanceof ServiceError) throw answer;
    return answer;
  };

  return {
    async hold(accountId, credits, options) {
      assertCredits(credits, 0);
      const reference = options?.reference ?? null;
      const holdId = randomId();
      const expiresAtMs = clock.wallMs() + holdLifetimeMs;
      const answer = await change({ type: 'hold', accountId, holdId, credits, reference, expiresAtMs });
      return createCreditHold(holdId, answer, (how) => change({ type: 'end', accountId, holdId, how }));
    },
    async balance(accountId) {
      const quota = await quotaOf(accountId);
      if (quota === undefined) throw new ServiceError('NOT_FOUND', { what: 'The account' });
      return balanceNow(kept.balances.get(accountId) ?? EMPTY_BALANCE, quota, clock.wallMs());
    },
    async grant(accountId, credits, options) {
      assertCredits(credits, 1);
      const reference = options?.reference ?? null;
      return (await change({ type: 'grant', accountId, credits, reference })).balance;
    },
    async expireHolds() {
      const nowMs = clock.wallMs();
      const expired = [...kept.holds.values()].filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
      let count = 0;
      for (const { id: holdId, accountId } of expired)
        if ((await change({ type: 'end', accountId, holdId, how: 'expire' })).changed) count++;
      return count;
    },
    entries: async (accountId, { latest } = {}) => {
      const all = lists.get(accountId) ?? [];
      return latest === undefined ? [...all] : all.slice(Math.max(0, all.length - latest));
    },
  };
}
