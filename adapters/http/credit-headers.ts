import type { Charge } from '#application/ports/credit-ledger.js';

/** On every answer to a conversion, a refusal included. */
export const creditHeaders = ({ charged, remaining }: Charge): Readonly<Record<string, string>> => ({
  'x-credits-charged': String(charged),
  'x-credits-remaining': String(remaining),
});
