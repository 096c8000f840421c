import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DoctorCheck, DoctorReport } from '#adapters/cli/commands/doctor.js';
import type { Config } from './env.js';

/**
 * Looks over a machine for `burin doctor`. Only node: and files without packages are imported here: it has to run where
 * `npm ci` did not.
 */

export interface DoctorOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Where package.json lies; the packages are looked for there and in the folders above it. */
  readonly root?: string;
  readonly nodeVersion?: string;
  /** Loads a package; a real import where left out. */
  readonly load?: (name: string) => Promise<unknown>;
}

interface Manifest {
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const GB = 1024 ** 3;
const MIN_FREE_BYTES = GB;
const MIN_MEMORY_BYTES = 2 * GB;
const CONNECT_MS = 2000;
const COMPILES =
  'apt-get install build-essential python3 && npm ci (npm_config_nodedir=/usr where the headers cannot be fetched)';

/** Packages with a compiled part, which can be there and still not load. */
const COMPILED = [
  { name: 'sharp', what: 'reading pictures', fix: 'npm ci on this machine (its parts are made for one system)' },
  { name: '@resvg/resvg-js', what: 'reading SVG', fix: 'npm ci on this machine (its parts are made for one system)' },
  { name: 'sqlite3', what: 'the embedded database', fix: COMPILES },
] as const;

const ok = (name: string, found: string): DoctorCheck => ({ name, state: 'ok', found });
const warning = (name: string, found: string, fix: string): DoctorCheck => ({ name, state: 'warning', found, fix });
const failing = (name: string, found: string, fix: string): DoctorCheck => ({ name, state: 'failing', found, fix });
const messageOf = (error: unknown) =>
  error instanceof Error ? (error.message.split('\n')[0] as string) : String(error);
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? messageOf(error);

const isOlder = (version: string, least: string): boolean => {
  const [a, b] = [version, least].map((text) => text.replace(/^\D*/, '').split('.').map(Number)) as [
    number[],
    number[],
  ];
  const at = [0, 1, 2].find((i) => (a[i] ?? 0) !== (b[i] ?? 0));
  return at !== undefined && (a[at] ?? 0) < (b[at] ?? 0);
};

function checkNode(version: string, { engines }: Manifest): DoctorCheck {
  const found = `Node.js ${version} on ${process.platform} ${process.arch}`;
  return isOlder(version, engines.node)
    ? failing(
        'node',
        found,
        `install Node.js ${engines.node.replace('>=', '')} or later: https://nodejs.org/en/download`,
      )
    : ok('node', found);
}

/** Whether the package lies in a node_modules of this folder or of one above it. */
function isInstalled(name: string, root: string): boolean {
  for (let folder = resolve(root); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return true;
    if (dirname(folder) === folder) return false;
  }
}

function checkPackages(root: string, { dependencies, optionalDependencies = {} }: Manifest): DoctorCheck[] {
  const names = Object.keys(dependencies);
  const missing = names.filter((name) => !isInstalled(name, root));
  const some = missing.slice(0, 4).join(', ') + (missing.length > 4 ? ` and ${missing.length - 4} more` : '');
  const optional = Object.keys(optionalDependencies).filter((name) => !isInstalled(name, root));
  return [
    missing.length > 0
      ? failing(
          'packages',
          `${missing.length} of ${names.length} packages are not installed: ${some}`,
          `npm ci in ${resolve(root)}`,
        )
      : ok('packages', `all ${names.length} packages are installed`),
    ...optional.map((name) =>
      warning(
        `package-${name}`,
        `the optional package ${name} is not installed; what needs it says so`,
        `npm install ${name}`,
      ),
    ),
  ];
}

async function checkCompiled(root: string, load: (name: string) => Promise<unknown>): Promise<DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  for (const { name, what, fix } of COMPILED) {
    if (!isInstalled(name, root)) continue;
    const check = name.replace(/^@.*\//, '');
    try {
      await load(name);
      checks.push(ok(check, `${name} loads (${what})`));
    } catch (error) {
      checks.push(failing(check, `${name} does not load (${what}): ${messageOf(error)}`, fix));
    }
  }
  return checks;
}

/** The nearest folder on the way to `path` that is there. */
function nearestExisting(path: string): string {
  let folder = resolve(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** Tries what the service will do: make the folder and write a file. What was made is removed. */
function checkFolder(name: string, path: string, fix: string): DoctorCheck[] {
  const standing = nearestExisting(path);
  const made: string[] = [];
  try {
    if (!statSync(standing).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
    accessSync(standing, constants.W_OK | constants.X_OK);
    for (let folder = resolve(path); folder !== standing; folder = dirname(folder)) made.push(folder);
    mkdirSync(path, { recursive: true });
    const probe = join(path, `.burin-doctor-${process.pid}`);
    writeFileSync(probe, 'x');
    rmSync(probe);
  } catch (error) {
    return [failing(name, `${resolve(path)} cannot be written (${codeOf(error)})`, fix)];
  } finally {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  }
  const { bavail, bsize } = statfsSync(standing);
  const free = bavail * bsize;
  const found = `${resolve(path)} can be written; ${(free / GB).toFixed(1)} GB free`;
  return [free < MIN_FREE_BYTES ? warning(name, found, 'make room, or choose another folder') : ok(name, found)];
}

const listens = (host: string, port: number): Promise<string | undefined> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', (error) => done(codeOf(error)));
    server.listen(port, host, () => server.close(() => done(undefined)));
  });

async function checkPort({ http: { host, port } }: Config): Promise<DoctorCheck> {
  const problem = port === 0 ? undefined : await listens(host, port);
  if (problem === undefined) return ok('port', `${host}:${port} is free to listen on`);
  if (problem === 'EADDRINUSE')
    return warning(
      'port',
      `something listens on ${host}:${port} already`,
      'fine if that is Burin; else stop it, or set BURIN_PORT',
    );
  return failing(
    'port',
    `${host}:${port} cannot be listened on (${problem})`,
    'set BURIN_HOST and BURIN_PORT to what this machine has',
  );
}

const reaches = (host: string, port: number): Promise<string | undefined> =>
  new Promise((done) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const end = (problem?: string) => {
      socket.destroy();
      done(problem);
    };
    socket.once('connect', () => end());
    socket.once('timeout', () => end('no answer'));
    socket.once('error', (error) => end(codeOf(error)));
  });

const PORTS: Readonly<Record<string, number>> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
};

