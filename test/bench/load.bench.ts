import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase } from '#adapters/persistence/create-database.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { sumEntries } from '#domain/credits/balance.js';
import { TIER_IDS, type TierId, tierOf } from '#domain/tiers/tier.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { createSeededRandom } from '#test/support/seeded-random.js';
import { startProcess } from '#test/support/service-process.js';
import { prepareKeys } from './bench-accounts.js';

/**
 * A hundred clients with sixty keys at the real service, for a minute: who is refused waits as long as it was told. Ends with 1
 * where a promise is not kept: nothing but 503 and 504 of the 5xx, served within three tries, depths that add up, equal shares,
 * free slots and whole books at the end. `node dist/test/bench/load.bench.js`
 */

const SECONDS = Number(process.env.BURIN_TEST_LOAD_SECONDS ?? 60);
const CLIENTS = 100;
const KEYS = 60;
const WORKERS = 2;
const PICTURES = 24;
const MAX_TRIES = 3;
/** Of every ten clients; the two clients of one key want the same. */
const TIER_OF_CLIENT: readonly TierId[] = [
  'fast',
  'balanced_crisp',
  'fast',
  'fast',
  'balanced_crisp',
  'fast',
  'high_precision',
  'fast',
  'balanced_crisp',
  'fast',
];
const SAMPLE_EVERY_MS = 200;
const tierOfClient = (i: number) => TIER_OF_CLIENT[i % TIER_OF_CLIENT.length] as TierId;

const say = (what: string, figures: string) => process.stdout.write(`${what.padEnd(40)} ${figures}\n`);
const broken: string[] = [];
const require = (holds: boolean, promise: string) => {
  if (!holds) broken.push(promise);
};
const countBy = (values: readonly (string | number)[]) => {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => String(a).localeCompare(String(b)));
};
const told = (counts: readonly (readonly [string | number, number])[]) =>
  counts.map(([value, count]) => `${value}: ${count}`).join(', ') || 'none';

/** Flat shapes, other ones for another seed. */
async function shapesPng(seed: number): Promise<Buffer> {
  const random = createSeededRandom(seed);
  const size = 160 + Math.floor(random() * 160);
  const shapes = Array.from({ length: 6 }, () => {
    const [x, y, r] = [random() * size, random() * size, (0.08 + random() * 0.2) * size];
    const color = `hsl(${Math.floor(random() * 360)},70%,50%)`;
    return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${r.toFixed(1)}" fill="${color}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="100%" height="100%" fill="white"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const folder = await mkdtemp(join(tmpdir(), 'burin-load-'));
const file = join(folder, 'burin.sqlite');

const pictures = await Promise.all(Array.from({ length: PICTURES }, (_, i) => shapesPng(i + 1)));
const keys = await prepareKeys(file, KEYS, 4000);
/** One service after the other, over the same accounts. */
const startService = (env: Record<string, string> = {}) =>
  startProcess({
    BURIN_PORT: '0',
    BURIN_DATA_DIR: folder,
    BURIN_DATABASE_URL: '',
    BURIN_WORKERS: String(WORKERS),
    ...env,
  });
let service = startService();
let url = await service.ready;
const stopService = async () => {
  const queues = await readQueues();
  require(sumOf(queues, 'waiting') + sumOf(queues, 'running') === 0, 'the slots are free at the end');
  service.child.kill('SIGTERM');
  require((await service.exited) === 0, 'the service stops in order');
};

/** Everything that was answered, refusals too. */
const answers: { key: number; tier: TierId; status: number; code: string | undefined; credits: number }[] = [];
/** Tries that each conversion took. */
const tries: number[] = [];
let inFlight = 0;
let sent = 0;

/** One conversion to its end. True where it was served. */
async function convertOnce(key: number, tier: TierId, picture: Buffer, endMs: number): Promise<boolean> {
  const form = convertForm(picture, { quality_tier: tier });
  for (let attempt = 1; ; attempt++) {
    inFlight++;
    const answer = await fetch(`${url}/api/v1/convert`, {
      method: 'POST',
      headers: { 'content-type': MULTIPART_TYPE, 'x-api-key': keys[key]!.secret },
      body: new Uint8Array(form),
    });
    const body = (await answer.json()) as { code?: string };
    inFlight--;
    const credits = Number(answer.headers.get('x-credits-charged'));
    answers.push({ key, tier, status: answer.status, code: body.code, credits });
    if (answer.status === 200) {
      tries.push(attempt);
      return true;
    }
    const retryAfterMs = 1000 * Number(answer.headers.get('retry-after') ?? Number.NaN);
    require(retryAfterMs >= 1000, `${answer.status} ${body.code} says when to come again`);
    require(attempt < MAX_TRIES, `${tier} is served within ${MAX_TRIES} tries`);
    // A refusal near the end is not tried again, and proves nothing.
    if (performance.now() + retryAfterMs > endMs || !(retryAfterMs > 0)) return false;
    await sleep(retryAfterMs);
  }
}

async function runClient(key: number, tier: TierId, endMs: number, seed: number): Promise<void> {
  const random = createSeededRandom(seed);
  while (performance.now() < endMs) {
    const picture = pictures[Math.floor(random() * PICTURES)] as Buffer;
    // What follows a PNG's end makes it another file, which is not a free re-trace.
    const unique = Buffer.concat([picture, Buffer.from(`#${++sent}`)]);
    await convertOnce(key, tier, unique, endMs);
  }
}

type Queues = Record<TierId, { waiting: number; running: number; capacity: number }>;
const readQueues = async () => ((await (await fetch(`${url}/health`)).json()) as { queues: Queues }).queues;
const sumOf = (queues: Queues, what: 'waiting' | 'running') =>
  TIER_IDS.reduce((sum, tier) => sum + queues[tier][what], 0);

/** Looks at the queues until told to stop. */
function watchQueues() {
  let stopped = false;
  const samples: { waiting: number; running: number; unseen: number }[] = [];
  const watching = (async () => {
    while (!stopped) {
      const before = inFlight;
      const queues = await readQueues();
      const [waiting, running] = [sumOf(queues, 'waiting'), sumOf(queues, 'running')];
      // What is not in a queue is on its way in or out.
      samples.push({ waiting, running, unseen: Math.max(before, inFlight) - waiting - running });
      for (const tier of TIER_IDS) {
        const { waiting: inTier, running: runs, capacity } = queues[tier];
        require(inTier <= tierOf(tier).maxWaiting && runs <= capacity, `${tier} keeps to its places`);
      }
      require(running <= WORKERS, 'no more runs than there are workers');
      await sleep(SAMPLE_EVERY_MS);
    }
  })();
  return async () => {
    stopped = true;
    await watching;
    return samples;
  };
}

const maxOf = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
const minOf = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);

async function crowd() {
  const startMs = performance.now();
  const endMs = startMs + SECONDS * 1000;
  const stopWatching = watchQueues();
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => runClient(i % KEYS, tierOfClient(i), endMs, i + 1)));
  const samples = await stopWatching();
  const served = answers.filter(({ status }) => status === 200);
  say('clients, keys, seconds', `${CLIENTS}, ${KEYS}, ${((performance.now() - startMs) / 1000).toFixed(1)}`);
  say('served', `${served.length} (${told(countBy(served.map(({ tier }) => tier)))})`);
  say('statuses', told(countBy(answers.map(({ status, code }) => `${status}${code ? ` ${code}` : ''}`))));
  say('tries until served', told(countBy(tries)));
  say('health samples', `${samples.length}, most waiting ${maxOf(samples.map(({ waiting }) => waiting))}`);
  const unseen = samples.map((sample) => sample.unseen).sort((a, b) => a - b);
  say('in flight and in no queue', `median ${unseen[unseen.length >> 1]}, least ${unseen[0]}`);
  for (const tier of TIER_IDS) {
    const keysOfTier = Array.from({ length: KEYS }, (_, key) => key).filter((key) => tierOfClient(key) === tier);
    const shares = keysOfTier.map((key) => served.filter((one) => one.key === key).length);
    say(`served per key of ${tier}`, `${minOf(shares)}..${maxOf(shares)} (${keysOfTier.length} keys)`);
  }
  require(served.length > 0, 'somebody is served');
  require(answers.every(
    ({ status }) => status < 500 || status === 503 || status === 504,
  ), 'nothing but 503 and 504 of the 5xx');
  // Queues never hold more than was sent, whatever the moment.
  require(minOf(unseen) >= 0, 'depths add up to no more than what is in flight');
}

