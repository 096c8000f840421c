import { expect } from 'chai';
import { dayOf, lastDays, nextPeriodMs, periodOf } from '#domain/credits/period.js';
import { CREDIT_PACKS, includesPlan, isAccountPlan, PLAN_IDS, PLANS } from '#domain/credits/plans.js';

describe('plans', () => {
  it('have the published credits', () => {
    expect(PLAN_IDS.map((id) => [id, PLANS[id].monthlyCredits])).to.deep.equal([
      ['anonymous', 0],
      ['free', 50],
      ['pro', 500],
    ]);
    expect(CREDIT_PACKS).to.deep.equal([500, 1500, 4000]);
  });

  it('include those before them', () => {
    expect(PLAN_IDS.map((plan) => includesPlan(plan, 'free'))).to.deep.equal([false, true, true]);
    expect(PLAN_IDS.map((plan) => includesPlan(plan, 'pro'))).to.deep.equal([false, false, true]);
    expect(['anonymous', 'free', 'pro', 'gold'].map(isAccountPlan)).to.deep.equal([false, true, true, false]);
  });
});

describe('months and days', () => {
  it('are those of UTC', () => {
    const last = Date.UTC(2026, 11, 31, 23, 59, 59, 999);
    expect([periodOf(last), dayOf(last), nextPeriodMs(last)]).to.deep.equal(['2026-12', '2026-12-31', last + 1]);
    expect([periodOf(last + 1), dayOf(last + 1)]).to.deep.equal(['2027-01', '2027-01-01']);
    expect(lastDays(Date.UTC(2028, 2, 1), 3)).to.deep.equal(['2028-02-28', '2028-02-29', '2028-03-01']);
  });
});
