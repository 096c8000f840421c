import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Preloaded into the service by the bench (`node --import`): tells its parent how its event loop and its memory do. */
export interface ProbeReport {
  /** Milliseconds beyond the timer's own resolution. */
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  readonly rssMb: number;
  readonly heapMb: number;
}

const RESOLUTION_MS = 5;
const MB = 1024 * 1024;
const NS_PER_MS = 1e6;

if (process.send !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const overMs = (ns: number) => Math.max(0, ns / NS_PER_MS - RESOLUTION_MS);
  process.on('message', () => {
    const { rss, heapUsed } = process.memoryUsage();
    const report: ProbeReport = {
      delayP50Ms: overMs(delay.percentile(50)),
      delayP99Ms: overMs(delay.percentile(99)),
      delayMaxMs: overMs(delay.max),
      rssMb: rss / MB,
      heapMb: heapUsed / MB,
    };
    delay.reset();
    process.send?.(report);
  });
  process.channel?.unref();
}
