import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase, type Database } from '#adapters/persistence/create-database.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { sumEntries } from '#domain/credits/balance.js';
import { startConversionLoad } from '#test/support/conversion-load.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { discPng } from '#test/support/png-files.js';
import {
  type FailingStore,
  S3_BUCKET,
  S3_CREDENTIALS,
  type S3Server,
  startFailingStore,
  startS3Server,
} from '#test/support/s3-server.js';
import { startProcess } from '#test/support/service-process.js';
import { until } from '#test/support/until.js';

/** How long it fails at least; BURIN_TEST_ALL_CASES=1: ten seconds. */
const FAILING_MS = process.env.BURIN_TEST_ALL_CASES === '1' ? 10_000 : 0;

describe('a service that keeps its files in S3', () => {
  let folder: string;
  let server: S3Server;
  let failing: FailingStore;
  let database: Database;
  let service: ReturnType<typeof startProcess>;
  let key: string;

  const settings = (storage: string): Record<string, string> => ({
    BURIN_PORT: '0',
    BURIN_DATA_DIR: folder,
    BURIN_DATABASE_URL: '',
    BURIN_STORAGE_URL: storage,
    BURIN_RATE_PER_KEY: '1000000',
    BURIN_CONCURRENT_PER_KEY: '50',
    BURIN_WORKERS: '1',
    AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
  });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'burin-s3-service-'));
    server = await startS3Server();
    failing = await startFailingStore(server.port);
    service = startProcess(settings(`s3://${S3_BUCKET}/files?endpoint=${failing.endpoint}`));
    await service.ready;
    key = service.firstKey();
    database = createDatabase(join(folder, 'burin.sqlite'));
  });
  after(async () => {
    service.child.kill('SIGKILL');
    await service.exited;
    await database.close();
    await failing.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const convert = async (url: string) => {
    const body = new Uint8Array(convertForm(await discPng(48), {}, 'disc.png'));
    const headers = { 'content-type': MULTIPART_TYPE, 'x-api-key': key };
    const answer = await fetch(`${url}/api/v1/convert`, { method: 'POST', headers, body });
    expect(answer.status).to.equal(200);
    const file = (await answer.json()) as Record<string, string>;
    const query = new URLSearchParams({
      fileBasename: file.downloadPathBasename as string,
      actualFilename: file.downloadActualFilename as string,
    });
    return { svg: file.svg as string, download: `${url}/download-file?${query}` };
  };

  it('passes them on with its own headers, and exports them exactly', async () => {
    const { svg, download } = await convert(await service.ready);
    const answer = await fetch(download);
    expect(await answer.text()).to.equal(svg);
    expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(answer.headers.get('content-disposition')).to.match(/^attachment; filename="disc.svg"/);
    expect((await fetch(download.replace('disc.svg', 'other.svg'))).status).to.equal(404);
  });

  it('sends who downloads to the store where it is told to', async () => {
    const redirecting = startProcess({
      ...settings(`s3://${S3_BUCKET}/files?endpoint=${failing.endpoint}&public_endpoint=${server.endpoint}`),
      BURIN_STORAGE_REDIRECTS: 'on',
    });
    try {
      const { svg, download } = await convert(await redirecting.ready);
      const answer = await fetch(download, { redirect: 'manual' });
      expect(answer.status).to.equal(302);
      expect(answer.headers.get('location')).to.match(new RegExp(`^${server.endpoint}/${S3_BUCKET}/files/`));
      expect(await (await fetch(download)).text()).to.equal(svg);
      expect((await fetch(download.replace('disc.svg', 'other.svg'))).status).to.equal(404);
    } finally {
      redirecting.child.kill('SIGKILL');
      await redirecting.exited;
    }
  });

  it('answers 502 while S3 fails, charges nothing for it, and is whole again', async () => {
    const url = await service.ready;
    const { accounts, credits } = createKnexStores(database, systemClock);
    const { id } = (await accounts.owner())!;
    await credits.grant(id, 100_000);
    const paidBefore = (await credits.entries(id)).filter(({ used }) => used > 0).length;
    const { download } = await convert(url);
    const load = await startConversionLoad([url], key);
    const refused = () => load.answers.filter(({ status }) => status !== 200);
    try {
      await until(() => load.done.size >= 10);
      failing.become('failing');
      const startMs = performance.now();
      await until(() => refused().length >= 20 && performance.now() >= startMs + FAILING_MS);
      const broken = await fetch(download);
      expect([broken.status, broken.headers.get('retry-after')]).to.deep.equal([502, '5']);
    } finally {
      failing.become('whole');
    }
    const doneBefore = load.done.size;
    await until(() => load.done.size >= doneBefore + 10);
    await load.finish();

    for (const answer of refused())
      expect(answer).to.deep.equal({ status: 502, code: 'UPSTREAM_UNAVAILABLE', retryAfter: '5' });
    expect((await fetch(download)).status).to.equal(200);
    const entries = await credits.entries(id);
    expect(sumEntries(entries)).to.deep.equal(await credits.balance(id));
    expect(await database.knex('credit_holds').select('id')).to.deep.equal([]);
    // Every conversion that was answered is paid, once; none that was not. The one picture before them was paid earlier.
    expect(entries.filter(({ used }) => used > 0).length).to.equal(paidBefore + load.done.size);
    expect(entries.filter(({ kind }) => kind === 'release').length).to.be.at.least(16);
  }).timeout(120_000);
});
