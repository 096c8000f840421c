import { expect } from 'chai';
import { sharpenPicture } from '#adapters/tracing/engine/intake/sharpen.js';
import { blurred, pixelwise } from '#test/support/soft-pictures.js';

const width = 40;
const hard = pixelwise(width, 8, (x) => (x < 20 ? [10, 20, 30, 255] : [200, 180, 90, 255]));

/** The largest step from one pixel of the middle row to the next. */
const steepest = ({ data }: { data: ArrayLike<number> }) =>
  Math.max(
    ...Array.from(
      { length: width - 1 },
      (_, x) => (data[(4 * width + x + 1) * 4] ?? 0) - (data[(4 * width + x) * 4] ?? 0),
    ),
  );

describe('sharpening', () => {
  it('makes soft edges steeper, without halos and with even areas as they were', () => {
    const soft = blurred(blurred(hard));
    const sharp = sharpenPicture(soft);
    expect(steepest(sharp)).to.be.greaterThan(steepest(soft) * 1.2);
    expect(Math.min(...sharp.data)).to.be.at.least(10);
    expect(Math.max(...[...sharp.data].filter((_, i) => i % 4 !== 3))).to.be.at.most(200);
    expect([...sharp.data.slice(0, 4)]).to.deep.equal([10, 20, 30, 255]);
  });

  it('leaves hard edges and what is half seen alone', () => {
    expect([...sharpenPicture(hard).data]).to.deep.equal([...hard.data]);
    const veil = pixelwise(9, 9, () => [200, 100, 40, 128]);
    const data = sharpenPicture(veil).data;
    expect(data[3]).to.equal(128);
    expect(data[0]).to.be.within(198, 202);
  });
});
