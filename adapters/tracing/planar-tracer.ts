import type { ImageDecoder } from '#application/ports/image-decoder.js';
import type { Raster, TraceOutcome, TraceRequest, Tracer, TraceStage } from '#application/ports/tracer.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import { type Drawing, shapesOf } from '#domain/drawing/drawing.js';
import { drawingStatsOf } from '#domain/drawing/drawing-stats.js';
import { PLAIN_DOCUMENT, writeSvg } from '#domain/exports/svg-document.js';
import { trace } from './engine/trace.js';
import { ENGINE_VERSION } from './engine/version.js';
import { measureFidelity } from './fidelity/measure-fidelity.js';
import { reduceRaster, reductionNotes } from './reduce-raster.js';
import { scaleDrawing } from './scale-drawing.js';
import type { SplitFitter } from './split-fitter.js';
import { Stopwatch } from './stopwatch.js';
import { toEngineSettings } from './to-engine-settings.js';

export interface PlanarTracerDeps {
  readonly decoder: ImageDecoder;
  /** For pictures above a megapixel, which are worth a second core. */
  readonly splitFitter?: SplitFitter;
}

const SPLIT_ABOVE_PIXELS = 1_000_000;

/** Our own engine behind the Tracer port, in the calling thread. */
export const createPlanarTracer = ({ decoder, splitFitter }: PlanarTracerDeps): Tracer => ({
  id: 'planar',
  version: ENGINE_VERSION,
  async trace(request, signal) {
    const stopwatch = new Stopwatch(request, signal);
    stopwatch.begin('decode', 0);
    const { picture } = request;
    const decoded = picture.kind === 'raster' ? undefined : await decoder.decode(picture.bytes);
    const raster: Raster = picture.kind === 'raster' ? picture.raster : (decoded as Raster);
    const working = reduceRaster(raster, request.tier.maxWorkingPixels);

    const engineSettings = toEngineSettings(request.settings.values, request.tier.id);
    const checkpoint = (stage: TraceStage, fraction: number) => stopwatch.begin(stage, fraction);
    const large = working.width * working.height > SPLIT_ABOVE_PIXELS;
    // This type is where the engine's result and the Drawing are held equal by the compiler.
    const finish = (drawn: Drawing) => scaleDrawing(drawn, raster.width, raster.height);
    const fits = budgetOf(request, finish);
    const fitAll = large ? splitFitter?.fit : undefined;
    const result = trace(working, engineSettings, checkpoint, { ...(fitAll && { fitAll }), ...(fits && { fits }) });
    const drawing = finish(result.drawing);

    stopwatch.begin('score', 0);
    const fidelity = request.fidelity ? measureFidelity(raster, drawing) : null;
    stopwatch.end();
    const recovery = recoveryOf(request, result.pixelCell, result.gridFinding);
    const outcome: TraceOutcome = {
      drawing,
      source: { width: raster.width, height: raster.height, format: decoded?.format },
      workingSize: { width: working.width, height: working.height },
      detectedType: result.pictureType,
      typeConfidence: result.confidence,
      typeReason: result.reason,
      ...recovery,
      decided: request.settings.values.gradients === 'auto' ? { gradients: hasGradient(drawing) ? 'on' : 'off' } : {},
      notes: notesOf(request, raster, working, drawing),
      fidelity,
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

type Recovery = Pick<TraceOutcome, 'edgeRecoveryResolved' | 'edgeRecoveryReason'>;

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
        : asked === 'auto'
          ? 'no pixel grid was found and no restoring model is installed; traced directly'
          : 'no restoring model is installed; traced directly',
  };
}

/** Whether anything is painted with a gradient. */
function hasGradient({ items }: Drawing): boolean {
  for (const { fill } of shapesOf(items)) if (fill !== null && fill.kind !== 'solid') return true;
  return false;
}

function hasStroke({ items }: Drawing): boolean {
  for (const { fill, stroke } of shapesOf(items)) if (fill === null && stroke !== null) return true;
  return false;
}

function notesOf(request: TraceRequest, raster: Raster, working: Raster, drawing: Drawing): Note[] {
  const notes = reductionNotes(raster, working, request.tier);
  const { values, origins } = request.settings;
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
