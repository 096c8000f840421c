import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { type Drawing, type RectGeometry, type Shape, shapesOf, visitPath } from '#domain/drawing/drawing.js';
import { bar, type Contour, circle, partOf, rectangle, reversed, roundedRectangle } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { difference, render } from './render.js';

const SHIFTS = [0, 0.15, 0.3, 0.5, 0.65, 0.85];
const SIZES = [
  [2, 12],
  [2.4, 9.3],
  [3, 3],
  [11.5, 2],
  [4, 7.7],
] as const;
const INK = 0x1d3557;

const at = (contour: Contour, dx: number, dy: number, scale = 1): Contour =>
  contour.map((value, i) => (value + (i % 2 === 0 ? dx : dy)) * scale);

function sidesOf({ x, y, width, height, radius }: RectGeometry): readonly number[] {
  return [x, y, x + width, y + height, radius];
}

/** The vertices of a path that has no curve; throws RangeError for any other shape. */
function cornersOf(drawing: Drawing, shape: Shape | undefined): readonly (readonly [number, number])[] {
  if (shape?.geometry.kind !== 'path') throw new RangeError(`a ${shape?.geometry.kind} was drawn`);
  const corners: (readonly [number, number])[] = [];
  const add = (x: number, y: number) => corners.push([x, y]);
  const refuse = () => {
    throw new RangeError('there is a curve in it');
  };
  visitPath(shape.geometry, drawing, {
    move: add,
    line: add,
    quadratic: refuse,
    cubic: refuse,
    arc: refuse,
    close: () => undefined,
  });
  return corners;
}

/** An outline of upright and level sides: corners as x, y and radius in turn. */
function roundedOutline(...corners: readonly (readonly [number, number, number])[]): Contour {
  const STEPS = 24;
  return corners.flatMap(([x, y, radius], k) => {
    if (radius === 0) return [x, y];
    const before = corners.at(k - 1)!;
    const behind = corners[(k + 1) % corners.length]!;
    const [ax, ay] = [Math.sign(before[0] - x), Math.sign(before[1] - y)];
    const [bx, by] = [Math.sign(behind[0] - x), Math.sign(behind[1] - y)];
    return Array.from({ length: STEPS + 1 }, (_, n) => {
      const [towardsA, towardsB] = [1 - Math.sin((n * Math.PI) / 2 / STEPS), 1 - Math.cos((n * Math.PI) / 2 / STEPS)];
      return [x + radius * (towardsA * ax + towardsB * bx), y + radius * (towardsA * ay + towardsB * by)];
    }).flat();
  });
}

/** The lines of a path that are neither level nor upright, its curves that are no quarters of circles, and the radii of those that are. */
function partsOf(drawing: Drawing, { geometry }: Shape) {
  if (geometry.kind !== 'path') throw new RangeError(`a ${geometry.kind} was drawn`);
  let [x, y] = [0, 0];
  const parts = { slanted: 0, bent: 0, radii: [] as number[] };
  const to = (nextX: number, nextY: number) => {
    [x, y] = [nextX, nextY];
  };
  visitPath(geometry, drawing, {
    move: to,
    line: (nextX, nextY) => {
      if (Math.min(Math.abs(nextX - x), Math.abs(nextY - y)) > 0.03) parts.slanted++;
      to(nextX, nextY);
    },
    quadratic: () => parts.bent++,
    cubic: (_, __, ___, ____, nextX, nextY) => {
      const [wide, high] = [Math.abs(nextX - x), Math.abs(nextY - y)];
      if (Math.abs(wide - high) > 0.15) parts.bent++;
      else parts.radii.push((wide + high) / 2);
      to(nextX, nextY);
    },
    arc: (radius, _, __, ___, ____, nextX, nextY) => {
      parts.radii.push(radius);
      to(nextX, nextY);
    },
    close: () => undefined,
  });
  return parts;
}

