import { PassThrough, Readable } from 'node:stream';
import type { AccountAdministration } from '#adapters/cli/commands/accounts.js';
import type { Exporting } from '#adapters/cli/commands/export.js';
import { runCli } from '#adapters/cli/program.js';
import type { VectorizeImage } from '#application/use-cases/vectorize-image.js';

export interface CliRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in this process, with `stdin` as its input and a terminal on standard error where asked. */
export async function runMemoryCli(
  argv: readonly string[],
  vectorize: VectorizeImage,
  {
    stdin = new Uint8Array(),
    isTTY = false,
    exporting = () => Promise.reject(new Error('there are no exports here')),
    administration = () => Promise.reject(new Error('there are no accounts here')),
  }: {
    stdin?: Uint8Array;
    isTTY?: boolean;
    administration?: () => Promise<AccountAdministration>;
    exporting?: () => Promise<Exporting>;
  } = {},
): Promise<CliRun> {
  // Takes whatever is written before anybody reads.
  const stdout = new PassThrough({ highWaterMark: 2 ** 24 });
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const exitCode = await runCli(argv, {
    version: '1.2.3',
    vectorize: async () => vectorize,
    administration,
    exporting,
    stdin: Readable.from([stdin]),
    stdout,
    stderr,
  });
  stdout.end();
  stderr.end();
  const text = (stream: PassThrough) => (stream.read() as Buffer | null)?.toString('utf8') ?? '';
  return { exitCode, stdout: text(stdout), stderr: text(stderr) };
}
