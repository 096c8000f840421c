import { expect } from 'chai';
import { SideGuesses } from '#adapters/tracing/engine/fit/side-guesses.js';
import { SidedContour } from '#adapters/tracing/engine/fit/sided-contour.js';
import { MOST_WEIGHT } from '#adapters/tracing/engine/kernels/kernel-layout.js';
import { kernelMemory } from '#adapters/tracing/engine/kernels/kernel-memory.js';

/** Places along a star of so many points. */
function starPlaces(points: number): readonly [Float64Array, Float64Array] {
  const corner = (k: number, axis: 0 | 1) => {
    const radius = k % 2 === 0 ? 12 : 7;
    const angle = (Math.PI * k) / points;
    return 20 + radius * (axis === 0 ? Math.cos(angle) : Math.sin(angle));
  };
  const places = (axis: 0 | 1) =>
    Float64Array.from({ length: 6 * points }, (_, i) => {
      const k = Math.floor(i / 3);
      return corner(k, axis) + ((i % 3) / 3) * (corner(k + 1, axis) - corner(k, axis));
    });
  return [places(0), places(1)];
}

function polygonOf(guesses: SideGuesses): readonly number[] {
  const contour = new SidedContour();
  expect(guesses.place(MOST_WEIGHT, 0, contour)).to.equal(true);
  return [...contour.numbers.subarray(0, 3 * contour.count)];
}

describe('contours of few lines and arcs along places', () => {
  it('are their own, whatever was looked for before, also where nobody asked how near they are', () => {
    const [xs, ys] = starPlaces(9);
    kernelMemory.beginBand(1, 1);
    const guesses = new SideGuesses();
    const [otherXs, otherYs] = starPlaces(4);
    guesses.load(otherXs, otherYs, otherXs.length);
    guesses.rms(MOST_WEIGHT, 1);
    guesses.load(xs, ys, xs.length);
    const unasked = polygonOf(guesses);
    guesses.load(xs, ys, xs.length);
    guesses.rms(MOST_WEIGHT, 0);
    expect(unasked).to.deep.equal(polygonOf(guesses));
    expect(unasked.length).to.equal(3 * MOST_WEIGHT);
  });
});
