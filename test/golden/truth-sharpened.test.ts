import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { circle, rectangle, star, turned } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { sharpenedBy, UNSHARP_MASKS } from '#test/support/sharpened-pictures.js';
import { softened } from '#test/support/soft-pictures.js';

const clean = paint(160, 120, 0xffffff, [
  layer(0x1d5577, circle(40.3, 44.6, 25.2)),
  layer(0xd66956, turned(rectangle(90, 16, 44, 30), 17, 112, 31)),
  layer(0xd4b460, star(112.7, 84.2, 26, 11, 5)),
  layer(0x2a9d8f, circle(40.3, 44.6, 11.3)),
]);

/** On white, and nearly black: halos are cut off at both. */
const DISKS = [
  [40.3, 44.6, 25.2],
  [40.3, 44.6, 11.3],
] as const;
const dark = paint(160, 120, 0xffffff, [
  layer(0x222222, circle(...DISKS[0])),
  layer(0xd66956, turned(rectangle(90, 16, 44, 30), 17, 112, 31)),
  layer(0xd4b460, star(112.7, 84.2, 26, 11, 5)),
  layer(0x2a9d8f, circle(...DISKS[1])),
]);

describe('sharpened pictures', () => {
  it('are drawn with the shapes of what they were, and none for halos', async () => {
    const { traceStats: before } = await vectorize(clean, { fidelity: false });
    for (const [share, note] of [
      [0.03, 'halos-left-out'],
      [0.05, 'halos-left-out'],
      [0.07, 'halos-left-out'],
      [0.12, 'sharpening-undone'],
    ] as const) {
      const sharpened = softened(clean, -share);
      const { traceStats, qualityDiagnostics } = await vectorize(sharpened, { fidelity: false });
      expect(traceStats.shapes, `${share}`).to.equal(before.shapes);
      expect(traceStats.nodes, `${share}`).to.be.at.most(1.15 * before.nodes);
      expect(qualityDiagnostics.notes.map(({ code }) => code)).to.deep.equal([note]);
      expect(qualityDiagnostics.notes[0]?.message).to.match(
        /\(\d+ % of the contrast\)|mask of about \d\.\d px and \d+ %/,
      );
    }
  });

  it('are drawn as they are where nothing is to be mended, and others without a word', async () => {
    const of = async (share: number, artifact_cleanup: number) =>
      vectorize(softened(clean, share), { fidelity: false, artifact_cleanup });
    const asIs = await of(-0.14, 0);
    expect(asIs.qualityDiagnostics.notes).to.deep.equal([]);
    expect(asIs.traceStats.shapes).to.be.above((await of(-0.14, 2)).traceStats.shapes);
    expect((await of(0, 2)).qualityDiagnostics.notes).to.deep.equal([]);
  });

  for (const [radiusPx, amount, threshold] of UNSHARP_MASKS) {
    it(`by an unsharp mask of ${radiusPx} px and ${100 * amount} %, threshold ${threshold}, are drawn as they were before`, async () => {
      const { traceStats: before } = await vectorize(dark, { fidelity: false });
      const sharpened = sharpenedBy(dark, radiusPx, amount, threshold);
      const { drawing, traceStats, qualityDiagnostics } = await vectorize(sharpened, { fidelity: false });
      expect(traceStats.shapes).to.equal(before.shapes);
      expect(traceStats.nodes).to.be.at.most(1.15 * before.nodes);
      const circles = [...shapesOf(drawing.items)].flatMap(({ geometry }) =>
        geometry.kind === 'circle' ? [geometry] : [],
      );
      for (const [cx, cy, r] of DISKS) {
        const off = circles.map((found) => Math.max(Math.hypot(found.cx - cx, found.cy - cy), Math.abs(found.r - r)));
        expect(Math.min(...off)).to.be.at.most(0.08);
      }
      expect(qualityDiagnostics.notes.map(({ code }) => code)).to.deep.equal(['sharpening-undone']);
      const asIs = await vectorize(sharpened, { fidelity: false, artifact_cleanup: 0 });
      expect(asIs.qualityDiagnostics.notes).to.deep.equal([]);
      expect(asIs.traceStats.nodes).to.be.above(before.nodes);
    });
  }
});
