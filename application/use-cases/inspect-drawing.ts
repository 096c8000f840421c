import type { DrawingReader } from '#application/ports/drawing-reader.js';
import type { ImageDecoder } from '#application/ports/image-decoder.js';
import type { Raster } from '#application/ports/tracer.js';
import { colorPaletteOf, type PaletteColor } from '#domain/diagnostics/color-palette.js';
import type { Fidelity, Note } from '#domain/diagnostics/diagnostics.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { type DrawingStats, drawingStatsOf } from '#domain/drawing/drawing-stats.js';

export interface InspectDrawingInput {
  /** SVG markup of any origin. */
  readonly svg: Uint8Array;
  /** A picture file that it should look like; left out, nothing is compared. */
  readonly picture?: Uint8Array | undefined;
}

export interface InspectedDrawing extends DrawingStats {
  readonly width: number;
  readonly height: number;
  readonly svgBytes: number;
  readonly colorPalette: readonly PaletteColor[];
  /** At the picture's size; null without a picture. */
  readonly fidelity: Fidelity | null;
  /** What of the markup was not understood, and so not counted. */
  readonly warnings: readonly Note[];
}

/**
 * Says what an SVG document consists of, and how well it matches a picture. Rejects with a ServiceError: those of DrawingReader
 * and ImageDecoder.
 */
export type InspectDrawing = (input: InspectDrawingInput, signal?: AbortSignal) => Promise<InspectedDrawing>;

export interface InspectDrawingDeps {
  readonly reader: DrawingReader;
  readonly decoder: ImageDecoder;
  readonly measureFidelity: (picture: Raster, drawing: Drawing) => Fidelity;
  /** The drawing at a size, as RGBA bytes, premultiplied. */
  readonly renderDrawing: (drawing: Drawing, width: number, height: number) => Uint8Array;
}

/** Pixels on which coverage is counted, at most. */
const COUNTED_PIXELS = 1_000_000;

/** The palette with the share of the pixels that show just this color: markup does not say what of a shape can be seen. */
function seenPalette(drawing: Drawing, renderDrawing: InspectDrawingDeps['renderDrawing']): readonly PaletteColor[] {
  const factor = Math.min(1, Math.sqrt(COUNTED_PIXELS / (drawing.width * drawing.height)));
  const width = Math.max(1, Math.round(drawing.width * factor));
  const height = Math.max(1, Math.round(drawing.height * factor));
  const pixels = renderDrawing(drawing, width, height);
  const counts = new Map<number, number>();
  for (let i = 0; i < pixels.length; i += 4) {
    if (pixels[i + 3] !== 255) continue;
    const color = ((pixels[i] as number) << 16) | ((pixels[i + 1] as number) << 8) | (pixels[i + 2] as number);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  return colorPaletteOf(drawing)
    .map((color) => {
      const [r, g, b] = color.rgb;
      return { ...color, coverage: (counts.get((r << 16) | (g << 8) | b) ?? 0) / (width * height) };
    })
    .sort((a, b) => b.coverage - a.coverage);
}

export const createInspectDrawing =
  ({ reader, decoder, measureFidelity, renderDrawing }: InspectDrawingDeps): InspectDrawing =>
  async ({ svg, picture }, signal) => {
    const { drawing, warnings } = await reader.read(new TextDecoder().decode(svg), signal);
    const raster = picture === undefined ? undefined : await decoder.decode(picture);
    return {
      width: drawing.width,
      height: drawing.height,
      svgBytes: svg.length,
      ...drawingStatsOf(drawing),
      colorPalette: seenPalette(drawing, renderDrawing),
      fidelity: raster === undefined ? null : measureFidelity(raster, drawing),
      warnings,
    };
  };
