import { expect } from 'chai';
import fc from 'fast-check';
import { vectorize } from '#config/main/library.js';
import { COORDS_PER_COMMAND, CUBIC, type Drawing, LINE, type Shape, shapesOf } from '#domain/drawing/drawing.js';
import { countFarther } from '#test/support/compare-pictures.js';
import { circle, ellipse, rectangle, star, turned } from '#test/support/outlines.js';
import { type Layer, layer, paint } from '#test/support/pictures.js';
import { holds } from '#test/support/properties.js';
import { renderSvg } from '#test/support/render-svg.js';

const RED = 0xe63946;
const GREEN = 0x2a9d8f;
const BLUE = 0x1d3557;
const YELLOW = 0xf4c430;

const trace = (width: number, height: number, layers: readonly Layer[]) =>
  vectorize(paint(width, height, 0xffffff, layers), { fidelity: false });

function shapeOf({ items }: Drawing, color: number): Shape {
  const found = [...shapesOf(items)].filter(({ fill }) => fill?.kind === 'solid' && fill.color === color);
  expect(found.length).to.equal(1);
  return found[0]!;
}

/** Lines and curves of a path. */
function segmentsOf({ commands }: Drawing, { geometry }: Shape): number[] {
  if (geometry.kind !== 'path') throw new RangeError(`a ${geometry.kind} is no path`);
  const all = commands.subarray(geometry.firstCommand, geometry.firstCommand + geometry.commandCount);
  return [...all].filter((command) => COORDS_PER_COMMAND[command]! > 0).slice(1);
}

describe('ways beneath covers', () => {
  it('are none where a line goes on behind what lies on it', async () => {
    // Bars with stars on their edges; the lowest bar is the ground's to the border.
    const stars = [40, 90, 150].map((x) => layer(YELLOW, star(x, 60, 14, 6, 5)));
    const { drawing } = await trace(200, 120, [
      layer(RED, rectangle(0, 30, 200, 30)),
      layer(BLUE, rectangle(0, 60, 200, 60)),
      ...stars,
    ]);
    for (const color of [RED, BLUE]) {
      const { geometry } = shapeOf(drawing, color);
      expect(geometry.kind).to.equal('rect');
      if (geometry.kind === 'rect') expect([geometry.x, geometry.width]).to.deep.equal([0, 200]);
    }
  });

  it('end where the lines on both sides of a corner meet', async () => {
    const { drawing } = await trace(160, 160, [
      layer(GREEN, rectangle(20, 20, 120, 120)),
      layer(RED, circle(140, 20, 18)),
    ]);
    const { geometry } = shapeOf(drawing, GREEN);
    if (geometry.kind !== 'rect') throw new RangeError(`a ${geometry.kind}`);
    for (const [is, was] of [
      [geometry.x, 20],
      [geometry.y, 20],
      [geometry.width, 120],
      [geometry.height, 120],
    ] as const)
      expect(is).to.be.closeTo(was, 0.05);
  });

  it('leave a corner of the picture to what is seen of it, beneath what covers the rest of it', async () => {
    const [side, middle] = [128, 52];
    for (const [cx, cy, rx, ry] of [
      [37.264, 40.351, 37.655, 41.238],
      [41.346, 40.472, 41.601, 40.671],
    ] as const) {
      const picture = paint(side, side, 0xffffff, [
        layer(YELLOW, ellipse(cx, cy, rx, ry)),
        layer(BLUE, rectangle(middle, 0, side - middle, side), rectangle(0, middle, middle, side - middle)),
      ]);
      const { svg } = await vectorize(picture, { fidelity: false });
      expect(countFarther(picture, renderSvg(svg, side), 64), `${cx}`).to.equal(0);
    }
  });

  it('take two lines around what bulges into their cover', async () => {
    // A face covers all of the hair but a crescent, which is the larger contour.
    const { drawing } = await trace(200, 200, [
      layer(BLUE, ellipse(100, 90, 80, 70)),
      layer(YELLOW, ellipse(100, 150, 60, 48)),
    ]);
    const segments = segmentsOf(drawing, shapeOf(drawing, BLUE));
    expect(segments.filter((command) => command === LINE).length).to.be.at.most(2);
  });

  it('are straight beneath what bulges, which is painted after what lies around it, though larger', async () => {
    const { drawing } = await trace(200, 200, [
      layer(BLUE, ellipse(100, 85, 88, 80)),
      layer(YELLOW, ellipse(100, 110, 76, 72)),
    ]);
    const order = [...shapesOf(drawing.items)].map(({ fill }) => (fill?.kind === 'solid' ? fill.color : -1));
    expect(order.indexOf(YELLOW)).to.be.greaterThan(order.indexOf(BLUE));
    const { visibleAreaPx } = shapeOf(drawing, YELLOW);
    expect(visibleAreaPx).to.be.greaterThan(shapeOf(drawing, BLUE).visibleAreaPx);
    const lines = segmentsOf(drawing, shapeOf(drawing, BLUE)).filter((command) => command === LINE);
    expect(lines.length).to.be.at.most(2);
  });

  it('hide nothing that must be seen, whatever lies on what', async () => {
    const COLORS = [RED, GREEN, BLUE, YELLOW, 0x8338ec, 0x06d6a0];
    const at = fc.integer({ min: 0, max: 96 });
    const size = fc.integer({ min: 3, max: 60 });
    const shapes = fc.array(
      fc.tuple(at, at, size, size, fc.integer({ min: 0, max: 89 }), fc.constantFrom('box', 'ellipse', 'star')),
      { minLength: 3, maxLength: 9 },
    );
    const pictures: (readonly [number, number, number, number, number, string])[][] = [];
    holds(
      fc.property(shapes, (all) => {
        pictures.push(all);
      }),
      150,
    );
    let checked = 0;
    let curves = 0;
    for (const all of pictures) {
      const layers = all.map(([x, y, w, h, degrees, kind], k) => {
        const outline =
          kind === 'box'
            ? rectangle(x - w / 2, y - h / 2, w, h)
            : kind === 'ellipse'
              ? ellipse(x, y, w / 2, h / 2)
              : star(x, y, w, w / 2.4, 5);
        return layer(COLORS[k % COLORS.length]!, turned(outline, degrees, x, y));
      });
      const raster = paint(96, 96, 0xffffff, layers);
      const { svg, drawing } = await vectorize(raster, { fidelity: false });
      curves += drawing.commands.filter((command) => command === CUBIC).length;
      const drawn = renderSvg(svg, 96, '#fff');
      // Pixels amid eight of their own color: no edge is near, and what is seen there is of that very color.
      for (let y = 1; y < 95; y++) {
        for (let x = 1; x < 95; x++) {
          const i = (y * 96 + x) * 4;
          const isFlat = [-97, -96, -95, -1, 1, 95, 96, 97].every((d) =>
            [0, 1, 2].every((c) => raster.data[i + 4 * d + c] === raster.data[i + c]),
          );
          if (!isFlat) continue;
          checked++;
          if ([0, 1, 2].some((c) => Math.abs(drawn.data[i + c]! - raster.data[i + c]!) > 24))
            expect.fail(`${x}, ${y} of ${JSON.stringify(all)}`);
        }
      }
    }
    expect(checked).to.be.greaterThan(100_000);
    expect(curves).to.be.greaterThan(300);
  });
});
