import { expect } from 'chai';
import { findEnlarged } from '#adapters/tracing/engine/intake/enlargement.js';
import { type VectorizeSettings, vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { enlarged } from '#test/support/enlarged-pictures.js';
import { circle, rectangle, star, turned } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint, pixelwise } from '#test/support/pictures.js';

const DISK = [40.3, 44.6, 25.2] as const;
const small = paint(160, 120, 0xffffff, [
  layer(0x1d3557, circle(...DISK)),
  layer(0xe63946, turned(rectangle(90, 16, 44, 30), 17, 112, 31)),
  layer(0xf4c430, star(112.7, 84.2, 26, 11, 5)),
]);

const trace = async (picture: Parameters<typeof vectorize>[0], settings: VectorizeSettings = {}) => {
  const { drawing, traceStats, qualityDiagnostics } = await vectorize(picture, { fidelity: false, ...settings });
  const circles = [...shapesOf(drawing.items)].flatMap(({ geometry }) =>
    geometry.kind === 'circle' ? [geometry] : [],
  );
  return { ...traceStats, circles, size: [drawing.width, drawing.height], notes: qualityDiagnostics.notes };
};

describe('pictures that were enlarged', () => {
  for (const [kernel, factor] of [
    ['linear', 2],
    ['cubic', 2],
    ['lanczos', 2],
    ['cubic', 3],
    ['cubic', 1.5],
    ['steep-cubic', 2],
    ['mitchell', 2],
    ['mitchell', 1.5],
  ] as const) {
    it(`${factor} times, ${kernel}, are drawn as the small ones were, at their own size`, async () => {
      const plain = await trace(small);
      const { nodes, shapes, circles, size, notes } = await trace(enlarged(small, 160 * factor, 120 * factor, kernel));
      expect(size).to.deep.equal([160 * factor, 120 * factor]);
      expect(shapes).to.equal(plain.shapes);
      expect(nodes).to.be.within(plain.nodes - 2, 1.1 * plain.nodes);
      const [cx, cy, r] = DISK.map((value) => value * factor) as [number, number, number];
      expect(circles).to.have.lengthOf(1);
      for (const found of circles)
        expect(Math.max(Math.hypot(found.cx - cx, found.cy - cy), Math.abs(found.r - r))).to.be.at.most(0.05 * factor);
      expect(notes.map(({ code }) => code)).to.deep.equal(['enlargement-undone']);
      expect(notes[0]?.message).to.include('from 160 x 120 px');
    });
  }

  for (const [kernel, factor, quality, shiftPx] of [
    ['cubic', 2, 85, 0],
    ['linear', 2, 85, 0],
    ['cubic', 3, 80, 0],
    ['cubic', 2, 85, 0.5],
    ['cubic', 2.55, 85, 0],
  ] as const) {
    it(`${factor} times, ${kernel}${shiftPx > 0 ? ', half a pixel aside' : ''}, and compressed since (${quality}), are so but for the noise`, async () => {
      const plain = await trace(small);
      const large = enlarged(small, 160 * factor, 120 * factor, kernel, shiftPx);
      const { nodes, shapes, circles, notes } = await trace(await jpegDamaged(large, quality));
      expect(notes.map(({ code }) => code)).to.include('enlargement-undone');
      expect(shapes).to.equal(plain.shapes);
      expect(nodes).to.be.within(plain.nodes - 2, 1.4 * plain.nodes);
      const [cx, cy, r] = DISK.map((value) => value * factor) as [number, number, number];
      expect(circles).to.have.lengthOf(1);
      for (const found of circles)
        expect(Math.max(Math.hypot(found.cx - cx, found.cy - cy), Math.abs(found.r - r))).to.be.at.most(0.1 * factor);
    });
  }

  it('are so as logos as well', async () => {
    const { shapes, notes } = await trace(enlarged(small, 320, 240, 'cubic'), { preset: 'logo' });
    expect(notes.map(({ code }) => code)).to.deep.equal(['enlargement-undone']);
    expect(shapes).to.equal((await trace(small, { preset: 'logo' })).shapes);
  });

  it('are drawn as they are where they are photographs, of which enlarging leaves more tones than a small one has pixels', async () => {
    const tones = pixelwise(160, 120, (x, y) => {
      const wave = 55 * Math.sin(x / 7 + 2 * Math.sin(y / 9)) + 35 * Math.sin(y / 5 + x / 13) + 14 * Math.sin(x * y);
      return [128 + wave, 110 + 0.8 * wave, 90 + 0.6 * wave, 255];
    });
    const large = enlarged(tones, 320, 240, 'cubic');
    expect(findEnlarged(large)).to.include({ width: 160, height: 120 });
    const { qualityDiagnostics } = await vectorize(large, { fidelity: false });
    expect(qualityDiagnostics).to.deep.include({ detectedType: 'photo', notes: [] });
  });

  it('are drawn as they are where nothing is to be mended', async () => {
    const { notes, nodes } = await trace(enlarged(small, 320, 240, 'cubic'), { artifact_cleanup: 0 });
    expect(notes).to.deep.equal([]);
    expect(nodes).to.be.above((await trace(small)).nodes);
  });
});
