import { expect } from 'chai';
import { LineSums } from '#adapters/tracing/engine/fit/line-sums.js';
import { PolygonFinder } from '#adapters/tracing/engine/fit/polygon.js';
import { RoundedCorners } from '#adapters/tracing/engine/fit/rounded-corners.js';

/** Samples a px apart along a way that is given by its length. */
function along(length: number, at: (way: number) => readonly [number, number]) {
  const count = Math.floor(length) + 1;
  const points = Array.from({ length: count }, (_, k) => at(k));
  return { xs: Float64Array.from(points, ([x]) => x), ys: Float64Array.from(points, ([, y]) => y) };
}

function cornersOf({ xs, ys }: { readonly xs: Float64Array; readonly ys: Float64Array }): RoundedCorners {
  const sums = new LineSums();
  sums.load(xs, ys, xs.length);
  const polygon = new PolygonFinder();
  const size = polygon.find(sums, xs.length);
  const rounded = new RoundedCorners();
  rounded.find(xs, ys, xs.length, polygon.vertices, size, sums);
  return rounded;
}

/** From the left along y = 10 to an arc of a radius (0 for a sharp corner), and on in the direction that it turns to. */
function rounding(radius: number, degrees: number, shift: number) {
  const turn = (degrees * Math.PI) / 180;
  const d = radius * Math.tan(turn / 2);
  const [tipX, tipY] = [20 + shift, 10];
  const straight = tipX - d;
  const arc = radius * turn;
  return along(straight + arc + 20 - d, (way) => {
    if (way <= straight) return [way, tipY];
    if (way < straight + arc) {
      const angle = (way - straight) / radius;
      return [straight + radius * Math.sin(angle), tipY + radius * (1 - Math.cos(angle))];
    }
    const rest = d + way - straight - arc;
    return [tipX + rest * Math.cos(turn), tipY + rest * Math.sin(turn)];
  });
}

describe('rounded corners', () => {
  it('are found where an arc that is seen joins two straight sides, with its ends and directions', () => {
    let corners = 0;
    for (const radius of [2, 2.7, 4, 6])
      for (const degrees of radius > 3 ? [60, 90, 120] : [90, 120])
        for (const shift of [0, 0.3, 0.7]) {
          const rounded = cornersOf(rounding(radius, degrees, shift));
          const name = `${radius} px, ${degrees} degrees, ${shift}`;
          expect(rounded.count, name).to.equal(1);
          const turn = (degrees * Math.PI) / 180;
          const d = radius * Math.tan(turn / 2);
          const [x0, y0, ux, uy, x1, y1, vx, vy] = rounded.ends;
          expect(Math.hypot(x0! - (20 + shift - d), y0! - 10), name).to.be.below(0.3);
          expect(
            Math.hypot(x1! - (20 + shift + d * Math.cos(turn)), y1! - (10 + d * Math.sin(turn))),
            name,
          ).to.be.below(0.3);
          expect(Math.hypot(ux! - 1, uy!), name).to.be.below(0.02);
          expect(Math.hypot(vx! - Math.cos(turn), vy! - Math.sin(turn)), name).to.be.below(0.02);
          // The samples between are the arc's.
          expect(rounded.before[0], name).to.be.below(rounded.after[0]!);
          corners++;
        }
    expect(corners).to.equal(30);
  });

  it('are none where sides meet in a point', () => {
    let corners = 0;
    for (const degrees of [40, 75, 90, 110, 140])
      for (const shift of [0, 0.25, 0.5, 0.8]) {
        expect(cornersOf(rounding(0, degrees, shift)).count, `${degrees} degrees, ${shift}`).to.equal(0);
        corners++;
      }
    expect(corners).to.equal(20);
  });

  it('are none along circles and ellipses, whatever their size', () => {
    let outlines = 0;
    for (const [rx, ry] of [
      [4, 4],
      [7.3, 7.3],
      [15, 15],
      [40, 40],
      [20, 12],
      [33, 21],
    ] as const) {
      // About as far apart as samples are.
      const count = Math.round(Math.PI * (rx + ry));
      const angle = (k: number) => (2 * Math.PI * k) / count;
      const xs = Float64Array.from({ length: count + 1 }, (_, k) => rx * Math.cos(angle(k)));
      const ys = Float64Array.from({ length: count + 1 }, (_, k) => ry * Math.sin(angle(k)));
      expect(cornersOf({ xs, ys }).count, `${rx} x ${ry}`).to.equal(0);
      outlines++;
    }
    expect(outlines).to.equal(6);
  });

  it('are none where a curve meets a straight side in a point', () => {
    let corners = 0;
    for (const radius of [10, 18, 26, 30, 40, 65, 80])
      for (const degrees of [70, 80, 90, 100, 115])
        for (const shift of [0, 0.3, 0.6]) {
          const turn = (degrees * Math.PI) / 180;
          const outline = along(45, (step) => {
            const way = step + shift;
            if (way <= 20) return [way, 10];
            // Bending back towards the side, as the outline of a segment of a ring does.
            const angle = (way - 20) / radius;
            const [u, v] = [radius * Math.sin(angle), radius * (1 - Math.cos(angle))];
            return [20 + u * Math.cos(turn) - v * Math.sin(turn), 10 + u * Math.sin(turn) + v * Math.cos(turn)];
          });
          expect(cornersOf(outline).count, `${radius} px, ${degrees} degrees, ${shift}`).to.equal(0);
          corners++;
        }
    expect(corners).to.equal(105);
  });
});
