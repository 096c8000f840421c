import { expect } from 'chai';
import { joinRegions, type Regions, SADDLE_FALLING, SADDLE_RISING } from '#adapters/tracing/engine/segment/regions.js';
import { lettered, partsOfPicture, regionsOf } from '#test/support/engine-parts.js';
import { bar, rectangle, turned } from '#test/support/outlines.js';
import { layer, paint, pixelwise } from '#test/support/pictures.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const areas = (regions: Regions) => [...regions.areaPx];

describe('regions', () => {
  it('are equal labels that touch by a side, numbered in scan order', () => {
    const regions = regionsOf(['aabb', 'abba', 'abaa']);
    expect(regions.count).to.equal(3);
    expect([...regions.of]).to.deep.equal([0, 0, 1, 1, 0, 1, 1, 2, 0, 1, 2, 2]);
    expect(areas(regions)).to.deep.equal([4, 5, 3]);
    expect(regions.colorOf[0]).to.equal(regions.colorOf[2]);
    expect([...regions.colors.subarray(0, 4)]).to.deep.equal([230, 57, 70, 255]);
  });

  it('join late: arms that meet only at the bottom are one', () => {
    expect(regionsOf(['abab', 'abab', 'aaaa']).count).to.equal(3);
    expect(regionsOf(['abcba', 'abcba', 'abbba', 'aaaaa']).count).to.equal(3);
  });

  for (const [name, rows] of [
    ['falling', ['eeeeee', 'eaeeee', 'eeaeee', 'eeeaee', 'eeeeae', 'eeeeee']],
    ['rising', ['eeeeee', 'eeeeae', 'eeeaee', 'eeaeee', 'eaeeee', 'eeeeee']],
  ] as const)
    it(`keep a ${name} diagonal line of single pixels that is nearly covered in one piece`, () => {
      // Hard pixels are an even draw at each corner; a drawn line covers a little more than half of the four.
      const { labels, width, height, rgba, channels } = lettered(rows);
      const darker = Uint8Array.from(rgba);
      const line = labels[rows[1]!.indexOf('a') + 6]!;
      for (let i = 0; i < labels.length; i++) {
        const x = i % 6;
        const y = Math.floor(i / 6);
        const beside =
          labels[i] !== line &&
          [
            [1, 0],
            [-1, 0],
          ].some(([dx]) => labels[y * 6 + x + dx!] === line);
        if (beside)
          for (let c = 0; c < 4; c++)
            darker[i * 4 + c] = Math.round(rgba[i * 4 + c]! * 0.8 + channels[line * 4 + c]! * 0.2);
      }
      const regions = joinRegions(labels, width, height, darker, channels);
      expect(areas(regions).sort((a, b) => a - b)).to.deep.equal([4, 32]);
      const saddles = [...regions.saddles].filter((saddle) => saddle !== 0);
      expect(saddles).to.deep.equal(new Array(3).fill(name === 'falling' ? SADDLE_FALLING : SADDLE_RISING));
    });

  it('keep painted lines one pixel wide in one piece, at every angle', () => {
    let lines = 0;
    for (let degrees = 0; degrees < 180; degrees += 3) {
      // The block gives the ink a flat area to be known by.
      const line = turned(bar(12, 36, 58, 36, 1.25), degrees, 35, 36);
      const raster = paint(72, 72, 0xffffff, [layer(0x000000, line, rectangle(2, 2, 6, 6))]);
      const { regions } = partsOfPicture(raster);
      expect(regions.count, `${degrees} degrees`).to.equal(3);
      lines++;
    }
    expect(lines).to.equal(60);
  });

  it('keep a line of the label that lines have in one piece, and two that pass each other by apart', () => {
    // Two stairs with one pixel between them: at each step the lines touch by a corner, and so does what is between.
    const rows = [
      'eeeeeeeeeeee',
      'aaaeeeeeeeee',
      'bbbaaaeeeeee',
      'aaabbbaaaeee',
      'eeeaaabbbaaa',
      'eeeeeeaaabbb',
      'eeeeeeeeeaaa',
    ];
    const { labels, width, height, rgba, channels } = lettered(rows);
    const line = labels[width]!;
    const regions = joinRegions(labels, width, height, rgba, channels, line);
    expect(areas(regions).sort((a, b) => a - b)).to.deep.equal([12, 12, 12, 18, 30]);
    // As colors go, both lines would be cut at every step: each covers half of the four pixels there.
    const others = lettered(rows);
    const cut = joinRegions(others.labels, width, height, rgba, channels);
    expect(cut.count).to.be.greaterThan(regions.count);
  });

  it('go on along slanting lines of the label that lines have, of which two lie a pixel apart', () => {
    const falling = Array.from({ length: 8 }, (_, n) => `${'e'.repeat(n + 1)}aea${'e'.repeat(8 - n)}`);
    for (const [rows, along] of [
      [falling, SADDLE_FALLING],
      [falling.map((row) => [...row].reverse().join('')), SADDLE_RISING],
    ] as const) {
      const { labels, width, height, rgba, channels } = lettered(rows);
      const { saddles } = joinRegions(labels, width, height, rgba, channels, labels[rows[0]!.indexOf('a')]!);
      const met = [...saddles.subarray(2 * (width + 1), 7 * (width + 1))].filter((saddle) => saddle !== 0);
      expect(met).to.deep.equal(new Array(15).fill(along));
    }
  });

  it('decide every crossing for one of the two diagonals, never both', () => {
    const random = createSeededRandom(33);
    let crossings = 0;
    for (let round = 0; round < 200; round++) {
      const rows = Array.from({ length: 7 }, () =>
        Array.from({ length: 7 }, () => (random() < 0.5 ? 'a' : 'e')).join(''),
      );
      const regions = regionsOf(rows);
      for (let y = 1; y < 7; y++)
        for (let x = 1; x < 7; x++) {
          const at = (u: number, v: number) => rows[v]![u]!;
          const crosswise = at(x, y) === at(x - 1, y - 1) && at(x - 1, y) === at(x, y - 1) && at(x, y) !== at(x - 1, y);
          const saddle = regions.saddles[y * 8 + x]!;
          expect(saddle !== 0).to.equal(crosswise);
          if (!crosswise) continue;
          crossings++;
          const region = (u: number, v: number) => regions.of[v * 7 + u];
          if (saddle === SADDLE_FALLING) expect(region(x, y)).to.equal(region(x - 1, y - 1));
          else expect(region(x - 1, y)).to.equal(region(x, y - 1));
        }
    }
    expect(crossings).to.be.greaterThan(500);
  });

  it('number what they partition without gaps: every pixel once, areas adding up', () => {
    const random = createSeededRandom(8);
    for (let round = 0; round < 100; round++) {
      const width = 1 + Math.floor(random() * 20);
      const rows = Array.from({ length: 1 + Math.floor(random() * 20) }, () =>
        Array.from({ length: width }, () => 'abcd.'[Math.floor(random() * 5)]).join(''),
      );
      const regions = regionsOf(rows);
      const counted = new Int32Array(regions.count);
      for (const r of regions.of) counted[r]!++;
      expect(counted).to.deep.equal(regions.areaPx);
      expect(Math.min(...counted)).to.be.greaterThan(0);
      const firsts = [...new Set(regions.of)];
      expect(firsts).to.deep.equal(firsts.map((_, k) => k));
      const { of, runs } = regions;
      expect([runs[0], runs.at(-1)]).to.deep.equal([0, of.length]);
      for (let k = 0; k + 1 < runs.length; k++) {
        expect(Math.floor((runs[k + 1]! - 1) / width), 'row').to.equal(Math.floor(runs[k]! / width));
        expect(of.subarray(runs[k], runs[k + 1]).every((r) => r === of[runs[k]!])).to.equal(true);
        expect(runs[k + 1]).to.be.greaterThan(runs[k]!);
      }
    }
  });

  it('hold a single pixel', () => {
    const regions = joinRegions(
      Int32Array.of(0),
      1,
      1,
      pixelwise(1, 1, () => [1, 2, 3, 255]).data as Uint8Array,
      Float64Array.of(1, 2, 3, 255),
    );
    expect(regions.count).to.equal(1);
    expect(areas(regions)).to.deep.equal([1]);
  });
});
