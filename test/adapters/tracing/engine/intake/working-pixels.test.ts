import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';

describe('working pixels', () => {
  it('are premultiplied, rounded to bytes, and the picture stays as it was', () => {
    const data = Uint8Array.from([200, 100, 50, 128, 10, 20, 30, 255, 255, 255, 255, 0]);
    const before = Uint8Array.from(data);
    const pixels = toWorkingPixels({ width: 3, height: 1, data });
    expect([...pixels.rgba]).to.deep.equal([100, 50, 25, 128, 10, 20, 30, 255, 0, 0, 0, 0]);
    expect(data).to.deep.equal(before);
    expect(pixels.opaque).to.equal(false);
  });

  it('premultiply every channel at every opacity to within half a level', () => {
    for (let alpha = 0; alpha < 256; alpha++) {
      const data = Uint8Array.from([alpha, 255, 77, alpha]);
      const { rgba } = toWorkingPixels({ width: 1, height: 1, data });
      for (let c = 0; c < 3; c++) expect(Math.abs(rgba[c]! - (data[c]! * alpha) / 255)).to.be.at.most(0.502);
    }
  });

  it('know whether all of them are opaque, and give equal pixels equal words', () => {
    const data = Uint8ClampedArray.from([1, 2, 3, 255, 1, 2, 3, 255, 1, 2, 4, 255]);
    const pixels = toWorkingPixels({ width: 3, height: 1, data });
    expect(pixels.opaque).to.equal(true);
    expect(pixels.words[0]).to.equal(pixels.words[1]);
    expect(pixels.words[0]).to.not.equal(pixels.words[2]);
  });

  it('are of bytes that lie anywhere, a Buffer within another too', () => {
    for (const alpha of [255, 128]) {
      const bytes = [200, 100, 50, 255, 10, 20, 30, alpha];
      const wanted = [...toWorkingPixels({ width: 2, height: 1, data: Uint8Array.from(bytes) }).rgba];
      for (let offset = 0; offset < 4; offset++) {
        const whole = Buffer.concat([Buffer.alloc(offset), Buffer.from(bytes)]);
        const data = whole.subarray(offset);
        const pixels = toWorkingPixels({ width: 2, height: 1, data });
        expect([...pixels.rgba], `${offset}`).to.deep.equal(wanted);
        expect([...data], 'the picture').to.deep.equal(bytes);
      }
    }
  });

  it('refuse sizes that do not agree', () => {
    const data = new Uint8Array(16);
    for (const [width, height] of [
      [0, 4],
      [4, 0],
      [-2, -2],
      [1.5, 2],
      [Number.NaN, 4],
    ] as const)
      expect(() => toWorkingPixels({ width, height, data })).to.throw(RangeError, 'cannot be traced');
    for (const [width, height] of [
      [3, 1],
      [5, 1],
      [2, 3],
    ] as const)
      expect(() => toWorkingPixels({ width, height, data })).to.throw(RangeError, 'bytes of RGBA, not 16');
  });
});
