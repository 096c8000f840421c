import type { Clock } from '#application/ports/clock.js';
import type { RateLimiter } from '#application/ports/rate-limiter.js';

export const RATE_WINDOW_MS = 60_000;
/** Past this many windows, those that have ended are forgotten. */
const MAX_REMEMBERED = 10_000;

interface Window {
  readonly endMs: number;
  count: number;
}

/** A RateLimiter of one process. */
export function createMemoryRateLimiter({ clock }: { readonly clock: Clock }): RateLimiter {
  const windows = new Map<string, Window>();
  const currentOf = (name: string, nowMs: number): Window => {
    const window = windows.get(name);
    return window !== undefined && window.endMs > nowMs ? window : { endMs: nowMs + RATE_WINDOW_MS, count: 0 };
  };
  const report = ({ count, endMs }: Window, limit: number, nowMs: number) => ({
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds: Math.max(1, Math.ceil((endMs - nowMs) / 1000)),
  });
  return {
    async take(name, limit) {
      const nowMs = clock.monotonicMs();
      const window = currentOf(name, nowMs);
      const allowed = window.count < limit;
      if (allowed) window.count++;
      windows.set(name, window);
      if (windows.size > MAX_REMEMBERED)
        for (const [other, { endMs }] of windows) if (endMs <= nowMs) windows.delete(other);
      return { allowed, ...report(window, limit, nowMs) };
    },
    async peek(name, limit) {
      const nowMs = clock.monotonicMs();
      return report(currentOf(name, nowMs), limit, nowMs);
    },
  };
}
