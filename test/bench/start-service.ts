import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import type { HeldReport, ProbeQuestion, ProbeReport } from './loop-probe.js';

/** What `npm start` gives to node. */
const STARTED_WITH = (
  JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  }
).scripts.start
  .split(' ')
  .slice(1);
const PROBE = join(PACKAGE_ROOT, 'dist/test/bench/loop-probe.js');

export interface StartedService {
  readonly url: string;
  readonly pid: number;
  readonly folder: string;
  /** When the process was started, by `performance.now()`. */
  readonly startMs: number;
  probe(): Promise<ProbeReport>;
  /** After a collection; needs `--expose-gc` among `nodeArguments`. `snapshot` is where a heap snapshot is written first. */
  held(snapshot?: string): Promise<HeldReport>;
  /** `keepFiles` leaves the data folder for the next one. */
  stop(options?: { readonly keepFiles?: boolean }): Promise<void>;
}

/** The real service as a process of its own, with a probe of its event loop. `folder` is one that another has left. */
export async function start(
  env: Record<string, string> = {},
  folder?: string,
  nodeArguments: readonly string[] = [],
): Promise<StartedService> {
  const data = folder ?? (await mkdtemp(join(tmpdir(), 'burin-bench-')));
  const startMs = performance.now();
  const child: ChildProcess = spawn(process.execPath, [...nodeArguments, '--import', PROBE, ...STARTED_WITH], {
    cwd: PACKAGE_ROOT,
    // What is measured is the service, not what it allows a caller.
    env: {
      ...process.env,
      BURIN_PORT: '0',
      BURIN_DATA_DIR: data,
      BURIN_RATE_ANONYMOUS: '1000000',
      BURIN_CONCURRENT_PER_KEY: '64',
      BURIN_TEST_PROBED: String(process.pid),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const lines = createInterface({ input: child.stdout! });
  const url = await new Promise<string>((resolve) => {
    lines.on('line', (text) => {
      // The first start says in plain words how to get in.
      if (!text.startsWith('{')) return;
      const line = JSON.parse(text) as { msg: string; url?: string };
      if (line.msg === 'ready') resolve(line.url!);
    });
  });
  // What it says of each request is drained, not read.
  lines.close();
  child.stdout!.resume();
  const ask = async (question: ProbeQuestion): Promise<unknown> => {
    const answered = once(child, 'message');
    child.send(question);
    return (await answered)[0];
  };
  return {
    url,
    pid: child.pid!,
    folder: data,
    startMs,
    probe: async () => (await ask('report')) as ProbeReport,
    held: async (snapshot) => (await ask(snapshot === undefined ? 'held' : `snapshot ${snapshot}`)) as HeldReport,
    async stop({ keepFiles = false } = {}) {
      child.kill('SIGTERM');
      await once(child, 'exit');
      if (!keepFiles) await rm(data, { recursive: true, force: true });
    },
  };
}
