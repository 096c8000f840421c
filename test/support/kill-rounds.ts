import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase, type Database } from '#adapters/persistence/create-database.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import type { CreditLedger } from '#application/ports/credit-ledger.js';
import { sumEntries } from '#domain/credits/balance.js';
import { convertForm, MULTIPART_TYPE } from './multipart.js';
import { openHoldsOf } from './open-holds.js';
import { circlesPng } from './png-files.js';
import { createSeededRandom } from './seeded-random.js';
import { startProcess } from './service-process.js';
import { until } from './until.js';

export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  /** Clients that never rest. */
  readonly lanes?: number;
  readonly say?: (line: string) => void;
}

export interface KillReport {
  /** Of them, so many came while the service was still starting. */
  readonly kills: number;
  readonly whileStarting: number;
  /** Answers by what was asked and how it was answered; 0 where the service went away. */
  readonly answers: Readonly<Record<string, number>>;
  /** Conversions that were answered, each under a key of its own, and what was charged for all of them. */
  readonly delivered: number;
  readonly charged: number;
  readonly filesRead: number;
  /** Holds that killed processes left, which the next one gave back. */
  readonly holdsLeft: number;
  /** Promises that were not kept. */
  readonly broken: readonly string[];
}

interface Delivered {
  readonly key: string;
  readonly picture: Buffer;
  readonly svg: string;
  readonly basename: string;
  readonly fileName: string;
}

/** A kill comes after so many answers, and a moment: under load, however fast the machine is. */
const MOST_ANSWERS = 12;
const MAX_PAUSE_MS = 80;
/** So many of the kills come before the service is ready. */
const WHILE_STARTING = 0.1;
const STARTING_MS = 600;
const GONE_WITHIN_MS = 10_000;
/** Downloads after each restart: all of a short run, some of a long one. */
const READ_AGAIN = 25;
const BASENAME = /^[A-Za-z0-9_-]{22}$/;
const EXPORT_FORMATS = ['pdf', 'png', 'dxf', 'svg'] as const;

function assertSvg(text: string): void {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
}

/** Processes whose environment names this folder: the service and whatever it has begun. */
const processesOf = (folder: string): readonly number[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(folder) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });

/**
 * Kills a service at random moments while clients convert, export, download and ask again, and starts it again over what it has
 * left: its SQLite database and its files. After each kill the books and the files are looked through.
 */
