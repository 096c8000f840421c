import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { findRamps } from '#adapters/tracing/engine/ramps/find-ramps.js';
import { flattenCompressedRamps } from '#adapters/tracing/engine/ramps/flatten-ramps.js';
import { countSquares } from '#adapters/tracing/engine/ramps/has-ramps.js';
import { COMPRESSED } from '#adapters/tracing/engine/ramps/limits.js';
import { lookAtSquare } from '#adapters/tracing/engine/ramps/seeds.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { circle, rectangle, ring } from '#test/support/outlines.js';
import { jpegDamaged, layer, linearShade, noise, paint, radialShade, type Shade } from '#test/support/pictures.js';

const shaded = (shade: Shade, outline: readonly number[]) => ({ color: 0, outline: [outline], shade });
const linear = linearShade(30, 30, 130, 130, [255, 92, 20, 1], [40, 20, 190, 1]);
const radial = radialShade(70, 64, 80, [255, 250, 220, 1], [180, 40, 30, 1]);

describe('squares of a compressed picture', () => {
  it('are counted as each of them looks, in parts that do not show', async () => {
    // Of pictures so wide 145 rows are looked at at once.
    const picture = paint(903, 310, 0xffffff, [
      shaded(linearShade(0, 0, 900, 300, [255, 92, 20, 1], [40, 20, 190, 1]), rectangle(20, 60, 500, 240)),
      shaded(radialShade(700, 150, 160, [255, 250, 220, 1], [180, 40, 30, 1]), circle(700.3, 150.6, 140.2)),
      layer(0x1d6fa5, circle(300.3, 150.6, 80.2)),
    ]);
    for (const pixels of [toWorkingPixels(await jpegDamaged(picture, 70)), toWorkingPixels(noise(400, 400, 5))]) {
      for (const step of [COMPRESSED.seedPx, COMPRESSED.seedStepPx]) {
        const expected = { squares: 0, ramps: 0, rough: 0 };
        for (let y = 0; y + COMPRESSED.seedPx <= pixels.height; y += step) {
          for (let x = 0; x + COMPRESSED.seedPx <= pixels.width; x += step) {
            const look = lookAtSquare(pixels, x, y, 1, COMPRESSED);
            expected.squares++;
            if (look === 'ramp') expected.ramps++;
            else if (look === 'rough') expected.rough++;
          }
        }
        expect(countSquares(pixels, step)).to.deep.equal(expected);
        if (pixels.width === 903) expect(expected.ramps, `${step} px apart`).to.be.above(200);
      }
    }
  });
});

