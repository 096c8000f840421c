/**
 * The arithmetic of credits. The ledger is a list of entries that only grows; a balance is nothing but their sum, and every
 * change is decided here as the entry to append. Monthly credits are taken first and end with their month; pack credits stay.
 *
 *   quota  +50 monthly ── hold −2 monthly ──┬── settle   0, used 2
 *   grant +500 pack                         ├── release +2 monthly   (the work failed)
 *                                           └── expire  +2 monthly   (its process died)
 */

export const ENTRY_KINDS = ['quota', 'grant', 'hold', 'settle', 'release', 'expire'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];
/** How a hold ends: paid, given back by its owner, given back because nobody ended it. */
export type HoldEnd = 'settle' | 'release' | 'expire';

export interface LedgerEntry {
  readonly kind: EntryKind;
  /** The month (`2026-11`) that `monthly` and `used` belong to; for the end of a hold, the month of the hold. */
  readonly period: string;
  /** Change of that month's credits. */
  readonly monthly: number;
  /** Change of the pack credits. */
  readonly pack: number;
  /** Credits that are spent for good; 0 but in `settle`. */
  readonly used: number;
  readonly holdId: string | null;
  /** What makes it happen once: two entries of an account, a kind and a reference cannot be. */
  readonly reference: string | null;
  readonly atMs: number;
}

export interface Balance {
  /** The month that `quota`, `monthly` and `used` belong to; empty before the first entry. */
  readonly period: string;
  /** Monthly credits given in this month. */
  readonly quota: number;
  /** Monthly credits left. */
  readonly monthly: number;
  /** Pack credits left. */
  readonly pack: number;
  /** Credits of conversions that began in this month and were paid. */
  readonly used: number;
}

/** Credits set aside and from where. */
export interface OpenHold {
  readonly id: string;
  readonly accountId: string;
  readonly period: string;
  /** Above 0 in sum. */
  readonly monthly: number;
  readonly pack: number;
  readonly reference: string | null;
  readonly expiresAtMs: number;
}

export const EMPTY_BALANCE: Balance = { period: '', quota: 0, monthly: 0, pack: 0, used: 0 };

/** Credits that can be spent now: what is set aside by holds is not among them. */
export const availableCredits = ({ monthly, pack }: Balance): number => monthly + pack;

/** The balance with one more entry. An entry of a newer month begins that month; monthly parts of older ones are past and count nothing. */
export function applyEntry(balance: Balance, entry: LedgerEntry): Balance {
  const { quota, monthly, used } = entry.period > balance.period ? { quota: 0, monthly: 0, used: 0 } : balance;
  const period = entry.period > balance.period ? entry.period : balance.period;
  const pack = balance.pack + entry.pack;
  if (entry.period < period) return { period, quota, monthly, pack, used };
  return {
    period,
    quota: quota + (entry.kind === 'quota' ? entry.monthly : 0),
    monthly: monthly + entry.monthly,
    pack,
    used: used + entry.used,
  };
}

/** The balance that a list of entries, oldest first, adds up to. */
export const sumEntries = (entries: Iterable<LedgerEntry>): Balance => {
  let balance = EMPTY_BALANCE;
  for (const entry of entries) balance = applyEntry(balance, entry);
  return balance;
};

/**
 * The entry that gives a month its quota: the whole of it in a new month, the difference where the plan has grown since;
 * undefined where nothing is owed. A smaller plan takes nothing back before the next month. Months never go backwards,
 * even where somebody sets the clock back.
 */
export function quotaEntry(
  balance: Balance,
  { period, quota, atMs }: { readonly period: string; readonly quota: number; readonly atMs: number },
): LedgerEntry | undefined {
  const isNew = period > balance.period;
  const owed = quota - (isNew ? 0 : balance.quota);
  if (owed <= 0 && !isNew) return undefined;
  const month = isNew ? period : balance.period;
  const reference = `${month}:${quota}`;
  return { kind: 'quota', period: month, monthly: Math.max(0, owed), pack: 0, used: 0, holdId: null, reference, atMs };
}

/** Sets credits (above 0) aside, monthly ones first; undefined where there are too few. `balance` is of the current month. */
export function holdEntry(
  balance: Balance,
  { holdId, credits, atMs }: { readonly holdId: string; readonly credits: number; readonly atMs: number },
): LedgerEntry | undefined {
  if (credits > availableCredits(balance)) return undefined;
  const monthly = Math.min(balance.monthly, credits);
  const { period } = balance;
  return {
    kind: 'hold',
    period,
    monthly: 0 - monthly,
    pack: monthly - credits,
    used: 0,
    holdId,
    reference: null,
    atMs,
  };
}

/** Ends a hold: paid, or given back to where it came from. */
export function endEntry(hold: OpenHold, how: HoldEnd, atMs: number): LedgerEntry {
  const { id: holdId, period, monthly, pack } = hold;
  if (how === 'settle')
    return { kind: how, period, monthly: 0, pack: 0, used: monthly + pack, holdId, reference: hold.reference, atMs };
  return { kind: how, period, monthly, pack, used: 0, holdId, reference: null, atMs };
}

/** Adds credits (above 0) that stay. `balance` is of the current month. */
export const grantEntry = (
  balance: Balance,
  { credits, reference, atMs }: { readonly credits: number; readonly reference: string | null; readonly atMs: number },
): LedgerEntry => ({
  kind: 'grant',
  period: balance.period,
  monthly: 0,
  pack: credits,
  used: 0,
  holdId: null,
  reference,
  atMs,
});