export async function runKillRounds({ kills, seed, lanes = 4, say = () => {} }: KillOptions): Promise<KillReport> {
  const random = createSeededRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'burin-kills-'));
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  const env = {
    BURIN_PORT: '0',
    BURIN_DATA_DIR: folder,
    BURIN_DATABASE_URL: '',
    BURIN_RATE_PER_KEY: '1000000',
    BURIN_RATE_ANONYMOUS: '1000000',
    BURIN_CONCURRENT_PER_KEY: '64',
    BURIN_WORKERS: '1',
    BURIN_EXPORT_RUNNING: '1',
    TMPDIR: temporary,
  };
  const broken: string[] = [];
  const require = (holds: boolean, promise: string) => {
    if (!holds && broken.length < 50) broken.push(promise);
  };
  const answers: Record<string, number> = {};
  const delivered: Delivered[] = [];
  let [answered, whileStarting, filesRead, holdsLeft] = [0, 0, 0, 0];
  let service = startProcess(env);
  const firstUrl = await service.ready;
  const apiKey = /brn_live_[^\s']+/.exec(service.printed.join('\n'))?.[0] ?? '';
  const database: Database = createDatabase(join(folder, 'burin.sqlite'));
  const { accounts, credits } = createKnexStores(database, systemClock);
  const { id } = (await accounts.owner())!;
  await credits.grant(id, 1_000_000);

  /** Where the service is; nowhere while it is dead. */
  let url: string | undefined = firstUrl;
  let arrive: ((url: string) => void)[] = [];
  const whereItIs = () => url ?? new Promise<string>((resolve) => arrive.push(resolve));
  const moveTo = (to: string) => {
    url = to;
    for (const tell of arrive.splice(0)) tell(to);
    arrive = [];
  };
  let finishing = false;
  const inFlight = new Set<string>();

  const count = (what: string, status: number) => {
    const name = `${what} ${status}`;
    answers[name] = (answers[name] ?? 0) + 1;
    if (status !== 0) answered++;
    require(status === 0 ||
      status === 200 ||
      status === 409 ||
      status === 429 ||
      status === 503, `${name} was answered`);
  };
  const ask = async (what: string, path: string, init: RequestInit = {}) => {
    const at = await whereItIs();
    try {
      const answer = await fetch(`${at}${path}`, { ...init, headers: { 'x-api-key': apiKey, ...init.headers } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      count(what, answer.status);
      return { status: answer.status, bytes, headers: answer.headers };
    } catch {
      count(what, 0);
      // Nobody asks a dead service again and again.
      if (url === at) await sleep(5);
      return undefined;
    }
  };
  const convert = (key: string, picture: Buffer) =>
    ask('convert', '/api/v1/convert', {
      method: 'POST',
      headers: { 'content-type': MULTIPART_TYPE, 'idempotency-key': key },
      body: new Uint8Array(convertForm(picture, { quality_tier: 'fast' }, 'circles.png')),
    });
  const download = async (basename: string, fileName: string) => {
    const query = new URLSearchParams({ fileBasename: basename, actualFilename: fileName });
    const answer = await ask('download', `/download-file?${query}`);
    if (answer?.status !== 200) return undefined;
    filesRead++;
    require(Number(answer.headers.get('content-length')) ===
      answer.bytes.length, `${basename} has another length than announced`);
    return answer.bytes;
  };
  const readAgain = async ({ basename, fileName, svg }: Delivered) => {
    for (;;) {
      const bytes = await download(basename, fileName);
      if (bytes === undefined && url === undefined) continue;
      if (bytes !== undefined) require(bytes.toString() === svg, `${basename} is not what was answered`);
      return bytes !== undefined;
    }
  };

  const convertOne = async (laneRandom: () => number) => {
    const key = randomUUID();
    const picture = Buffer.concat([
      await circlesPng(24 + Math.floor(laneRandom() * 100), 8, Math.floor(laneRandom() * 1e9)),
      Buffer.from(key),
    ]);
    inFlight.add(key);
    for (;;) {
      const answer = await convert(key, picture);
      if (answer?.status !== 200) {
        // Its own work of before the kill counts as under way until its lease is over.
        if (answer !== undefined) await sleep(20);
        continue;
      }
      const body = JSON.parse(answer.bytes.toString()) as Record<string, never>;
      const one: Delivered = {
        key,
        picture,
        svg: body.svg ?? '',
        basename: body.downloadPathBasename ?? '',
        fileName: body.downloadActualFilename ?? '',
      };
      assertSvg(one.svg);
      inFlight.delete(key);
      delivered.push(one);
      return;
    }
  };
  const lane = async (index: number) => {
    const laneRandom = createSeededRandom(seed * 1000 + index);
    const older = () => delivered[Math.floor(laneRandom() * delivered.length)];
    while (!finishing) {
      const chosen = laneRandom();
      const one = older();
      if (chosen < 0.5 || one === undefined) await convertOne(laneRandom);
      else if (chosen < 0.65) {
        const again = await convert(one.key, one.picture);
        if (again?.status === 200) {
          require(again.headers.get('idempotent-replayed') === 'true', `${one.key} was worked on again`);
          require((JSON.parse(again.bytes.toString()) as { svg: string }).svg ===
            one.svg, `${one.key} was answered otherwise`);
        }
      } else if (chosen < 0.85) {
        const format = EXPORT_FORMATS[Math.floor(laneRandom() * EXPORT_FORMATS.length)];
        const made = await ask('export', '/api/v1/export', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ sourceSvgBasename: one.basename, format }),
        });
        if (made?.status === 200) {
          const file = JSON.parse(made.bytes.toString()) as {
            downloadPathBasename: string;
            downloadActualFilename: string;
          };
          await download(file.downloadPathBasename, file.downloadActualFilename);
        }
      } else await readAgain(one);
    }
  };

  /** What a dead process has left. */
  const checkBooks = async (ledger: CreditLedger) => {
    const [balance, entries] = [await ledger.balance(id), await ledger.entries(id)];
    require(JSON.stringify(sumEntries(entries)) === JSON.stringify(balance), 'the ledger does not add up');
    const paid = entries.filter(({ kind, used }) => kind === 'settle' && used > 0);
    const references = new Set(paid.map(({ reference }) => reference));
    require(references.size === paid.length, 'one conversion was paid twice');
    require(paid.length >= delivered.length, `${delivered.length} conversions were answered and ${paid.length} paid`);
    require(paid.length <=
      delivered.length +
        inFlight.size, `${paid.length} conversions were paid, ${delivered.length} answered, ${inFlight.size} under way`);
    return { paid: paid.length, open: openHoldsOf(entries).length };
  };
  const checkFiles = async () => {
    for (const name of await readdir(join(folder, 'files'))) {
      require(!name.startsWith('.unfinished-'), `${name} was left`);
      if (!BASENAME.test(name)) continue;
      const path = join(folder, 'files', name);
      const record = JSON.parse(readFileSync(join(path, 'record.json'), 'utf8')) as Record<string, never>;
      require((await stat(join(path, 'content'))).size === record.sizeBytes, `${name} is half a file`);
      if (record.companionBytes)
        require((await stat(join(path, 'companion'))).size === record.companionBytes, `${name} has half a companion`);
    }
    require((await readdir(temporary)).length === 0, `temporary files: ${(await readdir(temporary)).join(', ')}`);
  };
  const kill = async () => {
    service.child.kill('SIGKILL');
    url = undefined;
    await service.exited;
    for (const deadlineMs = performance.now() + GONE_WITHIN_MS; processesOf(folder).length > 0; await sleep(20))
      if (performance.now() > deadlineMs)
        return require(false, `${processesOf(folder).length} processes outlived the service`);
  };

  const running = Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  running.catch((error: Error) => require(false, `a client failed: ${error.stack}`));
  try {
    for (let round = 1; round <= kills; round++) {
      const enough = answered + random() * MOST_ANSWERS;
      await until(async () => answered >= enough || broken.length > 0);
      await sleep(random() * MAX_PAUSE_MS);
      await kill();
      if (random() < WHILE_STARTING && round < kills) {
        round++;
        whileStarting++;
        service = startProcess(env);
        service.ready.catch(() => {});
        await sleep(random() * STARTING_MS);
        await kill();
      }
      const { open } = await checkBooks(credits);
      require(open <= lanes, `${open} holds of ${lanes} clients`);
      holdsLeft += open;
      // Their time is over: what it is about is what comes then.
      await database.knex('credit_holds').update({ expires_at_ms: Date.now() - 1 });
      await database
        .knex('idempotency_records')
        .whereNull('status')
        .update({ lease_until_ms: Date.now() - 1 });
      service = startProcess(env);
      const now = await service.ready;
      require((await checkBooks(credits)).open === 0, 'a hold was left after its time');
      await checkFiles();
      moveTo(now);
      const from = Math.max(0, delivered.length - READ_AGAIN);
      for (const one of delivered.slice(from)) require(await readAgain(one), `${one.basename} is gone`);
      if (round % 10 === 0 || round === kills)
        say(
          `${round} kills, ${delivered.length} conversions, ${filesRead} files read, ${broken.length} promises broken`,
        );
    }
    finishing = true;
    await running;
    const { paid, open } = await checkBooks(credits);
    require(open === 0, `${open} holds at the end`);
    require(paid === delivered.length, `${paid} paid and ${delivered.length} answered at the end`);
    const { used } = await credits.balance(id);
    require(used === delivered.length, `${used} credits for ${delivered.length} conversions`);
    for (const one of delivered) require(await readAgain(one), `${one.basename} is gone at the end`);
    service.child.kill('SIGTERM');
    require((await service.exited) === 0, 'it did not end when asked');
    await checkFiles();
    return { kills, whileStarting, answers, delivered: delivered.length, charged: used, filesRead, holdsLeft, broken };
  } finally {
    finishing = true;
    service.child.kill('SIGKILL');
    await service.exited;
    await database.close();
    if (existsSync(folder)) await rm(folder, { recursive: true, force: true });
  }
}
