import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toError } from '#application/failure-data.js';
import { type LossReason, LostWorker } from './lost-worker.js';
import { readResidentBytes } from './resident-memory.js';
import type { ProgressMessage, WorkerOrder, WorkerReply, WorkerWord } from './worker-protocol.js';

export interface WorkerProcessOptions {
  /** The compiled file whose tasks it runs. */
  readonly entry: URL;
  readonly data: unknown;
  /** JavaScript heap. */
  readonly heapBytes: number;
  /** Everything that it has in memory; past it, it is ended. Watched where the system tells (Linux). */
  readonly residentBytes: number;
  /** All that it sees of the environment; left out, all that this process sees. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface ProcessTask {
  readonly name: string;
  readonly input: unknown;
  readonly onProgress: ((...progress: ProgressMessage) => void) | undefined;
}

/** A process that has loaded an entry file, or is about to, and does one task at a time. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  /** Rejects where the entry cannot be loaded, or the process ends before it is. */
  readonly loaded: Promise<void>;
  /** Resolves when it is gone, however that came. */
  readonly ended: Promise<void>;
  /** Of a process that has loaded and has no task. Rejects with LostWorker where it ends first. */
  run(task: ProcessTask): Promise<WorkerReply<unknown>>;
  /** Asks the task that runs to stop at its next checkpoint. */
  askToStop(): void;
  kill(): void;
  /** undefined where the system does not tell. */
  residentBytes(): Promise<number | undefined>;
}

const CHILD = fileURLToPath(new URL('./task-process.js', import.meta.url));
const MB = 1024 * 1024;
/** What a picture leaves behind is swept away at once instead of piling up: as fast, and memory stays level from early on. */
const YOUNG_MB = 4;
/** How often is looked how much a busy process has in memory: in this time it can take some 100 MB more. */
const LOOK_EVERY_MS = 50;
/** A machine that is very busy takes seconds to load; one that takes this long never will. */
const LOAD_LIMIT_MS = 60_000;
/** Of its last words, for the log and to tell a full heap from a fault. */
const LAST_WORDS = 4000;

/** A file that has no name any more, for both sides to look into; undefined where there is no place for one. */
function openFlag(): number | undefined {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'burin-flag-'));
    try {
      return openSync(join(folder, 'stop'), 'w+');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    return undefined;
  }
}

/** Begins a process; it is killed where it takes more memory than it may. */
export function startWorkerProcess(options: WorkerProcessOptions): WorkerProcess {
  const { entry, data, heapBytes, residentBytes, env } = options;
  let flag = openFlag();
  const child: ChildProcess = fork(CHILD, [], {
    serialization: 'advanced',
    ...(env && { env }),
    execArgv: [
      ...(process.execArgv.includes('--enable-source-maps') ? ['--enable-source-maps'] : []),
      `--max-old-space-size=${Math.ceil(heapBytes / MB)}`,
      `--max-semi-space-size=${YOUNG_MB}`,
    ],
    // Without the flag nothing is ever read there, and who does not stop is killed.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', flag ?? 'ignore'],
  });
  const { pid } = child;
  let number = 0;
  let lastWords = '';
  let isOver = false;
  let killedFor: LossReason | undefined;
  /** Who waits for it to load or to answer. */
  let waiting: { readonly hear: (word: WorkerWord) => void; readonly lose: (error: unknown) => void } | undefined;

  const residentNow = () => (pid === undefined ? Promise.resolve(undefined) : readResidentBytes(pid));
  const kill = (reason: LossReason = 'killed') => {
    killedFor ??= reason;
    child.kill('SIGKILL');
  };
  const watch = setInterval(async () => {
    if (waiting === undefined) return;
    const bytes = await residentNow();
    if (bytes !== undefined && bytes > residentBytes && waiting !== undefined) kill('memory');
  }, LOOK_EVERY_MS).unref();

  const ended = new Promise<void>((gone) => {
    const lose = (what: string, reason: LossReason, cause?: unknown) => {
      if (isOver) return;
      isOver = true;
      clearInterval(watch);
      if (flag !== undefined) closeSync(flag);
      flag = undefined;
      const words = lastWords.trim();
      waiting?.lose(
        new LostWorker(reason, `the process ${what}`, { cause: cause ?? (words === '' ? undefined : words) }),
      );
      gone();
    };
    // Once its last words are read, too.
    child.on('close', (code, signal) => {
      const reason =
        killedFor ??
        (/heap out of memory|heap limit/i.test(lastWords)
          ? 'memory'
          : signal === 'SIGKILL' || signal === 'SIGTERM'
            ? 'killed'
            : 'broke');
      lose(signal === null ? `ended with ${code}` : `was ended by ${signal}`, reason);
    });
    child.on('error', (error) => {
      kill();
      lose('could not be used', 'killed', error);
    });
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS);
  });
  child.on('message', (word: WorkerWord) => waiting?.hear(word));

  const ask = <Answer>(order: WorkerOrder, hear: (word: WorkerWord, give: (answer: Answer) => void) => void) =>
    new Promise<Answer>((resolve, reject) => {
      if (isOver) return reject(new LostWorker('killed', 'the process is gone'));
      const settle = (act: () => void) => {
        waiting = undefined;
        act();
      };
      waiting = {
        hear: (word) => {
          try {
            hear(word, (answer) => settle(() => resolve(answer)));
          } catch (error) {
            settle(() => reject(error));
          }
        },
        lose: (error) => settle(() => reject(error)),
      };
      // Where it cannot be sent any more, the end of the process says so.
      child.send(order, () => {});
    });

  const loaded = ask<void>({ kind: 'load', entry: entry.href, data }, (word, give) => {
    if (word.kind === 'broken') throw new Error('a worker cannot be loaded', { cause: toError(word.failure) });
    if (word.kind === 'loaded') give();
  });
  const late = setTimeout(kill, LOAD_LIMIT_MS).unref();
  loaded.catch(() => kill()).finally(() => clearTimeout(late));

  return {
    pid,
    loaded,
    ended,
    run: ({ name, input, onProgress }) =>
      ask({ kind: 'task', number: ++number, name, input, tellsProgress: onProgress !== undefined }, (word, give) => {
        if (word.kind === 'progress') onProgress?.(...word.progress);
        if (word.kind === 'reply') give(word.reply);
      }),
    askToStop() {
      if (flag !== undefined) writeSync(flag, Int32Array.of(number), 0, Int32Array.BYTES_PER_ELEMENT, 0);
    },
    kill: () => kill(),
    residentBytes: residentNow,
  };
}
