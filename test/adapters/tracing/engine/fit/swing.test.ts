import { expect } from 'chai';
import { leavesPicture, pullIn, shareWithin } from '#adapters/tracing/engine/fit/swing.js';

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

  it('are near to it where they are round ones that are made smaller, along their axes and turned', () => {
    const reach = (cx: number, cy: number, rx: number, ry: number, angle: number) => {
      const share = shareWithin(cx, cy, rx, ry, angle, SIZE, SIZE);
      let out = -Infinity;
      for (let k = 0; k < 720; k++) {
        const [u, v] = [share * rx * Math.cos(k), share * ry * Math.sin(k)];
        const x = cx + u * Math.cos(angle) - v * Math.sin(angle);
        const y = cy + u * Math.sin(angle) + v * Math.cos(angle);
        out = Math.max(out, -x, -y, x - SIZE, y - SIZE);
      }
      return { share, out };
    };
    for (const [cx, cy, rx, ry, angle] of [
      [16, 0, 4, 4, 0],
      [1, 16, 9, 2, 0],
      [16, 30, 2, 9, 0.4],
      [31, 3, 9, 4, -1.1],
    ] as const) {
      const { share, out } = reach(cx, cy, rx, ry, angle);
      expect(share).to.be.lessThan(1);
      expect(out, `${[cx, cy, rx, ry, angle]}`).to.be.closeTo(1.5, 1e-3);
    }
    expect(reach(16, 1, 2, 2, 0).share).to.equal(1);
    expect(reach(16, 16, 15, 9, 0.7).share).to.equal(1);
  });
});
