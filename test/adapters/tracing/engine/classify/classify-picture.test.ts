import { expect } from 'chai';
import { classifyPicture } from '#adapters/tracing/engine/classify/classify-picture.js';
import { measureFlatness } from '#adapters/tracing/engine/intake/flatness.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { findPixelGrid } from '#adapters/tracing/engine/pixel/find-pixel-grid.js';
import { type LabelledPicture, makeLabelledPictures } from '#test/support/labelled-pictures.js';
import { circle, rectangle, ring } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

/** Of each label; all of them with BURIN_TEST_ALL_CASES=1. */
const EACH = process.env.BURIN_TEST_ALL_CASES === '1' ? 60 : 12;

function typeOf(picture: LabelledPicture) {
  if (findPixelGrid(picture.data, picture.width, picture.height) !== null) return 'pixel_art';
  const pixels = toWorkingPixels(picture);
  const { type, confidence, reason } = classifyPicture(pixels, measureFlatness(pixels));
  expect(confidence).to.be.within(0.5, 1);
  expect(reason).to.match(/%|lettering/);
  return type;
}

describe('the type of a picture', function () {
  this.timeout(300_000);

  it(`is found for at least 97 of 100, ${EACH} of each, and no art is a photograph`, async () => {
    const pictures = await makeLabelledPictures(EACH);
    expect(pictures).to.have.lengthOf(EACH * 6);
    const wrong: string[] = [];
    for (const picture of pictures) {
      const type = typeOf(picture);
      if (type !== picture.label) wrong.push(`${picture.label} ${picture.name}: ${type}`);
      expect(type === 'photo', picture.name).to.equal(picture.label === 'photo');
    }
    expect(wrong.length / pictures.length, wrong.join('\n')).to.be.at.most(0.03);
  });

  it('of a drawing in grays on even ground is art, and no scan', () => {
    const { width, height, data } = paint(240, 240, 0xffffff, [
      layer(0xecf0f2, circle(120.3, 119.6, 90.2)),
      layer(0xe1e6e9, circle(120.3, 119.6, 60.7)),
      layer(0x222222, rectangle(88, 112.5, 152, 122.5)),
      layer(0x222222, ...ring(120.3, 119.6, 90.2, 86.4)),
    ]);
    expect(typeOf({ label: 'art', name: 'grays', width, height, data: Uint8Array.from(data) })).to.equal('art');
  });
});
