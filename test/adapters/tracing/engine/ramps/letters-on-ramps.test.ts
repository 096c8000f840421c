import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { circle, ellipse, rectangle, roundedRectangle } from '#test/support/outlines.js';
import { type Layer, layer, linearShade, paint } from '#test/support/pictures.js';
import { psnrOfPixels } from '#test/support/psnr.js';
import { renderSvg } from '#test/support/render-svg.js';

const [WIDTH, HEIGHT] = [300, 200];
const INK = 0x1b2430;
const ALL = [rectangle(0, 0, WIDTH, HEIGHT)];

/** Es of strokes so thin, px, that hardly a pixel is of their color alone, each at another place within its pixels. */
const letters = (x: number, y: number, count: number, stroke: number) =>
  Array.from({ length: count }, (_, k) => {
    const [left, top] = [x + 11.37 * k, y + 0.29 * k];
    return [
      rectangle(left, top, stroke, 11),
      ...[0, 5, 11 - stroke].map((down) => rectangle(left + stroke, top + down, 4.6, stroke)),
    ];
  }).flat();

/** Os, as thin. */
const rings = (x: number, y: number, count: number, stroke: number): Layer[] =>
  Array.from({ length: count }, (_, k) => {
    const [cx, cy] = [x + 11 * k, y + (k % 2)];
    return layer(INK, circle(cx, cy, 4.2 + stroke / 2), ellipse(cx, cy, stroke / 2 - 4.2, 4.2 - stroke / 2));
  });

async function draw(layers: readonly Layer[]) {
  const picture = paint(WIDTH, HEIGHT, 0xffffff, layers);
  const { svg, drawing } = await vectorize(picture, { fidelity: false });
  const solid = [...shapesOf(drawing.items)].flatMap(({ fill }) => (fill?.kind === 'solid' ? [fill.color] : []));
  return { picture, solid, quality: psnrOfPixels(renderSvg(svg, WIDTH, '#fff').data, picture.data) };
}

const isNear = (color: number, other: number, levels: number) =>
  [16, 8, 0].every((shift) => Math.abs(((color >> shift) & 255) - ((other >> shift) & 255)) <= levels);

describe('Letters on gradients', () => {
  for (const [name, stroke] of [
    ['thin', 1.3],
    ['bold', 2.4],
  ] as const)
    it(`are of one color where they are ${name}, though other grays are in the picture`, async () => {
      const shade = linearShade(0, 0, WIDTH, HEIGHT, [242, 204, 128, 1], [102, 153, 230, 1]);
      const { solid, quality } = await draw([
        { color: 0, outline: ALL, shade },
        layer(0x4c5a6b, circle(240, 60, 30)),
        layer(INK, ...letters(20.4, 40.3, 16, stroke), ...letters(20.7, 90.6, 16, stroke)),
      ]);
      const others = solid.filter((color) => !isNear(color, 0x4c5a6b, 2) && !isNear(color, INK, 24));
      expect(others.length).to.be.at.most(1);
      expect(quality).to.be.at.least(40);
    });

  it('close nothing in but their ground, where that ends in white', async () => {
    const shade = linearShade(0, 0, 0, 120, [90, 140, 220, 1], [255, 255, 255, 1]);
    const { solid, quality } = await draw([
      { color: 0, outline: ALL, shade },
      layer(0x556b2f, roundedRectangle(60, 30, 180, 60, 6)),
      ...rings(40.3, 150.2, 20, 1.6),
      ...rings(40.3, 180.4, 20, 1.2),
    ]);
    const others = solid.filter((color) => !isNear(color, 0x556b2f, 2) && !isNear(color, INK, 24));
    expect(others.map((color) => color.toString(16))).to.deep.equal([]);
    expect(quality).to.be.at.least(38);
  });
});
