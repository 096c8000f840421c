import { expect } from 'chai';
import fc from 'fast-check';
import { findRuns } from '#adapters/tracing/engine/intake/pixel-runs.js';
import { holds } from '#test/support/properties.js';

const maps = fc.tuple(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 1, max: 14 })).chain(([width, height]) =>
  fc.record({
    width: fc.constant(width),
    height: fc.constant(height),
    // Mostly 0, so that there are interiors.
    words: fc.array(fc.constantFrom(0, 0, 0, 0, 7, 7, 9), { minLength: width * height, maxLength: width * height }),
  }),
);

/** The interior pixels of a stretch of one row, straight from the definition. */
function countInteriors(words: readonly number[], width: number, height: number, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) {
    const x = i % width;
    const y = Math.floor(i / width);
    const same = (u: number, v: number) =>
      u < 0 || v < 0 || u >= width || v >= height || words[v * width + u] === words[i];
    if (same(x - 1, y) && same(x + 1, y) && same(x, y - 1) && same(x, y + 1)) count++;
  }
  return count;
}

describe('the runs of a picture', () => {
  it('are its stretches of equal pixels, row by row, with their interiors as defined', () => {
    let interiors = 0;
    holds(
      fc.property(maps, ({ width, height, words }) => {
        const runs = findRuns(Uint32Array.from(words), width, height);
        const { starts, count } = runs;
        expect(starts.length).to.equal(count + 1);
        expect(starts[count]).to.equal(width * height);
        let total = 0;
        let drawn = 0;
        let singles = false;
        for (let r = 0; r < count; r++) {
          const from = starts[r]!;
          const to = starts[r + 1]!;
          expect(to).to.be.greaterThan(from);
          expect(Math.floor(from / width)).to.equal(Math.floor((to - 1) / width));
          for (let i = from + 1; i < to; i++) expect(words[i]).to.equal(words[from]);
          const beginsRow = from % width === 0;
          if (!beginsRow) expect(words[from - 1]).to.not.equal(words[from]);
          if (to - from === 1 && !beginsRow && to % width !== 0) singles = true;
          const expected = countInteriors(words, width, height, from, to);
          expect(runs.interiors[r]).to.equal(expected);
          total += expected;
          if (words[from] !== 0) drawn += expected;
        }
        expect(runs.interiorPx).to.equal(total);
        expect(runs.drawnInteriorPx).to.equal(drawn);
        expect(runs.drawnPx).to.equal(words.filter((word) => word !== 0).length);
        expect(runs.hasSinglePixels).to.equal(singles);
        interiors += total;
      }),
    );
    expect(interiors).to.be.greaterThan(100);
  });

  it('may be more than fit the first list, and one in all', () => {
    const noise = Uint32Array.from({ length: 90 * 70 }, (_, i) => i);
    const every = findRuns(noise, 90, 70);
    expect(every.count).to.equal(90 * 70);
    expect(every.interiorPx).to.equal(0);
    const flat = findRuns(new Uint32Array(5000).fill(3), 5000, 1);
    expect([...flat.starts]).to.deep.equal([0, 5000]);
    expect(flat.interiorPx).to.equal(5000);
  });
});
