import { expect } from 'chai';
import { measureBlur } from '#adapters/tracing/engine/intake/blur-width.js';
import { reduceBlurred } from '#adapters/tracing/engine/intake/reduce-blurred.js';
import { type VectorizeSettings, vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { grainy } from '#test/support/grainy-pictures.js';
import { circle, rectangle, star, turned } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint, pixelwise } from '#test/support/pictures.js';
import { gaussianBlurred } from '#test/support/soft-pictures.js';

/** Neither side is a multiple of what pictures are reduced by. */
const WIDTH = 487;
const HEIGHT = 365;
const DISK = [121.3, 134.6, 75.2] as const;

const clean = paint(WIDTH, HEIGHT, 0xffffff, [
  layer(0x1d3557, circle(...DISK)),
  layer(0xe63946, turned(rectangle(270, 48, 132, 90), 17, 336, 93)),
  layer(0x2a9d8f, star(338.7, 252.2, 78, 33, 5)),
  // Off the picture, across its lower right corner.
  layer(0xf4c430, rectangle(430.4, 330.7, 80, 60)),
]);

const trace = async (picture: Parameters<typeof vectorize>[0], settings: VectorizeSettings = {}) => {
  const { drawing, svg, traceStats, qualityDiagnostics } = await vectorize(picture, { fidelity: false, ...settings });
  const geometries = [...shapesOf(drawing.items)].map(({ geometry }) => geometry);
  const circles = geometries.flatMap((geometry) => (geometry.kind === 'circle' ? [geometry] : []));
  return { ...traceStats, drawing, svg, circles, notes: qualityDiagnostics.notes };
};

describe('pictures that were blurred all over', () => {
  for (const px of [1.1, 1.4, 1.7, 2.6]) {
    for (const [how, damage] of [
      ['', async (picture: typeof clean) => picture],
      [', and compressed since,', (picture: typeof clean) => jpegDamaged(picture, 85)],
      [', grain upon them,', async (picture: typeof clean) => grainy(picture, 1.5)],
    ] as const) {
      it(`by ${px} px${how} are drawn as the sharp ones are, at their own size`, async () => {
        const plain = await trace(clean);
        const { drawing, nodes, shapes, circles, notes } = await trace(await damage(gaussianBlurred(clean, px)));
        expect([drawing.width, drawing.height]).to.deep.equal([WIDTH, HEIGHT]);
        expect(shapes).to.equal(plain.shapes);
        expect(nodes).to.be.within(plain.nodes - 2, 1.3 * plain.nodes);
        const [note] = notes.filter(({ code }) => code === 'soft-edges-sharpened');
        expect(Number(/blur of (\S+) px/.exec(note?.message ?? '')?.[1])).to.be.closeTo(px, 0.1 * px);
        expect(circles).to.have.lengthOf(1);
        for (const { cx, cy, r } of circles)
          expect(Math.max(Math.hypot(cx - DISK[0], cy - DISK[1]), Math.abs(r - DISK[2]))).to.be.at.most(0.15 * px);
      });
    }
  }

  it('are drawn as they are where nothing is to be mended, or only colors that they have are to be used', async () => {
    const soft = gaussianBlurred(clean, 1.7);
    const { notes, shapes } = await trace(soft, { artifact_cleanup: 0 });
    expect(notes).to.deep.equal([]);
    expect(shapes).to.be.above((await trace(clean)).shapes);
    const exact = await vectorize(soft, { fidelity: false, preserve_exact_colors: true });
    const own = new Set(Array.from({ length: WIDTH * HEIGHT }, (_, i) => soft.data.subarray(4 * i, 4 * i + 3).join()));
    for (const { hex } of exact.colorPalette) expect(own).to.include(Buffer.from(hex.slice(1), 'hex').join());
  });

  it('are drawn without what is smaller than is asked for, in their own pixels', async () => {
    const dots = paint(WIDTH, HEIGHT, 0xffffff, [
      layer(0x1d3557, circle(...DISK)),
      layer(0xe63946, rectangle(270.3, 48.2, 132, 90)),
      layer(0x2a9d8f, circle(300.4, 250.3, 10)),
      layer(0xf4c430, circle(380.4, 250.3, 7)),
    ]);
    const soft = gaussianBlurred(dots, 1.7);
    expect((await trace(soft)).shapes).to.equal(5);
    expect((await trace(soft, { tiny_path_area: 200 })).shapes).to.equal(4);
    expect((await trace(soft, { tiny_path_area: 100 })).shapes).to.equal(5);
  });

  it('are drawn as they are where they are photographs, which would pass for drawings with fewer pixels', async () => {
    const shaded = pixelwise(320, 240, (x, y) => {
      const wave = 22 * Math.sin(x / 19 + 2 * Math.sin(y / 31)) + 14 * Math.sin(y / 17 + x / 37);
      const box = (Math.floor(x / 53) + Math.floor(y / 47)) % 2 === 0 ? 110 : 0;
      return [60 + wave + box, 50 + 0.8 * wave + box, 40 + 0.6 * wave + box, 255];
    });
    const soft = gaussianBlurred(shaded, 1.5);
    const blur = measureBlur(soft);
    expect(blur.px).to.be.within(1.2, 1.7);
    expect(reduceBlurred(soft, blur)).to.equal(undefined);
    expect(reduceBlurred(gaussianBlurred(clean, 1.5), blur)?.picture.width).to.equal(Math.ceil(WIDTH / 2));
  });
});
