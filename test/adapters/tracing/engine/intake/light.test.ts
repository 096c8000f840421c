import { expect } from 'chai';
import { isLinearLight } from '#adapters/tracing/engine/intake/light.js';
import { mixedByLevels } from '#adapters/tracing/engine/intake/remix.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { countFarther } from '#test/support/compare-pictures.js';
import { paintInLight } from '#test/support/linear-light-pictures.js';
import { circle, rectangle, star, turned } from '#test/support/outlines.js';
import { layer, noise, paint } from '#test/support/pictures.js';

const disk = (color: number) => [layer(color, circle(40.3, 32.6, 24.7))];
const sheets = {
  'black on white': [0xffffff, disk(0x000000)],
  'white on black': [0x000000, disk(0xffffff)],
  'two colors': [0xf4c430, disk(0x1d3557)],
  'three that meet': [0xffffff, [...disk(0xe63946), layer(0x1d3557, turned(rectangle(38, 20, 30, 60), 20, 50, 40))]],
  'a star': [0xffffff, [layer(0x2a9d8f, star(40.2, 32.1, 28, 12, 5))]],
} as const;
const [WIDTH, HEIGHT] = [80, 66];

describe('edges mixed in linear light', () => {
  for (const [name, [ground, layers]] of Object.entries(sheets)) {
    it(`are told, and mixed anew: ${name}`, () => {
      const levels = paint(WIDTH, HEIGHT, ground, layers);
      const light = paintInLight(WIDTH, HEIGHT, ground, layers);
      expect(isLinearLight(toWorkingPixels(levels)), 'levels').to.equal(false);
      expect(isLinearLight(toWorkingPixels(light)), 'light').to.equal(true);
      const mixed = mixedByLevels(toWorkingPixels(light));
      expect(countFarther(light, levels, 12), 'before').to.be.above(60);
      // Tips of a pixel or two have no even color near.
      expect(countFarther(mixed, levels, 4), 'since').to.be.at.most(16);
    });
  }

  it('are none of pictures whose edges tell nothing: upright ones, noise, and what is seen through', () => {
    const upright = [layer(0x000000, rectangle(20.4, 10.3, 33, 41))];
    const seenThrough = paint(WIDTH, HEIGHT, null, disk(0x000000));
    for (const picture of [paintInLight(WIDTH, HEIGHT, 0xffffff, upright), noise(WIDTH, HEIGHT, 7), seenThrough])
      expect(isLinearLight(toWorkingPixels(picture))).to.equal(false);
  });

  it('stay where what they are mixed of is not seen, and so does opacity', () => {
    const line = [layer(0x000000, turned(rectangle(10, 30, 60, 1.2), 20, 40, 30))];
    const light = paintInLight(WIDTH, HEIGHT, 0xffffff, line);
    expect(countFarther(mixedByLevels(toWorkingPixels(light)), light, 0)).to.equal(0);
    const faded = { ...light, data: light.data.map((value, i) => (i % 4 === 3 ? 128 : value)) };
    expect(mixedByLevels(toWorkingPixels(faded)).data.every((value, i) => i % 4 !== 3 || value === 128)).to.equal(true);
  });
});
