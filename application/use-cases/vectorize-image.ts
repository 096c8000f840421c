import type { Clock } from '#application/ports/clock.js';
import type { Exporter } from '#application/ports/exporter.js';
import type { Picture, Tracer, TraceStage } from '#application/ports/tracer.js';
import { colorPaletteOf } from '#domain/diagnostics/color-palette.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import { colorGroupsOf } from '#domain/drawing/color-groups.js';
import { drawingStatsOf } from '#domain/drawing/drawing-stats.js';
import { invalid, ServiceError } from '#domain/errors.js';
import { resolveSettings, type SettingValues, withDecided } from '#domain/presets/resolve-settings.js';
import { parseSettings } from '#domain/presets/settings.js';
import { type Tier, tierOf } from '#domain/tiers/tier.js';
import { diagnosticsOf, summarizeColorGroups, type TraceStats, type VectorizedImage } from './vectorize-answer.js';

export type { VectorizedImage } from './vectorize-answer.js';

export interface VectorizeImageInput {
  readonly picture: Picture;
  /** As it was sent; checked here against the parameter table. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** `fraction` 0..1 of the whole. */
  readonly onProgress?: (stage: TraceStage, fraction: number) => void;
  /** How long the request waited for a slot, where it did; only reported. */
  readonly queuedMs?: number;
}

/**
 * Turns one picture into SVG and says how. Rejects with a ServiceError: INVALID_REQUEST before any work where a setting is
 * wrong; the tracer's UNSUPPORTED_IMAGE, UNREADABLE_IMAGE, IMAGE_TOO_LARGE, CONVERSION_TIMEOUT; CANCELLED when the signal aborts.
 */
export type VectorizeImage = (input: VectorizeImageInput, signal?: AbortSignal) => Promise<VectorizedImage>;

export interface VectorizeImageDeps {
  /** One per value of the `engine` setting that can run here. */
  readonly tracers: readonly Tracer[];
  readonly exporters: { get(format: string): Exporter };
  readonly clock: Clock;
  /** How long the work may take; the tier's own limit when left out, Infinity for no limit. */
  readonly runLimitMs?: (tier: Tier) => number;
  /** Answers stay in this process: what measures them may wait until it is read, and is in no timing then. */
  readonly measureLate?: boolean;
}

/** What the person asked for and did not get. */
function unmetLimits(values: SettingValues, { nodes, svgBytes }: TraceStats): readonly Note[] {
  const notes: Note[] = [];
  if (values.max_nodes !== null && nodes > values.max_nodes)
    notes.push({
      code: 'max-nodes-exceeded',
      message: `The drawing has ${nodes} nodes, more than the ${values.max_nodes} asked for.`,
    });
  if (values.max_bytes !== null && svgBytes > values.max_bytes)
    notes.push({
      code: 'max-bytes-exceeded',
      message: `The SVG has ${svgBytes} bytes, more than the ${values.max_bytes} asked for.`,
    });
  return notes;
}

const throwIfAborted = (signal: AbortSignal) => {
  if (signal.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
};

export const createVectorizeImage =
  (deps: VectorizeImageDeps): VectorizeImage =>
  async ({ picture, settings, onProgress, queuedMs = 0 }, signal = new AbortController().signal) => {
    const { tracers, exporters, clock, runLimitMs = (tier) => tier.runLimitMs, measureLate = false } = deps;
    const startMs = clock.monotonicMs();
    throwIfAborted(signal);
    const requested = resolveSettings(parseSettings(settings));
    const { engine, fidelity, quality_tier } = requested.values;
    const tracer = tracers.find(({ id }) => id === engine);
    if (tracer === undefined)
      throw invalid('engine', `${engine} is not installed here; there is ${tracers.map(({ id }) => id).join(', ')}`);
    const tier = tierOf(quality_tier);
    const exporter = exporters.get('svg');
    const exportOptions = exporter.parseOptions({});

    const outcome = await tracer.trace(
      {
        picture,
        settings: requested,
        tier,
        fidelity,
        measureLate,
        timeoutMs: runLimitMs(tier),
        ...(onProgress && { onProgress }),
      },
      signal,
    );
    throwIfAborted(signal);
    const { drawing } = outcome;
    const encodeStartMs = clock.monotonicMs();
    const { bytes } = await exporter.encode(drawing, exportOptions, signal);
    throwIfAborted(signal);
    const encodeMs = clock.monotonicMs() - encodeStartMs;

    const palette = colorPaletteOf(drawing);
    const groups = summarizeColorGroups(colorGroupsOf(drawing), drawing);
    const resolved = withDecided(requested, outcome.decided);
    const traceStats: TraceStats = {
      width: drawing.width,
      height: drawing.height,
      ...drawingStatsOf(drawing),
      svgBytes: bytes.byteLength,
      timingsMs: {
        ...outcome.timingsMs,
        write: outcome.timingsMs.write + encodeMs,
        total: clock.monotonicMs() - startMs,
        queued: queuedMs,
      },
    };
    return {
      svg: new TextDecoder().decode(bytes),
      drawing,
      colorPalette: palette,
      colorGroups: groups,
      qualityDiagnostics: diagnosticsOf(
        tracer.version,
        outcome,
        requested,
        resolved,
        unmetLimits(requested.values, traceStats),
      ),
      traceStats,
    };
  };
