import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { VectorizeImage } from '#application/use-cases/vectorize-image.js';
import type { VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { invalid } from '#domain/errors.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { parseSettings } from '#domain/presets/settings.js';
import { type ErrorLine, oneLine, toErrorLine } from '../error-line.js';
import { EXIT_CODES, EXIT_OK } from '../exit-codes.js';
import { writeStream } from '../files.js';
import { type FoundPicture, findPictures, GLOB } from '../find-pictures.js';
import { isFolder, PIPE, planJobs, type TraceJob } from '../output-paths.js';
import { createProgressBar, type MaybeTerminal, type ProgressBar } from '../progress-bar.js';
import { runJobs } from '../run-jobs.js';
import type { Exporting } from './export.js';
import { chooseFormats, type TraceFormats } from './trace-formats.js';
import { jobLine, summaryOf, type TraceRow, totalsLine } from './trace-summary.js';
import {
  inThisThread,
  inWorkers,
  readPicture,
  type TraceBytes,
  type TraceProgress,
  writeFiles,
} from './traced-picture.js';
import { watchPictures } from './watch.js';

/** Processes that trace beside each other. */
export interface TraceWorkers {
  readonly vectorizeToFile: VectorizeToFile;
  close(): Promise<void>;
}

export interface TraceCommandDeps {
  /** Loads what tracing needs; called once there is something to trace. */
  readonly vectorize: () => Promise<VectorizeImage>;
  readonly workers: (count: number) => Promise<TraceWorkers>;
  readonly exporting: () => Promise<Exporting>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: MaybeTerminal;
}

export interface TraceCommandInput {
  /** Files, folders, patterns, or `-` for standard input. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** As typed. */
  readonly formats: readonly string[];
  readonly jobs: string | undefined;
  /** As typed, by published name. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly exportOptions: Readonly<Record<string, unknown>>;
  readonly watch: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

const MAX_JOBS = 256;
const namesMany = (input: string) => isFolder(input) || (GLOB.test(input) && !existsSync(input));
const shownInput = (path: string) => (path === PIPE ? 'standard input' : path);

function parseJobs(text: string | undefined): number {
  if (text === undefined) return 1;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MAX_JOBS) throw invalid('--jobs', `"${text}" is no whole number from 1 to ${MAX_JOBS}`);
  return count;
}

/** Stops the work at the first interrupt: what runs in other processes is given up, what is being written is finished. */
function stopAtInterrupt(): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return {
    signal: controller.signal,
    release: () => void process.off('SIGINT', stop).off('SIGTERM', stop),
  };
}

/** What one run of the command goes through; a picture that fails has its line, and does not stop those after it. */
class TraceRun {
  exitCode: number = EXIT_OK;
  readonly rows: TraceRow[] = [];
  readonly #deps: TraceCommandDeps;
  readonly #command: TraceCommandInput;
  readonly #formats: TraceFormats;
  readonly #trace: () => Promise<TraceBytes>;

  constructor(
    deps: TraceCommandDeps,
    command: TraceCommandInput,
    formats: TraceFormats,
    trace: () => Promise<TraceBytes>,
  ) {
    this.#deps = deps;
    this.#command = command;
    this.#formats = formats;
    this.#trace = trace;
  }

  get cancelled(): boolean {
    return this.exitCode === EXIT_CODES.cancelled;
  }

  async do(job: TraceJob, progress: ProgressBar, several: boolean): Promise<void> {
    const { stdin, stdout, stderr } = this.#deps;
    const { json, quiet } = this.#command;
    try {
      const bytes = await readPicture(job, stdin);
      const trace = await this.#trace();
      const show: TraceProgress = (stage, fraction) => progress.show(shownInput(job.input), stage, fraction);
      const traced = await trace(bytes, progress.shows ? show : undefined);
      const written = await writeFiles(traced, job, { ...this.#formats, stdout });
      if (json) {
        const paths = job.outputs.map(({ path }) => path);
        const files = paths.length === 0 ? {} : paths.length === 1 ? { output: paths[0] } : { outputs: paths };
        const head = JSON.stringify({ input: job.input, ...files }).slice(1, -1);
        await writeStream(stdout, `{${head},${traced.answerJson()}}\n`);
      }
      const row = { job, stats: traced.traceStats, fidelity: traced.qualityDiagnostics.fidelity, bytes: written.bytes };
      this.rows.push(row);
      progress.advance();
      if (quiet) return;
      // On a terminal, several pictures have their lines in the table at the end.
      const inTable = several && stderr.isTTY === true;
      const warnings = written.warnings.map((warning) =>
        oneLine(inTable ? `${job.input}: ${warning}` : `  ${warning}`),
      );
      const lines = [...(inTable ? [] : [jobLine(row)]), ...warnings];
      if (lines.length === 0) return;
      progress.clear();
      stderr.write(`${lines.join('\n')}\n`);
    } catch (error) {
      progress.advance();
      progress.clear();
      await this.#refuse(job, toErrorLine(error));
    }
  }

  async #refuse(job: TraceJob, line: ErrorLine): Promise<void> {
    const { stdout, stderr } = this.#deps;
    // Those that run beside the one that was interrupted need not say so too.
    if (this.cancelled && line.exitCode === EXIT_CODES.cancelled) return;
    const name = oneLine(shownInput(job.input));
    // An unreadable file's own message begins with its name.
    stderr.write(`burin: ${line.text.startsWith(name) ? '' : `${name}: `}${line.text}\n`);
    if (this.#command.json) {
      const refusal = { input: job.input, error: line.text, code: line.code };
      await writeStream(stdout, `${JSON.stringify(refusal)}\n`);
    }
    if (this.exitCode === EXIT_OK || line.exitCode === EXIT_CODES.cancelled) this.exitCode = line.exitCode;
  }
}

/**
 * Traces pictures, one after the other or as many at once as `--jobs` says, and answers the exit code. A picture that fails has
 * its line on standard error (and its object under `--json`) and does not stop those after it; only an interrupt does.
 * Throws a ServiceError where nothing can be begun: wrong settings, or a plan of outputs that cannot be.
 */
export async function traceCommand(deps: TraceCommandDeps, command: TraceCommandInput): Promise<number> {
  const { inputs, outputs, settings, exportOptions, json, quiet, watch } = command;
  resolveSettings(parseSettings(settings, 'tracing'));
  const wanted = parseJobs(command.jobs);
  const many = inputs.some(namesMany);
  const pictures = findPictures(inputs);
  const several = many || pictures.length > 1;
  const formats = await chooseFormats({ named: command.formats, outputs, several, exportOptions }, deps.exporting);
  const plan = (pictures: readonly FoundPicture[]) =>
    planJobs({ pictures, outputs, formats: formats.formats, json, many });
  if (watch && pictures.some(({ path }) => path === PIPE)) throw invalid('--watch', 'needs files; - is a pipe');
  const jobs = plan(pictures);

  const width = watch ? wanted : Math.min(wanted, jobs.length);
  // As many again are read and written while the others are traced, so that no worker waits for its next picture.
  const atOnce = width > 1 ? 2 * width : 1;
  const interrupt = width > 1 ? stopAtInterrupt() : undefined;
  let workers: Promise<TraceWorkers> | undefined;
  const trace = async (): Promise<TraceBytes> => {
    if (interrupt === undefined) return inThisThread(await deps.vectorize(), settings);
    workers ??= deps.workers(width);
    return inWorkers((await workers).vectorizeToFile, settings, interrupt.signal);
  };
  const run = new TraceRun(deps, command, formats, trace);
  const startMs = performance.now();
  try {
    const progress = await createProgressBar(deps.stderr, jobs.length);
    const stopped = () => run.cancelled || interrupt?.signal.aborted === true;
    await runJobs(jobs, atOnce, (job) => run.do(job, progress, several), stopped);
    progress.clear();
    if (several && !quiet) {
      const summary = deps.stderr.isTTY ? `${summaryOf(run.rows)}\n` : '';
      deps.stderr.write(`${summary}${totalsLine(run.rows, jobs.length, performance.now() - startMs)}\n`);
    }
    if (watch && !stopped())
      await watchPictures({
        find: () => findPictures(inputs),
        plan,
        done: jobs,
        say: (text) => void (quiet || deps.stderr.write(`${oneLine(text)}\n`)),
        work: (changed) => {
          // Those of before have been told.
          run.rows.length = 0;
          return runJobs(changed, atOnce, (job) => run.do(job, progress, false), stopped);
        },
        stopped,
      });
    if (interrupt?.signal.aborted) run.exitCode = EXIT_CODES.cancelled;
    return run.exitCode;
  } finally {
    interrupt?.release();
    await (await workers)?.close();
  }
}
