import { expect } from 'chai';
import fc from 'fast-check';
import { contourMoments } from '#adapters/tracing/engine/shapes/contour-moments.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import type { EngineGeometry, EngineSettings } from '#adapters/tracing/engine/types.js';
import { ENGINE } from '#test/support/engine-parts.js';
import {
  type Contour,
  circle,
  ellipse,
  rectangle,
  reversed,
  roundedRectangle,
  turned,
} from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { holds } from '#test/support/properties.js';

const drawn = (
  outline: readonly Contour[],
  settings: Partial<EngineSettings> = {},
  background: number | null = 0xffffff,
) => trace(paint(96, 80, background, [layer(0x1d3557, ...outline)]), { ...ENGINE, ...settings }, () => {}).drawing;
const geometryOf = (outline: Contour, settings: Partial<EngineSettings> = {}): EngineGeometry =>
  drawn([outline], settings).items.at(-1)!.geometry;

const part = { min: 0, max: 1, noNaN: true } as const;

describe('native shapes', () => {
  it('are ellipses wherever they lie and however they are turned, within 0.05 px', () => {
    let seen = 0;
    holds(
      fc.property(
        fc.record({
          cx: fc.double({ min: 44, max: 52, noNaN: true }),
          cy: fc.double({ min: 36, max: 44, noNaN: true }),
          rx: fc.double({ min: 18, max: 32, noNaN: true }),
          squeeze: fc.double({ min: 0.35, max: 0.85, noNaN: true }),
          degrees: fc.double({ min: 0, max: 180, noNaN: true }),
        }),
        ({ cx, cy, rx, squeeze, degrees }) => {
          const ry = rx * squeeze;
          const geometry = geometryOf(ellipse(cx, cy, rx, ry, degrees));
          if (geometry.kind !== 'ellipse') throw new RangeError(`a ${geometry.kind} was drawn`);
          expect(Math.hypot(geometry.cx - cx, geometry.cy - cy)).to.be.at.most(0.05);
          const [long, short] = [Math.max(geometry.rx, geometry.ry), Math.min(geometry.rx, geometry.ry)];
          expect(long).to.be.closeTo(rx, 0.05);
          expect(short).to.be.closeTo(ry, 0.05);
          seen++;
        },
      ),
      60,
    );
    expect(seen).to.be.at.least(60);
  });

  it('are rectangles between pixels, square and rounded, their sides within 0.05 px', () => {
    let rounded = 0;
    let square = 0;
    holds(
      fc.property(
        fc.double(part),
        fc.double(part),
        fc.double(part),
        fc.double(part),
        fc.integer({ min: 0, max: 10 }),
        (a, b, c, d, r) => {
          const [x, y, width, height] = [12 + a, 10 + b, 50 + c, 34 + d];
          const radius = r < 2 ? 0 : r;
          const geometry = geometryOf(
            radius > 0 ? roundedRectangle(x, y, width, height, radius) : rectangle(x, y, width, height),
          );
          if (geometry.kind !== 'rect') throw new RangeError(`a ${geometry.kind} was drawn`);
          expect(geometry.x).to.be.closeTo(x, 0.05);
          expect(geometry.y).to.be.closeTo(y, 0.05);
          expect(geometry.width).to.be.closeTo(width, 0.05);
          expect(geometry.height).to.be.closeTo(height, 0.05);
          expect(geometry.radius).to.be.closeTo(radius, radius > 0 ? 0.15 : 0);
          if (radius > 0) rounded++;
          else square++;
        },
      ),
      60,
    );
    expect([rounded > 10, square > 5]).to.deep.equal([true, true]);
  });

  it('are not made of what is only similar', () => {
    const superellipse: number[] = [];
    for (let k = 0; k < 720; k++) {
      const [cos, sin] = [Math.cos((k * Math.PI) / 360), Math.sin((k * Math.PI) / 360)];
      superellipse.push(
        48 + 30 * Math.sign(cos) * Math.abs(cos) ** (2 / 2.3),
        40 + 20 * Math.sign(sin) * Math.abs(sin) ** (2 / 2.3),
      );
    }
    for (const outline of [
      superellipse,
      turned(rectangle(20, 20, 40, 30), 3, 40, 35),
      turned(roundedRectangle(20, 20, 40, 30, 8), 8, 40, 35),
      [20, 20, 70, 20, 70, 60, 24, 60],
    ])
      expect(geometryOf(outline).kind).to.equal('path');
  });

  it('are none where they are off, and of straight sides only where curves are off', () => {
    for (const outline of [ellipse(48, 40, 30, 17), roundedRectangle(12, 10, 50, 34, 8)]) {
      expect(geometryOf(outline, { primitives: false }).kind).to.equal('path');
      expect(geometryOf(outline, { straightOnly: true }).kind).to.equal('path');
    }
    expect(geometryOf(rectangle(12.3, 10.6, 50, 34), { straightOnly: true }).kind).to.equal('rect');
  });

  it('are holes too, of the same numbers as what lies in them', () => {
    for (const [outer, inner] of [
      [ellipse(48, 40, 40, 30, 20), ellipse(48, 40, 24, 14, 20)],
      [roundedRectangle(10, 10, 70, 60, 12), roundedRectangle(20.4, 20.3, 50, 40, 6)],
      [rectangle(10.2, 10.3, 70, 60), rectangle(20.4, 20.3, 50, 40)],
      [circle(48, 40, 30), rectangle(40.4, 30.3, 15, 20)],
    ] as const) {
      const { items } = drawn([outer, reversed(inner)], {}, null);
      expect(items.length).to.equal(1);
      const { geometry } = items[0]!;
      expect(geometry.kind).to.equal('path');
      const cut = drawn([outer, reversed(inner)], { stacking: 'cutouts' });
      expect(cut.items.filter(({ geometry: { kind } }) => kind !== 'path').length).to.equal(1);
    }
  });
});

describe('moments of a contour', () => {
  it('are those of the rectangle and of the ellipse, whichever way they are walked', () => {
    for (const walk of [(contour: Contour) => contour, reversed]) {
      for (const [contour, area, xx, yy] of [
        [rectangle(100, 50, 12, 6), 72, 12, 3],
        [ellipse(106, 53, 8, 4), Math.PI * 32, 16, 4],
      ] as const) {
        const points = walk(contour);
        const count = points.length / 2;
        const xs = Float64Array.from({ length: count }, (_, k) => points[2 * k]!);
        const ys = Float64Array.from({ length: count }, (_, k) => points[2 * k + 1]!);
        const moments = contourMoments(xs, ys, count);
        expect(moments.area).to.be.closeTo(area, area * 1e-4);
        expect([moments.cx, moments.cy].map((v) => Math.round(v * 1e6) / 1e6)).to.deep.equal([106, 53]);
        expect(moments.xx).to.be.closeTo(xx, 1e-3);
        expect(moments.yy).to.be.closeTo(yy, 1e-3);
        expect(moments.xy).to.be.closeTo(0, 1e-9);
      }
    }
  });
});
