import { expect } from 'chai';
import { withMargin } from '#adapters/tracing/engine/intake/margin.js';
import { circle, ellipse, rectangle, roundedRectangle } from '#test/support/outlines.js';
import { checkerboard, gradient, layer, linearShade, noise, paint, radialShade } from '#test/support/pictures.js';

const SIDE = 64;
const on = (ground: number | null, ...outline: Parameters<typeof layer>[1][]) =>
  paint(SIDE, SIDE, ground, [layer(0xe63946, ...outline)]);

describe('the margin around a picture', () => {
  it('is of the ground, one px wide, around what just fits into the picture', () => {
    const fitting = {
      disk: on(0xffffff, circle(32, 32, 32)),
      'disk on nothing': on(null, circle(32, 32, 32)),
      ellipse: on(0x003049, ellipse(32, 32, 32, 20)),
      'box with round corners': on(0xffffff, roundedRectangle(0, 0, 64, 64, 12)),
      'disk at the top': on(0xffffff, circle(30, 15, 15)),
      'disk that is cut off a little': on(0xffffff, circle(32, 29, 31)),
      'shaded disk': paint(SIDE, SIDE, 0xffffff, [
        {
          ...layer(0, circle(32, 32, 32)),
          shade: linearShade(0, 0, 64, 64, [230, 57, 70, 1], [29, 53, 87, 1]),
        },
      ]),
    };
    for (const [name, picture] of Object.entries(fitting)) {
      const wide = withMargin(picture);
      if (wide === undefined) throw new RangeError(`no margin around a ${name}`);
      expect([wide.width, wide.height], name).to.deep.equal([SIDE + 2, SIDE + 2]);
      const ground = [...picture.data.subarray(0, 4)];
      for (let y = 0; y < SIDE + 2; y++) {
        for (let x = 0; x < SIDE + 2; x++) {
          const isInside = x > 0 && y > 0 && x <= SIDE && y <= SIDE;
          const at = ((y - 1) * SIDE + x - 1) * 4;
          const wanted = isInside ? [...picture.data.subarray(at, at + 4)] : ground;
          const from = (y * (SIDE + 2) + x) * 4;
          if (wanted.some((level, c) => wide.data[from + c] !== level)) throw new RangeError(`${name} at ${x}, ${y}`);
        }
      }
    }
  });

  it('is left out where a shape runs on beyond the border, nothing touches it, or there is no one ground', () => {
    const others = {
      'disk within': on(0xffffff, circle(32, 32, 30)),
      'half a disk': on(0xffffff, circle(32, 0, 20)),
      stripe: on(0xffffff, rectangle(0, 20.4, 64, 20)),
      'slanted stripe': on(0xffffff, [20, 0, 40, 0, 44, 64, 24, 64]),
      cross: on(0xffffff, rectangle(0, 26.5, 64, 11), rectangle(26.5, 0, 11, 64)),
      'box without round corners': on(0xffffff, rectangle(0, 10, 64, 40)),
      'disk that fills the corners': on(0xffffff, circle(32, 32, 60)),
      'disk that hides one corner': on(0xffffff, circle(32, 32, 32), circle(0, 0, 10)),
      'disk and a stripe': on(0xffffff, circle(32, 20, 20), rectangle(0, 50, 64, 8)),
      'disk of cells': checkerboard(SIDE, SIDE, 4),
      shades: gradient(SIDE, SIDE),
      glow: paint(SIDE, SIDE, 0xffffff, [
        {
          ...layer(0, rectangle(0, 0, SIDE, SIDE)),
          shade: radialShade(32, 32, 45.2, [230, 57, 70, 1], [255, 255, 255, 1]),
        },
      ]),
      noise: noise(SIDE, SIDE, 3),
      'one color': on(0xe63946, circle(32, 32, 32)),
    };
    for (const [name, picture] of Object.entries(others)) expect(withMargin(picture), name).to.equal(undefined);
    expect(withMargin(paint(7, 7, 0xffffff, [layer(0, circle(3.5, 3.5, 3.5))])), 'tiny').to.equal(undefined);
    expect(withMargin({ width: SIDE, height: SIDE, data: new Uint8Array(4) }), 'of another size').to.equal(undefined);
  });
});
