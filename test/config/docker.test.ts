import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { loadConfig } from '#config/env.js';
import { type Built, buildStages, parseDockerfile } from '#test/support/dockerfile.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { discPng } from '#test/support/png-files.js';

const read = (...path: string[]) => readFileSync(join(PACKAGE_ROOT, ...path), 'utf8');
/** BURIN_TEST_ALL_CASES=1: what npm does is done; otherwise the packages that are here stand for it. */
const WITH_NPM = process.env.BURIN_TEST_ALL_CASES === '1';
const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BURIN_')));

describe(`the Dockerfile's own lines, run in a clean folder${WITH_NPM ? '' : ' (npm ci and npm prune: the packages that are here)'}`, () => {
  let folder: string;
  let built: Built;
  let service: ChildProcess | undefined;

  before(function () {
    this.timeout(600_000);
    folder = mkdtempSync(join(tmpdir(), 'burin-image-'));
    chmodSync(folder, 0o755);
    const packages = join(PACKAGE_ROOT, 'node_modules');
    built = buildStages(parseDockerfile(read('.docker', 'Dockerfile')), {
      folder,
      context: PACKAGE_ROOT,
      instead(line, workdir) {
        if (!line.startsWith('npm ')) return false;
        const here = join(workdir, 'node_modules');
        const there = lstatSync(here, { throwIfNoEntry: false });
        if (WITH_NPM) {
          // What npm removes must be ours.
          expect(there?.isSymbolicLink() ?? false).to.equal(false);
          return false;
        }
        if (there === undefined) symlinkSync(packages, here);
        return true;
      },
    });
  });
  after(async function () {
    this.timeout(600_000);
    if (service !== undefined && service.exitCode === null) {
      service.kill('SIGKILL');
      await once(service, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('make an image of what runs, and of nothing else', () => {
    expect(readdirSync(built.workdir).sort()).to.deep.equal([
      'LICENSE',
      'adapters',
      'dist',
      'node_modules',
      'package.json',
    ]);
    expect(built.command.at(-1)).to.equal('serve');
    expect(built.user).to.be.greaterThan(0);
    if (WITH_NPM) {
      expect(readdirSync(join(built.workdir, 'node_modules')))
        .to.include('sqlite3')
        .and.to.not.include('mocha');
    }
  });

  it('start a service for somebody who may write to nothing but its data, which converts, is healthy, and stops', async function () {
    this.timeout(60_000);
    const asUser = process.getuid?.() === 0 ? { uid: built.user as number, gid: built.user as number } : {};
    const env = { ...inherited, ...built.env, BURIN_HOST: '127.0.0.1', BURIN_PORT: '0', BURIN_WORKERS: '1' };
    const [program, ...args] = built.command as [string, ...string[]];
    expect(program).to.equal('node');
    service = spawn(process.execPath, args, {
      cwd: built.workdir,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      ...asUser,
    });
    const ended = once(service, 'exit');
    const printed: string[] = [];
    const url = await new Promise<string>((resolve, reject) => {
      void ended.then(([code]) => reject(new Error(`ended with ${code}`)));
      createInterface({ input: service!.stdout! }).on('line', (text) => {
        printed.push(text);
        if (text.includes('"msg":"ready"')) resolve((JSON.parse(text) as { url: string }).url);
      });
    });
    const key = /brn_live_\S+/.exec(printed.join('\n'))?.[0] ?? '';
    const answer = await fetch(`${url}/api/v1/convert`, {
      method: 'POST',
      headers: { 'content-type': MULTIPART_TYPE, 'x-api-key': key },
      body: new Uint8Array(convertForm(await discPng(48), {}, 'disc.png')),
    });
    expect(answer.status).to.equal(200);
    for (const page of ['/', '/docs', '/docs/api']) expect((await fetch(url + page)).status, page).to.equal(200);
    expect(readdirSync(join(built.root, 'data')).sort()).to.include.members(['burin.sqlite', 'files']);

    const probe = (port: string) =>
      spawnSync(process.execPath, built.healthcheck.slice(1), { env: { ...env, BURIN_PORT: port } }).status;
    expect(built.healthcheck[0]).to.equal('node');
    expect(probe(new URL(url).port)).to.equal(0);
    service.kill('SIGTERM');
    expect((await ended)[0]).to.equal(0);
    expect(probe(new URL(url).port)).to.equal(1);
  });
});

describe('the fleet of compose.yaml', () => {
  const text = read('.docker', 'compose.yaml');

  it('sets variables that there are, to what they take', () => {
    const variables = Object.fromEntries(
      [...text.matchAll(/^ +(BURIN_[A-Z_]+): (.*)$/gm)].map(([, name, value]) => [
        name,
        (value as string)
          .replaceAll(/^'|'$/g, '')
          .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
          .replaceAll(/\$\{\w+:\?[^}]*\}/g, 'x'),
      ]),
    );
    expect(Object.keys(variables)).to.include.members(['BURIN_DATABASE_URL', 'BURIN_REDIS_URL', 'BURIN_STORAGE_URL']);
    const { storage, databaseUrl, http, fleet } = loadConfig(variables as NodeJS.ProcessEnv);
    expect(fleet).to.include({ redisUrl: 'redis://redis:6379' });
    expect(storage.target).to.deep.include({ kind: 's3' });
    expect(databaseUrl).to.equal('postgres://burin:x@postgres:5432/burin');
    expect(http.anonymous).to.equal(false);
  });

  it('runs two that answer and two that trace, on nothing that can be written to', () => {
    for (const name of ['api1: *api', 'api2: *api', 'worker1: *worker', 'worker2: *worker'])
      expect(text).to.include(`  ${name}\n`);
    for (const line of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true']) expect(text).to.include(line);
    const [command] = [/^x-api:[\s\S]*?command: \[(.*)\]$/m.exec(text)?.[1]?.split(', ') ?? []];
    const built = parseDockerfile(read('.docker', 'Dockerfile'))
      .at(-1)
      ?.instructions.find(({ name }) => name === 'CMD');
    expect(command.slice(0, -2)).to.deep.equal(JSON.parse(built?.text ?? '[]'));
  });
});
