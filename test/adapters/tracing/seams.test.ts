import { expect } from 'chai';
import { type VectorizeSettings, vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { countSeams } from '#test/support/count-seams.js';
import { circle, rectangle, ring } from '#test/support/outlines.js';
import { layer, paint, testPictures } from '#test/support/pictures.js';

const SCALES = [1, 1.7, 3.7];

async function opaquePictures() {
  const pictures = await testPictures();
  const opaque = pictures.filter(({ raster }) => raster.data.every((v, i) => i % 4 !== 3 || v === 255));
  expect(opaque.length).to.be.greaterThan(28);
  return opaque;
}

async function leaksOf(settings: VectorizeSettings): Promise<string[]> {
  const leaks: string[] = [];
  for (const { name, raster } of await opaquePictures()) {
    const { svg } = await vectorize(raster, { ...settings, fidelity: false });
    for (const scale of SCALES) {
      if (raster.width * scale > 2000 || raster.height * scale > 2000) continue;
      const { pixels, worst } = countSeams(svg, scale);
      if (pixels > 0) leaks.push(`${name} at ${scale}x: ${pixels} px, worst ${worst}`);
    }
  }
  return leaks;
}

describe('seams, over magenta and green at 1x, 1.7x and 3.7x', () => {
  it('are none in stacked shapes, of any test picture', async () => {
    expect(await leaksOf({ shape_stacking: 'stacked' })).to.deep.equal([]);
  });

  it('show between cutouts that are left as they are', async () => {
    const leaks = await leaksOf({ shape_stacking: 'cutouts' });
    expect(leaks.length).to.be.greaterThan(40);
  });

  for (const gap_cleanup of ['stroke', 'underlap'] as const)
    it(`are none between cutouts with gap cleanup by ${gap_cleanup}`, async () => {
      expect(await leaksOf({ shape_stacking: 'cutouts', gap_cleanup })).to.deep.equal([]);
    });
});

describe('gap cleanup of cutouts', () => {
  const ground = paint(64, 48, 0x8ecae6, [
    layer(0xe63946, circle(30.3, 24.2, 15)),
    layer(0xf4c430, rectangle(28.4, 10.3, 20, 18)),
  ]);
  const draw = async (raster: typeof ground, settings: VectorizeSettings) =>
    (await vectorize(raster, { shape_stacking: 'cutouts', fidelity: false, ...settings })).drawing;

  it('leaves the shapes as they are and lays strokes beneath them', async () => {
    const plain = await draw(ground, {});
    for (const gap_cleanup of ['stroke', 'underlap'] as const) {
      const closed = await draw(ground, { gap_cleanup });
      const shapes = [...shapesOf(closed.items)];
      const strokes = shapes.filter(({ stroke }) => stroke !== null);
      expect(strokes.length).to.be.within(1, 4);
      // The frame lies beneath all.
      expect(shapes[0]!.geometry).to.deep.equal({ kind: 'rect', x: 0, y: 0, width: 64, height: 48, radius: 0 });
      expect(shapes.slice(1, 1 + strokes.length)).to.deep.equal(strokes);
      expect(shapes.slice(1 + strokes.length).map(({ fill }) => fill)).to.deep.equal(
        [...shapesOf(plain.items)].map(({ fill }) => fill),
      );
    }
  });

  it('takes the color of the neighbor painted first for an underlap, of the larger one for a stroke', async () => {
    const raster = paint(60, 60, 0xffffff, [layer(0x111111, rectangle(2.5, 2.5, 55, 55))]);
    const colorOf = async (gap_cleanup: 'stroke' | 'underlap') => {
      const paints = [...shapesOf((await draw(raster, { gap_cleanup })).items)].flatMap(
        ({ stroke }) => stroke?.paint ?? [],
      );
      return paints.map((paint) => (paint.kind === 'solid' ? paint.color : -1));
    };
    expect(await colorOf('stroke')).to.deep.equal([0x111111]);
    expect(await colorOf('underlap')).to.deep.equal([0xffffff]);
  });

  it('draws nothing along what can be seen through', async () => {
    const raster = paint(64, 64, null, [layer(0xe63946, ...ring(32, 32, 25, 12))]);
    const plain = await draw(raster, {});
    expect(await draw(raster, { gap_cleanup: 'stroke' })).to.deep.equal(plain);
  });

  it('of what is stacked already changes nothing, and the answer says so', async () => {
    const settings: VectorizeSettings = { fidelity: false, shape_stacking: 'stacked' };
    const plain = await vectorize(ground, settings);
    const asked = await vectorize(ground, { ...settings, gap_cleanup: 'stroke' });
    expect(asked.svg).to.equal(plain.svg);
    expect(asked.qualityDiagnostics.notes.map(({ code }) => code)).to.deep.equal(['gap-cleanup-not-applied']);
    const cut = await vectorize(ground, { fidelity: false, shape_stacking: 'cutouts', gap_cleanup: 'stroke' });
    expect(cut.qualityDiagnostics.notes).to.deep.equal([]);
  });
});
