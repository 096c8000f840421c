import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { runMemoryCli } from '#test/support/memory-cli.js';

const script = async (shell: string) => {
  const nothing = () => Promise.reject(new Error('nothing is traced'));
  const { exitCode, stdout, stderr } = await runMemoryCli(['completion', shell], nothing);
  expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' });
  return stdout;
};
const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;
const inShell = (shell: string, title: string, run: () => Promise<void>) =>
  (has(shell) ? it : it.skip)(`${title}${has(shell) ? '' : ` (pending: ${shell} is not installed)`}`, run);

describe('shell completion', () => {
  inShell('bash', 'completes commands, options and values in bash', async () => {
    const text = await script('bash');
    const complete = (...words: string[]) => {
      const line = words.map((word) => `'${word}'`).join(' ');
      const asked = `COMP_WORDS=(burin ${line}); COMP_CWORD=${words.length}; _burin; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { status, stdout, stderr } = spawnSync('bash', ['-c', `${text}\n${asked}`], { encoding: 'utf8' });
      expect(status, stderr).to.equal(0);
      return stdout.trim().split('\n');
    };
    expect(complete('tr')).to.deep.equal(['trace']);
    expect(complete('keys', '')).to.include.members(['create', 'list', 'revoke']);
    expect(complete('keys', 'create', '--p')).to.deep.equal(['--plan']);
    expect(complete('trace', 'a.png', '--preset', 'lo')).to.deep.equal(['logo']);
    expect(complete('trace', '--palette')).to.include.members(['--palette-count', '--paletteCount']);
    expect(complete('export', 'a.svg', '--unit', '')).to.deep.equal(['px', 'pt', 'mm', 'cm', 'in']);
  });

  for (const shell of ['zsh', 'fish'])
    inShell(shell, `is read without complaint by ${shell}`, async () => {
      const { status, stderr } = spawnSync(shell, ['-n'], { input: await script(shell), encoding: 'utf8' });
      expect(status, stderr).to.equal(0);
    });

  it('says the same commands and values to every shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const text = await script(shell);
      for (const word of ['trace', 'inspect', 'keys', 'palette-count', 'technical_drawing', 'tiny1.2'])
        expect(text, shell).to.include(word);
    }
  });
});
