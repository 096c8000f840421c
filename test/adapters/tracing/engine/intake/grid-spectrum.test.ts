import { expect } from 'chai';
import { gridFactors } from '#adapters/tracing/engine/intake/grid-spectrum.js';
import { enlarged } from '#test/support/enlarged-pictures.js';
import { circle, star } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint } from '#test/support/pictures.js';

const small = paint(144, 120, 0xffffff, [
  layer(0x1d3557, circle(40.3, 44.6, 25.2)),
  layer(0xe63946, star(102.7, 36.2, 30, 13, 5)),
  layer(0x2a9d8f, star(100.7, 90.2, 24, 15, 7)),
]);

describe('gridFactors', () => {
  for (const width of [317, 369, 475]) {
    it(`has the factor among few by which a picture was enlarged to ${width} px, compressed or not`, async () => {
      const large = enlarged(small, width, Math.round((width * 120) / 144), 'cubic');
      for (const picture of [large, await jpegDamaged(large, 85)]) {
        const factors = gridFactors(picture);
        expect(factors).to.include(width / 144);
        expect(factors.length).to.be.at.most(6);
      }
    });
  }

  it('is not worked out for sides so long that it would take minutes', () => {
    expect(gridFactors(enlarged(small, 4096, 64, 'cubic')).length).to.be.above(0);
    expect(gridFactors(enlarged(small, 4097, 64, 'cubic'))).to.deep.equal([]);
  });
});
