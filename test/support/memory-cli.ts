import { PassThrough, Readable } from 'node:stream';
import type { AccountAdministration } from '#adapters/cli/commands/accounts.js';
import type { Exporting } from '#adapters/cli/commands/export.js';
import { runCli } from '#adapters/cli/program.js';
import type { InspectDrawing } from '#application/use-cases/inspect-drawing.js';
import type { VectorizeImage } from '#application/use-cases/vectorize-image.js';
import { createVectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { composeExporting } from '#config/compose-exporting.js';
import { composeOpenApi } from '#config/compose-openapi.js';

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
    exporting = async () => composeExporting(),
    inspecting = () => Promise.reject(new Error('nothing is inspected here')),
    administration = () => Promise.reject(new Error('there are no accounts here')),
  }: {
    stdin?: Uint8Array;
    isTTY?: boolean;
    administration?: () => Promise<AccountAdministration>;
    inspecting?: () => Promise<InspectDrawing>;
    exporting?: () => Promise<Exporting>;
  } = {},
): Promise<CliRun> {
  // Takes whatever is written before anybody reads.
  const stdout = new PassThrough({ highWaterMark: 2 ** 24 });
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const exitCode = await runCli(argv, {
    version: '1.2.3',
    vectorize: async () => vectorize,
    workers: async () => ({
      vectorizeToFile: createVectorizeToFile({ vectorizeImage: vectorize }),
      close: async () => {},
    }),
    inspecting,
    serve: () => Promise.reject(new Error('there is no service here')),
    mcp: () => Promise.reject(new Error('there is no protocol here')),
    openApi: async () => composeOpenApi(),
    examine: () => Promise.reject(new Error('there is no machine here')),
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
