import type { Clock } from '#application/ports/clock.js';

/** A clock that moves by `stepMs` each time it is read. */
export function createManualClock(stepMs = 0, startMs = 1000): Clock & { advance(ms: number): void } {
  let nowMs = startMs;
  const read = () => {
    const at = nowMs;
    nowMs += stepMs;
    return at;
  };
  return { monotonicMs: read, wallMs: read, advance: (ms) => (nowMs += ms) };
}
