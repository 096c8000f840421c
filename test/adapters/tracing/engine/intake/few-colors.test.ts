import { expect } from 'chai';
import { isOfFewColors } from '#adapters/tracing/engine/intake/few-colors.js';
import { measureFlatness } from '#adapters/tracing/engine/intake/flatness.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import type { Raster } from '#application/ports/tracer.js';
import { drawingStatsOf } from '#domain/drawing/drawing-stats.js';
import { differenceOf, referencePicture } from '#test/support/compare-pictures.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { ring } from '#test/support/outlines.js';
import { checkerboard, gradient, layer, noise, paint } from '#test/support/pictures.js';

const SIDE = 220;

/** Rings around each other, so many px apart and so many wide. */
function target(ground: number, color: number, pitch: number, width: number, scale = 1): Raster {
  const rings = Array.from({ length: Math.floor(150 / pitch) }, (_, k) => (k + 1) * pitch).flatMap((radius) =>
    ring(97.3, 112.8, radius + width / 2, radius - width / 2).map((contour) => contour.map((value) => value * scale)),
  );
  return paint(SIDE * scale, SIDE * scale, ground, [layer(color, ...rings)]);
}

const rgbOf = ({ width, height, data }: Raster) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, k) => data[Math.floor(k / 3) * 4 + (k % 3)]!),
});

/** Every level of a picture on the way between two colors, by its red. */
const tinted = ({ width, height, data }: Raster, dark: number, light: number): Raster => ({
  width,
  height,
  data: Uint8ClampedArray.from(data, (_, i) => {
    if (i % 4 === 3) return 255;
    const shift = 16 - 8 * (i % 4);
    const share = Math.max(0, Math.min(1, (data[i - (i % 4)]! - 60) / 135));
    return ((dark >> shift) & 255) * (1 - share) + ((light >> shift) & 255) * share;
  }),
});

const isOfFew = (raster: Raster) => {
  const pixels = toWorkingPixels(raster);
  return isOfFewColors(pixels, measureFlatness(pixels));
};

describe('a picture of few colors', () => {
  it('is one however close to each other its lines are', () => {
    expect(isOfFew(target(0xf0e8f8, 0x5a8f35, 6.3, 2.2))).to.equal(true);
    expect(isOfFew(target(0xfbf3e4, 0x2a10a0, 7.4, 3.6))).to.equal(true);
  });

  it('is none with all tones between two colors, as noise, dithering and ramps', () => {
    expect(isOfFew(tinted(noise(SIDE, SIDE, 7), 0x3a2410, 0xf4e4c0))).to.equal(false);
    expect(isOfFew(tinted(gradient(SIDE, SIDE), 0x3a2410, 0xf4e4c0))).to.equal(false);
    expect(isOfFew(checkerboard(SIDE, SIDE, 1, 0x3a2410, 0xf4e4c0))).to.equal(false);
  });

  it('is drawn as that, and not as a photograph', () => {
    const [ground, color, pitch, width] = [0xfbf3e4, 0x2a10a0, 6.4, 3.1] as const;
    const { drawing, pictureType } = trace(target(ground, color, pitch, width), ENGINE, () => {});
    expect(pictureType).to.equal('flat_art');
    expect(drawingStatsOf(drawing).nodes).to.be.at.most(400);
    expect(
      differenceOf(referencePicture(drawing, 4), rgbOf(target(ground, color, pitch, width, 4))).mean,
    ).to.be.at.most(1);
  });
});
