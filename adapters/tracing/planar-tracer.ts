import type { EdgeRecovery } from '#application/ports/edge-recovery.js';
import type { ImageDecoder } from '#application/ports/image-decoder.js';
import type { Raster, TraceOutcome, TraceRequest, Tracer, TraceStage } from '#application/ports/tracer.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import { type Drawing, shapesOf } from '#domain/drawing/drawing.js';
import { drawingStatsOf } from '#domain/drawing/drawing-stats.js';
import { PLAIN_DOCUMENT, writeSvg } from '#domain/exports/svg-document.js';
import type { SettingValues } from '#domain/presets/settings.js';
import { trace } from './engine/trace.js';
import type { Checkpoint, EngineResult, EngineSettings } from './engine/types.js';
import { ENGINE_VERSION } from './engine/version.js';
import { fidelityOf } from './fidelity/fidelity-of.js';
import { findDamage } from './picture-damage.js';
import { reduceRaster, reductionNotes } from './reduce-raster.js';
import { forRestored, type Recovery, restoreAndTrace, type Traced, wantsRestoring } from './restored-trace.js';
import { scaleDrawing } from './scale-drawing.js';
import type { SplitFitter } from './split-fitter.js';
import { Stopwatch } from './stopwatch.js';
import { toEngineSettings } from './to-engine-settings.js';
import { workingRaster } from './working-raster.js';

export interface PlanarTracerDeps {
  readonly decoder: ImageDecoder;
  /** For pictures above a megapixel, which are worth a second core. */
  readonly splitFitter?: SplitFitter;
  /** Restores pictures where that is asked for; left out, there is nothing to restore them with. */
  readonly edgeRecovery?: EdgeRecovery;
}

const SPLIT_ABOVE_PIXELS = 1_000_000;
/** Larger pictures have edges enough, and are not looked over for damage. */
const AUTO_PIXELS = 1_200_000;
/** Of its stage's progress; the rest is the next stage's to report. */
const RESTORING_SHARE = 0.2;

