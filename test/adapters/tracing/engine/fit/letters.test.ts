import { expect } from 'chai';
import type { Raster } from '#application/ports/tracer.js';
import { vectorize } from '#config/main/library.js';
import { type Contour, rectangle } from '#test/support/outlines.js';
import { layer, linearShade, paint } from '#test/support/pictures.js';
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

/** A row of letters on paper or on a gradient, so many times as large. */
function row(stroke: number, ground: 'paper' | 'a gradient', times: number): Raster {
  const outlines = Array.from({ length: 14 }, (_, k) => letter(4.13 + 17.77 * k, 6.4 + 0.37 * k, stroke));
  const [width, height] = [WIDTH * times, HEIGHT * times];
  const shade = linearShade(0, 0, width, height, [250, 220, 160, 1], [160, 200, 250, 1]);
  return paint(width, height, 0xffffff, [
    ...(ground === 'paper' ? [] : [{ color: 0, outline: [rectangle(0, 0, width, height)], shade }]),
    layer(0x1a1a2e, ...outlines.map((outline) => outline.map((value) => value * times))),
  ]);
}

describe('letters of strokes of two or three px', () => {
  for (const [stroke, ground, least] of [
    [2.2, 'paper', 38.7],
    [2.9, 'paper', 39.2],
    [2.2, 'a gradient', 38.9],
    [2.9, 'a gradient', 39.3],
  ] as const)
    it(`keep the corners of their ends, ${stroke} px apart, beside curves, on ${ground}`, async () => {
      const { svg } = await vectorize(row(stroke, ground, 1), { fidelity: false });
      const quality = psnrOfPixels(renderSvg(svg, WIDTH * TIMES, '#fff').data, row(stroke, ground, TIMES).data);
      expect(quality).to.be.at.least(least);
    });
});
