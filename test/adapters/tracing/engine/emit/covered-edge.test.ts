import { expect } from 'chai';
import { CoveredEdge } from '#adapters/tracing/engine/emit/covered-edge.js';
import { Covers } from '#adapters/tracing/engine/emit/covers.js';
import type { ChainCurves } from '#adapters/tracing/engine/fit/curves.js';
import { FloatList } from '#adapters/tracing/engine/math/lists.js';
import type { Regions } from '#adapters/tracing/engine/segment/regions.js';

const SIZE = 40;

function listOf(values: readonly number[]): FloatList {
  const list = new FloatList(4);
  for (const value of values) list.push(value);
  return list;
}

/** Region 0 on the left, and what covers it on the right of x = 10; with `hasIsland` something beneath both shows amid the cover. */
function edge(hasIsland = false): CoveredEdge {
  const of = new Int32Array(SIZE * SIZE);
  const runs: number[] = [];
  for (let i = 0; i < of.length; i++) {
    const x = i % SIZE;
    const y = Math.floor(i / SIZE);
    const isIsland = hasIsland && x >= 14 && x < 18 && y >= 18 && y < 22;
    of[i] = isIsland ? 2 : x < 10 ? 0 : 1;
    if (x === 0 || of[i] !== of[i - 1]) runs.push(i);
  }
  const regions: Partial<Regions> = {
    of,
    width: SIZE,
    height: SIZE,
    count: 3,
    runs: Int32Array.of(...runs, of.length),
  };
  const covers = new Covers(regions as Regions, {
    order: Int32Array.of(2, 0, 1),
    rank: Int32Array.of(1, 2, 0),
    solid: new Uint8Array(3).fill(1),
    kept: new Uint8Array(0),
    ground: new Uint8Array(3),
  });
  covers.begin(0, 10, 5, 10, 35);
  const made = new CoveredEdge(covers, {} as ChainCurves);
  // Downwards, with the region on its right.
  made.layWay(listOf([10, 5, 10, 35]), 0, 2);
  return made;
}

const allows = (way: readonly number[], hasIsland = false) => edge(hasIsland).allows(listOf(way), 0, way.length - 2);

describe('edges beneath covers', () => {
  it('may be left for a way through the cover', () => {
    expect(allows([22, 12, 22, 28])).to.equal(true);
    expect(allows([25, 20])).to.equal(true);
  });

  it('may not be left for a way around what must be seen', () => {
    expect(allows([22, 12, 22, 28], true)).to.equal(false);
    // On this side of it.
    expect(allows([13, 12, 13, 28], true)).to.equal(true);
  });

  it('may not be left for a way that cuts off some of the region', () => {
    expect(allows([22, 12, 5, 20, 22, 28])).to.equal(false);
    expect(allows([22, 12, 11, 20, 22, 28])).to.equal(true);
  });

  it('are left, and come back to, on the side of the cover', () => {
    expect(allows([8.5, 7, 25, 12, 20, 28])).to.equal(false);
    expect(allows([20, 12, 25, 28, 8.5, 33])).to.equal(false);
    expect(allows([10.5, 7, 25, 12, 20, 28])).to.equal(true);
  });

  it('are not gone along: what is drawn later would end where this does', () => {
    expect(allows([10.1, 20])).to.equal(false);
    expect(allows([])).to.equal(false);
    expect(allows([11, 10, 11, 30])).to.equal(true);
  });
});
