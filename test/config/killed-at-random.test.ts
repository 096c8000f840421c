import { expect } from 'chai';
import { runKillRounds } from '#test/support/kill-rounds.js';

/** `npm run bench:kills` kills as often as it is told. */
const KILLS = 4;

describe('a service that is killed at random moments under load', () => {
  it('charges each conversion once, and leaves no hold and no half file', async () => {
    const { broken, answers, ...report } = await runKillRounds({ kills: KILLS, seed: 20_261 });
    expect(broken).to.deep.equal([]);
    expect(report.kills).to.equal(KILLS);
    expect(report.charged).to.equal(report.delivered);
    for (const what of ['delivered', 'filesRead'] as const) expect(report[what], what).to.be.above(0);
    // The kills were felt.
    expect(answers['convert 0'] ?? 0).to.be.above(0);
  }).timeout(180_000);
});
