import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DoctorReport } from '#adapters/cli/commands/doctor.js';
import { examine } from '#config/doctor.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { runBurin } from '#test/support/run-burin.js';

/** As the tests' own, without what would speak for another Burin. */
const cleanEnv = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BURIN_'))) as NodeJS.ProcessEnv;
const checkOf = ({ checks }: DoctorReport, name: string) => checks.find((check) => check.name === name);
/** Root may write everywhere; nobody may not. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

describe('burin doctor', function () {
  // Processes of their own, on machines that have other things to do.
  this.timeout(120_000);
  let folder: string;
  const at = (...names: string[]) => join(folder, ...names);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'burin-doctor-'));
    chmodSync(folder, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('finds everything in order where it is, and leaves nothing behind', async () => {
    const env = { ...cleanEnv(), BURIN_DATA_DIR: at('data'), BURIN_PORT: '0' };
    const { code, stdout, stderr } = await runBurin(['doctor', '--json'], { env });
    const report = JSON.parse(stdout) as DoctorReport;
    expect(code, stdout + stderr).to.equal(0);
    expect(report.ok).to.equal(true);
    expect(report.checks.map(({ name }) => name)).to.include.members(['node', 'packages', 'sharp', 'sqlite3', 'data']);
    expect(report.checks.filter(({ state, fix }) => state !== 'ok' && fix === undefined)).to.deep.equal([]);
    const people = await runBurin(['doctor'], { env });
    expect(people.stdout).to.match(/^ok +node +Node\.js 20/m);
    const { existsSync } = await import('node:fs');
    expect(existsSync(at('data'))).to.equal(false);
  });

  it('runs on a bare machine, where no package is installed, and says what is missing and the fix', async () => {
    cpSync(join(PACKAGE_ROOT, 'dist'), at('app', 'dist'), {
      recursive: true,
      filter: (path) => !path.endsWith('/test'),
    });
    cpSync(join(PACKAGE_ROOT, 'package.json'), at('app', 'package.json'));
    const cli = at('app', 'dist', 'config', 'main', 'cli.js');
    const env = { ...cleanEnv(), BURIN_DATA_DIR: at('data'), BURIN_PORT: '0' };
    const bare = await runBurin(['doctor'], { cli, env, cwd: folder });
    expect(bare.code, bare.stdout + bare.stderr).to.equal(16);
    expect(bare.stdout).to.match(
      /^FAILING +packages +\d+ of \d+ packages are not installed: .*\n +fix: npm ci in .*app$/m,
    );
    expect(bare.stdout).to.match(/\d of \d+ checks failing/);
    const json = await runBurin(['doctor', '--json'], { cli, env, cwd: folder });
    expect((JSON.parse(json.stdout) as DoctorReport).ok).to.equal(false);
    const other = await runBurin(['trace', 'x.png'], { cli, env, cwd: folder });
    expect(other.code).to.equal(1);
    expect(other.stderr).to.equal(
      'burin: the package commander is not installed; run npm ci (burin doctor says more)\n',
    );
  }).timeout(120_000);

  it('says that the data folder cannot be written, as a user without the right', async () => {
    mkdirSync(at('theirs'));
    chmodSync(at('theirs'), 0o555);
    const env = { ...cleanEnv(), BURIN_DATA_DIR: at('theirs', 'data'), BURIN_PORT: '0', HOME: folder };
    const { code, stdout } = await runBurin(['doctor'], { env, cwd: folder, ...NOBODY });
    expect(code, stdout).to.equal(16);
    expect(stdout).to.match(/^FAILING +data +.*theirs\/data cannot be written \(EACCES\)\n +fix: .*BURIN_DATA_DIR/m);
  });

  it('names a data folder that is a file, a variable that is wrong, and servers that do not answer', async () => {
    writeFileSync(at('file'), '');
    const report = await examine({ env: { BURIN_DATA_DIR: at('file', 'data'), BURIN_PORT: '0' } });
    expect(checkOf(report, 'data')).to.include({ state: 'failing' });
    expect(checkOf(report, 'data')!.found).to.include('cannot be written');

    const wrong = await examine({ env: { BURIN_POTR: '3000' } });
    expect(checkOf(wrong, 'environment')).to.include({ state: 'failing' });
    expect(checkOf(wrong, 'environment')!.found).to.include('BURIN_PORT');

    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as AddressInfo;
    const env = {
      BURIN_DATA_DIR: at('data'),
      BURIN_PORT: String(port),
      BURIN_DATABASE_URL: `postgres://someone@127.0.0.1:${port}/burin`,
    };
    const answered = await examine({ env });
    expect(checkOf(answered, 'database')).to.include({ state: 'ok' });
    expect(checkOf(answered, 'port')).to.include({ state: 'warning' });
    await new Promise((closed) => server.close(closed));
    const silent = await examine({ env });
    expect(checkOf(silent, 'database')).to.include({ state: 'failing' });
    expect(checkOf(silent, 'database')!.fix).to.include('BURIN_DATABASE_URL');
  });

  it('names an old Node.js, and a compiled package that does not load', async () => {
    const env = { BURIN_DATA_DIR: at('data'), BURIN_PORT: '0' };
    const load = async (name: string) => {
      if (name === 'sqlite3') throw new Error('Could not locate the bindings file.');
    };
    const report = await examine({ env, nodeVersion: '20.18.3', load });
    expect(report.ok).to.equal(false);
    expect(checkOf(report, 'node')).to.include({ state: 'failing' });
    expect(checkOf(report, 'node')!.fix).to.include('20.19');
    expect(checkOf(report, 'sharp')).to.include({ state: 'ok' });
    expect(checkOf(report, 'sqlite3')!.found).to.include('Could not locate the bindings');
    expect(checkOf(report, 'sqlite3')!.fix).to.include('build-essential');
    expect(checkOf(await examine({ env, nodeVersion: '20.19.0', load }), 'node')).to.include({ state: 'ok' });
  });
});
