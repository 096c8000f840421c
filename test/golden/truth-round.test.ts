import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { renderExact } from '#test/support/render-exact.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

/** Radii from which a circle's pixels tell it from all else, px. */
const RADII = [2, 2.5, 3, 4, 5, 7, 10, 16];
const SIZE = 200;

interface Round {
  readonly cx: number;
  readonly cy: number;
  readonly rx: number;
  readonly ry: number;
  readonly degrees: number;
}

/** Round shapes in rows, each with a place between the pixels of its own. */
function inRows(radius: number, squeeze: number, turned: boolean): readonly Round[] {
  const random = createSeededRandom(Math.round(radius * 10));
  const step = 2 * radius + 7;
  const shapes: Round[] = [];
  for (let y = step; y + step < SIZE; y += step) {
    for (let x = step; x + step < SIZE && shapes.length < 60; x += step) {
      const r = radius * (1 + 0.1 * random());
      const degrees = turned ? 180 * random() : 0;
      shapes.push({ cx: x + random(), cy: y + random(), rx: r, ry: r * squeeze, degrees });
    }
  }
  return shapes;
}

async function drawingOf(shapes: readonly Round[]) {
  const drawn = shapes.map(
    ({ cx, cy, rx, ry, degrees }) =>
      `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" transform="rotate(${degrees} ${cx} ${cy})" fill="#b3501a"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}">${drawn.join('')}</svg>`;
  const picture = renderExact(svg, SIZE);
  const { drawing } = await vectorize(picture, { fidelity: false });
  return [...shapesOf(drawing.items)].map(({ geometry }) => geometry);
}

describe('round shapes, from two pixels of radius on', () => {
  it('are circles, each within 0.02 px of its own place and radius', async () => {
    for (const radius of RADII) {
      const shapes = inRows(radius, 1, false);
      const found = (await drawingOf(shapes)).filter(({ kind }) => kind === 'circle');
      expect(found.length, `of radius ${radius}`).to.equal(shapes.length);
      for (const { cx, cy, rx } of shapes) {
        const off = found.map((circle) =>
          circle.kind === 'circle'
            ? Math.max(Math.hypot(circle.cx - cx, circle.cy - cy), Math.abs(circle.r - rx))
            : Infinity,
        );
        expect(Math.min(...off), `radius ${rx} at ${cx}, ${cy}`).to.be.at.most(0.02);
      }
    }
  });

  it('are ellipses where they are hardly longer than wide, or turned, each within 0.04 px', async () => {
    for (const [radius, squeeze, turned] of [
      [3, 0.9, false],
      [5, 0.92, false],
      [3, 0.6, true],
      [4, 0.7, true],
      [8, 0.5, true],
      [12, 0.8, true],
    ] as const) {
      const shapes = inRows(radius, squeeze, turned);
      const found = (await drawingOf(shapes)).filter(({ kind }) => kind === 'ellipse');
      expect(found.length, `${radius} by ${radius * squeeze}`).to.equal(shapes.length);
      for (const { cx, cy, rx, ry } of shapes) {
        const off = found.map((ellipse) => {
          if (ellipse.kind !== 'ellipse') return Infinity;
          const [long, short] = [Math.max(ellipse.rx, ellipse.ry), Math.min(ellipse.rx, ellipse.ry)];
          return Math.max(Math.hypot(ellipse.cx - cx, ellipse.cy - cy), Math.abs(long - rx), Math.abs(short - ry));
        });
        expect(Math.min(...off), `${rx} by ${ry} at ${cx}, ${cy}`).to.be.at.most(0.04);
      }
    }
  });

  it('are settled where another edge runs through their pixels, too', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60"><circle cx="30.3" cy="29.6" r="12.4" fill="#1d3557"/><circle cx="30.3" cy="29.6" r="11.2" fill="#f1c40f"/><circle cx="30.3" cy="29.6" r="4.25" fill="#1d3557"/></svg>`;
    const { drawing } = await vectorize(renderExact(svg, 60), { fidelity: false });
    const radii = [...shapesOf(drawing.items)].flatMap(({ geometry }) =>
      geometry.kind === 'circle' ? [geometry] : [],
    );
    expect(radii.length).to.equal(3);
    for (const [k, r] of [12.4, 11.2, 4.25].entries()) {
      const { cx, cy, r: found } = [...radii].sort((a, b) => b.r - a.r)[k]!;
      expect(found).to.be.closeTo(r, 0.03);
      expect(Math.hypot(cx - 30.3, cy - 29.6)).to.be.at.most(0.03);
    }
  });
});
