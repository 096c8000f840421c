import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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

/** The names at the top of the repository: those that git tracks or would; without git, all but what is made here. */
const topLevelNames = (root: string): string[] => {
  if (existsSync(join(root, '.git'))) {
    const { status, stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
      cwd: root,
      env: GIT_ENVIRONMENT,
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
    });
    if (status === 0) {
      const present = stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
      return [...new Set(present.map((path) => path.split('/')[0] as string))].filter(
        (name) => name !== 'node_modules',
      );
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