/** Servers that the environment names: whether anything answers there. */
async function checkServers(env: NodeJS.ProcessEnv, root: string): Promise<DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  for (const variable of ['BURIN_DATABASE_URL', 'BURIN_REDIS_URL']) {
    const text = env[variable] ?? '';
    if (!URL.canParse(text)) continue;
    const { protocol, hostname, port } = new URL(text);
    const usual = PORTS[protocol];
    if (usual === undefined || hostname === '') continue;
    const name = variable === 'BURIN_REDIS_URL' ? 'redis' : 'database';
    const place = `${hostname}:${port || usual}`;
    const problem = await reaches(hostname, Number(port || usual));
    checks.push(
      problem === undefined
        ? ok(name, `${place} answers`)
        : failing(name, `${place} does not answer (${problem})`, `start it, or correct ${variable}`),
    );
    if (protocol.startsWith('postgres') && !isInstalled('pg', root))
      checks.push(failing('package-pg', 'PostgreSQL is asked for and its driver is not installed', 'npm install pg'));
  }
  return checks;
}

function checkMachine(): DoctorCheck {
  const memory = totalmem();
  const found = `${availableParallelism()} cores, ${(memory / GB).toFixed(1)} GB of memory`;
  return memory < MIN_MEMORY_BYTES
    ? warning('machine', found, 'large pictures want 2 GB; set BURIN_WORKERS=1 and a smaller BURIN_MAX_PIXELS')
    : ok('machine', found);
}

/** Every check, in the order in which they should be mended. Never rejects. */
export async function examine({
  env,
  root = ROOT,
  nodeVersion = process.versions.node,
  load = (name) => import(name),
}: DoctorOptions): Promise<DoctorReport> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const checks = [
    checkNode(nodeVersion, manifest),
    ...checkPackages(root, manifest),
    ...(await checkCompiled(root, load)),
    checkMachine(),
  ];
  checks.push(...checkFolder('temporary', tmpdir(), 'set TMPDIR to a folder that this user may write'));
  try {
    const { loadConfig } = await import('./env.js');
    const config = loadConfig(env);
    checks.push(ok('environment', 'every BURIN_ variable is in its form'));
    checks.push(
      ...checkFolder(
        'data',
        config.dataDir,
        `let this user write there (chown or chmod), or set BURIN_DATA_DIR to a folder that it may`,
      ),
    );
    checks.push(await checkPort(config));
  } catch (error) {
    checks.push(failing('environment', messageOf(error), 'correct or unset the variable; .env.example lists them all'));
  }
  checks.push(...(await checkServers(env, root)));
  return { ok: checks.every(({ state }) => state !== 'failing'), checks };
}
