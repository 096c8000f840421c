import { expect } from 'chai';
import sharp from 'sharp';
import { createMemoryOf } from '#config/memory-of.js';
import { conversionMemoryBytes } from '#domain/tiers/memory.js';
import { tierOf } from '#domain/tiers/tier.js';
import { refusalOf } from '#test/contracts/refusal-of.js';
import { writeBmp } from '#test/support/write-bmp.js';

const GB = 1e9;
const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#fff' } });
const needed = (pixels: number) => conversionMemoryBytes(pixels, tierOf('fast'));

describe('the memory that a picture file will need', () => {
  for (const format of ['png', 'jpeg', 'webp', 'avif'] as const)
    it(`is told by its header: ${format}`, async () => {
      const bytes = await blank(64, 48).toFormat(format).toBuffer();
      expect(createMemoryOf(GB, 1e6)(bytes, 'fast')).to.equal(needed(64 * 48));
    });

  it('is told by its header: bmp', () => {
    const bytes = writeBmp(64, 48, new Uint8Array(64 * 48 * 4));
    expect(createMemoryOf(GB, 1e6)(bytes, 'fast')).to.equal(needed(64 * 48));
  });

  it('is what a process has anyway, for what is no picture or says no size', async () => {
    const png = await blank(64, 48).png().toBuffer();
    for (const bytes of [new Uint8Array(0), Buffer.from('GIF89a…'), png.subarray(0, 12), Buffer.from('BM')])
      expect(createMemoryOf(GB, 1e6)(bytes, 'fast')).to.equal(needed(0));
  });

  it('is the most that may be, where a size stands behind megabytes of other things', async () => {
    const jpeg = await blank(64, 48).jpeg().toBuffer();
    const comment = Buffer.alloc(65_537);
    comment.set([0xff, 0xfe, 0xff, 0xff]);
    const late = Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: 20 }, () => comment), jpeg.subarray(2)]);
    expect(createMemoryOf(GB, 1e6)(late, 'fast')).to.equal(needed(1e6));
    expect(createMemoryOf(GB, 50e6)(late, 'fast')).to.be.within(GB - 40, GB);
  });

  it('refuses a picture that never fits, by the pixels that would', async () => {
    const bytes = await blank(3000, 1000).png().toBuffer();
    const ask = async (budget: number, maxPixels: number) => createMemoryOf(budget, maxPixels)(bytes, 'fast');
    const small = await refusalOf(ask(200e6, 50e6));
    expect(small.code).to.equal('IMAGE_TOO_LARGE');
    expect(small.details).to.deep.equal({ width: 3000, height: 1000, limitPixels: Math.floor(100e6 / 176) });
    expect((await refusalOf(ask(GB, 2e6))).details).to.include({ limitPixels: 2e6 });
    expect(await ask(GB, 3e6)).to.equal(needed(3e6));
  });
});
