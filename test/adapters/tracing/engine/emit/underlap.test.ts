import { expect } from 'chai';
import { Covers } from '#adapters/tracing/engine/emit/covers.js';
import { Underlap } from '#adapters/tracing/engine/emit/underlap.js';
import { SEGMENT_LINE } from '#adapters/tracing/engine/fit/curves.js';
import { FloatList } from '#adapters/tracing/engine/math/lists.js';
import { windingNumber } from '#adapters/tracing/engine/math/winding-number.js';
import { buildPlanarMap } from '#adapters/tracing/engine/planar-map/planar-map.js';
import { regionsOf } from '#test/support/engine-parts.js';

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

/** The way beneath the cover along the shape's edge: lines from a point to the next (x and y in turn), with the shape on their right. */
function wayAlong(edge: readonly number[]): FloatList {
  const regions = regionsOf(ROWS);
  const map = buildPlanarMap(regions);
  const shape = regions.of[100 * WIDTH + 340]!;
  const chain = [...map.left.keys()].find((c) => map.left[c]! >= 0 && map.right[c]! >= 0)!;
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
  const stacking = {
    order: Int32Array.of(shape, 1 - shape),
    rank: Int32Array.from([0, 1], (region) => (region === shape ? 0 : 1)),
    solid: new Uint8Array(2).fill(1),
    kept: new Uint8Array(0),
    ground: new Uint8Array(2),
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
});
