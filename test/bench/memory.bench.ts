import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadConfig } from '#config/env.js';
import { conversionMemoryBytes } from '#domain/tiers/memory.js';
import { type TierId, tierOf } from '#domain/tiers/tier.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { circlesPng } from '#test/support/png-files.js';
import { start } from './start-service.js';

/**
 * The most that the processes of the service have in memory, all together: idle, with one picture of 50 megapixels, and with
 * twenty of 12 megapixels at once. Fails where that is above the budget and what is beside it. `npm run bench:memory -- --tier fast`
 */
const { values } = parseArgs({
  options: {
    tier: { type: 'string', default: 'fast' },
    workers: { type: 'string', default: '4' },
    budget: { type: 'string', default: '4GB' },
  },
});
const tier = tierOf(values.tier as TierId);
const MB = 1024 * 1024;
const SAMPLE_MS = 50;
/** The service itself, with the uploads that wait, and workers that rest. */
const BESIDE_BYTES = 600 * MB;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
const familyOf = (pid: number): readonly number[] => {
  let tasks: readonly string[] = [];
  try {
    tasks = readdirSync(`/proc/${pid}/task`);
  } catch {
    // It has ended.
  }
  const children = tasks.flatMap((task) => read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean));
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))];
};
const kilobytes = (text: string, name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0);
const residentOf = (pid: number) =>
  familyOf(pid).reduce((sum, one) => sum + kilobytes(read(`/proc/${one}/status`), 'VmRSS') * 1024, 0);
/** Pages that several processes share are counted once. */
const shareOf = (pid: number) =>
  familyOf(pid).reduce((sum, one) => sum + kilobytes(read(`/proc/${one}/smaps_rollup`), 'Pss') * 1024, 0);
const mb = (bytes: number) => `${Math.round(bytes / MB)} MB`;

const env = {
  BURIN_WORKERS: values.workers,
  BURIN_MEMORY_BUDGET: values.budget,
  BURIN_FAST_WAIT_LIMIT: '1h',
  BURIN_BALANCED_CRISP_WAIT_LIMIT: '1h',
  BURIN_HIGH_PRECISION_WAIT_LIMIT: '1h',
  BURIN_HIGH_PRECISION_WAITING: '64',
  BURIN_FAST_RUN_LIMIT: '1h',
  BURIN_BALANCED_CRISP_RUN_LIMIT: '1h',
  BURIN_HIGH_PRECISION_RUN_LIMIT: '1h',
  BURIN_STORAGE_URL: 'memory:',
  // Everybody without a key is somebody else, by address.
  BURIN_TRUST_PROXY: 'on',
};
const { memoryBudgetBytes } = loadConfig(env).workers;
let failed = false;

async function measure(what: string, pictures: readonly Uint8Array[], pixels: number): Promise<void> {
  const service = await start(env);
  const idle = shareOf(service.pid);
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentOf(service.pid));
  }, SAMPLE_MS);
  const startMs = performance.now();
  const statuses = await Promise.all(
    pictures.map(async (picture, i) => {
      const body = new Uint8Array(convertForm(picture, { quality_tier: tier.id }));
      const headers = { 'content-type': MULTIPART_TYPE, 'x-forwarded-for': `10.0.0.${i + 1}` };
      const answer = await fetch(`${service.url}/api/v1/convert`, { method: 'POST', headers, body });
      const text = await answer.text();
      if (!answer.ok) console.log(text);
      return answer.status;
    }),
  );
  clearInterval(watch);
  const tookMs = performance.now() - startMs;
  await service.stop();
  const limit = memoryBudgetBytes + BESIDE_BYTES;
  const fine = peak <= limit && statuses.every((status) => status === 200);
  failed ||= !fine;
  console.log(
    `${what}: idle ${mb(idle)}, peak ${mb(peak)} of ${mb(limit)}, each taken to need ${mb(conversionMemoryBytes(pixels, tier))}; ` +
      `${statuses.filter((status) => status === 200).length} of ${statuses.length} answered in ${Math.round(tookMs)} ms${fine ? '' : ' FAILED'}`,
  );
}

console.log(`${tier.id}, ${values.workers} workers, a budget of ${mb(memoryBudgetBytes)}`);
const [large, middle] = [7071, 3464];
await measure('1 x 50 megapixels', [await circlesPng(large, 40, 1)], large ** 2);
const twenty = await Promise.all(Array.from({ length: 20 }, (_, seed) => circlesPng(middle, 40, seed % 4)));
await measure('20 x 12 megapixels', twenty, middle ** 2);
process.exitCode = failed ? 1 : 0;
