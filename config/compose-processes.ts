import type { TraceWorkers } from '#adapters/cli/commands/trace.js';
import { createProcessVectorizer } from '#adapters/tracing/process-vectorizer.js';

/** JavaScript heap of one process; what pictures take lies beside it. */
const PROCESS_MEMORY_BYTES = 2 * 1024 ** 3;

/** Processes that trace for the command line, without a time limit. */
export const composeProcesses = (count: number): TraceWorkers =>
  createProcessVectorizer({
    entry: new URL('./main/tracing-process.js', import.meta.url),
    processes: count,
    memoryBytes: PROCESS_MEMORY_BYTES,
  });
