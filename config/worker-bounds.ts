import type { Config } from './env.js';

/** What a worker sees of the environment: nothing that says where data lie, and no key. */
const SEEN = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TMP',
  'TEMP',
  'LANG',
  'LC_ALL',
  'TZ',
  'SystemRoot',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
];
/** Of the allocator, and of who measures which lines are run. */
const SEEN_PREFIXES = ['MALLOC_', 'NODE_V8_COVERAGE'];

const seenEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => SEEN.includes(name) || SEEN_PREFIXES.some((prefix) => name.startsWith(prefix)),
    ),
  );

/** What the service lets a worker have: memory, tasks, and of the environment what it needs to run. */
export const workerBounds = ({ heapBytes, residentBytes, tasks }: Config['workers']) => ({
  heapBytes,
  residentBytes,
  tasksPerWorker: tasks,
  env: seenEnvironment(),
});
