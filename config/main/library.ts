import type { Picture, Raster, TraceStage } from '#application/ports/tracer.js';
import type { VectorizedImage, VectorizeImage } from '#application/use-cases/vectorize-image.js';
import { composeVectorizeImage } from '#config/compose.js';
import { invalid } from '#domain/errors.js';
import { publishedNames, type SettingName, type SettingValues, settingNames } from '#domain/presets/settings.js';

export type { Raster, TraceStage } from '#application/ports/tracer.js';
export type {
  ColorGroupSummary,
  QualityDiagnostics,
  ReportedSetting,
  TraceStats,
  VectorizedImage,
} from '#application/use-cases/vectorize-answer.js';
export type { PaletteColor } from '#domain/diagnostics/color-palette.js';
export type { Fidelity, Note, PictureType } from '#domain/diagnostics/diagnostics.js';
export type { Drawing, DrawingItem, Geometry, Group, Paint, Shape, Stroke } from '#domain/drawing/drawing.js';
export { type ErrorCode, type ErrorKind, ServiceError } from '#domain/errors.js';
export { SETTINGS } from '#domain/presets/settings.js';

type TracingName = Exclude<SettingName, 'output' | 'dry_run'>;
type ColorsName = 'fixed_palette';

/** The parameters of the table, all optional; text is taken too, as a form or a command line would send it. */
export type VectorizeSettings = {
  readonly [Name in Exclude<TracingName, ColorsName>]?: SettingValues[Name] | undefined;
} & {
  /** Up to 128; `palette_count` takes up to 64. */
  readonly paletteCount?: number | null | undefined;
  /** 0xRRGGBB or `#rrggbb` each. */
  readonly fixed_palette?: readonly (number | string)[] | string | undefined;
};

export interface VectorizeOptions {
  /** Checked between the engine's stages; the promise then rejects with CANCELLED. */
  readonly signal?: AbortSignal | undefined;
  /** `fraction` 0..1 of the whole. */
  readonly onProgress?: ((stage: TraceStage, fraction: number) => void) | undefined;
}

const requestNames = new Set(
  settingNames()
    .filter((name) => !settingNames('tracing').includes(name))
    .flatMap((name) => publishedNames(name).map((published) => published.name)),
);

const isBytes = (value: unknown): value is Uint8Array | Uint8ClampedArray =>
  value instanceof Uint8Array || value instanceof Uint8ClampedArray;

const isSide = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0;

/** Throws TypeError for what is neither a file's bytes nor pixels, RangeError for pixels whose sizes do not agree. */
function toPicture(picture: unknown): Picture {
  if (picture instanceof Uint8Array) return { kind: 'encoded', bytes: picture };
  const { data, width, height } = (picture ?? {}) as Partial<Record<keyof Raster, unknown>>;
  if (!isBytes(data))
    throw new TypeError(
      'picture must be the bytes of a picture file (Uint8Array) or { data, width, height } with RGBA bytes',
    );
  if (!isSide(width) || !isSide(height))
    throw new RangeError(`picture.width and picture.height must be whole numbers above 0, not ${width} and ${height}`);
  if (data.length !== width * height * 4)
    throw new RangeError(
      `picture.data has ${data.length} bytes; ${width} x ${height} RGBA pixels have ${width * height * 4}`,
    );
  return { kind: 'raster', raster: { data, width, height } };
}

let composed: VectorizeImage | undefined;

/**
 * Traces a picture in the calling thread: RGBA pixels (not premultiplied, row by row from the top left), or the bytes of a
 * JPG, PNG, BMP, WEBP or AVIF file.
 * Rejects with a TypeError or RangeError where the picture is not one of these, and with a ServiceError (`code`, `field`)
 * for wrong settings (INVALID_REQUEST), a file that cannot be read (UNSUPPORTED_IMAGE, UNREADABLE_IMAGE, IMAGE_TOO_LARGE)
 * and an abort (CANCELLED). `qualityDiagnostics.fidelity` is measured when it is first read; the answer holds the pixels until then.
 */
export async function vectorize(
  picture: Raster | Uint8Array,
  settings: VectorizeSettings = {},
  options: VectorizeOptions = {},
): Promise<VectorizedImage> {
  const checked = toPicture(picture);
  for (const name of Object.keys(settings))
    if (requestNames.has(name)) throw invalid(name, 'is for requests over HTTP; the library answers with everything');
  composed ??= composeVectorizeImage(undefined, true);
  const { signal, onProgress } = options;
  return composed({ picture: checked, settings, ...(onProgress && { onProgress }) }, signal);
}
