import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { circle, rectangle, star, turned } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { softened } from '#test/support/soft-pictures.js';

/** Of what pixels have each neighbor gets so much: about what Mitchell's, bilinear reduction and a light blur do. */
const SHARES = [0.04, 0.09, 0.18];
const DISK = [40.3, 44.6, 25.2] as const;

const clean = paint(160, 120, 0xffffff, [
  layer(0x1d3557, circle(...DISK)),
  layer(0xe63946, turned(rectangle(90, 16, 44, 30), 17, 112, 31)),
  layer(0xf4c430, star(112.7, 84.2, 26, 11, 5)),
  layer(0x2a9d8f, circle(40.3, 44.6, 11.3)),
]);

describe('soft pictures', () => {
  it('are drawn with the shapes and in the numbers of sharp ones', async () => {
    const { traceStats: sharp } = await vectorize(clean, { fidelity: false });
    for (const share of SHARES) {
      const { drawing, traceStats, qualityDiagnostics } = await vectorize(softened(clean, share), { fidelity: false });
      const circles = [...shapesOf(drawing.items)].flatMap(({ geometry }) =>
        geometry.kind === 'circle' ? [geometry] : [],
      );
      const off = circles.map(({ cx, cy, r }) =>
        Math.max(Math.hypot(cx - DISK[0], cy - DISK[1]), Math.abs(r - DISK[2])),
      );
      expect(Math.min(...off), `${share}`).to.be.at.most(0.03);
      expect(traceStats.shapes, `${share}`).to.equal(sharp.shapes);
      expect(traceStats.nodes, `${share}`).to.be.within(sharp.nodes - 2, 1.1 * sharp.nodes);
      const [note] = qualityDiagnostics.notes;
      expect(note?.code).to.equal('soft-edges-sharpened');
      expect(Number(/blur of (\S+) px/.exec(note?.message ?? '')?.[1])).to.be.closeTo(Math.sqrt(2 * share), 0.03);
    }
  });

  it('are so as well where a grid of pixels was looked for, and there is none', async () => {
    const soft = softened(clean, 0.18);
    const { svg } = await vectorize(soft, { fidelity: false });
    for (const edge_recovery of ['auto', 'pixel_exact'] as const)
      expect((await vectorize(soft, { fidelity: false, edge_recovery })).svg, edge_recovery).to.equal(svg);
  });

  it('are drawn as they are where nothing is to be mended, and sharp ones without a word', async () => {
    const as = async (share: number, artifact_cleanup: number) =>
      (await vectorize(softened(clean, share), { fidelity: false, artifact_cleanup })).qualityDiagnostics.notes;
    expect(await as(0.2, 0)).to.deep.equal([]);
    expect(await as(0, 2)).to.deep.equal([]);
  });
});
