import type { ImageDecoder } from '#application/ports/image-decoder.js';
import type { Raster, TraceOutcome, TraceRequest, Tracer, TraceStage } from '#application/ports/tracer.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import { type Drawing, shapesOf } from '#domain/drawing/drawing.js';
import { drawingStatsOf } from '#domain/drawing/drawing-stats.js';
import { ServiceError } from '#domain/errors.js';
import { PLAIN_DOCUMENT, writeSvg } from '#domain/exports/svg-document.js';
import { trace } from './engine/trace.js';
import { ENGINE_VERSION } from './engine/version.js';
import { measureFidelity } from './fidelity/measure-fidelity.js';
import { reduceRaster } from './reduce-raster.js';
import { scaleDrawing } from './scale-drawing.js';
import type { SplitFitter } from './split-fitter.js';
import { toEngineSettings } from './to-engine-settings.js';

export interface PlanarTracerDeps {
  readonly decoder: ImageDecoder;
  /** For pictures above a megapixel, which are worth a second core. */
  readonly splitFitter?: SplitFitter;
}

const SPLIT_ABOVE_PIXELS = 1_000_000;

/** Shares of the whole work at which the stages begin, for progress. */
const BEGINS: Readonly<Record<TraceStage, number>> = {
  decode: 0,
  recover: 0.1,
  segment: 0.15,
  fit: 0.4,
  write: 0.85,
  score: 0.9,
};

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
    const recovery = recoveryOf(request, result.pixelCell);
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

/** Times the stages and stops the work on abort or past the deadline. */
class Stopwatch {
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
    onProgress?.(stage, BEGINS[stage] + 0.2 * fraction);
  }

  end(): void {
    const now = performance.now();
    if (this.stage !== undefined) this.timingsMs[this.stage] += now - this.stageMs;
    this.stageMs = now;
    this.stage = undefined;
  }
}

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
function recoveryOf(request: TraceRequest, pixelCell: number | null): Recovery {
  const asked = request.settings.values.edge_recovery;
  if (asked === 'off') return { edgeRecoveryResolved: 'off', edgeRecoveryReason: 'not asked for' };
  if (asked !== 'real_esrgan' && pixelCell !== null) {
    return {
      edgeRecoveryResolved: 'pixel_exact',
      edgeRecoveryReason: `a grid of ${pixelCell} px cells was found`,
    };
  }
  return {
    edgeRecoveryResolved: 'off',
    edgeRecoveryReason:
      asked === 'pixel_exact'
        ? 'no pixel grid was found; traced directly'
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

function notesOf(request: TraceRequest, raster: Raster, working: Raster, drawing: Drawing): Note[] {
  const notes: Note[] = [];
  if (working !== raster) {
    notes.push({
      code: 'traced-reduced',
      message: `The picture was traced at ${working.width} x ${working.height} px, the most that ${request.tier.id} works on; the drawing has the full size.`,
    });
  }
  const { values, origins } = request.settings;
  if (values.preprocess_sharpen) {
    notes.push({ code: 'sharpen-not-applied', message: 'The picture was traced as it is, not sharpened first.' });
  }
  if (values.stroke_mode === 'centerline') {
    notes.push({ code: 'centerline-not-traced', message: 'Lines are drawn as filled outlines.' });
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