describe('ramps after lossy compression', () => {
  it('are not what even areas of near colors are', () => {
    const areas = paint(220, 220, 0xecf5f8, [
      layer(0xe1eff5, circle(110.3, 109.6, 84.2)),
      layer(0xd6e9f2, circle(110.3, 109.6, 58.7)),
    ]);
    const pixels = toWorkingPixels(areas);
    expect(
      countSquares(pixels, COMPRESSED.seedStepPx).rough + countSquares(pixels, COMPRESSED.seedStepPx).ramps,
    ).to.be.above(0);
    expect(findRamps(pixels, COMPRESSED).found).to.have.length(0);
  });

  for (const quality of [85, 60]) {
    it(`are one gradient each at quality ${quality}`, async () => {
      for (const [kind, shade] of [
        ['linear', linear],
        ['radial', radial],
      ] as const) {
        const clean = paint(160, 160, 0xffffff, [shaded(shade, circle(80.3, 79.6, 56.2))]);
        const { items } = trace(await jpegDamaged(clean, quality), ENGINE, () => {}).drawing;
        const graded = items.flatMap((item) => (item.kind === 'shape' && item.fill?.kind === kind ? [item] : []));
        expect(items.length, kind).to.be.at.most(3);
        expect(graded.length, kind).to.equal(1);
        const { geometry, fill } = graded[0]!;
        if (fill?.kind !== kind) throw new RangeError(`painted ${fill?.kind}`);
        if (quality >= 85) {
          if (geometry.kind !== 'circle') throw new RangeError(`a ${geometry.kind} was drawn`);
          expect(Math.hypot(geometry.cx - 80.3, geometry.cy - 79.6)).to.be.at.most(0.3);
          expect(geometry.r).to.be.closeTo(56.2, 0.4);
        }
        expect(fill.stops.length, kind).to.be.at.most(6);
        const place = (x: number, y: number) =>
          fill.kind === 'linear'
            ? ((x - fill.x1) * (fill.x2 - fill.x1) + (y - fill.y1) * (fill.y2 - fill.y1)) /
              ((fill.x2 - fill.x1) ** 2 + (fill.y2 - fill.y1) ** 2)
            : Math.hypot(x - fill.cx, y - fill.cy) / fill.r;
        for (const { offset, color } of fill.stops) {
          // Truth where the stop lies, if that is within the circle.
          const [x, y] = [50, 60, 70, 80, 90, 100, 110]
            .flatMap((u) => [50, 60, 70, 80, 90, 100, 110].map((v) => [u, v] as const))
            .reduce((a, b) => (Math.abs(place(a[0], a[1]) - offset) < Math.abs(place(b[0], b[1]) - offset) ? a : b));
          if (Math.abs(place(x, y) - offset) > 0.01) continue;
          const truth = shade(x, y);
          for (let c = 0; c < 3; c++) expect((color >> (16 - 8 * c)) & 255, `${offset}`).to.be.closeTo(truth[c]!, 8);
        }
      }
    });
  }

  it('are one where they hardly change, though a few squares at edges look more like ramps than they do', async () => {
    const ground = linearShade(0, 0, 120, 330, [31, 16, 58, 1], [10, 4, 14, 1]);
    const panels = [30, 190, 350, 510].map((x) => rectangle(x + 0.4, 30.3, 90, 70));
    const clean = paint(640, 340, 0, [
      shaded(ground, rectangle(0, 0, 640, 340)),
      layer(0x171414, ...panels),
      layer(0xf95d3c, circle(160.3, 220.6, 60.2)),
    ]);
    for (const quality of [75, 85]) {
      const { items } = trace(await jpegDamaged(clean, quality), ENGINE, () => {}).drawing;
      const areas = items.flatMap(({ fill, visibleAreaPx }) => (fill?.kind === 'linear' ? [visibleAreaPx] : []));
      expect(areas, `quality ${quality}`).to.have.length(1);
      expect(areas[0], `quality ${quality}`).to.be.above(0.75 * 640 * 340);
    }
  });

  it('are found as wide as they are, though the search began in a corner', async () => {
    const [cx, cy, squeeze] = [480, 217, 2.07];
    const round = radialShade(cx, cy, 512, [48, 58, 83, 1], [9, 15, 16, 1]);
    const wide: Shade = (x, y) => round(x, cy + (y - cy) * squeeze);
    const clean = paint(640, 310, 0, [
      shaded(wide, rectangle(0, 0, 640, 310)),
      layer(0xfad6b5, circle(165.3, 100.6, 60.2)),
      layer(0xffffff, rectangle(180.4, 78.3, 225, 140)),
    ]);
    for (const quality of [75, 85]) {
      const picture = await jpegDamaged(clean, quality);
      const ramps = findRamps(toWorkingPixels(picture), COMPRESSED).found.map(({ ramp: { shape } }) => shape);
      expect(ramps, `quality ${quality}`).to.have.length(1);
      expect(Math.hypot(ramps[0]!.cx - cx, ramps[0]!.cy - cy), `quality ${quality}`).to.be.below(16);
    }
  });

  it('are not found in flat art after compression, nor in noise', async () => {
    const flat = paint(160, 160, 0xffffff, [
      layer(0xe63946, circle(60, 60, 40)),
      layer(0x457b9d, rectangle(80, 70, 60, 70)),
      layer(0x1d3557, rectangle(20, 120, 120, 12)),
      layer(0x4a80a2, rectangle(92, 84, 30, 30)),
    ]);
    for (const quality of [90, 75, 60, 40]) {
      const pixels = toWorkingPixels(await jpegDamaged(flat, quality));
      expect(flattenCompressedRamps(pixels, true), `${quality}`).to.equal(undefined);
    }
    expect(flattenCompressedRamps(toWorkingPixels(noise(96, 96, 5)), true)).to.equal(undefined);
  });

  it('are no color that anything could be mixed with, where they were masked to see the others', async () => {
    const clean = paint(160, 160, 0xffffff, [
      shaded(linearShade(30, 30, 130, 130, [255, 220, 120, 1], [250, 110, 40, 1]), circle(80.3, 79.6, 56.2)),
      ...Array.from({ length: 5 }, (_, k) => layer(0x404050, ...ring(60 + 11 * k, 80 + 2 * k, 4.6, 1.4))),
    ]);
    for (const quality of [75, 85]) {
      const { items } = trace(await jpegDamaged(clean, quality), ENGINE, () => {}).drawing;
      const colors = items.flatMap(({ fill }) =>
        fill?.kind === 'solid' && fill.color !== 0xffffff ? [fill.color] : [],
      );
      expect(colors.length).to.be.at.least(1);
      // With a little of a dark blue rings' edges would be pale.
      const pale = colors.filter((color) => color >> 16 > 0xa0);
      expect(pale.map((color) => color.toString(16))).to.deep.equal([]);
    }
  });

  it('are not thought of on an even ground: what is uneven in a drawing does not cost others their colors', () => {
    // A face and a sleeve, a ramp that is found, and a fold that is no ramp.
    const fold: Shade = (x, y) => {
      const level = Math.round(12 * Math.sin(x / 7) * Math.cos(y / 6));
      return [0x5c + level, 0x40 + level, 0x37 + level, 1];
    };
    const ramp = linearShade(100, 0, 190, 0, [0xa5, 0x6c, 0x43, 1], [0x69, 0xa8, 0x57, 1]);
    const eyes = [circle(50, 45, 2.9), circle(65, 45, 2.9)];
    const picture = paint(200, 160, 0xffffff, [
      layer(0xa56c43, circle(50, 50, 36)),
      layer(0x42312c, ...eyes),
      layer(0x5c4037, rectangle(110.3, 20.4, 70, 50)),
      shaded(fold, rectangle(112, 22, 24, 24)),
      layer(0x70534a, rectangle(20.2, 94.3, 60, 50)),
      shaded(ramp, rectangle(100, 94, 90, 51)),
    ]);
    const { items } = trace(picture, ENGINE, () => {}).drawing;
    const colors = items.map(({ fill }) => (fill?.kind === 'solid' ? fill.color : -1));
    expect(colors.filter((color) => color === 0x42312c).length).to.equal(2);
    expect(colors).to.include(0xa56c43);
  });
});
