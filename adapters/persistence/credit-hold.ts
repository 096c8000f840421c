import type { CreditHold } from '#application/ports/credit-ledger.js';
import { availableCredits, type HoldEnd } from '#domain/credits/balance.js';
import type { ChangeAnswer } from './ledger-state.js';

/** How long a hold may last before it counts as forgotten: well past the longest wait and run of a tier. */
export const HOLD_LIFETIME_MS = 15 * 60 * 1000;

/** Throws RangeError for what cannot be a number of credits. */
export function assertCredits(credits: number, least: number): void {
  if (!Number.isSafeInteger(credits) || credits < least || credits > 1_000_000_000)
    throw new RangeError(`credits must be a whole number from ${least} to 1000000000, not ${credits}`);
}

/** The hold that `answer` tells of, ended by `end`, which is called once. */
export function createCreditHold(
  id: string,
  answer: ChangeAnswer,
  end: (how: HoldEnd) => Promise<ChangeAnswer>,
): CreditHold {
  let ended: Promise<ChangeAnswer> | undefined;
  const endOnce = (how: HoldEnd) => {
    ended ??= !answer.changed ? Promise.resolve(answer) : end(how);
    return ended;
  };
  return {
    id,
    credits: answer.credits,
    remaining: availableCredits(answer.balance),
    async settle() {
      const { credits, balance } = await endOnce('settle');
      return { charged: credits, remaining: availableCredits(balance) };
    },
    async release() {
      // The reaper gives back what could not be given back now.
      await endOnce('release').catch(() => {});
    },
  };
}
