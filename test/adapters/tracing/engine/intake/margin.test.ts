import { expect } from 'chai';
import { findMargin, type Margin, withMargin } from '#adapters/tracing/engine/intake/margin.js';
import { circle, ellipse, partOf, rectangle, roundedRectangle } from '#test/support/outlines.js';
import { checkerboard, gradient, layer, linearShade, noise, paint, radialShade } from '#test/support/pictures.js';

const SIDE = 64;
const on = (ground: number | null, ...outline: Parameters<typeof layer>[1][]) =>
  paint(SIDE, SIDE, ground, [layer(0xe63946, ...outline)]);

const ALL = { left: 1, top: 1, right: 1, bottom: 1 };
const NONE = { left: 0, top: 0, right: 0, bottom: 0 };

describe('the margin around a picture', () => {
  it('is on the sides that what just fits into the picture touches, of their ground, one px wide', () => {
    const shaded = {
      ...layer(0, circle(32, 32, 32)),
      shade: linearShade(0, 0, 64, 64, [230, 57, 70, 1], [29, 53, 87, 1]),
    };
    const fitting = {
      disk: [on(0xffffff, circle(32, 32, 32)), ALL],
      'disk on nothing': [on(null, circle(32, 32, 32)), ALL],
      ellipse: [on(0x003049, ellipse(32, 32, 32, 20)), { ...NONE, left: 1, right: 1 }],
      'box with round corners': [on(0xffffff, roundedRectangle(0, 0, 64, 64, 12)), ALL],
      'disk at the top': [on(0xffffff, circle(30, 15, 15)), { ...NONE, top: 1 }],
      'disk that is cut off a little': [on(0xffffff, circle(32, 29, 31)), { ...NONE, top: 1 }],
      'two disks': [on(0xffffff, circle(16, 16, 16), circle(50, 50, 14)), ALL],
      'head and shoulders': [on(0xffffff, circle(32, 20, 20), rectangle(12, 36, 40, 28)), { ...NONE, top: 1 }],
      'disk above a floor': [on(0xffffff, circle(32, 26, 26), rectangle(0, 60, 64, 4)), { ...NONE, top: 1 }],
      'shaded disk': [paint(SIDE, SIDE, 0xffffff, [shaded]), ALL],
      'letters with round corners': [
        on(0xffffff, roundedRectangle(0, 0, 15.4, 64, 2.5), roundedRectangle(24.3, 0, 14, 64, 2.5)),
        { ...NONE, left: 1, top: 1, bottom: 1 },
      ],
      'letters of which one ends sharp': [
        on(null, roundedRectangle(6, 0, 16, 40, 3), rectangle(26.4, 0, 12, 50), roundedRectangle(44, 0, 14, 60, 3)),
        { ...NONE, top: 1 },
      ],
    } as const;
    for (const [name, [picture, wanted]] of Object.entries(fitting)) {
      const margin = findMargin(picture);
      expect(margin, name).to.deep.include(wanted);
      // Disks and boxes leave the corner free, and letters what is between them.
      const ground = 4 * (name.startsWith('letters') ? 23 : 0);
      for (const side of ['left', 'top', 'right', 'bottom'] as const) {
        if (wanted[side] === 0) continue;
        expect((margin as Margin).colors[side], name).to.deep.equal([...picture.data.subarray(ground, ground + 4)]);
      }
      const wide = withMargin(picture, margin as Margin);
      expect([wide.width, wide.height], name).to.deep.equal([
        SIDE + wanted.left + wanted.right,
        SIDE + wanted.top + wanted.bottom,
      ]);
      for (let y = 0; y < wide.height; y++) {
        for (let x = 0; x < wide.width; x++) {
          const [u, v] = [x - wanted.left, y - wanted.top];
          const isInside = u >= 0 && v >= 0 && u < SIDE && v < SIDE;
          const { colors } = margin as Margin;
          const beyond = v < 0 ? colors.top : v >= SIDE ? colors.bottom : u < 0 ? colors.left : colors.right;
          const at = 4 * (v * SIDE + u);
          const from = (y * wide.width + x) * 4;
          for (let c = 0; c < 4; c++)
            if (wide.data[from + c] !== (isInside ? picture.data[at + c] : beyond[c]))
              throw new RangeError(`${name} at ${x}, ${y}`);
        }
      }
    }
  });

  it('is two px of what lies beyond, on the sides where the picture ends within its outermost pixels', () => {
    const two = (width: number, height: number) => [
      layer(0xe63946, rectangle(0, 0, 40, height)),
      layer(0x1d3557, rectangle(40, 0, width - 40, height)),
    ];
    const NOTHING = [0, 0, 0, 0];
    const WHITE = [255, 255, 255, 255];
    const ending = {
      'one color before nothing': [paint(SIDE, SIDE, null, [layer(0xe63946, rectangle(0, 0, 64, 63.3))]), NOTHING],
      'two before nothing': [paint(SIDE, SIDE, null, two(64, 63.55)), NOTHING],
      'two before paper': [paint(SIDE, SIDE, 0xffffff, two(64, 63.85)), WHITE],
      'two before hardly a trace of paper': [paint(SIDE, SIDE, 0xffffff, two(64, 63.12)), WHITE],
      'two before black': [paint(SIDE, SIDE, 0, two(64, 63.4)), [0, 0, 0, 255]],
      'one color, with paper beside it': [
        paint(SIDE, SIDE, 0xffffff, [layer(0xe63946, rectangle(8, 0, 48, 63.6))]),
        WHITE,
      ],
      'two colors that end apart': [
        paint(SIDE, SIDE, 0xffffff, [
          layer(0xe63946, rectangle(4, 0, 24, 63.3)),
          layer(0x1d3557, rectangle(34, 0, 24, 63.7)),
        ]),
        WHITE,
      ],
      'a slanted end': [paint(SIDE, SIDE, 0xffffff, [layer(0xe63946, [8, 0, 56, 0, 56, 63.3, 8, 63.8])]), WHITE],
      'letters with round corners and slanted sides': [
        paint(SIDE, SIDE, 0xffffff, [
          layer(0x111111, roundedRectangle(2.3, 6, 11.4, 57.7, 2), roundedRectangle(17.6, 6, 10.2, 57.7, 2)),
          layer(0x111111, [34, 6, 44, 6, 53.4, 63.7, 41.2, 63.7], [56.4, 20, 64, 20, 64, 63.7, 56.4, 63.7]),
        ]),
        WHITE,
      ],
    } as const;
    for (const [name, [picture, color]] of Object.entries(ending)) {
      const margin = findMargin(picture) as Margin;
      expect(margin, name).to.deep.include({ ...NONE, bottom: 2 });
      expect(margin.colors.bottom, name).to.deep.equal(color);
      const wide = withMargin(picture, margin);
      expect([wide.width, wide.height], name).to.deep.equal([SIDE, SIDE + 2]);
      expect(wide.data.subarray(0, picture.data.length), name).to.deep.equal(picture.data);
      expect(
        wide.data.subarray(picture.data.length).every((value, at) => value === color[at & 3]),
        name,
      ).to.equal(true);
    }
    const both = findMargin(paint(SIDE, SIDE, null, two(63.7, 63.3)));
    expect(both).to.deep.include({ ...NONE, right: 2, bottom: 2 });
  });

  it('is of the color of the corners, where a box just short of the border is round, though its sides might be lines of their own', () => {
    const box = roundedRectangle(0.4, 0.35, 63.2, 63.25, 4);
    for (const [ground, name] of [
      [0xffffff, 'on paper'],
      [0xcfd4d8, 'on gray'],
    ] as const) {
      const picture = paint(SIDE, SIDE, ground, [
        layer(0x2b5770, partOf(box, 'below', 61.2)),
        layer(0x597b91, partOf(box, 'above', 61.2)),
      ]);
      const margin = findMargin(picture) as Margin;
      const color = [...picture.data.subarray(0, 4)];
      for (const side of ['left', 'top', 'right', 'bottom'] as const) {
        expect(margin[side], `${name}, ${side}`).to.be.greaterThan(0);
        expect(margin.colors[side], `${name}, ${side}`).to.deep.equal(color);
      }
    }
  });

  it('is left out where a line lies along the border, all changes towards it, or next to nothing lies beyond', () => {
    const stripes = (...more: Parameters<typeof layer>[]) => [
      layer(0xe63946, rectangle(0, 0, 40, 64)),
      layer(0x1d3557, rectangle(40, 0, 24, 64)),
      ...more.map((one) => layer(...one)),
    ];
    const shade = {
      ...layer(0, rectangle(0, 0, 64, 64)),
      shade: linearShade(0, 0, 0, 64, [0, 0, 0, 1], [255, 255, 255, 1]),
    };
    const others = {
      'a line of its own': paint(SIDE, SIDE, 0xffffff, stripes([0xc8c8c8, rectangle(0, 63, 64, 1)])),
      'one color before paper, or a line': paint(SIDE, SIDE, 0xffffff, [layer(0xe63946, rectangle(0, 0, 64, 63.6))]),
      shade: paint(SIDE, SIDE, 0, [shade]),
      'a trace': paint(SIDE, SIDE, null, [layer(0xe63946, rectangle(0, 0, 64, 63.95))]),
      'nothing at all': paint(SIDE, SIDE, null, [layer(0xe63946, rectangle(0, 0, 64, 63))]),
      'whole pixels': paint(SIDE, SIDE, 0xffffff, stripes()),
    };
    for (const [name, picture] of Object.entries(others)) expect(findMargin(picture), name).to.equal(undefined);
  });

  it('is left out where a shape runs on beyond the border, nothing touches it, or there is no one ground', () => {
    const others = {
      'disk within': on(0xffffff, circle(32, 32, 30)),
      'half a disk': on(0xffffff, circle(32, 0, 20)),
      stripe: on(0xffffff, rectangle(0, 20.4, 64, 20)),
      'slanted stripe': on(0xffffff, [20, 0, 40, 0, 44, 64, 24, 64]),
      cross: on(0xffffff, rectangle(0, 26.5, 64, 11), rectangle(26.5, 0, 11, 64)),
      'box without round corners': on(0xffffff, rectangle(0, 10, 64, 40)),
      'letters without round corners': on(0xffffff, rectangle(4.3, 0, 15, 64), [30, 0, 46, 0, 58, 64, 40.6, 64]),
      'disk that fills the corners': on(0xffffff, circle(32, 32, 60)),
      'disk in a corner': on(0xffffff, circle(0, 0, 20)),
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
    for (const [name, picture] of Object.entries(others)) expect(findMargin(picture), name).to.equal(undefined);
    expect(findMargin(paint(7, 7, 0xffffff, [layer(0, circle(3.5, 3.5, 3.5))])), 'tiny').to.equal(undefined);
    expect(findMargin({ width: SIDE, height: SIDE, data: new Uint8Array(4) }), 'of another size').to.equal(undefined);
  });
});
