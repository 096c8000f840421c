import type { LedgerEntry } from '#domain/credits/balance.js';

/** Holds of these entries that nothing has ended: neither paid, nor given back, nor expired. */
export function openHoldsOf(entries: readonly LedgerEntry[]): readonly string[] {
  const open = new Set<string>();
  for (const { kind, holdId } of entries) {
    if (holdId === null) continue;
    if (kind === 'hold') open.add(holdId);
    else open.delete(holdId);
  }
  return [...open];
}