/** Our own engine behind the Tracer port, in the calling thread. */
export const createPlanarTracer = ({ decoder, splitFitter, edgeRecovery }: PlanarTracerDeps): Tracer => ({
  id: 'planar',
  version: ENGINE_VERSION,
  async trace(request, signal) {
    const startMs = performance.now();
    const stopwatch = new Stopwatch(request, signal);
    stopwatch.begin('decode', 0);
    const { picture } = request;
    const decoded = picture.kind === 'raster' ? undefined : await decoder.decode(picture.bytes);
    const raster: Raster = picture.kind === 'raster' ? picture.raster : (decoded as Raster);
    const working = workingRaster(raster, request.tier);

    const engineSettings = toEngineSettings(request.settings.values, request.tier.id);
    // This type is where the engine's result and the Drawing are held equal by the compiler.
    const finish = (drawn: Drawing) => scaleDrawing(drawn, raster.width, raster.height);
    const fits = budgetOf(request, finish);
    const traceIt = (pixels: Raster, settings: EngineSettings, checkpoint: Checkpoint): Traced => {
      const large = pixels.width * pixels.height > SPLIT_ABOVE_PIXELS;
      const fitAll = large ? splitFitter?.fit : undefined;
      const result = trace(pixels, settings, checkpoint, { ...(fitAll && { fitAll }), ...(fits && { fits }) });
      return { result, drawing: finish(result.drawing), working: pixels };
    };
    /** Cells that only the restored picture has are none. */
    const traceRestored = (pixels: Raster, settings: EngineSettings, checkpoint: Checkpoint): Traced => {
      const traced = traceIt(pixels, settings, checkpoint);
      return traced.result.pixelCell === null ? traced : traceIt(pixels, { ...settings, frontend: 'flat' }, checkpoint);
    };
    const checkpoint = (stage: TraceStage, fraction: number) => stopwatch.begin(stage, fraction);

    const asked = request.settings.values.edge_recovery;
    const because = reasonToRestore(asked, raster);
    // Where there will be a restored picture to trace, this trace is part of recovery: what the other is measured against.
    const beforehand: Checkpoint = () => stopwatch.begin('recover', 0);
    const direct = traceIt(working, engineSettings, because === undefined ? checkpoint : beforehand);
    const isRestorable = because !== undefined && !(asked === 'auto' && isSettled(direct.result));
    const { traced, recovery } = isRestorable
      ? await restoreAndTrace(raster, direct, {
          edgeRecovery,
          request,
          signal,
          startMs,
          because,
          onProgress: (fraction) => stopwatch.begin('recover', RESTORING_SHARE * fraction),
          traceRestored: (restored, checkTime) =>
            traceRestored(
              reduceRaster(restored, request.tier.maxWorkingPixels),
              forRestored(engineSettings),
              (stage, fraction) => {
                checkTime();
                checkpoint(stage, stage === 'recover' ? RESTORING_SHARE : fraction);
              },
            ),
        })
      : { traced: direct, recovery: recoveryOf(request, direct.result.pixelCell, direct.result.gridFinding) };
    const { drawing } = traced;
    const { result } = direct;

    stopwatch.begin('score', 0);
    const fidelity = fidelityOf(request, raster, drawing);
    stopwatch.end();
    const outcome: TraceOutcome = {
      drawing,
      source: { width: raster.width, height: raster.height, format: decoded?.format },
      workingSize: { width: traced.working.width, height: traced.working.height },
      detectedType: result.pictureType,
      typeConfidence: result.confidence,
      typeReason: result.reason,
      ...recovery,
      decided: request.settings.values.gradients === 'auto' ? { gradients: hasGradient(drawing) ? 'on' : 'off' } : {},
      notes: notesOf(request, raster, traced === direct ? working : raster, drawing, traced.result),
      get fidelity() {
        return fidelity();
      },
      timingsMs: stopwatch.timingsMs,
    };
    return outcome;
  },
});

/** Whether a drawing, once finished, is within the nodes and bytes that were asked for; undefined where none were. */
function budgetOf(
  { settings: { values } }: TraceRequest,
  finish: (drawn: Drawing) => Drawing,
): ((drawn: Drawing) => boolean) | undefined {
  const { max_nodes, max_bytes } = values;
  if (max_nodes === null && max_bytes === null) return undefined;
  return (drawn) => {
    const drawing = finish(drawn);
    if (max_nodes !== null && drawingStatsOf(drawing).nodes > max_nodes) return false;
    return max_bytes === null || new TextEncoder().encode(writeSvg(drawing, PLAIN_DOCUMENT).text).length <= max_bytes;
  };
}

/** What edge recovery really ran, and why or why not. */
function recoveryOf(request: TraceRequest, pixelCell: number | null, finding: string | null): Recovery {
  const asked = request.settings.values.edge_recovery;
  if (asked === 'off') return { edgeRecoveryResolved: 'off', edgeRecoveryReason: 'not asked for' };
  if (asked !== 'real_esrgan' && pixelCell !== null) {
    return {
      edgeRecoveryResolved: 'pixel_exact',
      edgeRecoveryReason: finding ?? `a grid of ${pixelCell} px cells was found`,
    };
  }
  const grid = finding ?? 'no pixel grid was looked for: the other settings rule it out';
  return {
    edgeRecoveryResolved: 'off',
    edgeRecoveryReason:
      asked === 'pixel_exact'
        ? `${grid}; traced directly`
        : 'no pixel grid was found, and the picture is neither small nor damaged; traced directly',
  };
}

/** Why the picture is to be restored, if it is: because that is asked for, or because it needs it. */
function reasonToRestore(asked: SettingValues['edge_recovery'], raster: Raster): string | undefined {
  if (asked === 'real_esrgan') return 'asked for';
  const isLookedAt = asked === 'auto' && raster.width * raster.height <= AUTO_PIXELS;
  return isLookedAt ? wantsRestoring(findDamage(raster)) : undefined;
}

