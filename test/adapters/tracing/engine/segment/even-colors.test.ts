import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { inEvenColors } from '#adapters/tracing/engine/segment/even-colors.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import { ENGINE, partsOfPicture } from '#test/support/engine-parts.js';
import { circle } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

/** Two colors so near that the palette has one of them, far from each other; and a third between them. */
const NEAR = [0xffcc4d, 0xfbcb50] as const;
const picture = () => paint(96, 48, 0x226699, [layer(NEAR[0], circle(24, 24, 18)), layer(NEAR[1], circle(72, 24, 12))]);

const colorsOf = (raster: ReturnType<typeof picture>, settings = ENGINE) =>
  trace(raster, settings, () => undefined).drawing.items.map(({ fill }) =>
    fill?.kind === 'solid' ? fill.color : null,
  );

describe('regions in the even colors they have', () => {
  it('have them where the palette merged nearly equal ones', () => {
    expect(colorsOf(picture())).to.have.members([0x226699, ...NEAR]);
  });

  it('have the colors asked for where colors are', () => {
    const fixedPalette = [0x226699, NEAR[0]];
    expect(new Set(colorsOf(picture(), { ...ENGINE, fixedPalette }))).to.deep.equal(new Set(fixedPalette));
    expect(new Set(colorsOf(picture(), { ...ENGINE, colorCount: 2 })).size).to.equal(2);
  });

  it('are of a color of their own then, and others stay as they are', () => {
    const raster = picture();
    const { regions } = partsOfPicture(raster);
    const even = inEvenColors(regions, toWorkingPixels(raster));
    const at = (x: number, y: number) => regions.of[y * 96 + x]!;
    const [ground, first, second] = [at(0, 0), at(24, 24), at(72, 24)];
    expect(regions.colorOf[first!]).to.equal(regions.colorOf[second!]);
    expect(even.colorOf[second!]).to.not.be.oneOf([even.colorOf[first!], even.colorOf[ground!]]);
    expect([...even.colors.subarray(second! * 4, second! * 4 + 4)]).to.deep.equal([0xfb, 0xcb, 0x50, 255]);
    for (const r of [ground!, first!])
      expect([...even.colors.subarray(r * 4, r * 4 + 4)]).to.deep.equal([...regions.colors.subarray(r * 4, r * 4 + 4)]);
  });

  it('keep what they were given where they have both', () => {
    const raster = paint(96, 48, 0x226699, [layer(NEAR[0], circle(40, 24, 18)), layer(NEAR[1], circle(56, 24, 18))]);
    const { regions } = partsOfPicture(raster);
    const even = inEvenColors(regions, toWorkingPixels(raster));
    expect(even.count).to.equal(2);
    expect([...even.colors]).to.deep.equal([...regions.colors]);
  });
});
