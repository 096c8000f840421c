import { expect } from 'chai';
import { leavesPicture, pullIn } from '#adapters/tracing/engine/fit/swing.js';

const SIZE = 32;

describe('curves that swing out of the picture', () => {
  it('are told from those whose handles alone do', () => {
    // Far out on every side in turn; along the border, by handles that point away from it; and inside.
    const out = [
      [2, 4, -9, 10, -9, 20, 2, 26],
      [30, 4, 41, 10, 41, 20, 30, 26],
      [4, 2, 10, -9, 20, -9, 26, 2],
      [4, 30, 10, 41, 20, 41, 26, 30],
    ];
    for (const points of out)
      expect(leavesPicture(Float64Array.from(points), 0, SIZE, SIZE), `${points}`).to.equal(true);
    for (const points of [
      [20, 4, -3, 4, 20, 20, 24, 24],
      [4, 4, 10, 10, 20, 20, 28, 28],
    ])
      expect(leavesPicture(Float64Array.from(points), 0, SIZE, SIZE), `${points}`).to.equal(false);
  });

  it('are near to it when their handles are pulled in, and as they were where these are not far', () => {
    const points = Float64Array.from([2, 4, -9, 10, -9, 20, 2, 26]);
    expect(pullIn(points, 0, 2, SIZE, SIZE)).to.be.closeTo(4 / 11, 1e-12);
    expect(pullIn(points, 6, 4, SIZE, SIZE)).to.be.closeTo(4 / 11, 1e-12);
    expect(points[2]).to.be.closeTo(-2, 1e-12);
    expect(points[4]).to.be.closeTo(-2, 1e-12);
    expect(leavesPicture(points, 0, SIZE, SIZE)).to.equal(false);
    expect(pullIn(points, 0, 2, SIZE, SIZE)).to.equal(1);
  });
});
