import type { Fidelity, Note, PictureType } from '#domain/diagnostics/diagnostics.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import type { ResolvedSettings } from '#domain/presets/resolve-settings.js';
import type { Tier } from '#domain/tiers/tier.js';

/** Pixels: RGBA bytes, not premultiplied, row by row from the top left; `data.length` is `width * height * 4`. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** What a tracer is given: a picture file's bytes, or pixels that somebody decoded already. */
export type Picture =
  | { readonly kind: 'encoded'; readonly bytes: Uint8Array }
  | { readonly kind: 'raster'; readonly raster: Raster };

/** Stages in the order they run; progress is reported as each begins. */
export const TRACE_STAGES = ['decode', 'recover', 'segment', 'fit', 'write', 'score'] as const;
export type TraceStage = (typeof TRACE_STAGES)[number];

export interface TraceRequest {
  readonly picture: Picture;
  /** Values from the parameter table; `auto` values are for the tracer to decide, and to report in `decided`. */
  readonly settings: ResolvedSettings;
  readonly tier: Tier;
  /** Measure the drawing against the picture. */
  readonly fidelity: boolean;
  /** The outcome stays in this process: `fidelity` may be measured when it is first read. */
  readonly measureLate?: boolean;
  /** The work is given up past this many milliseconds (CONVERSION_TIMEOUT). */
  readonly timeoutMs: number;
  /** `fraction` 0..1 of the whole. */
  readonly onProgress?: (stage: TraceStage, fraction: number) => void;
}

export interface TraceOutcome {
  readonly drawing: Drawing;
  /** The picture as decoded, orientation applied. `format` is undefined for pixels. */
  readonly source: { readonly width: number; readonly height: number; readonly format: string | undefined };
  readonly workingSize: { readonly width: number; readonly height: number };
  readonly detectedType: PictureType;
  /** 0..1 */
  readonly typeConfidence: number;
  readonly typeReason: string;
  readonly edgeRecoveryResolved: 'off' | 'pixel_exact' | 'real_esrgan';
  readonly edgeRecoveryReason: string;
  /** What the tracer chose for settings that were `auto`, by the table's names. */
  readonly decided: Readonly<Record<string, unknown>>;
  readonly notes: readonly Note[];
  /** Null where it was not asked for. */
  readonly fidelity: Fidelity | null;
  /** Milliseconds by stage; stages that did not run are 0. */
  readonly timingsMs: Readonly<Record<TraceStage, number>>;
}

/**
 * Turns a picture into a Drawing. Rejects with a ServiceError: UNSUPPORTED_IMAGE, UNREADABLE_IMAGE, IMAGE_TOO_LARGE for the
 * picture, CONVERSION_TIMEOUT past the deadline, CANCELLED when the signal aborts; anything else is internal.
 */
export interface Tracer {
  /** The value of the `engine` setting that chooses this tracer. */
  readonly id: string;
  readonly version: string;
  trace(request: TraceRequest, signal?: AbortSignal): Promise<TraceOutcome>;
}