/** Whether the direct trace leaves nothing to a restorer: cells are exact already, and photographs are not what it knows. */
const isSettled = ({ pixelCell, pictureType }: EngineResult): boolean => pixelCell !== null || pictureType === 'photo';

/** Whether anything is painted with a gradient. */
function hasGradient({ items }: Drawing): boolean {
  for (const { fill } of shapesOf(items)) if (fill !== null && fill.kind !== 'solid') return true;
  return false;
}

function hasStroke({ items }: Drawing): boolean {
  for (const { fill, stroke } of shapesOf(items)) if (fill === null && stroke !== null) return true;
  return false;
}

function notesOf(
  request: TraceRequest,
  raster: Raster,
  working: Raster,
  drawing: Drawing,
  { edgeBlurPx, haloDepth, unsharpMask, stepped, linearLight, grain, enlargedFrom }: EngineResult,
): Note[] {
  const notes = reductionNotes(raster, working, request.tier);
  const { values, origins } = request.settings;
  if (enlargedFrom !== null) {
    notes.push({
      code: 'enlargement-undone',
      message: `The picture was enlarged from ${enlargedFrom.width} x ${enlargedFrom.height} px, and it was traced as it was at that size; with artifact_cleanup 0 it is traced as it is.`,
    });
  }
  if (grain !== null) {
    notes.push({
      code: 'grain-taken-off',
      message: `Grain of ${grain.toFixed(1)} levels lies evenly over the picture, and it was traced without that; with artifact_cleanup 0 it is traced as it is.`,
    });
  }
  if (edgeBlurPx !== null) {
    notes.push({
      code: 'soft-edges-sharpened',
      message: `The edges of the picture are soft (a blur of ${edgeBlurPx.toFixed(2)} px), and it was traced without that; with artifact_cleanup 0 it is traced as it is.`,
    });
  }
  if (haloDepth !== null) {
    notes.push({
      code: 'halos-left-out',
      message: `Halos lie beside the edges, as sharpening leaves them (${Math.round(100 * haloDepth)} % of the contrast), and the picture was traced without them; with artifact_cleanup 0 it is traced as it is.`,
    });
  }
  if (unsharpMask !== null) {
    notes.push({
      code: 'sharpening-undone',
      message: `The picture was sharpened (by an unsharp mask of about ${unsharpMask.radiusPx.toFixed(1)} px and ${Math.round(100 * unsharpMask.amount)} %), and it was traced as it was before; with artifact_cleanup 0 it is traced as it is.`,
    });
  }
  if (linearLight) {
    notes.push({
      code: 'linear-light-mixed-anew',
      message:
        'The edges of the picture were anti-aliased in linear light, and it was traced as other programs would mix what their pixels cover; with artifact_cleanup 0 it is traced as it is.',
    });
  }
  if (stepped) {
    notes.push({
      code: 'steps-smoothed',
      message:
        'The edges of the picture are steps, without anti-aliasing, and it was traced as the lines and curves these stand for; with artifact_cleanup 0 it is traced as it is.',
    });
  }
  if (values.stroke_mode === 'centerline' && !hasStroke(drawing)) {
    notes.push({
      code: 'centerline-not-traced',
      message: 'The picture has no line of even width that a stroke along its middle would draw.',
    });
  }
  if (values.gradients === 'on' && origins.gradients === 'explicit' && !hasGradient(drawing)) {
    notes.push({
      code: 'gradients-not-traced',
      message: 'The picture has no smooth color change that a gradient would draw.',
    });
  }
  if (values.gap_cleanup !== 'off' && values.shape_stacking === 'stacked') {
    notes.push({
      code: 'gap-cleanup-not-applied',
      message: 'Shapes were left as they are; stacked shapes have no gaps.',
    });
  }
  return notes;
}