describe('bars and shapes of upright sides', () => {
  it('of a few px are rectangles, to a fiftieth of a pixel, wherever in a pixel they lie', async () => {
    for (const [width, height] of SIZES) {
      for (const dx of SHIFTS) {
        for (const dy of SHIFTS) {
          const [x, y] = [7 + dx, 6 + dy];
          const picture = paint(28, 28, 0xffffff, [layer(INK, rectangle(x, y, width, height))]);
          const { drawing } = await vectorize(picture, { fidelity: false });
          const [, shape, ...others] = shapesOf(drawing.items);
          const name = `${width} x ${height} at ${dx}, ${dy}`;
          expect(others, name).to.have.lengthOf(0);
          if (shape?.geometry.kind !== 'rect') throw new RangeError(`${name} is a ${shape?.geometry.kind}`);
          const truth = [x, y, x + width, y + height, 0];
          for (const [k, side] of sidesOf(shape.geometry).entries()) expect(side, name).to.be.closeTo(truth[k]!, 0.02);
        }
      }
    }
  });

  it('have round corners of their own radius where they have any, and round ends', async () => {
    for (const [width, height, radius] of [
      [4, 9, 0.8],
      [4, 9, 1.2],
      [6, 6, 1],
      [10, 8, 1.3],
      [16, 16, 2],
      [3, 12, 1.5],
      [12, 4, 2],
    ] as const) {
      for (const dx of SHIFTS) {
        for (const dy of SHIFTS) {
          const [x, y] = [6 + dx, 5 + dy];
          const picture = paint(28, 28, 0xffffff, [layer(INK, roundedRectangle(x, y, width, height, radius))]);
          const { drawing } = await vectorize(picture, { fidelity: false });
          const [, shape, ...others] = shapesOf(drawing.items);
          const name = `${width} x ${height}, ${radius} at ${dx}, ${dy}`;
          expect(others, name).to.have.lengthOf(0);
          if (shape?.geometry.kind !== 'rect') throw new RangeError(`${name} is a ${shape?.geometry.kind}`);
          const [ownRadius, ...sides] = [...sidesOf(shape.geometry)].reverse();
          const truth = [y + height, x + width, y, x];
          for (const [k, side] of sides.entries()) expect(side, name).to.be.closeTo(truth[k]!, 0.05);
          expect(ownRadius, name).to.be.closeTo(radius, 0.12);
        }
      }
    }
  });

  it('have no round corners as such where only lines, or no native shapes, are asked for', async () => {
    const picture = paint(28, 28, 0xffffff, [layer(INK, roundedRectangle(6.3, 5.6, 12, 9, 2))]);
    for (const settings of [{ curves: ['line'] }, { primitives: 'off' }] as const) {
      const { drawing } = await vectorize(picture, { ...settings, fidelity: false });
      const radii = [...shapesOf(drawing.items)].map(({ geometry }) =>
        geometry.kind === 'rect' ? geometry.radius : 0,
      );
      expect(radii).to.deep.equal([0, 0]);
    }
  });

  it('are rectangles on nothing, and a hole in something', async () => {
    const bars = [rectangle(5.3, 4.6, 2, 9), rectangle(11.7, 6.2, 12.4, 2.3)];
    const hole = paint(32, 24, 0xffffff, [layer(INK, rectangle(2, 2, 28, 20), ...bars.map(reversed))]);
    const { drawing } = await vectorize(hole, { fidelity: false });
    const kinds = [...shapesOf(drawing.items)].map(({ geometry }) => geometry.kind);
    expect(kinds).to.deep.equal(['rect', 'rect', 'rect', 'rect']);
    const ink = paint(
      32,
      24,
      0,
      bars.map((contour) => layer(0xffffff, contour)),
    );
    // White on nothing: what the picture above has of ink is its opacity.
    const data = Uint8Array.from(ink.data, (_, i) => (i % 4 === 3 ? ink.data[i - 1]! : 255));
    const clear = await vectorize({ ...ink, data }, { fidelity: false });
    const shapes = [...shapesOf(clear.drawing.items)];
    expect(shapes.map(({ geometry }) => geometry.kind)).to.deep.equal(['rect', 'rect']);
    const sides = shapes.map(({ geometry }) => sidesOf(geometry as RectGeometry)).sort((a, b) => a[0]! - b[0]!);
    const truth = [
      [5.3, 4.6, 7.3, 13.6, 0],
      [11.7, 6.2, 24.1, 8.5, 0],
    ];
    for (const [b, box] of sides.entries())
      for (const [k, side] of box.entries()) expect(side, `bar ${b}`).to.be.closeTo(truth[b]![k]!, 0.02);
  });

  it('are outlines of level and upright sides: letters, crosses, stairs, frames of any size', async () => {
    const e = [8, 6, 20, 6, 20, 9, 11, 9, 11, 13, 17, 13, 17, 16, 11, 16, 11, 20, 20, 20, 20, 23, 8, 23];
    const cross = [11, 4, 16, 4, 16, 11, 23, 11, 23, 16, 16, 16, 16, 23, 11, 23, 11, 16, 4, 16, 4, 11, 11, 11];
    const small = [11, 6, 15, 6, 15, 10, 19, 10, 19, 14, 15, 14, 15, 18, 11, 18, 11, 14, 7, 14, 7, 10, 11, 10];
    const stairs = [6, 22, 6, 17, 11, 17, 11, 12, 16, 12, 16, 7, 22, 7, 22, 22];
    const frame = [rectangle(3, 3, 112, 90), reversed(rectangle(7, 7, 104, 82)), circle(60, 40, 20)];
    for (const [dx, dy] of [
      [0.2, 0.3],
      [0.35, 0.85],
      [0.7, 0.15],
    ] as const) {
      for (const [name, size, contours, corners] of [
        ['E', 30, [e], 12],
        ['cross', 30, [cross], 12],
        ['cross of sides of 4 px', 30, [small], 12],
        ['stairs', 30, [stairs], 8],
        ['frame', 120, frame, 0],
      ] as const) {
        const layers = [layer(INK, ...contours.map((contour) => at(contour, dx, dy)))];
        const picture = paint(size, size, 0xffffff, layers);
        const { drawing } = await vectorize(picture, { fidelity: false });
        const [, shape, inner] = shapesOf(drawing.items);
        const where = `${name} at ${dx}, ${dy}`;
        if (corners === 0) {
          expect([shape?.geometry.kind, inner?.geometry.kind], where).to.deep.equal(['rect', 'rect']);
          const sides = sidesOf(shape?.geometry as RectGeometry);
          for (const [k, side] of [3 + dx, 3 + dy, 115 + dx, 93 + dy].entries())
            expect(sides[k], where).to.be.closeTo(side, 0.02);
        } else {
          const found = cornersOf(drawing, shape);
          expect(new Set(found.map(String)).size, where).to.equal(corners);
          const truth = at(contours[0], dx, dy);
          for (const [x, y] of found) {
            let nearest = Infinity;
            for (let k = 0; k < truth.length; k += 2)
              nearest = Math.min(nearest, Math.max(Math.abs(x - truth[k]!), Math.abs(y - truth[k + 1]!)));
            expect(nearest, `${where}, corner at ${x}, ${y}`).to.be.below(0.03);
          }
        }
      }
    }
  });

  it('are round at those of their corners that are, each by its own radius, however short their sides', async () => {
    const tile = roundedOutline([6, 6, 1.2], [12, 6, 0], [12, 12, 0], [6, 12, 0]);
    const tab = roundedOutline([5, 20, 0], [5, 9, 2.4], [19, 9, 2.4], [19, 20, 0]);
    const folder = roundedOutline([4, 22, 1.5], [4, 5, 1], [12, 5, 1], [12, 10, 0], [26, 10, 1.5], [26, 22, 1.5]);
    const bay = roundedOutline(
      [4, 24, 0],
      [4, 5, 0],
      [24, 5, 0],
      [24, 24, 0],
      [17, 24, 0],
      [17, 12, 2],
      [11, 12, 2],
      [11, 24, 0],
    );
    for (const [dx, dy] of [
      [0, 0],
      [0.2, 0.3],
      [0.35, 0.85],
      [0.7, 0.15],
    ] as const) {
      for (const [name, contour, radii] of [
        ['tile', tile, [1.2]],
        ['tab', tab, [2.4, 2.4]],
        ['folder', folder, [1, 1, 1.5, 1.5, 1.5]],
        ['bay', bay, [2, 2]],
      ] as const) {
        const picture = (scale: number) =>
          paint(32 * scale, 32 * scale, 0xffffff, [layer(INK, at(contour, dx, dy, scale))]);
        const { drawing, svg } = await vectorize(picture(1), { fidelity: false });
        const [, shape, ...others] = shapesOf(drawing.items);
        const where = `${name} at ${dx}, ${dy}`;
        expect(others, where).to.have.lengthOf(0);
        const parts = partsOf(drawing, shape!);
        expect([parts.slanted, parts.bent], where).to.deep.equal([0, 0]);
        expect(parts.radii, where).to.have.lengthOf(radii.length);
        const found = parts.radii.sort((a, b) => a - b);
        for (const [k, radius] of radii.entries()) expect(found[k], where).to.be.closeTo(radius, 0.1);
        expect(difference(picture(8), render(svg, 8)).mean, where).to.be.below(0.2);
      }
    }
  });

  it('are so between others too: a box with round corners, parted into colors', async () => {
    const whole = roundedRectangle(6.3, 5.4, 20, 20, 2);
    const parted = (scale: number) =>
      paint(32 * scale, 32 * scale, 0xffffff, [
        layer(0xffab40, at(partOf(whole, 'above', 15.2), 0, 0, scale)),
        layer(0x795548, at(partOf(whole, 'below', 15.2), 0, 0, scale)),
      ]);
    const { drawing, svg } = await vectorize(parted(1), { fidelity: false, shape_stacking: 'cutouts' });
    const [, ...halves] = shapesOf(drawing.items);
    expect(halves).to.have.lengthOf(2);
    for (const half of halves) {
      const parts = partsOf(drawing, half);
      expect([parts.slanted, parts.bent]).to.deep.equal([0, 0]);
      expect(parts.radii).to.have.lengthOf(2);
      for (const radius of parts.radii) expect(radius).to.be.closeTo(2, 0.05);
    }
    expect(difference(parted(8), render(svg, 8)).mean).to.be.below(0.3);
  });

  it('are none where they are something else: turned a little, or round', async () => {
    const others: readonly [string, Contour][] = [
      ['turned', bar(8, 6, 8.8, 18, 3)],
      ['a dot', circle(11.3, 11.6, 1.9)],
    ];
    for (const [name, contour] of others) {
      const { svg, drawing } = await vectorize(paint(24, 24, 0xffffff, [layer(INK, contour)]), { fidelity: false });
      const [, shape] = shapesOf(drawing.items);
      const isBox = shape?.geometry.kind === 'rect' && shape.geometry.radius === 0;
      expect(isBox, name).to.equal(false);
      const truth = paint(192, 192, 0xffffff, [
        layer(
          INK,
          contour.map((value) => value * 8),
        ),
      ]);
      expect(difference(render(svg, 8), truth).mean, name).to.be.below(0.5);
    }
  });

  it('that lie on the pixels one way and between them the other are no pixel art', async () => {
    const cross = [13, 6, 17, 6, 17, 13, 24, 13, 24, 17, 17, 17, 17, 24, 13, 24, 13, 17, 6, 17, 6, 13, 13, 13];
    const frame = (dx: number, dy: number, scale: number) => [
      at(rectangle(6, 6, 20, 14), dx, dy, scale),
      reversed(at(rectangle(8, 8, 16, 10), dx, dy, scale)),
    ];
    for (const shift of [0.2, 0.3, 0.5, 0.6, 0.8]) {
      for (const [dx, dy] of [
        [shift, 0],
        [0, shift],
      ] as const) {
        for (const [name, drawnAt] of [
          ['cross', (k: number) => paint(30 * k, 30 * k, 0xffffff, [layer(INK, at(cross, dx, dy, k))])],
          ['frame', (k: number) => paint(30 * k, 30 * k, 0xffffff, [layer(INK, ...frame(dx, dy, k))])],
        ] as const) {
          const { svg } = await vectorize(drawnAt(1), { fidelity: false });
          expect(svg, `${name} at ${dx}, ${dy}`).to.not.include('crispEdges');
          expect(difference(render(svg, 8), drawnAt(8)).mean, `${name} at ${dx}, ${dy}`).to.be.below(0.3);
        }
      }
    }
  });
});
