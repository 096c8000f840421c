import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapCodeStatistics, writeHeapSnapshot } from 'node:v8';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

/** Preloaded into the service by the benches (`node --import`): tells its parent how its event loop and its memory do. */
export interface ProbeReport {
  /** Milliseconds beyond the timer's own resolution. */
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  readonly rssMb: number;
  readonly heapMb: number;
}

/** What a process holds when its garbage is gone. Needs `node --expose-gc`. */
export interface HeldReport {
  /** JavaScript heap of the main thread, and of the other threads together. */
  readonly heapMb: number;
  /** Of the main thread's heap, what is compiled code: it grows as long as functions are found worth optimizing. */
  readonly codeMb: number;
  readonly workersHeapMb: number;
  readonly workers: number;
  /** Of the main thread: what typed arrays and native objects take beside the heap. */
  readonly externalMb: number;
  /** What keeps the event loop alive, by kind: sockets, timers, requests. */
  readonly handles: Readonly<Record<string, number>>;
}

/** `report`: ProbeReport; `held`: HeldReport; `snapshot PATH`: writes a heap snapshot, and then HeldReport. */
export type ProbeQuestion = 'report' | 'held' | `snapshot ${string}`;

const RESOLUTION_MS = 5;
/** Threads that are at work answer later than this and are left out of one report. */
const THREADS_MS = 1000;
const MB = 1024 * 1024;
const NS_PER_MS = 1e6;
const CHANNEL = 'burin-bench-held';

type Message = { readonly ask: number } | { readonly heapMb: number; readonly thread: number; readonly asked: number };

/** What was only weakly held goes with the second collection. */
function collectedHeapMb(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / MB;
}

function listenInThread(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = (event) => {
    const message = (event as { data: Message }).data;
    if ('ask' in message)
      channel.postMessage({ heapMb: collectedHeapMb(), thread: threadId, asked: message.ask } satisfies Message);
  };
  channel.unref();
}

let asked = 0;
async function threadHeaps(): Promise<readonly number[]> {
  const channel = new BroadcastChannel(CHANNEL);
  const heaps: number[] = [];
  const ask = ++asked;
  channel.onmessage = (event) => {
    const message = (event as { data: Message }).data;
    if ('heapMb' in message && message.asked === ask) heaps.push(message.heapMb);
  };
  channel.postMessage({ ask } satisfies Message);
  await new Promise((resolve) => setTimeout(resolve, THREADS_MS));
  channel.close();
  return heaps;
}

async function held(): Promise<HeldReport> {
  const heaps = await threadHeaps();
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  const heapMb = collectedHeapMb();
  const { external } = process.memoryUsage();
  const { code_and_metadata_size: code, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
  return {
    heapMb,
    codeMb: (code + bytecode) / MB,
    workersHeapMb: heaps.reduce((sum, heap) => sum + heap, 0),
    workers: heaps.length,
    externalMb: external / MB,
    handles,
  };
}

function listenToParent(): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const overMs = (ns: number) => Math.max(0, ns / NS_PER_MS - RESOLUTION_MS);
  const report = (): ProbeReport => {
    const { rss, heapUsed } = process.memoryUsage();
    const answer = {
      delayP50Ms: overMs(delay.percentile(50)),
      delayP99Ms: overMs(delay.percentile(99)),
      delayMaxMs: overMs(delay.max),
      rssMb: rss / MB,
      heapMb: heapUsed / MB,
    };
    delay.reset();
    return answer;
  };
  process.on('message', async (question: ProbeQuestion) => {
    if (question.startsWith('snapshot ')) writeHeapSnapshot(question.slice('snapshot '.length));
    process.send?.(question === 'report' ? report() : await held());
  });
  process.channel?.unref();
}

// Children of the service inherit the preload; their channel is the service's own.
if (!isMainThread) listenInThread();
else if (process.send !== undefined && process.env.BURIN_TEST_PROBED === String(process.ppid)) listenToParent();
