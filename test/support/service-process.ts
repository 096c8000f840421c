import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PACKAGE_ROOT } from './package-root.js';

const ENTRY = join(PACKAGE_ROOT, 'dist/config/main/http.js');

interface Line {
  readonly msg: string;
  readonly url?: string;
}

/** A real process; `lines` are what it has logged so far. */
export function startProcess(env: Record<string, string>, nodeArguments: readonly string[] = []) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BURIN_'));
  const child: ChildProcess = spawn(process.execPath, [...nodeArguments, ENTRY], {
    env: { ...Object.fromEntries(inherited), BURIN_DATABASE_URL: 'sqlite::memory:', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: Line[] = [];
  const printed: string[] = [];
  const errors: string[] = [];
  child.stderr?.on('data', (chunk) => errors.push(String(chunk)));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (text) => {
      // What is printed at the first start is no line of the log.
      if (!text.startsWith('{')) {
        printed.push(text);
        return;
      }
      const line = JSON.parse(text) as Line;
      lines.push(line);
      if (line.msg === 'ready') resolve(line.url!);
    });
    void exited.then((code) => reject(new Error(`the process ended with ${code}: ${errors.join('')}`)));
  });
  /** The owner's first key, as the first start prints it before it is ready. */
  const firstKey = (): string => {
    const key = /brn_live_[A-Za-z0-9_-]+/.exec(printed.join('\n'))?.[0];
    if (key === undefined) throw new Error('no key was printed');
    return key;
  };
  return { child, lines, printed, errors, exited, ready, firstKey };
}
