/** Plans and credit packs: the one table of what an account may have. */

export const PLAN_IDS = ['anonymous', 'free', 'pro'] as const;
/** Least first: a plan includes everything of those before it. */
export type PlanId = (typeof PLAN_IDS)[number];
/** The plans an account can be on; nobody signs up as `anonymous`. */
export const ACCOUNT_PLAN_IDS = ['free', 'pro'] as const;
export type AccountPlanId = (typeof ACCOUNT_PLAN_IDS)[number];

export interface Plan {
  readonly id: PlanId;
  /** Credits of each UTC calendar month; what is left of them ends with the month. */
  readonly monthlyCredits: number;
  /** One sentence for people. */
  readonly meaning: string;
}

export const PLANS = {
  anonymous: { id: 'anonymous', monthlyCredits: 0, meaning: 'Without a key: conversions one at a time, no credits.' },
  free: { id: 'free', monthlyCredits: 50, meaning: 'Conversions, and every export but EPS, DXF and ZIP.' },
  pro: { id: 'pro', monthlyCredits: 500, meaning: 'Everything, EPS, DXF and ZIP exports included.' },
} as const satisfies { readonly [Id in PlanId]: Plan & { readonly id: Id } };

/** Sizes of the packs that the owner grants; their credits do not end with the month. */
export const CREDIT_PACKS = [500, 1500, 4000] as const;

export const isAccountPlan = (text: string): text is AccountPlanId =>
  (ACCOUNT_PLAN_IDS as readonly string[]).includes(text);

/** Whether `plan` has everything that `needed` has. */
export const includesPlan = (plan: PlanId, needed: PlanId): boolean =>
  PLAN_IDS.indexOf(plan) >= PLAN_IDS.indexOf(needed);
