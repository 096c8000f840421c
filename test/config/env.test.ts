import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ConfigError, isLoopback, loadConfig, loadRestoreModel } from '#config/env.js';
import { envExample, VARIABLE_NAMES, type VariableName, variableRow } from '#config/variables.js';
import { TIER_IDS, TIERS } from '#domain/tiers/tier.js';

const refusal = (env: Record<string, string>): string => {
  try {
    loadConfig(env, 4);
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error(`accepted ${JSON.stringify(env)}`);
};

describe('the environment', () => {
  it('needs nothing', () => {
    const config = loadConfig({}, 4);
    expect(config.http).to.include({ host: '127.0.0.1', port: 3000, loopback: true, anonymous: true });
    expect(config.storage.target).to.deep.equal({ kind: 'file', folder: `${config.dataDir}/files` });
    expect(config.databaseUrl).to.equal(`sqlite:${config.dataDir}/burin.sqlite`);
    expect(loadConfig({ BURIN_DATABASE_URL: 'postgres://db/burin' }, 4).databaseUrl).to.equal('postgres://db/burin');
    expect(config.storage.fileLifetimeMs).to.equal(24 * 3600 * 1000);
    expect(config.storage.capBytes).to.equal(5 * 1024 ** 3);
    expect(config.limits).to.deep.equal({
      maxUploadBytes: 25 * 1024 ** 2,
      maxSvgBytes: 25 * 1024 ** 2,
      maxPixels: 50_000_000,
    });
    expect(config.workers.count).to.equal(4);
    for (const id of TIER_IDS)
      expect(config.tiers[id]).to.deep.equal({
        running: 4,
        waiting: TIERS[id].maxWaiting,
        waitLimitMs: TIERS[id].waitLimitMs,
        runLimitMs: TIERS[id].runLimitMs,
      });
  });

  it('is frozen to the bottom', () => {
    const config = loadConfig({}, 4);
    expect(Object.isFrozen(config)).to.equal(true);
    for (const part of [config.http, config.tiers.fast, config.storage.target, config.http.corsOrigins])
      expect(Object.isFrozen(part)).to.equal(true);
  });

  it('reads every kind of value in its accepted forms', () => {
    const config = loadConfig(
      {
        BURIN_PORT: '0',
        BURIN_MAX_UPLOAD_BYTES: '1.5MB',
        BURIN_STORAGE_CAP: '2097152',
        BURIN_FILE_LIFETIME: '90 min',
        BURIN_STORAGE_URL: 'file:///var/lib/burin%20files',
        BURIN_CORS_ORIGINS: 'https://a.example, http://b.example:8080',
        BURIN_FAST_WAIT_LIMIT: '250ms',
        BURIN_TRUST_PROXY: 'on',
        BURIN_HOST: '0.0.0.0',
        BURIN_TEST_CHROMIUM: '/usr/bin/chromium',
      },
      4,
    );
    expect(config.http).to.include({ port: 0, trustProxy: true, loopback: false, anonymous: false });
    expect(config.http.corsOrigins).to.deep.equal(['https://a.example', 'http://b.example:8080']);
    expect(config.limits.maxUploadBytes).to.equal(1.5 * 1024 ** 2);
    expect(config.storage).to.deep.include({
      target: { kind: 'file', folder: '/var/lib/burin files' },
      capBytes: 2 * 1024 ** 2,
      fileLifetimeMs: 90 * 60_000,
    });
    expect(config.tiers.fast.waitLimitMs).to.equal(250);
    expect(loadConfig({ BURIN_STORAGE_URL: 'memory:' }).storage.target).to.deep.equal({ kind: 'memory' });
    expect(loadConfig({ BURIN_STORAGE_URL: 's3://files/burin?region=eu-1' }).storage.target).to.deep.equal({
      kind: 's3',
      address: { bucket: 'files', prefix: 'burin/', region: 'eu-1', pathStyle: false, tags: true, sweep: true },
    });
    expect(loadConfig({ BURIN_TRUST_PROXY: '10.0.0.0/8, ::1' }).http.trustProxy).to.deep.equal(['10.0.0.0/8', '::1']);
  });

  it('lets anonymous callers in by itself only where nobody else can reach it', () => {
    for (const host of ['127.0.0.1', '127.8.0.1', 'localhost', '::1']) expect(isLoopback(host), host).to.equal(true);
    for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example.org'])
      expect(isLoopback(host), host).to.equal(false);
    expect(loadConfig({ BURIN_HOST: '0.0.0.0', BURIN_ANONYMOUS: 'on' }).http.anonymous).to.equal(true);
    expect(loadConfig({ BURIN_ANONYMOUS: 'off' }).http.anonymous).to.equal(false);
  });

  it('repeats no key that stands in an address', () => {
    const odd = 's3://AKIA:secret@files';
    expect(() => loadConfig({ BURIN_STORAGE_URL: odd }))
      .to.throw(/BURIN_STORAGE_URL takes s3:/)
      .with.property('message')
      .that.does.not.include('secret');
  });

  it('names the variable, its accepted form and what was given', () => {
    const wrong: Partial<Record<VariableName, string>> = {
      BURIN_HOST: '',
      BURIN_PORT: '70000',
      BURIN_MAX_UPLOAD_BYTES: '25 MiB',
      BURIN_FILE_LIFETIME: '24',
      BURIN_STORAGE_URL: 'gs://bucket',
      BURIN_ANONYMOUS: 'yes',
      BURIN_CORS_ORIGINS: 'https://a.example/path',
      BURIN_PUBLIC_URL: 'burin.example',
      BURIN_WORKERS: '0',
      BURIN_LOG_LEVEL: 'INFO',
      BURIN_TRUST_PROXY: '10.0.0.0/33',
      BURIN_REDIS_URL: 'http://redis.example',
      BURIN_WORKER_TIERS: 'fast, slow',
    };
    const cases = Object.entries(wrong);
    expect(cases).to.have.length(13);
    for (const [name, given] of cases) {
      const message = refusal({ [name]: given });
      expect(message).to.match(
        new RegExp(`^${name} takes .+; it was given ${JSON.stringify(given).replace('/', '/')}`),
      );
    }
    expect(refusal({ BURIN_PORT: '70000' })).to.equal(
      'BURIN_PORT takes a whole number from 0 to 65535; it was given "70000".',
    );
    expect(refusal({ BURIN_STORAGE_URL: 'file://host/x' })).to.match(/^BURIN_STORAGE_URL takes .*it was given/);
  });

  it('reads which restoring model is wanted, and whether it must be that very one', () => {
    const choice = (text: string) => loadConfig({ BURIN_RESTORE_MODEL: text }, 4).restoreModel;
    const pin = 'ab12'.repeat(16);
    expect(loadConfig({}, 4).restoreModel).to.deep.equal({ kind: 'own' });
    expect(choice('')).to.deep.equal({ kind: 'own' });
    expect(choice('off')).to.deep.equal({ kind: 'none' });
    expect(choice('/models/x4.onnx')).to.deep.equal({ kind: 'file', path: '/models/x4.onnx', sha256: null });
    expect(choice(`/models/a#1.onnx#sha256=${pin.toUpperCase()}`)).to.deep.equal({
      kind: 'file',
      path: '/models/a#1.onnx',
      sha256: pin,
    });
    for (const wrong of ['/models/x.onnx#sha256=', '/models/x.onnx#sha256=123', `/x.onnx#sha256=${pin}0`]) {
      expect(refusal({ BURIN_RESTORE_MODEL: wrong })).to.match(
        /^BURIN_RESTORE_MODEL takes empty, off, or a file's path/,
      );
      expect(() => loadRestoreModel({ BURIN_RESTORE_MODEL: wrong })).to.throw(
        ConfigError,
        /^BURIN_RESTORE_MODEL takes/,
      );
    }
    // Alone, it does not mind what else is set.
    expect(loadRestoreModel({ BURIN_RESTORE_MODEL: 'off', BURIN_PORT: 'x' })).to.deep.equal({ kind: 'none' });
    expect(loadRestoreModel({})).to.deep.equal({ kind: 'own' });
  });

  it('refuses times of which a part is longer than the whole', () => {
    expect(refusal({ BURIN_REQUEST_TIMEOUT: '5s' })).to.match(
      /^BURIN_HEADERS_TIMEOUT takes no longer than BURIN_REQUEST_TIMEOUT/,
    );
  });

  it('makes a fleet of processes that name one Redis', () => {
    expect(loadConfig({}).fleet).to.equal(undefined);
    const url = 'redis://redis.example:6379/0';
    expect(loadConfig({ BURIN_REDIS_URL: url }).fleet).to.deep.equal({
      redisUrl: url,
      role: 'all',
      tiers: [...TIER_IDS],
    });
    const worker = { BURIN_REDIS_URL: url, BURIN_ROLE: 'worker', BURIN_WORKER_TIERS: 'balanced_crisp, fast' };
    expect(loadConfig(worker).fleet).to.deep.equal({
      redisUrl: url,
      role: 'worker',
      tiers: ['fast', 'balanced_crisp'],
    });
    expect(refusal({ BURIN_ROLE: 'worker' })).to.match(/^BURIN_ROLE takes worker only where BURIN_REDIS_URL is set/);
    expect(refusal({ BURIN_REDIS_URL: url, BURIN_STORAGE_URL: 'memory:' })).to.match(
      /^BURIN_STORAGE_URL takes no memory:/,
    );
  });

  it('refuses a variable it does not know, naming the nearest', () => {
    expect(refusal({ BURIN_PROT: '3000' })).to.equal('BURIN_PROT is no variable of Burin; the nearest is BURIN_PORT.');
  });

  it('is what .env.example lists, default for default', () => {
    const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
    expect(text).to.equal(envExample());
    const listed = [...text.matchAll(/^#(BURIN_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value] as const);
    expect(listed.map(([name]) => name)).to.deep.equal([...VARIABLE_NAMES]);
    expect(listed.length).to.be.greaterThan(25);
    // As written there, each line is accepted and changes nothing.
    const given = listed.filter(([name]) => {
      const row = variableRow(name as VariableName);
      return !(row.type === 'integer' && row.default === 'cores');
    });
    expect(loadConfig(Object.fromEntries(given), 4)).to.deep.equal(loadConfig({}, 4));
  });
});
