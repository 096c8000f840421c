import type { Knex } from 'knex';
import type { Clock } from '#application/ports/clock.js';
import type { CreditLedger } from '#application/ports/credit-ledger.js';
import type { Balance, LedgerEntry, OpenHold } from '#domain/credits/balance.js';
import { type AccountPlanId, PLANS } from '#domain/credits/plans.js';
import { ServiceError } from '#domain/errors.js';
import type { Database, Transaction } from './create-database.js';
import { assertCredits, createCreditHold, HOLD_LIFETIME_MS } from './credit-hold.js';
import { gather } from './gather.js';
import {
  applyChange,
  balanceNow,
  type ChangeAnswer,
  type LedgerChange,
  type LedgerState,
  referenceKey,
} from './ledger-state.js';
import { randomId } from './secrets.js';

/** Changes of one transaction; an insert of their entries stays below 500 rows, SQLite's limit for one statement. */
const MAX_CHANGES = 200;

interface BalanceRow extends Balance {
  readonly account_id: string;
  readonly plan: AccountPlanId;
}

interface HoldRow extends Omit<OpenHold, 'accountId' | 'expiresAtMs'> {
  readonly account_id: string;
  readonly expires_at_ms: number | string;
}

interface EntryRow extends Omit<LedgerEntry, 'holdId' | 'atMs'> {
  readonly hold_id: string | null;
  readonly at_ms: number | string;
}

interface Written {
  readonly accountId: string;
  readonly entry: LedgerEntry;
}

const quotaOf = (plan: AccountPlanId) => PLANS[plan].monthlyCredits;
const toBalance = ({ period, quota, monthly, pack, used }: BalanceRow): Balance => ({
  period,
  quota,
  monthly,
  pack,
  used,
});
const unique = (texts: readonly string[]) => [...new Set(texts)];

/** Balances of these accounts with their plans. */
const selectBalances = (knex: Knex, ids: readonly string[]): Knex.QueryBuilder<object, BalanceRow[]> =>
  knex('credit_balances')
    .join('accounts', 'accounts.id', 'credit_balances.account_id')
    .whereIn('credit_balances.account_id', ids)
    .select('account_id', 'plan', 'period', 'quota', 'monthly', 'pack', 'used');

/** The same, locked, always in the same order, so that two who lock many never wait for each other. */
async function readBalances(trx: Transaction, ids: readonly string[]): Promise<readonly BalanceRow[]> {
  return selectBalances(trx, ids).orderBy('credit_balances.account_id').forUpdate('credit_balances');
}

async function readHolds(trx: Transaction, ids: readonly string[]): Promise<readonly [string, OpenHold][]> {
  if (ids.length === 0) return [];
  const rows: HoldRow[] = await trx('credit_holds').whereIn('id', ids);
  return rows.map((row) => {
    const { account_id: accountId, expires_at_ms, ...hold } = row;
    return [hold.id, { ...hold, accountId, expiresAtMs: Number(expires_at_ms) }];
  });
}

/** Which of these references have an entry already. */
async function readReferences(trx: Transaction, accountIds: readonly string[], references: readonly string[]) {
  if (references.length === 0) return [];
  const rows: { account_id: string; kind: LedgerEntry['kind']; reference: string }[] = await trx('credit_entries')
    .whereIn('account_id', accountIds)
    .whereIn('kind', ['settle', 'grant'])
    .whereIn('reference', references)
    .select('account_id', 'kind', 'reference');
  return rows.map((row) => referenceKey(row.account_id, row.kind, row.reference));
}

/** Everything that these changes need to know. */
async function readState(trx: Transaction, changes: readonly LedgerChange[]) {
  const accountIds = unique(changes.map(({ accountId }) => accountId));
  const ending = changes.flatMap((change) => (change.type === 'end' ? [change.holdId] : []));
  const balances = readBalances(trx, accountIds);
  const found = readHolds(trx, unique(ending));
  await allDone([balances, found]);
  const rows = await balances;
  const holds = new Map(await found);
  const named = changes.flatMap(
    (change) => (change.type === 'end' ? holds.get(change.holdId)?.reference : change.reference) ?? [],
  );
  const plans = new Map(rows.map(({ account_id, plan }) => [account_id, plan]));
  const written: Written[] = [];
  const state: LedgerState = {
    quotaOf(accountId) {
      const plan = plans.get(accountId);
      return plan && quotaOf(plan);
    },
    balances: new Map(rows.map((row) => [row.account_id, toBalance(row)])),
    holds,
    references: new Set(await readReferences(trx, accountIds, unique(named))),
    append: (accountId, entry) => void written.push({ accountId, entry }),
  };
  return { state, written };
}

