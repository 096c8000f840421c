import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { findBorderColors } from '#adapters/tracing/engine/quantize/border-colors.js';
import { choosePalette } from '#adapters/tracing/engine/quantize/palette.js';
import { circle, rectangle } from '#test/support/outlines.js';
import { layer, linearShade, paint } from '#test/support/pictures.js';

const WIDTH = 64;
const HEIGHT = 48;
const DISK = layer(0x101010, circle(30, 22, 12));
const LINES = {
  top: rectangle(0, 0, WIDTH, 1),
  bottom: rectangle(0, HEIGHT - 1, WIDTH, 1),
  left: rectangle(0, 0, 1, HEIGHT),
  right: rectangle(WIDTH - 1, 0, 1, HEIGHT),
};

const pictureWith = (...layers: Parameters<typeof paint>[3]) =>
  toWorkingPixels(paint(WIDTH, HEIGHT, 0xffffff, [DISK, ...layers]));
const found = (...layers: Parameters<typeof paint>[3]) => {
  const known = Uint8Array.of(255, 255, 255, 255, 16, 16, 16, 255);
  return [...findBorderColors(pictureWith(...layers), known)].map((word) => word & 255);
};

describe('lines along the border', () => {
  it('are colors of the palette, though they could be mixtures of others', () => {
    for (const [side, line] of Object.entries(LINES)) {
      expect(found(layer(0xc8c8c8, line)), side).to.deep.equal([0xc8]);
      const { channels } = choosePalette(pictureWith(layer(0xc8c8c8, line)), 0.02, 2);
      expect(Array.from(channels.subarray(-4)), side).to.deep.equal([200, 200, 200, 255]);
    }
    expect(found(layer(0xc8c8c8, rectangle(10, HEIGHT - 1, 40, 1))), 'most of a side').to.deep.equal([0xc8]);
  });

  it('are none where they are known, short, hardly seen, or part of a shade', () => {
    const shade = linearShade(0, 0, 0, HEIGHT, [255, 255, 255, 1], [40, 40, 40, 1]);
    expect(found(), 'the ground').to.deep.equal([]);
    expect(found(layer(0xc8c8c8, rectangle(10, HEIGHT - 1, 20, 1))), 'short').to.deep.equal([]);
    expect(found(layer(0xf4f4f4, LINES.bottom)), 'pale').to.deep.equal([]);
    expect(found(layer(0x303030, LINES.bottom)), 'mostly of the color of the disk').to.deep.equal([]);
    expect(found({ ...layer(0, rectangle(0, 0, WIDTH, HEIGHT)), shade }), 'shade').to.deep.equal([]);
  });

  it('are none where something comes near to a side, and beneath the line is the ground elsewhere', () => {
    // A line of ground around what just fits into the picture, as margins are.
    const near = layer(0x101010, rectangle(1, 4, 20, 10), rectangle(WIDTH - 21, 30, 20, 10));
    expect(found(near)).to.deep.equal([]);
    const { channels, narrow } = choosePalette(pictureWith(near), 0.02, 2);
    expect(Array.from(channels)).to.deep.equal([255, 255, 255, 255, 16, 16, 16, 255]);
    expect(narrow).to.deep.equal([]);
  });
});
