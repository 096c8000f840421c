import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { findRamps } from '#adapters/tracing/engine/ramps/find-ramps.js';
import { CLEAN } from '#adapters/tracing/engine/ramps/limits.js';
import { readersOf } from '#adapters/tracing/engine/ramps/ramp-reader.js';
import { findThinColors } from '#adapters/tracing/engine/ramps/thin-colors.js';
import type { Raster } from '#application/ports/tracer.js';
import { circle, rectangle } from '#test/support/outlines.js';
import { layer, linearShade, noise, paint } from '#test/support/pictures.js';

const SHADE = linearShade(0, 0, 200, 0, [40, 200, 170, 1], [10, 120, 110, 1]);
const LINE = [0x6a, 0x1b, 0x4d];

/** What is found in a picture of which white is the only color that is known beside its ramps. */
function found({ width, height, data }: Raster) {
  const pixels = toWorkingPixels({ width, height, data });
  const ramps = findRamps(pixels);
  const ground = {
    channels: Float64Array.of(255, 255, 255, 255),
    size: 1,
    noisy: false,
    labelOf: (i: number) => (pixels.words[i] === 0xffffffff ? 0 : -1),
  };
  const thin = findThinColors(pixels, ramps, ground, readersOf(ramps.found, pixels, CLEAN.near), 3);
  return { ...thin, ramps: ramps.found.length };
}

/** A gradient with a ring of a px and a half around it. */
const outlined = (height: number) =>
  paint(200, height, 0xffffff, [
    layer(0x6a1b4d, circle(60.3, 50.4, 40.8)),
    { color: 0, outline: [circle(60.3, 50.4, 39.3)], shade: SHADE },
  ]);

describe('thin colors', () => {
  it('are those of outlines of a gradient, of which pixels are mixtures with what is around them', () => {
    const { ground, first, colorOf, ramps } = found(outlined(100));
    expect(ramps).to.equal(1);
    expect([first, ground.size]).to.deep.equal([1, 2]);
    for (let c = 0; c < 3; c++) expect(ground.channels[4 + c]).to.be.closeTo(LINE[c]!, 24);
    expect(colorOf.reduce((sum, color) => sum + (color === 1 ? 1 : 0), 0)).to.be.at.least(150);
    expect(colorOf.every((color) => color === -1 || color === 1)).to.equal(true);
  });

  it('are none where next to nothing is explained', () => {
    // Of every second row every other two pixels are of any color, on a gradient.
    const side = 300;
    const speckled = (from: number) => {
      const { data } = paint(side, side, 0xffffff, [
        { color: 0, outline: [rectangle(0, 0, side, side)], shade: SHADE },
      ]);
      const colors = noise(side, side, 11).data;
      for (let y = from; y < side; y += 2)
        for (let x = 0; x < side; x += 4) {
          const at = 4 * (y * side + x);
          data.set(colors.subarray(at, at + 8), at);
        }
      return found({ width: side, height: side, data });
    };
    expect(speckled(240).ground.size).to.be.above(1);
    const { ground, ramps, colorOf } = speckled(60);
    expect(ramps).to.be.at.least(1);
    expect(ground.size).to.equal(1);
    expect(colorOf.every((color) => color === -1)).to.equal(true);
  });

  it('are none without a gradient', () => {
    const { ground, ramps } = found(
      paint(90, 90, 0xffffff, [layer(0x6a1b4d, circle(45, 45, 20.8), rectangle(3, 3, 60, 1.4))]),
    );
    expect(ramps).to.equal(0);
    expect(ground.size).to.equal(1);
  });
});
