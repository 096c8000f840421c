import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from 'chai';
import { PACKAGE_ROOT } from '#test/support/package-root.js';

/** The last line of .ci/run for this output. */
const summaryOf = (output: string): string => {
  const { status, stdout, error } = spawnSync('awk', ['-f', join(PACKAGE_ROOT, '.ci', 'summary.awk')], {
    input: output,
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  assert.equal(status, 0);
  return stdout;
};

/** What a real mocha prints for this test file, and its exit status. */
const runMocha = (spec: string): { status: number | null; output: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'burin-mocha-'));
  try {
    const file = join(folder, 'sample.test.mjs');
    writeFileSync(file, spec);
    const mocha = join(PACKAGE_ROOT, 'node_modules', 'mocha', 'bin', 'mocha.js');
    const { status, stdout } = spawnSync(process.execPath, [mocha, '--no-config', '--no-package', file], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, output: stdout };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const PASSES = "it('one', () => {}); it('two passing (3ms)', () => {}); it('later');\n";
const FAILS = "it('7 failing', () => { throw new Error('no'); });\n";

const hasAwk = spawnSync('awk', ['BEGIN { exit 0 }']).status === 0;

(hasAwk ? describe : describe.skip)(`.ci/run summary${hasAwk ? '' : ' (pending: awk is not installed)'}`, () => {
  it('counts what mocha counted', () => {
    const good = runMocha(PASSES);
    assert.equal(good.status, 0);
    assert.equal(summaryOf(good.output), '2 passed, 0 failed\n');
    const bad = runMocha(PASSES + FAILS);
    assert.equal(bad.status, 1);
    assert.equal(summaryOf(bad.output), '2 passed, 1 failed\n');
  });

  it('is a failure where mocha never came to its summary', () => {
    assert.equal(summaryOf(''), '0 passed, 1 failed\n');
    assert.equal(summaryOf('error TS2307: Cannot find module\n'), '0 passed, 1 failed\n');
    assert.equal(summaryOf(runMocha('this is no JavaScript').output), '0 passed, 1 failed\n');
  });

  it('takes the last summary, whatever a test printed before', () => {
    assert.equal(summaryOf('  9 passing (1s)\n  4 failing\n\n  12 passing (2m)\n'), '12 passed, 0 failed\n');
  });
});
