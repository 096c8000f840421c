import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  /** The script in a file of its own while `use` looks at it. */
  const inFile = async (shell: string, use: (file: string) => void) => {
    const folder = mkdtempSync(join(tmpdir(), 'burin-completion-'));
    try {
      writeFileSync(join(folder, 'script'), await script(shell));
      use(join(folder, 'script'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  inShell('fish', 'completes commands, options and values in fish', () =>
    inFile('fish', (file) => {
      const complete = (line: string) => {
        const asked = `source ${file}; complete -C '${line}'`;
        const { status, stdout, stderr } = spawnSync('fish', ['--no-config', '-c', asked], { encoding: 'utf8' });
        expect(status, stderr).to.equal(0);
        return stdout
          .trim()
          .split('\n')
          .map((found) => found.split('\t')[0]);
      };
      expect(complete('burin tr')).to.deep.equal(['trace']);
      expect(complete('burin keys ')).to.include.members(['create', 'list', 'revoke']);
      expect(complete('burin trace a.png --preset lo')).to.deep.equal(['logo']);
    }),
  );

  inShell('zsh', 'finds the commands, options and values in zsh', () =>
    inFile('zsh', (file) => {
      // What _arguments would be told, with the words as zsh hands them over.
      const told = (...words: string[]) => {
        const asked = `compdef() { : }; _arguments() { print -rl -- "$CURRENT $words" "$@" }; source ${file}
words=(burin ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _burin`;
        const { status, stdout, stderr } = spawnSync('zsh', ['-f', '-c', asked], { encoding: 'utf8' });
        expect(status, stderr).to.equal(0);
        return stdout;
      };
      expect(told('tr')).to.match(/^2 burin tr\n[\s\S]*1:command:\(trace export/);
      expect(told('keys', 'cr')).to.match(/^2 burin cr\n[\s\S]*1:command:\(create list revoke\)/);
      expect(told('keys', 'create', '--p')).to.match(/^2 burin --p\n[\s\S]*--plan\[/);
      const trace = told('trace', 'a.png', '--preset', 'lo');
      expect(trace)
        .to.match(/^4 burin a\.png --preset lo\n/)
        .and.to.include(':value:(auto logo illustration');
    }),
  );

  it('says the same commands and values to every shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const text = await script(shell);
      for (const word of ['trace', 'inspect', 'keys', 'palette-count', 'technical_drawing', 'tiny1.2'])
        expect(text, shell).to.include(word);
    }
  });
});
