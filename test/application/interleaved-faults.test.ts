import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { randomIdSource } from '#adapters/identity/random-id-source.js';
import { createKnexStores, createMemoryStores, type Stores } from '#adapters/persistence/stores.js';
import { createFilesystemArtifactStore } from '#adapters/storage/filesystem-artifact-store.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import { sumEntries } from '#domain/credits/balance.js';
import { ERRORS } from '#domain/errors.js';
import { HOUR_MS, type ManualClock } from '#test/contracts/make-stores.js';
import { DATABASE_KINDS } from '#test/support/databases.js';
import { createFaultyPorts } from '#test/support/faulty-ports.js';
import { createTestService } from '#test/support/http-service.js';
import { createManualClock } from '#test/support/manual-clock.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { openHoldsOf } from '#test/support/open-holds.js';
import { SEED } from '#test/support/properties.js';
import { discRaster } from '#test/support/rasters.js';
import { toPpm } from '#test/support/run-tracer.js';
import { createSeededRandom } from '#test/support/seeded-random.js';
import { until } from '#test/support/until.js';

const STEPS = 60;
const KEYS = 10;
const PRICE = 1;
const CAP_BYTES = 4_000_000;
const LATEST_MS = 40;
/** `BURIN_TEST_RUNS` tries more histories than a run of all tests has time for. */
const RUNS = Number(process.env.BURIN_TEST_RUNS ?? 10);
/** From so many histories on, all faults are to be among them. */
const RUNS_FOR_ALL = 10;
/** Whatever else the machine does: what never ends is to be found, not what is slow. */
const GUARD_MS = 300_000 + RUNS * 20_000;
const ACTIONS = [
  'convert',
  'convert',
  'retry',
  'retry',
  'retry',
  'unnamed',
  'job',
  'leave',
  'download',
  'jump',
  'reap',
  'restart',
] as const;

type App = ReturnType<typeof createTestService>;
interface Told {
  readonly key: string | undefined;
  readonly answer: LightMyRequestResponse;
}

/** A picture of its own for each name: the same one twice would be free. */
const pictureOf = (index: number) => {
  const raster = discRaster(12);
  raster.data[0] = index & 0xff;
  raster.data[1] = index >> 8;
  return toPpm(raster);
};

/** The same disk, on which every room and every file takes up to `LATEST_MS`: what goes on behind an answer goes on for longer than the rest. */
function slowDisk(disk: ArtifactStore): ArtifactStore {
  const random = createSeededRandom(SEED);
  const wait = () => new Promise((resolve) => setTimeout(resolve, random() * LATEST_MS));
  return {
    ...disk,
    async reserve(bytes) {
      await wait();
      const room = await disk.reserve(bytes);
      return {
        put: (artifact) => wait().then(() => room.put(artifact)),
        release: () => room.release(),
      };
    },
  };
}

