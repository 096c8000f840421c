import { parseArgs } from 'node:util';
import { runFuzz } from './run-fuzz.js';
import { SURFACE_NAMES, type SurfaceName } from './surfaces/index.js';

/**
 * `npm run fuzz -- --cases 10000 --seed 7 --surface svg`: as many cases on one surface, or on each. `--from N --cases 1` makes
 * case N of a seed again; `--seconds N` stops after so long.
 */
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    surface: { type: 'string', multiple: true, default: [...SURFACE_NAMES] },
    seconds: { type: 'string' },
  },
});

const whole = (name: string, text: string): number => {
  if (!/^\d+$/.test(text)) throw new RangeError(`--${name} is ${text}; it must be a whole number`);
  return Number(text);
};
const isSurface = (name: string): name is SurfaceName => (SURFACE_NAMES as readonly string[]).includes(name);

let found = 0;
for (const surface of values.surface) {
  if (!isSurface(surface))
    throw new RangeError(`there is no surface ${surface}; there are ${SURFACE_NAMES.join(', ')}`);
  const { cases, outcomes, finds, seconds, seed } = await runFuzz({
    surface,
    seed: whole('seed', values.seed),
    from: whole('from', values.from),
    cases: whole('cases', values.cases),
    ...(values.seconds !== undefined && { maxSeconds: whole('seconds', values.seconds) }),
  });
  found += finds.length;
  console.log(`${surface}: ${cases} cases of seed ${seed} in ${seconds.toFixed(1)} s, ${finds.length} finds`);
  const counts = Object.entries(outcomes).sort(([, a], [, b]) => b - a);
  console.log(`  ${counts.map(([outcome, count]) => `${outcome}: ${count}`).join(', ')}`);
  for (const { index, what, error } of finds)
    console.log(`  case ${index} ${what}\n    ${error.replaceAll('\n', '\n    ')}`);
}
process.exitCode = found > 0 ? 1 : 0;
