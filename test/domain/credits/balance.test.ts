import { expect } from 'chai';
import fc from 'fast-check';
import {
  applyEntry,
  availableCredits,
  EMPTY_BALANCE,
  endEntry,
  grantEntry,
  holdEntry,
  type LedgerEntry,
  type OpenHold,
  quotaEntry,
  sumEntries,
} from '#domain/credits/balance.js';
import { holds } from '#test/support/properties.js';

const november = { period: '2026-11', quota: 50, monthly: 50, pack: 0, used: 0 };
const atMs = 1000;

describe('the arithmetic of credits', () => {
  it('begins a month with its quota and forgets the last one', () => {
    const first = quotaEntry(EMPTY_BALANCE, { period: '2026-11', quota: 50, atMs })!;
    expect(applyEntry(EMPTY_BALANCE, first)).to.deep.equal(november);
    const spent = { ...november, monthly: 7, pack: 30, used: 43 };
    const next = quotaEntry(spent, { period: '2026-12', quota: 50, atMs })!;
    expect(applyEntry(spent, next)).to.deep.equal({ period: '2026-12', quota: 50, monthly: 50, pack: 30, used: 0 });
  });

  it('owes nothing twice, the difference to a larger plan, and nothing for a clock set back', () => {
    expect(quotaEntry(november, { period: '2026-11', quota: 50, atMs })).to.equal(undefined);
    expect(quotaEntry(november, { period: '2026-11', quota: 20, atMs })).to.equal(undefined);
    expect(quotaEntry(november, { period: '2026-10', quota: 50, atMs })).to.equal(undefined);
    expect(quotaEntry(november, { period: '2026-11', quota: 500, atMs })).to.include({ monthly: 450 });
    expect(quotaEntry(november, { period: '2026-10', quota: 500, atMs })).to.include({
      monthly: 450,
      period: '2026-11',
    });
  });

  it('takes monthly credits before those of packs, and no more than there are', () => {
    const balance = { ...november, monthly: 3, pack: 4 };
    const cases: [credits: number, monthly: number, pack: number][] = [
      [1, -1, 0],
      [3, -3, 0],
      [5, -3, -2],
      [7, -3, -4],
    ];
    for (const [credits, monthly, pack] of cases)
      expect(holdEntry(balance, { holdId: 'h', credits, atMs })).to.include({ kind: 'hold', monthly, pack, used: 0 });
    expect(holdEntry(balance, { holdId: 'h', credits: 8, atMs })).to.equal(undefined);
  });

  it('never goes below zero, whatever is held, paid, given back, granted and renewed', () => {
    const months = ['2026-10', '2026-11', '2026-12'];
    const step = fc.record({
      what: fc.constantFrom('hold', 'hold', 'settle', 'release', 'expire', 'grant', 'month'),
      credits: fc.integer({ min: 1, max: 40 }),
      which: fc.nat(1000),
    });
    let checked = 0;
    holds(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const entries: LedgerEntry[] = [];
        const open: OpenHold[] = [];
        let balance = EMPTY_BALANCE;
        let month = 0;
        let given = 0;
        let spent = 0;
        const append = (entry: LedgerEntry | undefined) => {
          if (entry === undefined) return;
          entries.push(entry);
          balance = applyEntry(balance, entry);
          expect(Math.min(balance.monthly, balance.pack, balance.used, balance.quota)).to.be.at.least(0);
          checked++;
        };
        for (const { what, credits, which } of steps) {
          append(quotaEntry(balance, { period: months[month]!, quota: 50, atMs }));
          if (what === 'month') month = Math.min(month + 1, 2);
          else if (what === 'grant') {
            append(grantEntry(balance, { credits, reference: null, atMs }));
            given += credits;
          } else if (what === 'hold') {
            const entry = holdEntry(balance, { holdId: String(entries.length), credits, atMs });
            expect(entry === undefined).to.equal(credits > availableCredits(balance));
            append(entry);
            if (entry !== undefined)
              open.push({
                id: String(entry.holdId),
                accountId: 'a',
                period: entry.period,
                monthly: 0 - entry.monthly,
                pack: 0 - entry.pack,
                reference: null,
                expiresAtMs: 0,
              });
          } else if (open.length > 0) {
            const [hold] = open.splice(which % open.length, 1) as [OpenHold];
            append(endEntry(hold, what as 'settle', atMs));
            if (what === 'settle') spent += hold.pack;
          }
        }
        expect(sumEntries(entries)).to.deep.equal(balance);
        expect(balance.pack + open.reduce((sum, { pack }) => sum + pack, 0)).to.equal(given - spent);
      }),
    );
    expect(checked).to.be.greaterThan(1000);
  });
});
