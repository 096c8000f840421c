import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { type Contour, circle, ellipse } from '#test/support/outlines.js';
import { layer, linearShade, paint, type Shade } from '#test/support/pictures.js';
import { psnrOfPixels } from '#test/support/psnr.js';
import { renderSvg } from '#test/support/render-svg.js';

const SIDE = 72;
const LINE_PX = 1.6;
const HAIR = linearShade(0, 8, 0, 44, [250, 244, 230, 1], [216, 200, 170, 1]);
const SHIRT = linearShade(0, 44, 0, 72, [40, 200, 170, 1], [10, 120, 110, 1]);
const HAIR_LINE = 0x9a8a6c;
const SHIRT_LINE = 0x00574b;

/** A shape in a gradient, with an outline of another color, half of which is inside it. */
const outlined = (line: number, shade: Shade, shape: (grow: number) => Contour) => [
  layer(line, shape(LINE_PX / 2)),
  { color: 0, outline: [shape(-LINE_PX / 2)], shade },
];

const isNear = (color: number, other: number, levels: number) =>
  [16, 8, 0].every((shift) => Math.abs(((color >> shift) & 255) - ((other >> shift) & 255)) <= levels);

describe('Outlines of gradients', () => {
  it('are drawn in their color, though no pixel may have it alone', async () => {
    const picture = paint(SIDE, SIDE, 0xffffff, [
      ...outlined(SHIRT_LINE, SHIRT, (grow) => ellipse(36.3, 66.2, 27.4 + grow, 18.3 + grow)),
      ...outlined(HAIR_LINE, HAIR, (grow) => circle(36.4, 27.7, 20.6 + grow)),
    ]);
    const { svg, drawing } = await vectorize(picture, { fidelity: false });
    const solid = [...shapesOf(drawing.items)].flatMap(({ fill }) => (fill?.kind === 'solid' ? [fill.color] : []));
    for (const line of [HAIR_LINE, SHIRT_LINE])
      expect(
        solid.some((color) => isNear(color, line, 24)),
        `${line.toString(16)} among ${solid.map((color) => color.toString(16))}`,
      ).to.equal(true);
    expect(psnrOfPixels(renderSvg(svg, SIDE, '#fff').data, picture.data)).to.be.at.least(37);
  });
});
