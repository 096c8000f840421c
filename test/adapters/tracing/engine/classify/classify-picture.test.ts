import { expect } from 'chai';
import { classifyPicture } from '#adapters/tracing/engine/classify/classify-picture.js';
import { measureFlatness } from '#adapters/tracing/engine/intake/flatness.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { findPixelGrid } from '#adapters/tracing/engine/pixel/find-pixel-grid.js';
import { type LabelledPicture, makeLabelledPictures } from '#test/support/labelled-pictures.js';

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
});
