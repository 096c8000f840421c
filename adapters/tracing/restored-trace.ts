import type { EdgeRecovery } from '#application/ports/edge-recovery.js';
import type { Raster, TraceOutcome, TraceRequest } from '#application/ports/tracer.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { drawingStatsOf } from '#domain/drawing/drawing-stats.js';
import { ServiceError } from '#domain/errors.js';
import type { EngineResult, EngineSettings } from './engine/types.js';
import { measureFidelity } from './fidelity/measure-fidelity.js';
import { findDamage, type PictureDamage } from './picture-damage.js';
import { reduceRaster } from './reduce-raster.js';

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
  minDetailAreaPx: settings.minDetailAreaPx * AREA,
  minDotAreaPx: settings.minDotAreaPx * AREA,
  noiseAreaPx: settings.noiseAreaPx * AREA,
  tolerancePx: settings.tolerancePx * LENGTH,
  cornerPx: settings.cornerPx * LENGTH,
  segmentPrice: settings.segmentPrice * PRICE,
  splitPrice: settings.splitPrice * PRICE,
  mergeDistance: settings.mergeDistance * COLOR_DISTANCE,
  recoverPixelGrid: false,
});

/**
 * How a restored drawing differs from the direct one as an explanation of the picture: gains in dB, over the picture as it is and over
 * the means of 4 x 4 of its pixels, and how many times as many nodes it has, as a power of two.
 */
export interface Comparison {
  readonly gainDb: number;
  readonly coarseGainDb: number;
  readonly nodesLog2: number;
}

/** Side of the squares whose means are the picture's coarse look, px. */
const COARSE_SIDE = 4;
/** Farther from the picture's coarse look than the direct drawing by this much is another picture, dB. */
const ANOTHER_PICTURE_DB = -9;
/**
 * What speaks for a restored drawing where the direct one has even areas and may well be right. Damage is fine, and drawings are
 * coarse: a drawing that gains coarsely what it loses finely has dropped damage, one that loses coarsely has changed the drawing,
 * and one with many more nodes has added to it. The weights come from 550 damaged pictures of the training part: by least squares
 * they foretell how much nearer to the truth the restored drawing is. The bar leaves room for what they cannot foretell, less than it did
 * when they were found: the direct drawing of a JPEG has had a fifth fewer nodes since, which counts against the other.
 */
const EVIDENCE = { gainDb: -0.28, coarseGainDb: 0.37, nodesLog2: -0.31 } as const;
const LEAST_EVIDENCE = 0.2;

/** The damage gate. All that is known is the picture as it came, damage and all. */
export function isBelieved(
  { gainDb, coarseGainDb, nodesLog2 }: Comparison,
  directType: EngineResult['pictureType'],
  isDamaged: boolean,
): boolean {
  if (coarseGainDb < ANOTHER_PICTURE_DB) return false;
  // A picture without damage is the truth.
  if (!isDamaged && gainDb <= 0) return false;
  // What no areas could be found in was drawn with its noise.
  if (directType === 'illustration' || directType === 'photo') return true;
  const evidence = EVIDENCE.gainDb * gainDb + EVIDENCE.coarseGainDb * coarseGainDb + EVIDENCE.nodesLog2 * nodesLog2;
  return evidence > LEAST_EVIDENCE;
}

/** Holds both drawings against the picture. */
export function compareTraces(source: Raster, direct: Drawing, restored: Drawing): Comparison {
  const { width, height } = source;
  const gainOver = (side: number): number => {
    const pixels = Math.max(1, Math.floor(width / side)) * Math.max(1, Math.floor(height / side));
    const coarse = reduceRaster(source, pixels);
    return measureFidelity(coarse, restored).psnr - measureFidelity(coarse, direct).psnr;
  };
  return {
    gainDb: gainOver(1),
    coarseGainDb: gainOver(COARSE_SIDE),
    nodesLog2: Math.log2(nodesOf(restored) / nodesOf(direct)),
  };
}

const nodesOf = (drawing: Drawing): number => Math.max(1, drawingStatsOf(drawing).nodes);

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
  const comparison = compareTraces(source, direct.drawing, restored.drawing);
  const { compressed, blurred } = findDamage(source);
  const isDamaged = compressed || blurred;
  if (!isBelieved(comparison, direct.result.pictureType, isDamaged))
    return keep(`${isDamaged ? '' : 'no damage was found, and '}the restored picture explains this one no better`);
  return { traced: restored, recovery: { edgeRecoveryResolved: 'real_esrgan', edgeRecoveryReason: because } };
}
