import type { DrawingRenderer } from '#application/ports/drawing-renderer.js';
import type { DrawingItem } from '#domain/drawing/drawing.js';
import { MAX_DECIMALS } from '#domain/drawing/path-data.js';
import { ServiceError } from '#domain/errors.js';
import { placementOf } from '#domain/exports/output-size.js';
import { writeSvg } from '#domain/exports/svg-document.js';
import { visibleItems } from './visible-items.js';

/** Pixels of the picture and of the layers that are open at a time. At four bytes each, this is 800 MB at the very worst. */
const MAX_LAYER_PIXELS = 200_000_000;

/** How many layers of pixels groups that lie in one another need beside the picture's own. */
function layersOf(items: readonly DrawingItem[]): number {
  let most = 0;
  for (const item of items) {
    if (item.kind !== 'group') continue;
    const own = (item.opacity < 1 ? 1 : 0) + (item.clip !== null ? 1 : 0) + (item.mask !== undefined ? 2 : 0);
    most = Math.max(most, own + Math.max(layersOf(item.items), layersOf(item.mask ?? [])));
  }
  return most;
}

/** In place, from colors times opacity to plain colors. */
function unpremultiply(pixels: Uint8Array): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let c = at; c < at + 3; c++) pixels[c] = Math.min(255, Math.round((pixels[c]! * 255) / alpha));
  }
}

const cancelled = (signal: AbortSignal) => new ServiceError('CANCELLED', undefined, { cause: signal.reason });

/**
 * Paints by resvg, in a thread of its own. It is given SVG of our making only: it opens files that markup names, and ends the
 * process over a canvas that does not fit into memory, which is why the size is checked first.
 */
export const resvgRenderer: DrawingRenderer = {
  async render(drawing, { width, height, overflow }, signal) {
    if (signal.aborted) throw cancelled(signal);
    const limitPixels = Math.floor(MAX_LAYER_PIXELS / (1 + layersOf(drawing.items)));
    if (!(width * height <= limitPixels)) throw new ServiceError('IMAGE_TOO_LARGE', { width, height, limitPixels });
    const page = {
      width,
      height,
      fit: overflow ? 'overflow' : 'stretch',
      unit: 'px',
      dpi: 96,
      scale: 1,
    } as const;
    const { scaleX, scaleY, offsetX, offsetY } = placementOf(drawing, page);
    const minX = -offsetX / scaleX;
    const minY = -offsetY / scaleY;
    const shown = { minX, minY, maxX: minX + width / scaleX, maxY: minY + height / scaleY };
    const items = visibleItems(drawing.items, drawing, shown);
    const { text } = writeSvg(
      { ...drawing, items },
      {
        ...page,
        group_by: 'none',
        svg_version: null,
        non_scaling_strokes: false,
        precision: MAX_DECIMALS,
        title: null,
      },
    );
    const { renderAsync } = await import('@resvg/resvg-js');
    const rendered = await renderAsync(text, { font: { loadSystemFonts: false }, logLevel: 'off' });
    if (signal.aborted) throw cancelled(signal);
    // The property copies; read once.
    const { pixels } = rendered;
    if (rendered.width !== width || rendered.height !== height)
      throw new Error(`resvg made ${rendered.width} x ${rendered.height} pixels of ${width} x ${height}`);
    unpremultiply(pixels);
    return { width, height, data: pixels };
  },
};
