import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from 'chai';
import { PACKAGE_ROOT } from '#test/support/package-root.js';

const ALLOWED: readonly string[] = [
  'adapters',
  'application',
  'config',
  'domain',
  'plugins',
  'test',
  'LICENSE',
  'README.md',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
];
/** What git ignores, for a copy without git. */
const IGNORED: readonly string[] = ['node_modules', 'dist', 'data', 'coverage'];

/** A git hook that runs the tests points git at its own repository; here git looks where it is told to. */
const GIT_ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
const hasGit = spawnSync('git', ['--version']).status === 0;

/** Paths that `git ls-files` prints with these options, or undefined where git does not answer. */
const listedByGit = (root: string, ...options: string[]): string[] | undefined => {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', ...options], {
    cwd: root,
    env: GIT_ENVIRONMENT,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  });
  return status === 0 ? stdout.split('\0').filter((path) => path !== '') : undefined;
};

/** The names at the top of the repository: those that git tracks or would; without git, all but what is made here. */
const topLevelNames = (root: string): string[] => {
  if (existsSync(join(root, '.git'))) {
    const tracked = listedByGit(root, '--cached');
    const untracked = listedByGit(root, '--others', '--exclude-standard');
    if (tracked !== undefined && untracked !== undefined) {
      // `node_modules/` in .gitignore does not cover a link of that name; it is a stranger only once it is tracked.
      const paths = [...tracked, ...untracked.filter((path) => path !== 'node_modules')];
      const present = paths.filter((path) => lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined);
      return [...new Set(present.map((path) => path.split('/')[0] as string))];
    }
  }
  return readdirSync(root).filter((name) => !IGNORED.includes(name));
};

const strangers = (names: readonly string[]) =>
  names.filter((name) => !ALLOWED.includes(name) && !name.startsWith('.')).sort();

describe('Top level', () => {
  it('holds the layers, their papers and nothing else', () => {
    const names = topLevelNames(PACKAGE_ROOT);
    assert.includeMembers(names, [
      'package.json',
      'tsconfig.json',
      'domain',
      'application',
      'adapters',
      'config',
      'test',
    ]);
    assert.deepEqual(strangers(names), [], 'put it into the layer it belongs to (README.md: where things are)');
  });

  for (const withGit of [true, false]) {
    const isPending = withGit && !hasGit;
    const title = `shows a stranger ${withGit ? 'in a git checkout' : 'without git'}`;
    (isPending ? it.skip : it)(`${title}${isPending ? ' (pending: git is not installed)' : ''}`, () => {
      const root = mkdtempSync(join(tmpdir(), 'burin-top-'));
      try {
        for (const folder of ['domain', 'scripts', 'node_modules', 'dist']) mkdirSync(join(root, folder));
        for (const file of ['package.json', '.nvmrc', 'notes.txt', 'domain/a.ts', 'scripts/x.ts', 'dist/a.js']) {
          writeFileSync(join(root, file), '');
        }
        writeFileSync(join(root, '.gitignore'), 'node_modules/\ndist/\n');
        if (withGit) assert.equal(spawnSync('git', ['init', '-q'], { cwd: root, env: GIT_ENVIRONMENT }).status, 0);
        assert.deepEqual(strangers(topLevelNames(root)), ['notes.txt', 'scripts']);
      } finally {
        rmSync(root, { recursive: true });
      }
    });
  }
});
