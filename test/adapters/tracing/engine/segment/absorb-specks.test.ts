import { expect } from 'chai';
import { findLoops } from '#adapters/tracing/engine/planar-map/loops.js';
import { buildPlanarMap } from '#adapters/tracing/engine/planar-map/planar-map.js';
import { validatePlanarMap } from '#adapters/tracing/engine/planar-map/validate.js';
import { absorbSpecks } from '#adapters/tracing/engine/segment/absorb-specks.js';
import { LETTER_COLORS, lettered, regionsOf } from '#test/support/engine-parts.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

describe('absorbing specks', () => {
  it('gives a small region to the neighbor whose color is nearest', () => {
    // h is a dark red, half seen through: among a, b and e the nearest is b.
    const regions = absorbSpecks(regionsOf(['aaabbb', 'aahbbb', 'eeeeee', 'eeeeee']), 2);
    expect(regions.count).to.equal(3);
    const distance = (p: string, q: string) =>
      LETTER_COLORS[p]!.reduce((sum, v, c) => sum + (v - LETTER_COLORS[q]![c]!) ** 2, 0);
    const nearest = ['a', 'b', 'e'].sort((p, q) => distance('h', p) - distance('h', q))[0]!;
    const home = { a: 0, b: 3, e: 12 }[nearest]!;
    expect(regions.of[8]).to.equal(regions.of[home]);
  });

  it('keeps the host color, adds the areas and loses no pixel', () => {
    const regions = absorbSpecks(regionsOf(['aaaa', 'abba', 'aaaa']), 3);
    expect(regions.count).to.equal(1);
    expect([...regions.areaPx]).to.deep.equal([12]);
    expect([...regions.colors]).to.deep.equal([...LETTER_COLORS.a!]);
  });

  it('leaves regions alone that are large enough, and returns the same object then', () => {
    const regions = regionsOf(['aab', 'aab', 'aab']);
    expect(absorbSpecks(regions, 3)).to.equal(regions);
    expect(absorbSpecks(regions, 0)).to.equal(regions);
    expect(absorbSpecks(regions, 4).count).to.equal(1);
  });

  it('leaves a picture alone that is nothing but specks', () => {
    const regions = regionsOf(['ab', 'cd']);
    expect(absorbSpecks(regions, 100)).to.equal(regions);
  });

  it('leaves dots: what has one neighbor or two, of colors that are far from its own, and so are their mixtures', () => {
    const countOf = (rows: string[], minAreaPx: number) =>
      absorbSpecks(regionsOf(rows), 4, {
        minAreaPx,
        minAloneAreaPx: minAreaPx,
        isClean: true,
        rgba: lettered(rows).rgba,
      }).count;
    const dot = ['eeeeee', 'eebbee', 'eeeeee', 'aaaaaa'];
    expect(countOf(dot, 2)).to.equal(3);
    expect(countOf(dot, 3)).to.equal(2);
    expect(absorbSpecks(regionsOf(dot), 4).count).to.equal(2);
    expect(countOf(['eeeeee', 'eebbee', 'aaaaaa', 'aaaaaa'], 2)).to.equal(3);
    // Between three others, of a color that is near or a mixture of both, or of one pixel.
    expect(countOf(['eeedddd', 'eebbddd', 'aaaaaaa', 'aaaaaaa'], 2)).to.equal(3);
    expect(countOf(['bbbbbb', 'bbddbb', 'eeeeee', 'eeeeee'], 2)).to.equal(2);
    expect(countOf(['bbbbbb', 'bbddbb', 'bbbbbb', 'aaaaaa'], 2)).to.equal(2);
    expect(countOf(['eeeeee', 'eebeee', 'eeeeee', 'aaaaaa'], 2)).to.equal(2);
    // Pixels that have a third of what they are labelled as.
    const countAt = (share: number, isClean: boolean) => {
      const golden = dot.map((row) => row.replaceAll('b', 'c'));
      const { rgba } = lettered(golden);
      for (const i of [8, 9])
        for (let c = 0; c < 4; c++) rgba[i * 4 + c]! += (1 - share) * (rgba[c]! - rgba[i * 4 + c]!);
      return absorbSpecks(regionsOf(golden), 4, { minAreaPx: 2, minAloneAreaPx: 2, isClean, rgba }).count;
    };
    for (const isClean of [true, false]) expect([countAt(1, isClean), countAt(1 / 3, isClean)]).to.deep.equal([3, 2]);
    // Half of it is enough where there is no noise.
    expect([countAt(0.55, true), countAt(0.55, false)]).to.deep.equal([3, 2]);
  });

  it('leaves smaller dots where they lie on one ground, unless most regions are as small: dust and dithering are', () => {
    const countOf = (rows: string[], minAloneAreaPx = 1) =>
      absorbSpecks(regionsOf(rows), 4, { minAreaPx: 2, minAloneAreaPx, isClean: true, rgba: lettered(rows).rgba })
        .count;
    const letters = ['eeeeeeeee', 'eebeeeeee', 'eeeeeeeee', 'eebeebbee', 'eebeebbee', 'eebeebbee', 'eeeeeeeee'];
    expect(countOf(letters)).to.equal(4);
    expect(countOf(letters, 2)).to.equal(3);
    expect(countOf(['eeeeee', 'eebeee', 'aaaaaa', 'aaaaaa'])).to.equal(2);
    expect(countOf(['eeeeee', 'eebeee', 'eeeeee', 'beebee', 'eeeeee'])).to.equal(1);
  });

  it('lets specks join until they are large enough together', () => {
    const regions = absorbSpecks(regionsOf(['eeeeeeee', 'eabcabce', 'eeeeeeee']), 4);
    for (const area of regions.areaPx) expect(area).to.be.at.least(4);
  });

  it('leaves no small region, a whole partition and a sound map, on random maps', () => {
    const random = createSeededRandom(17);
    let absorbed = 0;
    for (let round = 0; round < 300; round++) {
      const width = 2 + Math.floor(random() * 15);
      const rows = Array.from({ length: 2 + Math.floor(random() * 15) }, () =>
        Array.from({ length: width }, () => (random() < 0.7 ? 'a' : 'bcde'[Math.floor(random() * 4)])).join(''),
      );
      const before = regionsOf(rows);
      const least = 1 + Math.floor(random() * 9);
      const count = before.count;
      const anyLarge = before.areaPx.some((area) => area >= least);
      const regions = absorbSpecks(before, least);
      if (!anyLarge) continue;
      for (const area of regions.areaPx) expect(area).to.be.at.least(Math.min(least, rows.length * width));
      const map = buildPlanarMap(regions);
      expect(validatePlanarMap(map, findLoops(map), regions)).to.deep.equal([]);
      absorbed += count - regions.count;
    }
    expect(absorbed).to.be.greaterThan(1000);
  });
});
