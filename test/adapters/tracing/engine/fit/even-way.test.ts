import { expect } from 'chai';
import { isEvenWay } from '#adapters/tracing/engine/fit/even-way.js';

const [WIDTH, HEIGHT] = [40, 30];

/** A picture whose rows are of one word each, but for one pixel. */
function striped(other?: readonly [x: number, y: number]): Uint32Array {
  const words = Uint32Array.from({ length: WIDTH * HEIGHT }, (_, i) => Math.floor(i / WIDTH));
  if (other !== undefined) words[other[1] * WIDTH + other[0]] = 99;
  return words;
}

const line = (x0: number, y0: number, x1: number, y1: number) => Float64Array.of(x0, y0, x0, y0, x1, y1, x1, y1);
const isEven = (words: Uint32Array, points: Float64Array) => isEvenWay(words, WIDTH, HEIGHT, points, 0);

describe('isEvenWay', () => {
  it('holds along rows in which nothing changes, whichever way, but for what is at its ends', () => {
    for (const points of [line(5, 12.3, 33, 12.4), line(33, 12.4, 5, 12.3)]) {
      expect(isEven(striped(), points)).to.equal(true);
      expect(isEven(striped([5, 12]), points)).to.equal(true);
      for (const y of [11, 12, 13]) expect(isEven(striped([20, y]), points)).to.equal(false);
      for (const y of [10, 14]) expect(isEven(striped([20, y]), points)).to.equal(true);
    }
  });

  it('holds along columns alike', () => {
    const turned = (words: Uint32Array) => words.map((_, i) => words[(i % HEIGHT) * WIDTH + Math.floor(i / HEIGHT)]!);
    const isEvenTurned = (words: Uint32Array) => isEvenWay(turned(words), HEIGHT, WIDTH, line(12.3, 5, 12.4, 33), 0);
    expect(isEvenTurned(striped())).to.equal(true);
    expect(isEvenTurned(striped([20, 12]))).to.equal(false);
  });

  it('does not for what is slanted, bent or short', () => {
    expect(isEven(striped(), line(5, 12, 33, 13))).to.equal(false);
    expect(isEven(striped(), Float64Array.of(5, 12, 14, 13, 24, 13, 33, 12))).to.equal(false);
    expect(isEven(striped(), line(5, 12, 12, 12))).to.equal(false);
  });

  it('reads nothing beyond the picture', () => {
    expect(isEven(striped(), line(-20, 0.1, 60, 0.1))).to.equal(true);
    expect(isEven(striped(), line(-20, HEIGHT, 60, HEIGHT))).to.equal(true);
  });
});
