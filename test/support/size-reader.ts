import type { DrawingReader } from '#application/ports/drawing-reader.js';
import { ServiceError } from '#domain/errors.js';
import { createDrawingBuilder, rectOf, shapeOf, solid } from './drawing-builder.js';

/** Reads only the size of markup, and draws a red rectangle of it: for tests of what stands around a reader. */
export const sizeReader: DrawingReader = {
  async read(markup) {
    const match = /<svg width="(\d+)" height="(\d+)"/.exec(markup);
    if (match === null) throw new ServiceError('INVALID_SVG', { problem: 'it has no size' });
    const [width, height] = [Number(match[1]), Number(match[2])];
    const drawing = createDrawingBuilder(width, height).drawing([
      shapeOf(rectOf(0, 0, width, height), solid(0xff0000)),
    ]);
    const warnings = markup.includes('<text') ? [{ code: 'text-dropped', message: 'Text was left out.' }] : [];
    return { drawing, warnings };
  },
};