/** One history: what is asked, what fails, when the process dies and what the clock says, all by a seed. Answers what was seen. */
async function liveThrough(
  seed: number,
  stores: (clock: ManualClock) => Stores,
  diskOf = (disk: ArtifactStore) => disk,
) {
  const clock = createManualClock(0, Date.UTC(2026, 10, 10));
  const folder = await mkdtemp(join(tmpdir(), 'burin-faults-'));
  const kept = stores(clock);
  const died: Promise<void>[] = [];
  const seen = new Map<string, number>();
  let part = 0;
  const begin = async () => {
    const ports = createFaultyPorts(seed * 31 + part++);
    const files = await createFilesystemArtifactStore({ folder, clock, ids: randomIdSource, capBytes: CAP_BYTES });
    const service: App = createTestService({
      clock,
      stores: ports.stores(kept),
      artifacts: ports.artifacts(diskOf(files)),
      queueOf: ports.queue,
      running: 2,
      waiting: 100,
    });
    return { ...ports, files, service };
  };
  let now = await begin();
  const { faults } = now;
  const { random } = faults;
  const below = (limit: number) => Math.floor(random() * limit);
  const account = await kept.accounts.create({ email: null, plan: 'pro' });
  const { secret } = await kept.keys.create(account.id, 'faults');
  const told: Told[] = [];
  const open = new Set<Promise<unknown>>();
  let unnamed = 0;

  const ask = (key: string | undefined, index: number, headers: Record<string, string> = {}, signal?: AbortSignal) => {
    const asked = now.service.app
      .inject({
        method: 'POST',
        url: '/api/v1/convert',
        headers: {
          'content-type': MULTIPART_TYPE,
          'x-api-key': secret,
          ...(key !== undefined && { 'idempotency-key': key }),
          ...headers,
        },
        payload: convertForm(pictureOf(index), { quality_tier: 'fast' }),
        ...(signal && { signal }),
      })
      .then((answer) => void told.push({ key, answer }))
      // Who leaves is not answered.
      .catch((error: Error) => {
        if (signal === undefined) throw error;
      });
    open.add(asked);
    void asked.finally(() => open.delete(asked)).catch(() => {});
    return asked;
  };
  const files = () =>
    told.flatMap(({ answer }) => {
      if (answer.statusCode !== 200) return [];
      const { downloadPathBasename, downloadActualFilename, svg } = answer.json() as Record<string, string>;
      return [{ basename: downloadPathBasename!, fileName: downloadActualFilename!, svg: svg! }];
    });
  const download = async ({ basename, fileName, svg }: ReturnType<typeof files>[number]) => {
    const query = { fileBasename: basename, actualFilename: fileName };
    const answer = await now.service.app.inject({ url: '/download-file', query });
    if (answer.statusCode !== 200) {
      expect((answer.json() as { code: string }).code).to.be.oneOf(['NOT_FOUND', 'UPSTREAM_UNAVAILABLE']);
      return false;
    }
    expect(answer.body, 'half a file').to.equal(svg);
    return true;
  };
  const reap = () => now.service.stores.credits.expireHolds().catch(() => 0);
  const restart = async () => {
    now.faults.kill();
    died.push(now.faults.landed());
    open.clear();
    for (const [what, count] of now.faults.seen) seen.set(what, (seen.get(what) ?? 0) + count);
    now = await begin();
  };

  try {
    for (let step = 0; step < STEPS; step++) {
      const action = ACTIONS[below(ACTIONS.length)]!;
      const name = below(KEYS);
      switch (action) {
        case 'convert':
        case 'retry':
          void ask(`key-${name}`, name);
          break;
        case 'unnamed':
          void ask(undefined, 1000 + unnamed++);
          break;
        case 'job':
          void ask(`job-${name}`, 2000 + name, { prefer: 'respond-async' });
          break;
        case 'leave': {
          const leaving = new AbortController();
          void ask(`key-${name}`, name, {}, leaving.signal);
          for (let turns = below(30); turns > 0; turns--) await new Promise(setImmediate);
          leaving.abort();
          break;
        }
        case 'download': {
          const all = files();
          if (all.length > 0) {
            const reading = download(all[below(all.length)]!);
            open.add(reading);
            void reading.finally(() => open.delete(reading)).catch(() => {});
          }
          break;
        }
        case 'jump':
          // Back as well as forth: somebody sets the clock.
          clock.advance(Math.floor((random() - 0.4) * 10 * 60_000));
          break;
        case 'reap':
          void reap();
          break;
        case 'restart':
          if (random() < 0.5) await restart();
      }
      seen.set(action, (seen.get(action) ?? 0) + 1);
      for (let turns = below(20); turns > 0; turns--) await new Promise(setImmediate);
    }

    now.faults.active = false;
    await Promise.all([...open, ...died]);
    await now.service.idle();
    // What a dead process held is over after a while; then everything that was asked for is asked for again.
    clock.advance(HOUR_MS);
    await kept.credits.expireHolds();
    const asked = [...new Set(told.flatMap(({ key }) => key ?? []))].filter((key) => key.startsWith('key-'));
    for (const key of asked) {
      await ask(key, Number(key.slice(4)));
      expect(told.at(-1)?.answer.statusCode, told.at(-1)?.answer.body).to.equal(200);
      const again = now.service.app.inject({ method: 'GET', url: '/health' });
      expect((await again).statusCode).to.equal(200);
    }
    for (const [what, count] of now.faults.seen) seen.set(what, (seen.get(what) ?? 0) + count);

    for (const { answer } of told) {
      const { statusCode: status } = answer;
      if (status < 400) continue;
      const { code } = answer.json() as { code: string };
      expect(Object.keys(ERRORS)).to.include(code);
      expect(status, answer.body).to.not.equal(500);
    }
    const [balance, entries] = [await kept.credits.balance(account.id), await kept.credits.entries(account.id)];
    expect(sumEntries(entries)).to.deep.equal(balance);
    expect(openHoldsOf(entries), 'holds left').to.deep.equal([]);
    const ends = entries.flatMap(({ kind, holdId }) => (kind === 'hold' || holdId === null ? [] : [holdId]));
    expect(new Set(ends).size, 'holds ended twice').to.equal(ends.length);
    expect(balance.monthly + balance.pack + balance.used).to.equal(500);

    // Each name was paid once at most, each file that was read is whole, and nothing half-written lies about.
    const paid = entries.filter(({ kind, used }) => kind === 'settle' && used > 0);
    const references = paid.flatMap(({ reference }) => reference ?? []);
    expect(new Set(references).size, 'a reference paid twice').to.equal(references.length);
    const jobs = new Set(told.flatMap(({ key }) => (key?.startsWith('job-') ? [key] : []))).size;
    expect(references.length, 'a name paid twice').to.be.at.most(KEYS + jobs);
    expect(paid.length - references.length, 'more was paid than asked for').to.be.at.most(unnamed);
    const charged = told.reduce(
      (sum, { answer }) =>
        sum + Number(answer.headers['idempotent-replayed'] ? 0 : (answer.headers['x-credits-charged'] ?? 0)),
      0,
    );
    expect(charged, 'charges told').to.be.at.most(balance.used);
    expect(balance.used).to.equal(paid.length * PRICE);
    const whole = await Promise.all(files().map(download));
    // What a write that was given up has begun goes when the folder is free again, which nobody waits for.
    await until(async () => (await readdir(folder)).every((entry) => !entry.startsWith('.unfinished-')));

    // No room is left set aside for what never came.
    clock.advance(24 * HOUR_MS);
    await now.files.sweep();
    (await now.files.reserve(CAP_BYTES)).release();
    const of = (wanted: number) => told.filter(({ answer }) => answer.statusCode === wanted).length;
    return {
      seen,
      delivered: of(200),
      refused: of(502),
      jobs: of(202),
      paid: paid.length,
      whole: whole.filter(Boolean).length,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Faults without which a run has shown little. */
const FAULTS = [
  'settle lost after',
  'settle refused before',
  'hold lost after',
  'put lost after',
  'begin lost after',
  'finish refused before',
  'restart',
  'jump',
  'leave',
];
/** What calls are made depends on when the disk answers: where a rare fault has not come about, so many more histories may be tried for it. */
const MOST_MORE = 30;

async function assertSound(stores: (clock: ManualClock) => Promise<Stores> | Stores, numRuns: number) {
  const total = { delivered: 0, refused: 0, jobs: 0, paid: 0, whole: 0 };
  const seen = new Map<string, number>();
  const tryHistory = async (seed: number) => {
    const made = await liveThrough(seed, stores as (clock: ManualClock) => Stores);
    for (const what of Object.keys(total) as (keyof typeof total)[]) total[what] += made[what];
    for (const [what, count] of made.seen) seen.set(what, (seen.get(what) ?? 0) + count);
  };
  const seed = Number(process.env.BURIN_TEST_SEED ?? SEED);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 - 1 }), tryHistory),
    // A counterexample is one number; `BURIN_TEST_SEED` tries others.
    { seed, numRuns, endOnFailure: true },
  );
  for (const [what, count] of Object.entries(total)) expect(count, what).to.be.above(0);
  if (numRuns < RUNS_FOR_ALL) return;
  const isMissing = () => FAULTS.some((fault) => !seen.has(fault));
  for (let more = 1; isMissing() && more <= MOST_MORE; more++) await tryHistory(seed + more);
  for (const fault of FAULTS) expect(seen.get(fault) ?? 0, fault).to.be.above(0);
}

describe('whatever fails, and in whatever order, no credit is lost or paid twice and no half file is served', () => {
  it('with everything in memory', () => assertSound(createMemoryStores, RUNS)).timeout(GUARD_MS);

  it('on a slow disk, where jobs go on behind their answers', async () => {
    const seed = Number(process.env.BURIN_TEST_SEED ?? SEED);
    for (let run = 0; run < RUNS; run++) await liveThrough(seed + run, createMemoryStores, slowDisk);
  }).timeout(GUARD_MS);

  for (const { name, missing, create } of DATABASE_KINDS.filter(({ name }) => /sqlite/i.test(name)).slice(0, 1))
    (missing === undefined ? it : it.skip)(`in ${name}`, async () => {
      const runs = Math.max(1, Math.round(RUNS / 8));
      for (let run = 0; run < runs; run++) {
        const test = await create();
        try {
          await liveThrough(Number(process.env.BURIN_TEST_SEED ?? SEED) + run, (clock) =>
            createKnexStores(test.database, clock),
          );
        } finally {
          await test.remove();
        }
      }
    }).timeout(GUARD_MS);
});
