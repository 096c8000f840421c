import type { EdgeRecovery } from '#application/ports/edge-recovery.js';
import type { Raster, TraceOutcome, TraceRequest } from '#application/ports/tracer.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { drawingStatsOf } from '#domain/drawing/drawing-stats.js';
import { ServiceError } from '#domain/errors.js';
import type { EngineResult, EngineSettings } from './engine/types.js';
import { measureFidelity } from './fidelity/measure-fidelity.js';
import type { PictureDamage } from './picture-damage.js';

/** A picture traced: what the engine found and the drawing in the size of the picture as it came. */
export interface Traced {
  readonly result: EngineResult;
  readonly drawing: Drawing;
  readonly working: Raster;
}

/** What became of recovery, by the names of the outcome. */
export type Recovery = Pick<TraceOutcome, 'edgeRecoveryResolved' | 'edgeRecoveryReason'>;

/** Share of the time limit that restoring and tracing what was restored may take, the direct trace included. */
const TIME_SHARE = 0.75;

/**
 * What the engine's measures become where every pixel of the picture is four: areas are as large to the eye as before, and what
 * a restorer leaves of unrest is no detail.
 */
const AREA = 8;
const LENGTH = 2;
const PRICE = 2;
const COLOR_DISTANCE = 2;

export const forRestored = (settings: EngineSettings): EngineSettings => ({
  ...settings,
  minAreaPx: settings.minAreaPx * AREA,
  tolerancePx: settings.tolerancePx * LENGTH,
  cornerPx: settings.cornerPx * LENGTH,
  segmentPrice: settings.segmentPrice * PRICE,
  splitPrice: settings.splitPrice * PRICE,
  mergeDistance: settings.mergeDistance * COLOR_DISTANCE,
  recoverPixelGrid: false,
});

/** A restored drawing that explains the picture worse than the direct one by more than this is not believed, dB. */
const LEAST_GAIN_DB = -4;
/** One with more than so many times the nodes must explain it better by so much, dB: detail that the picture does not show is made up. */
const MANY_NODES = 2;
const GAIN_FOR_NODES_DB = 1;

/**
 * The damage gate. All that is known is the picture as it came, damage and all, so neither drawing can be held to it closely;
 * but one that is far from it is wrong, and of two that are as near the one with many more nodes is.
 */
export function isBelieved(source: Raster, direct: Drawing, restored: Drawing): boolean {
  const gainDb = measureFidelity(source, restored).psnr - measureFidelity(source, direct).psnr;
  if (gainDb < LEAST_GAIN_DB) return false;
  return drawingStatsOf(restored).nodes <= MANY_NODES * drawingStatsOf(direct).nodes || gainDb > GAIN_FOR_NODES_DB;
}

/** Whether a picture that nobody asked to be restored by name should be, and why. */
export function wantsRestoring({ small, compressed, blurred }: PictureDamage): string | undefined {
  if (compressed) return 'compression has been at the picture';
  if (blurred) return 'the picture is blurred';
  return small ? 'the picture is small' : undefined;
}

export interface RestoringDeps {
  readonly edgeRecovery: EdgeRecovery | undefined;
  readonly request: TraceRequest;
  readonly signal: AbortSignal | undefined;
  /** When the work on the request began. */
  readonly startMs: number;
  /** Why the picture is restored. */
  readonly because: string;
  /** Called as restoring goes on, 0..1; may throw. */
  readonly onProgress: (fraction: number) => void;
  /** Traces what was restored; may throw as a tracer does. */
  readonly traceRestored: (raster: Raster, checkTime: () => void) => Traced;
}

const off = (reason: string): Recovery => ({
  edgeRecoveryResolved: 'off',
  edgeRecoveryReason: `${reason}; traced directly`,
});

/** Thrown by us, at ourselves: tracing the restored picture would leave no time for the rest. */
class OutOfTime extends Error {}

/**
 * The better of the direct trace and one of the restored picture. Nothing but a cancelled request or the request's own deadline
 * makes it reject: in all other cases there is the direct trace.
 */
export async function restoreAndTrace(
  source: Raster,
  direct: Traced,
  { edgeRecovery, request, signal, startMs, because, onProgress, traceRestored }: RestoringDeps,
): Promise<{ readonly traced: Traced; readonly recovery: Recovery }> {
  const keep = (reason: string) => ({ traced: direct, recovery: off(reason) });
  if (edgeRecovery === undefined) return keep('no restoring model is installed');
  const limitMs = request.timeoutMs * TIME_SHARE;
  const leftMs = () => limitMs - (performance.now() - startMs);
  if (leftMs() <= 0) return keep('there was no time left to restore the picture');
  const detail = request.settings.values.recovery_detail;
  let restored: Traced;
  try {
    const outcome = await edgeRecovery.restore({ raster: source, detail, timeoutMs: leftMs(), onProgress }, signal);
    if (!outcome.ok) return keep(outcome.reason);
    restored = traceRestored(outcome.raster, () => {
      if (leftMs() <= 0) throw new OutOfTime();
    });
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    return keep(
      error instanceof OutOfTime
        ? 'there was no time left to trace the restored picture'
        : 'the restored picture could not be traced',
    );
  }
  if (!isBelieved(source, direct.drawing, restored.drawing))
    return keep('the restored picture explains this one no better');
  return { traced: restored, recovery: { edgeRecoveryResolved: 'real_esrgan', edgeRecoveryReason: because } };
}
