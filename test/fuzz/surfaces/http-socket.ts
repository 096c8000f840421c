import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase } from '#adapters/persistence/create-database.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { sumEntries } from '#domain/credits/balance.js';
import { ERRORS } from '#domain/errors.js';
import { openHoldsOf } from '#test/support/open-holds.js';
import { statusesOf, talkRaw } from '#test/support/raw-connection.js';
import { startProcess } from '#test/support/service-process.js';
import { operationsOf } from '../operations.js';
import { rawCaseFrom } from '../raw-requests.js';
import { samplePictures } from '../sample-pictures.js';
import type { Surface } from '../surface.js';

/** Longer than any limit of the service, on a machine that does much else. */
const ANSWERED_WITHIN_MS = 50_000;
const IDLE_WITHIN_MS = 30_000;
/** Files and connections that the service may have open when nobody asks anything. */
const MOST_HANDLES_MORE = 20;
const KNOWN = 40;

/** The service as a process of its own, over sockets: what no parser of ours or of a test's has tidied up. */
export async function httpSocketSurface(): Promise<Surface> {
  const pictures = (await samplePictures()).filter(({ bytes }) => bytes.length < 4000);
  const folder = await mkdtemp(join(tmpdir(), 'burin-fuzz-socket-'));
  const service = startProcess({
    BURIN_PORT: '0',
    BURIN_DATA_DIR: folder,
    BURIN_DATABASE_URL: '',
    BURIN_MAX_PIXELS: '10000',
    BURIN_RATE_PER_KEY: '1000000',
    BURIN_RATE_ANONYMOUS: '1000000',
    BURIN_STORAGE_CAP: '200MB',
    BURIN_FILE_LIFETIME: '20s',
    BURIN_WORKERS: '2',
    BURIN_HEADERS_TIMEOUT: '2s',
    BURIN_REQUEST_TIMEOUT: '5s',
  });
  // Whoever ends this process has no use for that one.
  const kill = () => service.child.kill('SIGKILL');
  process.once('exit', kill);
  const url = await service.ready;
  const port = Number(new URL(url).port);
  const secret = /brn_live_\S+?(?=')/.exec(service.printed.join('\n'))?.[0] ?? '';
  const database = createDatabase(join(folder, 'burin.sqlite'));
  const { accounts, credits } = createKnexStores(database, systemClock);
  const { id } = (await accounts.owner())!;
  await credits.grant(id, 1_000_000);
  const operations = operationsOf(await (await fetch(`${url}/api/v1/openapi.json`)).json());
  const known: string[] = [];
  const key = { 'x-api-key': secret };
  const handles = () => readdirSync(`/proc/${service.child.pid}/fd`).length;
  const restingHandles = handles();

  const isIdle = async () => {
    const { queues } = (await (await fetch(`${url}/health`)).json()) as {
      queues: Record<string, { waiting: number; running: number }>;
    };
    return Object.values(queues).every(({ waiting, running }) => waiting + running === 0);
  };
  const within = async (holds: () => boolean | Promise<boolean>, otherwise: () => string | Promise<string>) => {
    for (const deadlineMs = performance.now() + IDLE_WITHIN_MS; !(await holds()); ) {
      if (performance.now() > deadlineMs) throw new Error(await otherwise());
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const openHolds = async () => openHoldsOf(await credits.entries(id)).length;

  const checkLeaks = async () => {
    if (service.child.exitCode !== null)
      throw new Error(`the service has ended: ${service.errors.join('').slice(0, 3000)}`);
    await within(isIdle, () => 'slots were not given back');
    await within(
      async () => (await openHolds()) === 0,
      async () => `${await openHolds()} holds of credits were not ended`,
    );
    await within(
      () => handles() <= restingHandles + MOST_HANDLES_MORE,
      () => `${handles()} handles are open; ${restingHandles} were at rest`,
    );
    const [balance, entries] = [await credits.balance(id), await credits.entries(id)];
    if (JSON.stringify(sumEntries(entries)) !== JSON.stringify(balance)) throw new Error('the ledger does not add up');
    const unfinished = readdirSync(join(folder, 'files')).filter((name) => name.startsWith('.unfinished-'));
    if (unfinished.length > 0) throw new Error(`half-written files were left: ${unfinished.join(', ')}`);
    const faults = service.lines.filter(({ msg }) => msg === 'a request failed');
    service.lines.length = 0;
    if (faults.length > 0) throw new Error(`logged as faults: ${JSON.stringify(faults.slice(0, 3)).slice(0, 3000)}`);
    if (service.errors.length > 0) throw new Error(`written to stderr: ${service.errors.join('').slice(0, 3000)}`);
  };

  return {
    limitMs: ANSWERED_WITHIN_MS,
    async run(choices) {
      const one = rawCaseFrom(choices, { operations, pictures, key, known });
      const { bytes, timedOut } = await talkRaw(port, one.pieces, {
        leaving: one.leaving,
        withinMs: ANSWERED_WITHIN_MS,
      });
      const text = bytes.toString('latin1');
      const statuses = statusesOf(bytes);
      const shown = `${one.kind}, ${one.leaving}: ${Buffer.concat(one.pieces).toString('latin1').slice(0, 600)} -> ${text.slice(0, 600)}`;
      if (timedOut) throw new Error(`the connection was left open: ${shown}`);
      if (service.child.exitCode !== null) throw new Error(`the service has ended: ${shown}`);
      const answered = statuses.find((status) => status === 500 || status === 501 || status > 504);
      if (answered !== undefined && answered !== 507) throw new Error(`answered ${answered}: ${shown}`);
      if (one.leaving === 'reads') checkWhole(text, statuses[0], shown);
      for (const [, name] of text.slice(0, 5000).matchAll(/"(?:downloadPathBasename|id|job_id)":"([\w-]{6,60})"/g))
        if (known.push(name!) > KNOWN) known.shift();
      return `${one.kind} ${statuses.length > 1 ? 'several' : (statuses[0] ?? 'unanswered')}`;
    },
    checkLeaks,
    async close() {
      await checkLeaks();
      service.child.kill('SIGTERM');
      const code = await service.exited;
      process.off('exit', kill);
      await database.close();
      await rm(folder, { recursive: true, force: true });
      if (code !== 0) throw new Error(`the service ended with ${code}: ${service.errors.join('').slice(0, 3000)}`);
    },
  };
}

/** Who asked properly and read to the end has a whole answer, and a refusal in the form of all refusals. */
function checkWhole(text: string, status: number | undefined, shown: string): void {
  if (status === undefined) throw new Error(`no answer: ${shown}`);
  const at = text.indexOf('\r\n\r\n');
  const [head, body] = [text.slice(0, at), text.slice(at + 4)];
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  // The answer to HEAD announces a body and has none.
  if (length !== undefined && body.length > 0 && body.length < Number(length))
    throw new Error(`half an answer: ${shown}`);
  if (
    status < 400 ||
    body === '' ||
    !/^content-type: application\/json; charset/im.test(head) ||
    !body.includes('"error"')
  )
    return;
  if (/"jsonrpc"/.test(body)) return;
  const { code } = JSON.parse(Buffer.from(body, 'latin1').toString()) as { code?: string };
  if (code === undefined || !(code in ERRORS)) throw new Error(`an unknown code: ${shown}`);
}
