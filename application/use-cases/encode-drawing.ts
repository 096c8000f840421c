import { unpackDrawing } from '#application/drawing-file.js';
import type { DrawingReader } from '#application/ports/drawing-reader.js';
import type { EncodedFile, Exporter } from '#application/ports/exporter.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { invalid } from '#domain/errors.js';

/** What is exported: markup of any origin, or a Drawing that was kept (`packDrawing`), which is exact. */
export type DrawingSource =
  | { readonly kind: 'markup'; readonly svg: string }
  | { readonly kind: 'drawing-file'; readonly bytes: Uint8Array };

export interface EncodeDrawingInput {
  readonly source: DrawingSource;
  readonly format: string;
  /** As they were sent; the format checks them. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface EncodedDrawing extends EncodedFile {
  /** Of reading and of writing. */
  readonly warnings: readonly Note[];
}

/**
 * Makes one file of one source: the part of an export that takes time, so that it can run in a worker. Rejects with a
 * ServiceError: UNSUPPORTED_FORMAT, INVALID_REQUEST for options before anything is read, those of DrawingReader, CANCELLED.
 */
export type EncodeDrawing = (input: EncodeDrawingInput, signal?: AbortSignal) => Promise<EncodedDrawing>;

export interface EncodeDrawingDeps {
  readonly exporters: { get(format: string): Exporter };
  readonly reader: DrawingReader;
}

export const createEncodeDrawing =
  ({ exporters, reader }: EncodeDrawingDeps): EncodeDrawing =>
  async ({ source, format, options }, signal = new AbortController().signal) => {
    const exporter = exporters.get(format);
    const parsed = exporter.parseOptions(options);
    const availability = await exporter.availability();
    if (availability.state === 'unavailable')
      throw invalid('format', `${format} cannot be written here: ${availability.reason}`);
    const { drawing, warnings } = await read(source, reader, signal);
    const encoded = await exporter.encode(drawing, parsed, signal);
    return { ...encoded, warnings: [...warnings, ...encoded.warnings] };
  };

async function read(
  source: DrawingSource,
  reader: DrawingReader,
  signal: AbortSignal,
): Promise<{ readonly drawing: Drawing; readonly warnings: readonly Note[] }> {
  if (source.kind === 'markup') return reader.read(source.svg, signal);
  return { drawing: unpackDrawing(source.bytes), warnings: [] };
}
