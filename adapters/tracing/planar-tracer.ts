import type { ImageDecoder } from '#application/ports/image-decoder.js';
import type { Raster, TraceOutcome, TraceRequest, Tracer, TraceStage } from '#application/ports/tracer.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { ServiceError } from '#domain/errors.js';
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
    const result = trace(working, engineSettings, checkpoint, large ? splitFitter?.fit : undefined);
    // This line is where the engine's result and the Drawing are held equal by the compiler.
    const drawn: Drawing = result.drawing;
    const drawing = scaleDrawing(drawn, raster.width, raster.height);

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
      decided: {},
      notes: notesOf(request, raster, working),
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

function notesOf(request: TraceRequest, raster: Raster, working: Raster): Note[] {
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
  if (values.gradients === 'on' && origins.gradients === 'explicit') {
    notes.push({ code: 'gradients-not-traced', message: 'Color changes are drawn as areas of one color each.' });
  }
  if (values.gap_cleanup !== 'off') {
    notes.push({
      code: 'gap-cleanup-not-applied',
      message: 'Shapes were left as they are; stacked shapes have no gaps.',
    });
  }
  return notes;
}