/** One key asks six times at once, the other half as often; both always want the same tier. */
async function twoKeys() {
  service = startService({ BURIN_CONCURRENT_PER_KEY: '6' });
  url = await service.ready;
  const from = answers.length;
  const endMs = performance.now() + Math.min(15, SECONDS) * 1000;
  const clients = [0, 0, 0, 0, 0, 0, 1, 1, 1];
  await Promise.all(clients.map((key, i) => runClient(key, 'balanced_crisp', endMs, i + 1)));
  const [first, second] = [0, 1].map(
    (key) => answers.slice(from).filter((one) => one.key === key && one.status === 200).length,
  ) as [number, number];
  say('two keys, six clients and three', `${first} and ${second} served`);
  // Six are still waiting when the time is over, and three of the other.
  require(Math.abs(first - second) <= 6 + 0.1 * Math.min(first, second), 'two keys get equal shares');
}

async function checkBooks() {
  const database = createDatabase(file);
  const { credits } = createKnexStores(database, systemClock);
  let used = 0;
  for (const { accountId } of keys) {
    const balance = await credits.balance(accountId);
    const sum = sumEntries(await credits.entries(accountId));
    require((sum.used === balance.used && sum.pack === balance.pack && sum.monthly === balance.monthly) ||
      sum.period === '', 'every balance is the sum of its ledger');
    used += balance.used;
  }
  const [{ open }] = (await database.knex('credit_holds').count({ open: '*' })) as unknown as [{ open: number }];
  const charged = answers.reduce((sum, { credits: paid }) => sum + paid, 0);
  say('credits charged, in the ledger, held', `${charged}, ${used}, ${open}`);
  require(charged === used && Number(open) === 0, 'what was charged is what the ledger has, and nothing is held');
  await database.close();
}

await crowd();
await stopService();
await twoKeys();
await stopService();
await checkBooks();
await rm(folder, { recursive: true, force: true });
for (const promise of new Set(broken)) process.stdout.write(`NOT KEPT: ${promise}\n`);
process.exit(broken.length > 0 ? 1 : 0);
