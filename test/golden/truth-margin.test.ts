import { expect } from 'chai';
import { type VectorizeSettings, vectorize } from '#config/main/library.js';
import { type Geometry, shapesOf } from '#domain/drawing/drawing.js';
import { circle, ellipse, lettering, partOf, rectangle, roundedRectangle } from '#test/support/outlines.js';
import { type Layer, layer, linearShade, paint } from '#test/support/pictures.js';
import { difference, overWhite, render } from './render.js';

const WHITE = 0xffffff;
const RED = 0xe63946;
const INK = 0x1d3557;

async function geometries(side: number, ground: number | null, layers: readonly Layer[], settings: VectorizeSettings) {
  const picture = paint(side, side, ground, layers);
  const { drawing, svg, colorPalette } = await vectorize(picture, { ...settings, fidelity: false });
  expect([drawing.width, drawing.height]).to.deep.equal([side, side]);
  const off = difference(await overWhite(picture), render(svg, 1)).mean;
  return { shapes: [...shapesOf(drawing.items)], off, colorPalette };
}

function expectNear(geometry: Geometry | undefined, wanted: Geometry, within: number): void {
  expect(geometry?.kind).to.equal(wanted.kind);
  for (const [name, value] of Object.entries(wanted))
    if (typeof value === 'number')
      expect((geometry as unknown as Record<string, number>)[name], name).to.be.closeTo(value, within);
}

describe('what just fits into the picture', () => {
  for (const side of [16, 24, 64, 72, 160, 256, 1024])
    it(`is a disk on its ground at ${side} px, not corners upon a square`, async () => {
      const half = side / 2;
      const disk = [layer(RED, circle(half, half, half)), layer(INK, rectangle(half - 3, half - 4, 6, 8))];
      for (const ground of [WHITE, null]) {
        const { shapes, off } = await geometries(side, ground, disk, {});
        const [frame, ...others] = ground === null ? [undefined, ...shapes] : shapes;
        expect(others).to.have.lengthOf(2);
        expectNear(others[0]!.geometry, { kind: 'circle', cx: half, cy: half, r: half }, 0.05);
        if (frame !== undefined) {
          expectNear(frame.geometry, { kind: 'rect', x: 0, y: 0, width: side, height: side, radius: 0 }, 1e-9);
          expect(frame.fill).to.include({ color: WHITE });
        }
        // The renderer counts 4 x 4 points of a pixel, which matters where most are on the edge.
        expect(off).to.be.below(Math.max(0.3, 16 / side));
      }
    });

  it('is a box with round corners, an ellipse, and a disk that touches one side', async () => {
    const found = async (...outline: Parameters<typeof layer>[1][]) =>
      (await geometries(128, WHITE, [layer(RED, ...outline)], {})).shapes.map(({ geometry }) => geometry);
    const box = await found(roundedRectangle(0, 0, 128, 128, 24));
    expect(box).to.have.lengthOf(2);
    expectNear(box[1], { kind: 'rect', x: 0, y: 0, width: 128, height: 128, radius: 24 }, 0.1);
    const egg = await found(ellipse(64, 64, 64, 40));
    expect(egg).to.have.lengthOf(2);
    expectNear(egg[1], { kind: 'ellipse', cx: 64, cy: 64, rx: 64, ry: 40, rotation: 0 }, 0.05);
    const ball = await found(circle(50, 30, 30));
    expect(ball).to.have.lengthOf(2);
    expectNear(ball[1], { kind: 'circle', cx: 50, cy: 30, r: 30 }, 0.05);
  });

  it('is a box with round corners where it ends within the outermost pixels, its foot too', async () => {
    for (const ground of [WHITE, 0xcfd4d8]) {
      const box = layer(RED, roundedRectangle(0.4, 0.3, 63.2, 63.25, 5));
      const { shapes, off } = await geometries(64, ground, [box], {});
      expect(shapes).to.have.lengthOf(2);
      expectNear(shapes[1]!.geometry, { kind: 'rect', x: 0.4, y: 0.3, width: 63.2, height: 63.25, radius: 5 }, 0.06);
      expect(off).to.be.below(0.5);
    }
    const box = roundedRectangle(0.4, 0.3, 63.2, 63.25, 4);
    const footed = [layer(0x2b5770, partOf(box, 'below', 61.2)), layer(0x597b91, partOf(box, 'above', 61.2))];
    const { shapes, off, colorPalette } = await geometries(64, WHITE, footed, {});
    expect(shapes).to.have.lengthOf(3);
    expect(colorPalette).to.have.lengthOf(3);
    expect(off).to.be.below(0.6);
  });

  it('is so in cutouts, with gradients, with a number of colors and within a budget, and all of the picture is told of', async () => {
    const disk = [layer(RED, circle(64, 64, 64)), layer(INK, ...lettering(30, 40, 36))];
    const every: readonly VectorizeSettings[] = [
      {},
      { shape_stacking: 'cutouts' },
      { shape_stacking: 'cutouts', gap_cleanup: 'underlap' },
      { palette_count_mode: 'manual', palette_count: 3 },
      { fixed_palette: ['#ffffff', '#e63946', '#1d3557'] },
      { color_mode: 'grayscale' },
      { curves: ['line'] },
    ];
    for (const settings of every) {
      const { off, colorPalette } = await geometries(128, WHITE, disk, settings);
      const name = JSON.stringify(settings);
      if (settings.color_mode === undefined) expect(off, name).to.be.below(1.2);
      expect(colorPalette, name).to.have.lengthOf(3);
      const covered = colorPalette.reduce((sum, color) => sum + color.coverage, 0);
      expect(covered, name).to.be.closeTo(1, 0.02);
    }
    const shade = linearShade(0, 0, 0, 128, [230, 57, 70, 1], [29, 53, 87, 1]);
    const shaded = await geometries(128, WHITE, [{ ...layer(0, circle(64, 64, 64)), shade }], {});
    expect(shaded.shapes).to.have.lengthOf(2);
    expectNear(shaded.shapes[1]!.geometry, { kind: 'circle', cx: 64, cy: 64, r: 64 }, 0.1);
    const { fill } = shaded.shapes[1]!;
    if (fill?.kind !== 'linear') throw new RangeError(`filled with ${fill?.kind}`);
    expect([fill.x1, fill.x2].map((x) => Math.abs(x - fill.x1))).to.satisfy((off: number[]) => Math.max(...off) < 2);
    expect(shaded.off).to.be.below(0.6);
    for (const most of [400, 700]) {
      const picture = paint(128, 128, WHITE, disk);
      const { svg } = await vectorize(picture, { max_bytes: most, fidelity: false });
      expect(Buffer.byteLength(svg)).to.be.at.most(most);
    }
  });
});
