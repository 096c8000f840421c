import { expect } from 'chai';
import type { Drawing } from '#domain/drawing/drawing.js';
import { prepareDrawing } from '#domain/exports/prepare-drawing.js';
import { svg } from '#plugins/svg/index.js';
import { countSeams, SEAM_SCALES } from '#test/support/count-seams.js';
import { createDrawingBuilder, rectOf, shapeOf, solid, strokeOf } from '#test/support/drawing-builder.js';

/** Cutouts of a canvas that meet on slanted edges: no pixel along them is covered by one alone. */
function cutouts(): Drawing {
  const builder = createDrawingBuilder(60, 60);
  const slices = [0x264653, 0x2a9d8f, 0xe9c46a, 0xf4a261].map((color, i) => {
    const [left, right] = [15 * i, 15 * (i + 1)];
    const lean = (x: number) => (x === 0 || x === 60 ? 0 : 4.3);
    return shapeOf(
      builder.path([
        ['M', left, 0],
        ['L', right, 0],
        ['L', right + lean(right), 60],
        ['L', left + lean(left), 60],
        ['Z'],
      ]),
      solid(color),
    );
  });
  return builder.drawing(slices);
}

const seamsOf = async (drawing: Drawing, options: object, scale: number) => {
  const { bytes } = await svg.encode(drawing, svg.parseOptions(options), new AbortController().signal);
  return countSeams(new TextDecoder().decode(bytes), scale);
};

describe('gap cleanup', () => {
  for (const scale of SEAM_SCALES) {
    it(`is needed: cutouts leak at ${scale}x`, async () => {
      const { pixels, worst } = await seamsOf(cutouts(), {}, scale);
      expect(pixels).to.be.above(100);
      expect(worst).to.be.above(0.15);
    });

    for (const gap_cleanup of ['stroke', 'underlap'])
      it(`closes them by ${gap_cleanup} at ${scale}x`, async () => {
        expect(await seamsOf(cutouts(), { gap_cleanup, gap_width: 2 }, scale)).to.include({ pixels: 0 });
      });
  }

  it('leaves alone what a stroke would change: strokes, gradients and translucent fills', () => {
    const stops = [{ offset: 0, color: 0, opacity: 1 }];
    const drawing = createDrawingBuilder(9, 9).drawing([
      shapeOf(rectOf(0, 0, 1, 1), solid(0), strokeOf(solid(0), 3)),
      shapeOf(rectOf(0, 0, 1, 1), { kind: 'linear', x1: 0, y1: 0, x2: 1, y2: 0, stops }),
      shapeOf(rectOf(0, 0, 1, 1), solid(0, 0.5)),
      shapeOf(rectOf(0, 0, 1, 1), null, strokeOf(solid(0), 1)),
    ]);
    for (const gap_cleanup of ['stroke', 'underlap'] as const)
      expect(prepareDrawing(drawing, { gap_cleanup, gap_width: 1 }).items).to.deep.equal(drawing.items);
  });

  it('gives the very drawing back where nothing is asked for', () => {
    const drawing = cutouts();
    expect(prepareDrawing(drawing, {})).to.equal(drawing);
    expect(prepareDrawing(drawing, { clip_overflow: true, background: null, gap_cleanup: 'off' })).to.equal(drawing);
  });

  it('lays a background beneath once, and clips only what stands over', () => {
    const drawing = cutouts();
    const painted = prepareDrawing(drawing, { background: 0x123456 });
    expect(painted.items).to.have.length(drawing.items.length + 1);
    expect(painted.items[0]).to.deep.include({ geometry: rectOf(0, 0, 60, 60), fill: solid(0x123456) });
    expect(prepareDrawing(painted, { background: 0x123456 })).to.equal(painted);
    const over = createDrawingBuilder(10, 10).drawing([shapeOf(rectOf(-5, 0, 10, 10), solid(0))]);
    const clipped = prepareDrawing(over, { clip_overflow: true });
    expect(clipped.items).to.deep.equal([
      { kind: 'group', opacity: 1, clip: [rectOf(0, 0, 10, 10)], items: over.items },
    ]);
    expect(prepareDrawing(clipped, { clip_overflow: true })).to.equal(clipped);
  });
});
