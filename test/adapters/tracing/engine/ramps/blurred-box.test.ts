import { expect } from 'chai';
import fc from 'fast-check';
import { locateBlurredBox } from '#adapters/tracing/engine/ramps/blurred-box.js';
import { blurredBox } from '#test/support/pictures.js';
import { holds } from '#test/support/properties.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const GROUND = [255, 255, 255, 255];

/** Samples around a box, as far as its shadow is seen beside a card three px above it; a share of them of something else. */
function samplesOf(box: Parameters<typeof blurredBox>[0], strangers: number, random: () => number) {
  const shade = blurredBox(box);
  const [x, y, channels]: [number[], number[], number[]] = [[], [], []];
  const reach = 3 * box.sigma;
  while (x.length < 600) {
    const u = box.left - reach + random() * (box.right - box.left + 2 * reach);
    const v = box.top - reach + random() * (box.bottom - box.top + 2 * reach);
    if (u > box.left && u < box.right && v > box.top - 3 && v < box.bottom - 3) continue;
    x.push(u);
    y.push(v);
    const isStrange = random() < strangers;
    const level = Math.round(255 * (1 - shade(u, v)[3]));
    channels.push(level, isStrange ? 255 * random() : level, isStrange ? 255 * random() : level, 255);
  }
  const [xs, ys, all] = [Float64Array.from(x), Float64Array.from(y), Float64Array.from(channels)];
  return { count: x.length, x: xs, y: ys, channels: all };
}

describe('blurred rectangles', () => {
  it('are located to a pixel and a half, and their blur to a tenth, among others of which up to a fifth are strangers', () => {
    holds(
      fc.property(
        fc.record({
          left: fc.double({ min: 30, max: 60, noNaN: true }),
          top: fc.double({ min: 30, max: 60, noNaN: true }),
          width: fc.integer({ min: 80, max: 300 }),
          height: fc.integer({ min: 80, max: 300 }),
          sigma: fc.double({ min: 6, max: 12, noNaN: true }),
          opacity: fc.double({ min: 0.3, max: 0.5, noNaN: true }),
          strangers: fc.double({ min: 0, max: 0.2, noNaN: true }),
          seed: fc.integer({ min: 1, max: 1 << 30 }),
        }),
        ({ left, top, width, height, sigma, opacity, strangers, seed }) => {
          const box = { left, top, right: left + width, bottom: top + height, sigma, opacity };
          const found = locateBlurredBox(samplesOf(box, strangers, createSeededRandom(seed)), GROUND);
          if (found === undefined) throw new RangeError('none was found');
          for (const side of ['left', 'top', 'right', 'bottom'] as const)
            expect(found[side], side).to.be.closeTo(box[side], 1.5);
          expect(found.sigma).to.be.closeTo(sigma, sigma / 10);
        },
      ),
      60,
    );
  });

  it('are none in a linear ramp, nor where there is one color', () => {
    const random = createSeededRandom(7);
    const x = Float64Array.from({ length: 600 }, () => 200 * random());
    const y = Float64Array.from({ length: 600 }, () => 200 * random());
    const channelsOf = (level: (k: number) => number) =>
      Float64Array.from({ length: 2400 }, (_, at) => ((at & 3) === 3 ? 255 : level(at >> 2)));
    for (const level of [(k: number) => Math.round(255 - x[k]! / 2), () => 255])
      expect(locateBlurredBox({ count: 600, x, y, channels: channelsOf(level) }, GROUND)).to.equal(undefined);
  });
});