async function writeState(trx: Transaction, { balances, holds }: LedgerState, written: readonly Written[]) {
  if (written.length === 0) return;
  const ends = (kind: LedgerEntry['kind']) => kind === 'settle' || kind === 'release' || kind === 'expire';
  const opened = written.flatMap(({ entry }) => {
    const hold = entry.kind === 'hold' && entry.holdId !== null ? holds.get(entry.holdId) : undefined;
    return hold === undefined ? [] : [hold];
  });
  const ended = written.flatMap(({ entry }) => (ends(entry.kind) && entry.holdId !== null ? [entry.holdId] : []));

  const touched = unique(written.map(({ accountId }) => accountId));
  // None of these looks at what another writes, and each wait for an answer is a good part of what a conversion costs.
  await allDone([
    ...(ended.length > 0 ? [trx('credit_holds').whereIn('id', ended).delete()] : []),
    ...(opened.length > 0
      ? [
          trx('credit_holds').insert(
            opened.map(({ accountId, expiresAtMs, ...hold }) => ({
              ...hold,
              account_id: accountId,
              expires_at_ms: expiresAtMs,
            })),
          ),
        ]
      : []),
    trx('credit_entries').insert(
      written.map(({ accountId, entry: { holdId, atMs, ...entry } }) => ({
        ...entry,
        account_id: accountId,
        hold_id: holdId,
        ends_hold_id: ends(entry.kind) ? holdId : null,
        at_ms: atMs,
      })),
    ),
    trx('credit_balances')
      .insert(touched.map((account_id) => ({ account_id, ...balances.get(account_id) })))
      .onConflict('account_id')
      .merge(['period', 'quota', 'monthly', 'pack', 'used']),
  ]);
}

/** Waits for every one, so that nothing runs on when the transaction ends; then rejects as the first that did. */
async function allDone(statements: readonly PromiseLike<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(statements)) if (outcome.status === 'rejected') throw outcome.reason;
}

export interface KnexCreditLedgerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly holdLifetimeMs?: number;
}

/**
 * A CreditLedger in a database. Changes that come while a transaction is under way share the next one. Each account's row in
 * credit_balances is locked while its credits change, so it holds between processes too.
 */
export function createKnexCreditLedger(deps: KnexCreditLedgerDeps): CreditLedger {
  const { database, clock, holdLifetimeMs = HOLD_LIFETIME_MS } = deps;
  const { knex } = database;

  const applyAll = (changes: readonly LedgerChange[]) =>
    database.transaction(async (trx) => {
      const { state, written } = await readState(trx, changes);
      const nowMs = clock.wallMs();
      const answers = changes.map((change) => applyChange(state, change, nowMs));
      await writeState(trx, state, written);
      return answers;
    });
  const gathered = gather(applyAll, MAX_CHANGES);
  const lookUpAll = async (accountIds: readonly string[]) => {
    const rows = new Map((await selectBalances(knex, unique(accountIds))).map((row) => [row.account_id, row]));
    return accountIds.map((accountId) => rows.get(accountId));
  };
  const lookUp = gather(lookUpAll, MAX_CHANGES);
  const change = async (wanted: LedgerChange): Promise<ChangeAnswer> => {
    const answer = await gathered(wanted);
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
      const row = await lookUp(accountId);
      if (row === undefined) throw new ServiceError('NOT_FOUND', { what: 'The account' });
      return balanceNow(toBalance(row), quotaOf(row.plan), clock.wallMs());
    },
    async grant(accountId, credits, options) {
      assertCredits(credits, 1);
      return (await change({ type: 'grant', accountId, credits, reference: options?.reference ?? null })).balance;
    },
    async expireHolds() {
      const rows: { id: string; account_id: string }[] = await knex('credit_holds')
        .where('expires_at_ms', '<=', clock.wallMs())
        .select('id', 'account_id');
      const answers = await Promise.all(
        rows.map(({ id, account_id }) => change({ type: 'end', accountId: account_id, holdId: id, how: 'expire' })),
      );
      return answers.filter(({ changed }) => changed).length;
    },
    async entries(accountId, { latest } = {}) {
      const all = knex('credit_entries')
        .where({ account_id: accountId })
        .select('kind', 'period', 'monthly', 'pack', 'used', 'hold_id', 'reference', 'at_ms');
      const rows: EntryRow[] =
        latest === undefined ? await all.orderBy('id') : (await all.orderBy('id', 'desc').limit(latest)).reverse();
      return rows.map(({ hold_id, at_ms, ...entry }) => ({ ...entry, holdId: hold_id, atMs: Number(at_ms) }));
    },
  };
}
