import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The command's file. */
export const CLI = fileURLToPath(import.meta.resolve('#config/main/cli.js'));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions extends SpawnOptions {
  readonly input?: Uint8Array | string;
  /** Another copy of the command. */
  readonly cli?: string;
}

/** The command as a process of its own, and what it says to its end. */
export function startBurin(
  argv: readonly string[],
  { input, cli = CLI, ...options }: RunOptions = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [cli, ...argv], options);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout!.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr!.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin!.on('error', () => {}); // it may exit without reading
  child.stdin!.end(input);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
  return { child, ended };
}

export const runBurin = (argv: readonly string[], options?: RunOptions): Promise<Ended> =>
  startBurin(argv, options).ended;
