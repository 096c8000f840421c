import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from 'chai';
import { PACKAGE_ROOT } from '#test/support/package-root.js';

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly overrides?: Versions;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

interface LockEntry {
  readonly version?: string;
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly hasInstallScript?: boolean;
}

type Lock = Readonly<Record<string, LockEntry>>;

const readJson = (name: string) => JSON.parse(readFileSync(join(PACKAGE_ROOT, name), 'utf8'));
const manifest = readJson('package.json') as Manifest;
const lock = (readJson('package-lock.json') as { packages: Lock }).packages;

/** Where a package that `from` asks for lies in the lock file: the nearest node_modules upwards, as node looks it up. */
const resolveInLock = (packages: Lock, from: string, name: string): string | undefined => {
  for (let folder = from; ; ) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (candidate in packages) return candidate;
    if (folder === '') return undefined;
    const above = folder.lastIndexOf('/node_modules/');
    folder = above < 0 ? '' : folder.slice(0, above);
  }
};

/** What `npm ci` would call "Missing": dependencies, platform packages included, that no entry of the lock file fills. */
const missingFromLock = (packages: Lock): { asked: number; missing: string[] } => {
  const missing: string[] = [];
  let asked = 0;
  for (const [path, entry] of Object.entries(packages)) {
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      asked++;
      if (resolveInLock(packages, path, name) === undefined) missing.push(`${path || 'package.json'} needs ${name}`);
    }
  }
  return { asked, missing };
};

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Packages whose install script would run, or be stopped with a warning, without anybody having decided it. */
const undecidedScripts = (packages: Lock, allowed: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(packages)
    .filter(([path, entry]) => path !== '' && entry.hasInstallScript === true && !(nameOf(path) in allowed))
    .map(([path]) => nameOf(path));

/** Versions other than these do not run on the oldest Node that is supported, or miss platform packages in the registry. */
const PINNED: Versions = {
  'light-my-request': '6.6.0',
  'content-disposition': '2.0.1',
  'msgpackr-extract': '3.0.3',
  '@biomejs/biome': '2.5.15',
};
const ALWAYS_OVERRIDDEN = ['light-my-request', 'content-disposition'];

/** What the lock file holds at another version than the pinned one. */
const strayVersions = (packages: Lock, pinned: Versions): string[] =>
  Object.entries(packages)
    .filter(([path, { version }]) => path !== '' && nameOf(path) in pinned && pinned[nameOf(path)] !== version)
    .map(([path, { version }]) => `${nameOf(path)} is ${version}, not ${pinned[nameOf(path)]}`);

describe('Packages', () => {
  it('have every dependency and platform package in the lock file', () => {
    const { asked, missing } = missingFromLock(lock);
    assert.isAbove(asked, 200);
    assert.deepEqual(missing, [], 'npm ci would refuse this lock file');
  });

  it('include the binaries of every platform for what is built per platform', () => {
    const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
    const platforms = Object.keys(direct).flatMap((name) =>
      Object.keys(lock[`node_modules/${name}`]?.optionalDependencies ?? {}).map(
        (platform) => resolveInLock(lock, `node_modules/${name}`, platform) ?? `${platform} is missing`,
      ),
    );
    assert.isAbove(platforms.length, 50);
    assert.deepEqual(
      platforms.filter((path) => !(path in lock)),
      [],
    );
  });

  it('are asked for as the lock file has them', () => {
    const root = lock[''] as Manifest;
    for (const group of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
      assert.deepEqual(root[group] ?? {}, manifest[group] ?? {}, group);
    }
  });

  it('stand at the versions that were found to work', () => {
    for (const name of ALWAYS_OVERRIDDEN) assert.equal(manifest.overrides?.[name], PINNED[name], name);
    if ('node_modules/msgpackr-extract' in lock) {
      assert.equal(manifest.overrides?.['msgpackr-extract'], PINNED['msgpackr-extract']);
    }
    if ('node_modules/jimp' in lock) assert.match(manifest.overrides?.jimp ?? '', /^file:/, 'only the stub of jimp');
    assert.property(lock, 'node_modules/light-my-request');
    assert.property(lock, 'node_modules/@biomejs/biome');
    assert.deepEqual(strayVersions(lock, PINNED), []);
    // These have no compatible ranges: a blocklist of readers and a lint rule set are only true for one version.
    assert.match(manifest.dependencies?.sharp ?? '', /^\d/);
    assert.match(manifest.devDependencies?.['@biomejs/biome'] ?? '', /^\d/);
  });

  it('have a decision for every install script', () => {
    assert.deepEqual(manifest.allowScripts, {
      sqlite3: true,
      'better-sqlite3': true,
      'onnxruntime-node': false,
      'msgpackr-extract': false,
    });
    assert.deepEqual(undecidedScripts(lock, manifest.allowScripts ?? {}), []);
  });

  it('would be caught missing, astray or with a script of their own', () => {
    const broken: Lock = {
      '': { dependencies: { a: '1', 'light-my-request': '6' } },
      'node_modules/a': { version: '1.0.0', dependencies: { b: '1' }, optionalDependencies: { 'a-linux': '1' } },
      'node_modules/a/node_modules/b': { version: '1.0.0', dependencies: { c: '1', 'light-my-request': '6' } },
      'node_modules/light-my-request': { version: '6.8.1', hasInstallScript: true },
    };
    assert.deepEqual(missingFromLock(broken).missing, [
      'node_modules/a needs a-linux',
      'node_modules/a/node_modules/b needs c',
    ]);
    assert.deepEqual(strayVersions(broken, PINNED), ['light-my-request is 6.8.1, not 6.6.0']);
    assert.deepEqual(undecidedScripts(broken, { sqlite3: true }), ['light-my-request']);
  });
});
