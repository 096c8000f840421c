import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import type { Contour } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { psnrOfPixels } from '#test/support/psnr.js';
import { renderSvg } from '#test/support/render-svg.js';

const [WIDTH, HEIGHT] = [260, 40];
const TIMES = 4;

/** A quarter of a superellipse about (cx, cy), which is no arc, from the one end to the other. */
const quarter = (cx: number, cy: number, rx: number, ry: number, from: number, to: number): number[] =>
  Array.from({ length: 25 }, (_, k) => {
    const angle = from + ((to - from) * k) / 24;
    const along = (value: number) => Math.sign(value) * Math.abs(value) ** 0.8;
    return [cx + rx * along(Math.cos(angle)), cy + ry * along(Math.sin(angle))];
  }).flat();

/** A t whose strokes are `stroke` px wide, with a hook at its foot. */
function letter(x: number, y: number, stroke: number): Contour {
  const [left, right, arm] = [x + 3, x + 3 + stroke, stroke * 0.85];
  return [
    ...[left, y, right, y, right, y + 5, right + 6, y + 5, right + 6, y + 5 + arm, right, y + 5 + arm],
    ...quarter(right + 4, y + 15, 4, 5, Math.PI, Math.PI / 2),
    ...[right + 6, y + 20, right + 6, y + 20 + arm],
    ...quarter(left + 5, y + 15, 5, 5 + arm, Math.PI / 2, Math.PI),
    ...[left, y + 5 + arm, x, y + 5 + arm, x, y + 5, left, y + 5],
  ];
}

describe('letters of strokes of two or three px', () => {
  for (const [stroke, least] of [
    [2.2, 36.3],
    [2.9, 37.2],
  ] as const)
    it(`keep the corners of their ends, ${stroke} px apart, beside curves`, async () => {
      const letters = (times: number) => {
        const outlines = Array.from({ length: 14 }, (_, k) => letter(4.13 + 17.77 * k, 6.4 + 0.37 * k, stroke));
        return paint(WIDTH * times, HEIGHT * times, 0xffffff, [
          layer(0x1a1a2e, ...outlines.map((outline) => outline.map((value) => value * times))),
        ]);
      };
      const { svg } = await vectorize(letters(1), { fidelity: false });
      const quality = psnrOfPixels(renderSvg(svg, WIDTH * TIMES, '#fff').data, letters(TIMES).data);
      expect(quality).to.be.at.least(least);
    });
});
