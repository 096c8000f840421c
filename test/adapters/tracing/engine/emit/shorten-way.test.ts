import { expect } from 'chai';
import { Covers } from '#adapters/tracing/engine/emit/covers.js';
import { WayShortener } from '#adapters/tracing/engine/emit/shorten-way.js';
import { FloatList } from '#adapters/tracing/engine/math/lists.js';
import type { Regions } from '#adapters/tracing/engine/segment/regions.js';

const SIZE = 40;

/** Three regions side by side: 0 is what is drawn, 1 covers it from column 10 to 30, and 2 lies beyond and beneath. */
function shortener(isOpen: (x: number, y: number) => boolean = () => false): WayShortener {
  const of = new Int32Array(SIZE * SIZE);
  for (let i = 0; i < of.length; i++) {
    const x = i % SIZE;
    const y = Math.floor(i / SIZE);
    of[i] = isOpen(x, y) ? 2 : x < 10 ? 0 : x < 30 ? 1 : 2;
  }
  const stacking = {
    order: Int32Array.of(2, 0, 1),
    rank: Int32Array.of(1, 2, 0),
    solid: new Uint8Array(3).fill(1),
    kept: new Uint8Array(0),
    ground: new Uint8Array(3),
  };
  const regions = { of, width: SIZE, height: SIZE, count: 3, runs: new Int32Array(0) } as Partial<Regions> as Regions;
  return new WayShortener(new Covers(regions, stacking), SIZE, SIZE);
}

function shortened(way: readonly number[], before: boolean, after: boolean, tool = shortener()): number[] {
  const list = new FloatList(4);
  for (const value of way) list.push(value);
  tool.shorten(list, 0, before, after);
  return [...list.data.subarray(0, list.length)];
}

describe('ways beneath covers', () => {
  it('lose the turns that nothing asks for', () => {
    const way = [10, 5, 14, 9, 18, 14, 17, 20, 18, 28, 10, 35];
    const short = shortened(way, false, false);
    expect(short.length).to.be.below(way.length);
    expect(short.slice(0, 2)).to.deep.equal([10, 5]);
    expect(short.slice(-2)).to.deep.equal([10, 35]);
    for (let k = 2; k < short.length - 2; k += 2) expect(short[k]).to.be.within(11, 29);
  });

  it('go on from lines that lead beneath the covers', () => {
    // Level lines at y = 5 and y = 35 come to the cover and leave it.
    const [px, py, ax, ay, bx, by, qx, qy, ...more] = shortened(
      [2, 5, 10, 5, 14, 12, 14, 28, 10, 35, 2, 35],
      true,
      true,
    );
    expect([px, py, ay, by, qx, qy]).to.deep.equal([2, 5, 5, 35, 2, 35]);
    expect(ax).to.be.within(12, 29);
    expect(bx).to.be.within(10, 29);
    expect(more).to.deep.equal([]);
  });

  it('keep clear of what would be seen', () => {
    // In the middle of the cover something shows through.
    const hole = (x: number, y: number) => x >= 12 && x < 18 && y >= 17 && y < 23;
    const way = [10, 5, 25, 14, 25, 26, 10, 35];
    expect(shortened(way, false, false, shortener(hole))).to.deep.equal(way);
    expect(shortened(way, false, false).length).to.be.below(way.length);
    // No line may go on where the cover ends.
    const far = [2, 5, 10, 5, 28, 12, 28, 28, 10, 35, 2, 37];
    const short = shortened(far, true, true);
    for (let k = 2; k < short.length - 2; k += 2) expect(short[k]).to.be.within(10, 29.2);
  });
});
