import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { type Drawing, LINE, MOVE, shapesOf, visitPath } from '#domain/drawing/drawing.js';
import { renderExact } from '#test/support/render-exact.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const SIZE = 180;
const INK = '#b3501a';

interface Place {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly angle: number;
}

/** Places in rows, each between the pixels in a way of its own, with sizes that differ by a tenth. */
function inRows(radius: number, turns: boolean): readonly Place[] {
  const random = createSeededRandom(Math.round(radius * 100));
  const step = 2 * radius + 7;
  const places: Place[] = [];
  for (let y = step; y + step < SIZE; y += step) {
    for (let x = step; x + step < SIZE && places.length < 60; x += step)
      places.push({
        x: x + random(),
        y: y + random(),
        radius: radius * (1 + 0.1 * random()),
        angle: turns ? 2 * Math.PI * random() : 0,
      });
  }
  return places;
}

const cornersOf = (n: number, { x, y, radius, angle }: Place) =>
  Array.from({ length: n }, (_, k): readonly [number, number] => [
    x + radius * Math.cos(angle + (2 * Math.PI * k) / n),
    y + radius * Math.sin(angle + (2 * Math.PI * k) / n),
  ]);

const traced = async (shapes: readonly string[]): Promise<Drawing> => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}">${shapes.join('')}</svg>`;
  return (await vectorize(renderExact(svg, SIZE), { fidelity: false })).drawing;
};

/** The vertices of all outlines that are lines only. */
function outlinesOfLines(drawing: Drawing): readonly (readonly (readonly [number, number])[])[] {
  const { commands, coords } = drawing;
  return [...shapesOf(drawing.items)].flatMap(({ geometry }) => {
    if (geometry.kind !== 'path') return [];
    const { firstCommand, commandCount, firstCoord } = geometry;
    const own = [...commands.subarray(firstCommand, firstCommand + commandCount)];
    const points = own.filter((command) => command === MOVE || command === LINE);
    if (own.filter((command) => command === MOVE).length !== 1 || points.length < own.length - 1) return [];
    return [points.map((_, k) => [coords[firstCoord + 2 * k]!, coords[firstCoord + 2 * k + 1]!] as const)];
  });
}

describe('small regular polygons', () => {
  for (const [n, radius, within] of [
    [3, 4, 0.12],
    [4, 4, 0.12],
    [5, 4, 0.12],
    [6, 4, 0.12],
    [8, 5, 0.15],
  ] as const)
    it(`of ${n} corners, ${radius} px from the middle, have their corners within ${within} px, and no more`, async () => {
      const places = inRows(radius, true);
      const outlines = outlinesOfLines(
        await traced(
          places.map((place) => `<polygon fill="${INK}" points="${cornersOf(n, place).flat().join(' ')}"/>`),
        ),
      );
      let exact = 0;
      for (const place of places) {
        const corners = cornersOf(n, place);
        const found = outlines.find((outline) =>
          corners.every(([x, y]) => outline.some(([u, v]) => Math.hypot(u - x, v - y) <= within)),
        );
        if (found?.length === n || found?.length === n + 1) exact++;
      }
      // Of squares those that are turned by few degrees have samples along some rows and columns only.
      expect(places.length).to.be.greaterThan(50);
      expect(exact, `of ${places.length}`).to.be.at.least((n === 4 ? 0.85 : 0.9) * places.length);
    });

  it('are not made of circles, ellipses and squares with round corners', async () => {
    for (const shape of [
      ({ x, y, radius }: Place) => `<circle cx="${x}" cy="${y}" r="${radius}" fill="${INK}"/>`,
      ({ x, y, radius, angle }: Place) =>
        `<ellipse cx="${x}" cy="${y}" rx="${radius}" ry="${0.7 * radius}" transform="rotate(${angle * 57} ${x} ${y})" fill="${INK}"/>`,
      ({ x, y, radius, angle }: Place) =>
        `<rect x="${x - radius}" y="${y - radius}" width="${2 * radius}" height="${2 * radius}" rx="${0.6 * radius}" transform="rotate(${angle * 57} ${x} ${y})" fill="${INK}"/>`,
    ]) {
      for (const radius of [3, 4, 5]) {
        const places = inRows(radius, true);
        // A square of 6 px whose corners leave little of its sides is within rounding of an octagon now and then.
        expect(outlinesOfLines(await traced(places.map(shape))).length).to.be.at.most(0.02 * places.length);
      }
    }
  });

  it('leave upright squares to rectangles', async () => {
    const places = inRows(3, false);
    const squares = places.map(
      ({ x, y, radius }) =>
        `<rect x="${x - radius}" y="${y - radius}" width="${2 * radius}" height="${2 * radius}" fill="${INK}"/>`,
    );
    const kinds = [...shapesOf((await traced(squares)).items)].map(({ geometry }) => geometry.kind);
    expect(kinds).to.deep.equal(Array.from({ length: places.length + 1 }, () => 'rect'));
  });
});

/** Where anything that is drawn has its vertices. */
function verticesOf(drawing: Drawing): readonly (readonly [number, number])[] {
  const vertices: [number, number][] = [];
  const take = (...coords: number[]) => {
    vertices.push(coords.slice(-2) as [number, number]);
  };
  const ways = { move: take, line: take, quadratic: take, cubic: take };
  for (const { geometry } of shapesOf(drawing.items)) {
    if (geometry.kind !== 'path') continue;
    visitPath(geometry, drawing, { ...ways, arc: (...arc) => take(arc[5], arc[6]), close: () => {} });
  }
  return vertices;
}

describe('rays', () => {
  // How wide they are at their tips, degrees: a pixel across is 3 to 5 px away from these.
  for (const [rays, inner, degrees, tipPx] of [
    [20, 35, 18, 0.1],
    [16, 30, 16, 0.1],
    [12, 24, 15, 0.5],
    [8, 14, 11, 0.2],
  ] as const)
    it(`of a sun of ${rays}, ${degrees}° wide, come to their tips within ${tipPx} px`, async () => {
      const [x, y, radius] = [90.3, 89.6, 70];
      const tips = cornersOf(rays, { x, y, radius, angle: 0.07 });
      const notches = cornersOf(rays, { x, y, radius: inner, angle: 0.07 + Math.PI / rays });
      const points = tips.flatMap((tip, k) => [tip, notches[k]!]);
      const vertices = verticesOf(await traced([`<polygon fill="${INK}" points="${points.join(' ')}"/>`]));
      const missOf = ([tipX, tipY]: readonly [number, number]) =>
        Math.min(...vertices.map(([vx, vy]) => Math.hypot(vx - tipX, vy - tipY)));
      expect(Math.max(...tips.map(missOf))).to.be.below(tipPx);
      expect(Math.max(...notches.map(missOf))).to.be.below(0.1);
    });
});
