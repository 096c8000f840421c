import { expect } from 'chai';
import fc from 'fast-check';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { isPixelArt, mayBePixelArt } from '#adapters/tracing/engine/pixel/is-pixel-art.js';
import { circle, star } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint } from '#test/support/pictures.js';
import { holds } from '#test/support/properties.js';

describe('the quick look for pixel art', () => {
  it('never turns away what the long look takes, enlarged or not, with holes or without', () => {
    let taken = 0;
    const sprites = fc.record({
      side: fc.integer({ min: 6, max: 16 }),
      cell: fc.integer({ min: 1, max: 4 }),
      cells: fc.array(fc.constantFrom(0, 0, 0xff0000ff, 0x00ff00ff, 0x202020ff), { minLength: 256, maxLength: 256 }),
    });
    holds(
      fc.property(sprites, ({ side, cell, cells }) => {
        const width = side * cell;
        const data = new Uint8Array(width * width * 4);
        for (let i = 0; i < width * width; i++) {
          const color = cells[Math.floor(Math.floor(i / width) / cell) * side + Math.floor((i % width) / cell)]!;
          data.set([color >>> 24, (color >>> 16) & 255, (color >>> 8) & 255, color & 255], i * 4);
        }
        if (!isPixelArt(data, width, width)) return;
        taken++;
        expect(mayBePixelArt(toWorkingPixels({ width, height: width, data }))).to.equal(true);
      }),
    );
    expect(taken).to.be.greaterThan(100);
  });

  it('turns away what has more colors than any sprite, however uneven', () => {
    const colored = (colors: number) => {
      const data = new Uint8Array(32 * 32 * 4).fill(255);
      for (let i = 0; i < 32 * 32; i++) data.set([(i % colors) & 255, (i % colors) >> 8, 0], i * 4);
      return mayBePixelArt(toWorkingPixels({ width: 32, height: 32, data }));
    };
    expect(colored(256)).to.equal(true);
    expect(colored(257)).to.equal(false);
  });

  it('turns away smooth flat art at once', () => {
    const disk = paint(200, 200, 0xffffff, [layer(0x2040c0, circle(100, 100, 60))]);
    expect(mayBePixelArt(toWorkingPixels(disk))).to.equal(false);
  });

  it('turns away what compression has rippled, however small', async () => {
    const sign = paint(40, 16, 0xffffff, [layer(0x2b2b2b, circle(7.3, 8.2, 6.1), star(25.2, 8.1, 7.2, 3.1, 6))]);
    expect(mayBePixelArt(toWorkingPixels(sign))).to.equal(true);
    expect(mayBePixelArt(toWorkingPixels(await jpegDamaged(sign, 75)))).to.equal(false);
  });
});
