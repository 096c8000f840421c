import { expect } from 'chai';
import type { Raster } from '#application/ports/tracer.js';
import { vectorize } from '#config/main/library.js';
import { grainy } from '#test/support/grainy-pictures.js';
import { circle, star } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint } from '#test/support/pictures.js';

const logo = paint(240, 180, 0xffffff, [
  layer(0xe63946, circle(80.3, 90.6, 60.2)),
  layer(0x1d3557, star(165.7, 92.2, 56, 24, 5)),
]);

describe('the preset for logos', () => {
  for (const [name, damaged] of [
    ['compression', async () => jpegDamaged(logo, 60)],
    ['grain', async () => grainy(logo, 3)],
  ] as const) {
    it(`sees past ${name}, as tracing without it does`, async () => {
      const picture: Raster = await damaged();
      const { traceStats: plain } = await vectorize(picture, { fidelity: false });
      const { traceStats: as } = await vectorize(picture, { fidelity: false, preset: 'logo' });
      expect(as.shapes).to.equal(3);
      expect(plain.shapes).to.equal(3);
      expect(as.nodes).to.be.at.most(1.2 * plain.nodes);
    });
  }
});
