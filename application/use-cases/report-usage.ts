import type { Account, AccountStatus } from '#domain/accounts/account.js';
import { availableCredits } from '#domain/credits/balance.js';
import { PLANS, type PlanId } from '#domain/credits/plans.js';
import type { CreditLedger } from '../ports/credit-ledger.js';
import type { UsageDay, UsageMeter } from '../ports/usage-meter.js';

/** As published: the names are the interface's. */
export interface UsageReport {
  readonly plan: PlanId;
  readonly status: AccountStatus;
  /** Credits that can be spent now, monthly and pack ones. */
  readonly api_credits_balance: number;
  /** Credits paid in this UTC calendar month. */
  readonly api_credits_used_this_period: number;
  readonly monthly_credits_quota: number;
  /** The beginning of the key that asks; empty for a signed-in person. */
  readonly key_prefix: string;
  /** The last 30 UTC days, oldest first. */
  readonly history: readonly UsageDay[];
}

/** Rejects with NOT_FOUND where the account has gone. */
export type ReportUsage = (account: Account, keyPrefix: string) => Promise<UsageReport>;

export const createReportUsage =
  ({ credits, usage }: { readonly credits: CreditLedger; readonly usage: UsageMeter }): ReportUsage =>
  async ({ id, plan, status }, keyPrefix) => {
    const [balance, history] = await Promise.all([credits.balance(id), usage.history(id)]);
    return {
      plan,
      status,
      api_credits_balance: availableCredits(balance),
      api_credits_used_this_period: balance.used,
      monthly_credits_quota: PLANS[plan].monthlyCredits,
      key_prefix: keyPrefix,
      history,
    };
  };
