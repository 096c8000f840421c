import { expect } from 'chai';
import { Covers } from '#adapters/tracing/engine/emit/covers.js';
import { Underlap } from '#adapters/tracing/engine/emit/underlap.js';
import { SEGMENT_LINE } from '#adapters/tracing/engine/fit/curves.js';
import { FloatList } from '#adapters/tracing/engine/math/lists.js';
import { windingNumber } from '#adapters/tracing/engine/math/winding-number.js';
import { buildPlanarMap } from '#adapters/tracing/engine/planar-map/planar-map.js';
import { regionsOf } from '#test/support/engine-parts.js';
import { seeded } from '#test/support/pixel-grids.js';

const WIDTH = 600;
const HEIGHT = 220;
const BOTTOM = 159.56;
/** The edge of an arch that leans to the right and hangs from the upper border: down its right side, along the bottom and up its left one. */
const edgeOf = (bottom: readonly number[]) => [
  ...[400, 0, 355, 40, 357, 80, 372, 120, 380, 145, 385.2, BOTTOM],
  ...bottom,
  ...[301, BOTTOM, 305, 115.6, 323.6, 63.9, 363.1, 12.6, 380, 0],
];

function listOf(values: readonly number[]): FloatList {
  const list = new FloatList(64);
  for (const value of values) list.push(value);
  return list;
}

const OUTLINE = listOf(edgeOf([]));
const isInShape = (x: number, y: number) => windingNumber(OUTLINE, x, y) !== 0;
const ROWS = Array.from({ length: HEIGHT }, (_, y) =>
  Array.from({ length: WIDTH }, (_, x) => (isInShape(x + 0.5, y + 0.5) ? 'a' : 'b')).join(''),
);

/**
 * The way beneath the cover along a shape's edge: lines from a point to the next (x and y in turn), with the shape on their right. `labels` are those of the regions as they are painted,
 * of which the second is the shape and the third what covers that edge of it.
 */
function wayAlong(edge: readonly number[], rows: readonly string[] = ROWS, labels = '-ab'): FloatList {
  const regions = regionsOf(rows, 'd');
  const map = buildPlanarMap(regions);
  const regionOf = (label: string) => {
    const y = rows.findIndex((row) => row.includes(label));
    return y < 0 ? -1 : regions.of[y * regions.width + rows[y]!.indexOf(label)]!;
  };
  const [, shape, cover] = [...labels].map(regionOf);
  const sides = (c: number) => [map.left[c], map.right[c]];
  const chain = [...map.left.keys()].find((c) => sides(c).includes(shape!) && sides(c).includes(cover!))!;
  const isForwards = map.right[chain] === shape;
  const at = (k: number) => (isForwards ? k : edge.length / 2 - 1 - k);
  const lines = edge.length / 2 - 1;
  const points = new Float64Array(8 * lines);
  for (let k = 0; k < lines; k++) {
    const [from, to] = [edge.slice(2 * at(k), 2 * at(k) + 2), edge.slice(2 * at(k + 1), 2 * at(k + 1) + 2)];
    points.set([...from, ...from, ...to, ...to], 8 * k);
  }
  const starts = Int32Array.from({ length: map.chainCount + 1 }, (_, c) => (c > chain ? lines : 0));
  const curves = { chainCount: map.chainCount, starts, kinds: new Int32Array(lines).fill(SEGMENT_LINE), points };
  const order = Int32Array.from([...labels].map(regionOf).filter((region) => region >= 0));
  const stacking = {
    order,
    rank: Int32Array.from(order.keys(), (region) => order.indexOf(region)),
    solid: new Uint8Array(order.length).fill(1),
    kept: new Uint8Array(0),
    ground: new Uint8Array(order.length),
  };
  const underlap = new Underlap(map, regions, stacking, new Covers(regions, stacking), curves, false);
  underlap.find([2 * chain + (isForwards ? 0 : 1)], 0, 1, false, false);
  return listOf([...underlap.points.data.subarray(0, underlap.points.length)]);
}

/** Pixels of the shape whose middles are outside a way closed along the border. */
function countOutside(way: FloatList): number {
  let outside = 0;
  for (let y = 0.5; y < HEIGHT; y++)
    for (let x = 0.5; x < WIDTH; x++) if (isInShape(x, y) && windingNumber(way, x, y) === 0) outside++;
  return outside;
}

describe('ways beneath a neighbor that is painted later', () => {
  it('go around all of a region in a few lines', () => {
    const way = wayAlong(edgeOf([]));
    expect(countOutside(way)).to.equal(0);
    expect(way.length / 2).to.be.at.most(8);
  });

  it('do so where its edge goes back by a part of a pixel, as junctions next to each other leave it', () => {
    for (const back of [0.2, 0.29, 0.35, 0.5]) {
      for (let turn = 340; turn < 366; turn += 3.1) {
        const way = wayAlong(edgeOf([turn + 4, BOTTOM, turn, BOTTOM - 0.02, turn + back, BOTTOM]));
        expect(countOutside(way), `${back} px at ${turn}`).to.equal(0);
      }
    }
  });

  it('do not cross a line one px wide, whose pixels touch at their corners alone, to what lies beyond', () => {
    const side = 40;
    const random = seeded(20261130);
    let tried = 0;
    for (let trial = 0; trial < 4000; trial++) {
      // Hills on the lower border, and a line down a slope beside them.
      const hills = [2 + random() * 3, side];
      const tops = 2 + Math.floor(random() * 3);
      for (let k = 1; k <= tops; k++)
        hills.push(3 + (k / (tops + 1)) * 26 + random() * 4, Math.max(2, side - 2 - random() * 14));
      hills.push(34 + random() * 4, side);
      const shape = listOf(hills);
      const slope = Math.floor(random() * 12);
      const labelAt = (x: number, y: number) => {
        if (windingNumber(shape, x + 0.5, y + 0.5) !== 0) return 'a';
        return x - y + slope < 0 ? 'b' : x - y + slope === 0 ? 'd' : 'c';
      };
      const rows = Array.from({ length: side }, (_, y) =>
        Array.from({ length: side }, (_, x) => labelAt(x, y)).join(''),
      );
      const isBeyond = (x: number, y: number) => 'cd'.includes(rows[y]?.[x] ?? '-');
      const touches = (x: number, y: number) => [-1, 0, 1].some((v) => [-1, 0, 1].some((u) => isBeyond(x + u, y + v)));
      if (rows.some((row, y) => [...row].some((label, x) => label === 'a' && touches(x, y)))) continue;
      tried++;
      const { data, length } = wayAlong(hills, rows, 'dabc');
      let farthest = -Infinity;
      for (let k = 0; k < length; k += 2) farthest = Math.max(farthest, data[k]! - data[k + 1]! + slope);
      // The pixels of the line are within 1 of this.
      expect(farthest, `${hills}, ${slope}`).to.be.below(1.5);
    }
    expect(tried).to.be.above(300);
  });
});
