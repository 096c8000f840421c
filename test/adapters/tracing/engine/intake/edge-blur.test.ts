import { expect } from 'chai';
import fc from 'fast-check';
import { deconvolve } from '#adapters/tracing/engine/intake/deconvolve.js';
import { measureEdgeBlur } from '#adapters/tracing/engine/intake/edge-blur.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import type { Raster } from '#application/ports/tracer.js';
import { circle, lettering, rectangle, star, turned } from '#test/support/outlines.js';
import { checkerboard, gradient, layer, noise, paint } from '#test/support/pictures.js';
import { holds } from '#test/support/properties.js';
import { pixelwise, softened } from '#test/support/soft-pictures.js';

const drawing = (background: number | null) =>
  paint(96, 80, background, [
    layer(0x1d3557, circle(30.3, 28.6, 19.2)),
    layer(0xe63946, turned(rectangle(50, 12, 30, 22), 17, 65, 23)),
    layer(0xf4c430, star(60.7, 55.2, 18, 8, 5)),
    layer(0x2a9d8f, circle(22.1, 60.4, 12.3)),
  ]);

const blurOf = (raster: Raster) => measureEdgeBlur(toWorkingPixels(raster));

describe('the blur of edges', () => {
  it('is what pixels got of their neighbors, on paper and on nothing', () => {
    for (const background of [0xffffff, null]) {
      for (const share of [0.03, 0.07, 0.12, 0.18])
        expect(blurOf(softened(drawing(background), share)), `${share}`).to.be.closeTo(share, 0.005);
    }
  });

  it('is as much as can be undone where it is more', () => {
    expect(blurOf(softened(softened(drawing(0xffffff), 0.2), 0.2))).to.equal(0.2);
  });

  it('is none where edges are those of what they part, sharpened, or of something else', () => {
    const clean = drawing(0xffffff);
    const text = paint(120, 40, 0xffffff, [layer(0x222222, ...lettering(3, 30, 22))]);
    const bars = paint(80, 60, 0xffffff, [
      layer(0x000000, ...Array.from({ length: 9 }, (_, k) => turned(rectangle(4 + 8 * k, 3, 2.7, 50), 45, 40, 30))),
    ]);
    const few = softened(paint(20, 12, 0xffffff, [layer(0x000000, rectangle(5.4, 3, 8, 6))]), 0.15);
    const others = [checkerboard(40, 40, 5), checkerboard(40, 40, 1), gradient(64, 48), noise(48, 48, 7)];
    for (const raster of [clean, drawing(null), text, bars, few, ...others]) expect(blurOf(raster)).to.equal(0);
    expect(blurOf(softened(clean, 0.005))).to.equal(0);
    expect(blurOf(softened(clean, -0.05))).to.equal(0);
  });
});

describe('a picture without its blur', () => {
  it('is what it was before, but for rounding', () => {
    for (const background of [0xffffff, null]) {
      const clean = toWorkingPixels(drawing(background)).rgba.slice();
      const off = (share: number, undone: number) => {
        const soft = toWorkingPixels(softened(drawing(background), share));
        const data = undone > 0 ? toWorkingPixels(deconvolve(soft, undone)).rgba : soft.rgba;
        return Math.sqrt(data.reduce((sum, value, i) => sum + (value - clean[i]!) ** 2, 0) / data.length);
      };
      expect(off(0.1, 0.1)).to.be.below(0.12 * off(0.1, 0));
      expect(off(0.2, 0.2)).to.be.below(0.2 * off(0.2, 0));
    }
  });

  it('has even areas as they were, and no level that the picture had not', () => {
    const side = 25;
    const colors = fc.constantFrom(0xff000000, 0xffffffff, 0xff3040e0, 0xff808080);
    const pictures = fc.record({
      words: fc.array(colors, { minLength: side * side, maxLength: side * side }),
      blurred: fc.double({ min: 0, max: 0.2, noNaN: true }),
      share: fc.double({ min: 0.02, max: 0.22, noNaN: true }),
      cell: fc.integer({ min: 3, max: 12 }),
    });
    let even = 0;
    holds(
      fc.property(pictures, ({ words, blurred, share, cell }) => {
        const at = (x: number, y: number) => words[Math.floor(y / cell) * side + Math.floor(x / cell)]!;
        const own = Uint32Array.from({ length: side * side }, (_, i) => at(i % side, Math.floor(i / side)));
        const raster = { width: side, height: side, data: new Uint8Array(own.buffer) };
        const given = toWorkingPixels(blurred > 0 ? softened(raster, blurred) : raster);
        const { data } = deconvolve(given, share);
        for (let c = 0; c < 3; c++) {
          const had = given.rgba.filter((_, i) => i % 4 === c);
          const has = data.filter((_, i) => i % 4 === c);
          if (Math.min(...has) < Math.min(...had) || Math.max(...has) > Math.max(...had)) return false;
        }
        for (let y = 2; y + 2 < side; y++) {
          for (let x = 2; x + 2 < side; x++) {
            const word = given.words[y * side + x];
            const around = [-2, -1, 0, 1, 2].flatMap((v) => [-2, -1, 0, 1, 2].map((u) => (y + v) * side + x + u));
            if (!around.every((i) => given.words[i] === word)) continue;
            even++;
            for (let c = 0; c < 4; c++)
              if (data[4 * (y * side + x) + c] !== given.rgba[4 * (y * side + x) + c]) return false;
          }
        }
        return true;
      }),
      100,
    );
    expect(even).to.be.greaterThan(100);
  });

  it('has smooth changes as they were where it is asked for, though their rounding is no part of the blur, and edges in them as sharp as else', () => {
    const shaded = pixelwise(60, 40, (x, y) => [
      40 + 1.3 * x + 0.7 * y + (x + y > 70 ? 90 : 0),
      90,
      200 - 1.1 * y,
      255,
    ]);
    const soft = toWorkingPixels(softened(shaded, 0.15));
    const [all, steep] = [deconvolve(soft, 0.15).data, deconvolve(soft, 0.15, 8).data];
    const changed = (data: ArrayLike<number>, isEdge: boolean) =>
      soft.rgba.filter((value, i) => {
        const pixel = i >> 2;
        return Math.abs((pixel % 60) + Math.floor(pixel / 60) - 70) < 2 === isEdge && data[i] !== value;
      }).length;
    expect(changed(all, false)).to.be.above(200);
    expect(changed(steep, false)).to.be.below(0.4 * changed(all, false));
    expect(changed(steep, true)).to.equal(changed(all, true));
  });

  it('has no halos beside edges, and strokes too thin for even areas have their contrast', () => {
    const strokes = [0, 1, 2].map((k) => rectangle(6.5 + 12 * k, 4, 2 + 0.3 * k, 30));
    const clean = paint(44, 60, 0xffcc4d, [layer(0x292f33, rectangle(5, 44, 34, 12), ...strokes)]);
    const soft = toWorkingPixels(softened(clean, 0.18));
    const restored = deconvolve(soft, 0.18).data;
    const redAt = (data: ArrayLike<number>, x: number, y: number) => data[4 * (y * 44 + x)]!;
    expect(Math.max(...restored.filter((_, i) => i % 4 === 1))).to.equal(0xcc);
    expect(Math.min(...restored.filter((_, i) => i % 4 === 0))).to.equal(0x29);
    // A stroke of two pixels and a half covers the one in its middle.
    expect(redAt(soft.rgba, 19, 18)).to.be.greaterThan(0x29 + 20);
    expect(redAt(restored, 19, 18)).to.be.closeTo(0x29, 3);
  });
});
