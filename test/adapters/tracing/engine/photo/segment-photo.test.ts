import { expect } from 'chai';
import fc from 'fast-check';
import { toPremultiplied } from '#adapters/tracing/engine/photo/color-space.js';
import { overSegment } from '#adapters/tracing/engine/photo/over-segment.js';
import { type PhotoSegmentation, segmentPhoto } from '#adapters/tracing/engine/photo/segment-photo.js';

const SEED = 20261121;

function paint(width: number, height: number, color: (x: number, y: number) => readonly number[]): Uint8Array {
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) rgba.set(color(i % width, Math.floor(i / width)), i * 4);
  return rgba;
}

/** A fixed jumble of bits for a position. */
function jumble(value: number): number {
  const mixed = Math.imul(value ^ (value >>> 13), 0x9e3779b1);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Number of 4-connected components of equal labels, found without the code under test. */
function countComponents(labels: Int32Array, width: number, height: number): number {
  const seen = new Uint8Array(labels.length);
  let components = 0;
  for (let start = 0; start < labels.length; start++) {
    if (seen[start]) continue;
    components++;
    const stack = [start];
    seen[start] = 1;
    while (stack.length > 0) {
      const at = stack.pop() as number;
      const x = at % width;
      const neighbors = [
        x > 0 ? at - 1 : -1,
        x + 1 < width ? at + 1 : -1,
        at - width,
        at + width < width * height ? at + width : -1,
      ];
      for (const next of neighbors) {
        if (next < 0 || seen[next] || labels[next] !== labels[at]) continue;
        seen[next] = 1;
        stack.push(next);
      }
    }
  }
  return components;
}

function expectPartition(result: PhotoSegmentation, width: number, height: number): void {
  const { labels, count, areaPx, colors } = result;
  expect(labels).to.have.lengthOf(width * height);
  expect(areaPx).to.have.lengthOf(count);
  expect(colors).to.have.lengthOf(count * 4);
  const counted = new Int32Array(count);
  let next = 0;
  for (const label of labels) {
    expect(label).to.be.within(0, next);
    if (label === next) next++;
    counted[label] = (counted[label] as number) + 1;
  }
  expect(next).to.equal(count);
  expect(counted).to.deep.equal(areaPx);
  expect(countComponents(labels, width, height)).to.equal(count);
}

describe('segmentPhoto', () => {
  it('makes a partition into numbered, 4-connected regions of the same mean, twice the same', () => {
    let cases = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 14 }),
        fc.integer({ min: 1, max: 14 }),
        fc.integer(),
        fc.constantFrom(1, 3, 40, 255),
        fc.constantFrom(0, 10, 800, 1e9),
        fc.constantFrom(0, 4, 30, 1e9),
        (width, height, salt, spread, lambda, minAreaPx) => {
          cases++;
          const rgba = paint(width, height, (x, y) => {
            const bits = jumble(salt + y * width + x);
            const alpha = (bits >>> 24) % 3 === 0 ? [0, 128, 255][(bits >>> 26) % 3] : 255;
            return [bits & spread, (bits >> 8) & spread, (bits >> 16) & spread, alpha as number];
          });
          const result = segmentPhoto(rgba, width, height, { lambda, minAreaPx });
          expectPartition(result, width, height);
          expect(segmentPhoto(rgba, width, height, { lambda, minAreaPx })).to.deep.equal(result);
          const sums = new Float64Array(result.count * 4);
          for (let i = 0; i < width * height; i++) {
            const alpha = rgba[4 * i + 3] as number;
            const label = result.labels[i] as number;
            const transparent = (result.colors[label * 4 + 3] as number) === 0;
            expect(alpha === 0, 'transparent pixels keep to themselves').to.equal(transparent);
            for (let c = 0; c < 4; c++) {
              const value = c === 3 ? alpha : ((rgba[4 * i + c] as number) * alpha) / 255;
              sums[label * 4 + c] = (sums[label * 4 + c] as number) + value;
            }
          }
          for (let k = 0; k < sums.length; k++) {
            const mean = (sums[k] as number) / (result.areaPx[k >> 2] as number);
            expect(result.colors[k]).to.be.closeTo(mean, 1e-9);
          }
        },
      ),
      { seed: SEED, numRuns: 300 },
    );
    expect(cases).to.equal(300);
  });

  it('leaves no opaque region under the smallest area while it has an opaque neighbor', () => {
    const width = 60;
    const height = 40;
    const rgba = paint(width, height, (x, y) => [jumble(y * width + x) & 255, jumble(x * 977 + y) & 255, 90, 255]);
    for (const minAreaPx of [2, 5, 17, 300]) {
      const result = segmentPhoto(rgba, width, height, { lambda: 100, minAreaPx });
      expectPartition(result, width, height);
      expect(Math.min(...result.areaPx)).to.be.at.least(minAreaPx);
      expect(result.count).to.be.greaterThan(1);
    }
  });

  it('merges no more than lambda pays for: flat shapes and soft ramps', () => {
    const width = 64;
    const height = 48;
    const isDisk = (x: number, y: number): boolean => (x - 30) ** 2 + (y - 24) ** 2 < 15 ** 2;
    const rgba = paint(width, height, (x, y) => (isDisk(x, y) ? [200, 40, 30, 255] : [90 + (x >> 4), 120, 140, 255]));
    const result = segmentPhoto(rgba, width, height, { lambda: 300, minAreaPx: 4 });
    expect(result.count).to.equal(2);
    for (let i = 0; i < width * height; i++) {
      expect(result.labels[i]).to.equal(isDisk(i % width, Math.floor(i / width)) ? 1 : 0);
    }
    expect(segmentPhoto(rgba, width, height, { lambda: 1e9, minAreaPx: 0 }).count).to.equal(1);
  });

  it('keeps every difference at lambda 0', () => {
    const rgba = paint(9, 7, (x, y) => ((x + y) % 2 === 0 ? [0, 0, 0, 255] : [1, 1, 1, 255]));
    expect(segmentPhoto(rgba, 9, 7, { lambda: 0, minAreaPx: 0 }).count).to.equal(63);
  });

  it('tells a shape from a backdrop that differs in alpha alone', () => {
    const rgba = paint(20, 20, (x) => (x < 10 ? [0, 0, 0, 255] : [0, 0, 0, 90]));
    const result = segmentPhoto(rgba, 20, 20, { lambda: 800, minAreaPx: 4 });
    expect([...result.areaPx]).to.deep.equal([200, 200]);
    expect([...result.colors]).to.deep.equal([0, 0, 0, 255, 0, 0, 0, 90]);
  });

  it('ignores what color transparency hides', () => {
    const rgba = paint(16, 16, (x, y) => [jumble(x + 16 * y) & 255, 7 * y, 9 * x, 0]);
    const result = segmentPhoto(rgba, 16, 16, { lambda: 0, minAreaPx: 0 });
    expect(result.count).to.equal(1);
    expect([...result.colors]).to.deep.equal([0, 0, 0, 0]);
  });

  it('copes with the extremes', () => {
    const extremes: [string, number, number, (x: number, y: number) => number[], number][] = [
      ['one pixel', 1, 1, () => [1, 2, 3, 255], 1],
      ['one color', 300, 200, () => [51, 102, 153, 255], 1],
      ['a column of stripes', 1, 5000, (_, y) => (y % 100 < 50 ? [0, 0, 0, 255] : [255, 255, 255, 255]), 100],
      ['a checkerboard', 150, 100, (x, y) => ((x + y) % 2 === 0 ? [0, 0, 0, 255] : [255, 255, 255, 255]), 15000],
    ];
    for (const [title, width, height, color, count] of extremes) {
      const result = segmentPhoto(paint(width, height, color), width, height, { lambda: 800, minAreaPx: 0 });
      expectPartition(result, width, height);
      expect(result.count, title).to.equal(count);
    }
  });

  it('keeps to as many regions as are wanted at most, the coarser the fewer', () => {
    const noisy = paint(120, 90, (x, y) => [jumble(x * 977 + y * 31) & 255, jumble(x + y * 577) & 255, 80, 255]);
    const counts = [Infinity, 2000, 300, 20, 1].map((mostRegions) => {
      const result = segmentPhoto(noisy, 120, 90, { lambda: 50, minAreaPx: 1, mostRegions });
      expectPartition(result, 120, 90);
      expect(result.count).to.be.at.most(mostRegions);
      return result.count;
    });
    expect(counts[0]).to.be.greaterThan(2000);
    expect(counts[2]).to.be.greaterThan(20);
  });

  it('joins noise in large pictures until there is a region for eight pixels, but never what is seen with what is not', () => {
    const side = 1100;
    const rgba = paint(side, side, (x, y) =>
      y < 50
        ? [9, 9, 9, (x + y) % 2 === 0 ? 255 : 0]
        : [...new Uint8Array(Int32Array.of(jumble(y * side + x)).buffer).subarray(0, 3), 255],
    );
    const { labels, count } = overSegment(toPremultiplied(rgba, side * side), side, side, 900);
    expect(count).to.be.within(50 * side, 50 * side + (side * side) / 8);
    let joined = 0;
    for (let i = 0; i + 1 < 50 * side; i++) if ((i + 1) % side > 0 && labels[i] === labels[i + 1]) joined++;
    expect(joined).to.equal(0);
  });

  it('refuses what is no picture', () => {
    const rgba = new Uint8Array(16);
    const options = { lambda: 1, minAreaPx: 1 };
    expect(() => segmentPhoto(rgba, 2, 3, options)).to.throw(RangeError);
    expect(() => segmentPhoto(rgba, 0, 0, options)).to.throw(RangeError);
    expect(() => segmentPhoto(rgba, 2, 2, { lambda: -1, minAreaPx: 1 })).to.throw(RangeError, 'lambda');
    expect(() => segmentPhoto(rgba, 2, 2, { lambda: 1, minAreaPx: Number.NaN })).to.throw(RangeError, 'minAreaPx');
  });
});
