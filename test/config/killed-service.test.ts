import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemClock } from '#adapters/clock/system-clock.js';
import { createDatabase, type Database } from '#adapters/persistence/create-database.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { sumEntries } from '#domain/credits/balance.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { noisePng } from '#test/support/png-files.js';
import { startProcess } from '#test/support/service-process.js';

describe('a service that is killed with a conversion under way', () => {
  let folder: string;
  let database: Database | undefined;
  let service: ReturnType<typeof startProcess> | undefined;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'burin-killed-'));
  });
  after(async () => {
    service?.child.kill('SIGKILL');
    await service?.exited;
    await database?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('gives the credits back when it is started again and their time is over', async () => {
    const env = { BURIN_PORT: '0', BURIN_DATA_DIR: folder, BURIN_DATABASE_URL: '' };
    service = startProcess(env);
    const url = await service.ready;
    const key = service.firstKey();
    database = createDatabase(join(folder, 'burin.sqlite'));
    const { accounts, credits } = createKnexStores(database, systemClock);
    const { id } = (await accounts.owner())!;

    const running = fetch(`${url}/api/v1/convert`, {
      method: 'POST',
      headers: { 'content-type': MULTIPART_TYPE, 'x-api-key': key },
      body: new Uint8Array(convertForm(await noisePng(1500), { quality_tier: 'high_precision' })),
    });
    const cutOff = running.then(
      () => false,
      () => true,
    );
    const kinds = async () => (await credits.entries(id)).map(({ kind }) => kind);
    while (!(await kinds()).includes('hold')) await new Promise((resolve) => setImmediate(resolve));
    service.child.kill('SIGKILL');
    await service.exited;
    expect(await cutOff).to.equal(true);
    expect(await kinds()).to.deep.equal(['quota', 'hold']);
    expect(await credits.balance(id)).to.include({ monthly: 495, used: 0 });

    // Somebody else might still be at work on it: before its time is over nothing is given back.
    service = startProcess(env);
    await service.ready;
    expect(await kinds()).to.deep.equal(['quota', 'hold']);
    service.child.kill('SIGTERM');
    expect(await service.exited).to.equal(0);

    await database.knex('credit_holds').update({ expires_at_ms: Date.now() - 1 });
    service = startProcess(env);
    await service.ready;
    expect(await kinds()).to.deep.equal(['quota', 'hold', 'expire']);
    expect(await credits.balance(id)).to.include({ monthly: 500, used: 0 });
    expect(sumEntries(await credits.entries(id))).to.deep.equal(await credits.balance(id));
    expect(service.lines.map(({ msg }) => msg)).to.include('credits of conversions that never ended were given back');
  });
});
