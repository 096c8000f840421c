import type { TraceRequest, TraceStage } from '#application/ports/tracer.js';
import { ServiceError } from '#domain/errors.js';

/** Shares of the whole work at which the stages begin, for progress. */
const BEGINS: Readonly<Record<TraceStage, number>> = {
  decode: 0,
  recover: 0.1,
  segment: 0.15,
  fit: 0.4,
  write: 0.85,
  score: 0.9,
};
/** What a stage's own work adds at most, short of where the next one begins. */
const GROWTH = 0.2;

/** Times a tracer's stages, reports them, and stops the work on abort (CANCELLED) or past the deadline (CONVERSION_TIMEOUT). */
export class Stopwatch {
  readonly timingsMs: Record<TraceStage, number> = { decode: 0, recover: 0, segment: 0, fit: 0, write: 0, score: 0 };
  private stage: TraceStage | undefined;
  private readonly startMs = performance.now();
  private stageMs = this.startMs;
  private readonly request: TraceRequest;
  private readonly signal: AbortSignal | undefined;

  constructor(request: TraceRequest, signal: AbortSignal | undefined) {
    this.request = request;
    this.signal = signal;
  }

  /** `fraction` 0..1 of the stage's own work. */
  begin(stage: TraceStage, fraction: number): void {
    this.end();
    this.stage = stage;
    if (this.signal?.aborted) throw new ServiceError('CANCELLED', undefined, { cause: this.signal.reason });
    const { timeoutMs, tier, onProgress } = this.request;
    if (this.stageMs - this.startMs > timeoutMs) {
      throw new ServiceError('CONVERSION_TIMEOUT', { limitMs: timeoutMs, tier: tier.id });
    }
    onProgress?.(stage, BEGINS[stage] + GROWTH * fraction);
  }

  end(): void {
    const now = performance.now();
    if (this.stage !== undefined) this.timingsMs[this.stage] += now - this.stageMs;
    this.stageMs = now;
    this.stage = undefined;
  }
}
