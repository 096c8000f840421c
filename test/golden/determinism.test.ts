import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { hashesOfGoldenInputs } from './hash-inputs.js';
import { GOLDEN_INPUTS } from './inputs.js';

const run = promisify(execFile);
const NAMES = Object.keys(GOLDEN_INPUTS);

/** What another process makes of every golden input, one hash a line. */
const SCRIPT = `
import { hashesOfGoldenInputs } from ${JSON.stringify(join(PACKAGE_ROOT, 'dist', 'test', 'golden', 'hash-inputs.js'))};
console.log((await hashesOfGoldenInputs()).join('\\n'));
`;

async function hashesOfAnotherProcess(): Promise<string[]> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', SCRIPT], { cwd: PACKAGE_ROOT });
  return stdout.trim().split('\n');
}

describe('the same picture', () => {
  it('gives the same bytes in two processes and in this one', async () => {
    const first = await hashesOfAnotherProcess();
    const second = await hashesOfAnotherProcess();
    expect(first.length).to.equal(NAMES.length);
    expect(second).to.deep.equal(first);
    const here = await hashesOfGoldenInputs();
    expect(here).to.deep.equal(first);
    expect(new Set(first).size).to.be.greaterThan(NAMES.length - 2);
  });
});
