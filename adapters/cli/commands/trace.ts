import type { Readable, Writable } from 'node:stream';
import type { VectorizedImage, VectorizeImage } from '#application/use-cases/vectorize-image.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { parseSettings } from '#domain/presets/settings.js';
import { type ErrorLine, oneLine, toErrorLine } from '../error-line.js';
import { EXIT_CODES, EXIT_OK } from '../exit-codes.js';
import { assertWritable, readInput, readStream, writeStream, writeWhole } from '../files.js';
import { PIPE, planJobs, type TraceJob } from '../output-paths.js';
import { createProgressLine } from '../progress-line.js';

export interface TraceCommandDeps {
  /** Loads what tracing needs; called once there is something to trace. */
  readonly vectorize: () => Promise<VectorizeImage>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}

export interface TraceCommandInput {
  /** Paths, or `-` for standard input. */
  readonly inputs: readonly string[];
  readonly output: string | undefined;
  /** As typed, by published name. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly quiet: boolean;
}

const shownInput = (path: string) => (path === PIPE ? 'standard input' : path);
const shownOutput = (path: string | undefined) => (path === PIPE ? 'standard output' : (path ?? 'JSON'));

function summary({ traceStats }: VectorizedImage, { input, output }: TraceJob): string {
  const { width, height, shapes, nodes, svgBytes, timingsMs } = traceStats;
  const figures = `${width} x ${height}, ${shapes} shapes, ${nodes} nodes, ${svgBytes} bytes, ${Math.round(timingsMs.total)} ms`;
  return oneLine(`${shownInput(input)} -> ${shownOutput(output)}: ${figures}`);
}

/**
 * Traces pictures one after the other and answers the exit code. A picture that fails has its line on standard error (and
 * its object under `--json`) and does not stop those after it; only an interrupt does.
 * Throws a ServiceError where nothing can be begun: wrong settings, or a plan of outputs that cannot be.
 */
export async function traceCommand(deps: TraceCommandDeps, command: TraceCommandInput): Promise<number> {
  const { inputs, output, settings, json, quiet } = command;
  resolveSettings(parseSettings(settings, 'tracing'));
  const jobs = planJobs(inputs, output, json);
  const progress = createProgressLine(deps.stderr);
  let exitCode: number = EXIT_OK;

  const traceOne = async (job: TraceJob): Promise<void> => {
    const { input, output: path } = job;
    if (path !== undefined && path !== PIPE) assertWritable(path);
    const bytes = input === PIPE ? await readStream(deps.stdin) : await readInput(input);
    const vectorize = await deps.vectorize();
    const result = await vectorize({
      picture: { kind: 'encoded', bytes },
      settings,
      onProgress: (stage, fraction) => progress.show(shownInput(input), stage, fraction),
    });
    progress.clear();
    if (path === PIPE) await writeStream(deps.stdout, result.svg);
    else if (path !== undefined) await writeWhole(path, result.svg);
    if (json) {
      const { drawing: _, ...answer } = result;
      await writeStream(
        deps.stdout,
        `${JSON.stringify({ input, ...(path !== undefined && { output: path }), ...answer })}\n`,
      );
    }
    if (!quiet) deps.stderr.write(`${summary(result, job)}\n`);
  };

  for (const job of jobs) {
    try {
      await traceOne(job);
    } catch (error) {
      progress.clear();
      const line: ErrorLine = toErrorLine(error);
      const name = oneLine(shownInput(job.input));
      // An unreadable file's own message begins with its name.
      deps.stderr.write(`burin: ${line.text.startsWith(name) ? '' : `${name}: `}${line.text}\n`);
      if (json) {
        const refusal = { input: job.input, error: line.text, code: line.code };
        await writeStream(deps.stdout, `${JSON.stringify(refusal)}\n`);
      }
      if (exitCode === EXIT_OK) exitCode = line.exitCode;
      if (line.exitCode === EXIT_CODES.cancelled) return line.exitCode;
    }
  }
  return exitCode;
}
