import { parseArgs } from 'node:util';
import { runKillRounds } from '#test/support/kill-rounds.js';

/**
 * The real service, killed at random moments under load and started again over what it has left. Ends with 1 where a promise is
 * not kept: a ledger that adds up, each conversion paid once, no hold left after its time, whole files, nothing piling up.
 * `npm run bench:kills -- --kills 200 --seed 1`
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '4' },
  },
});
const startMs = performance.now();
const say = (line: string) => process.stdout.write(`${line}\n`);
const { answers, broken, ...report } = await runKillRounds({
  kills: Number(values.kills),
  seed: Number(values.seed),
  lanes: Number(values.lanes),
  say,
});
for (const [what, figure] of Object.entries(report)) say(`${what.padEnd(20)} ${figure}`);
for (const [what, count] of Object.entries(answers).sort()) say(`  ${what.padEnd(18)} ${count}`);
say(`${'seconds'.padEnd(20)} ${((performance.now() - startMs) / 1000).toFixed(0)}`);
for (const promise of broken) say(`BROKEN: ${promise}`);
process.exitCode = broken.length > 0 ? 1 : 0;
