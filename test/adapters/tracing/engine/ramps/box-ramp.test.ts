import { Resvg } from '@resvg/resvg-js';
import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { bar, circle, rectangle, roundedRectangle } from '#test/support/outlines.js';
import { blurredBox, layer, linearShade, paint, radialShade, type Shade } from '#test/support/pictures.js';
import { psnrOfPixels } from '#test/support/psnr.js';
import { renderSvg } from '#test/support/render-svg.js';

const WIDTH = 200;
const HEIGHT = 184;
const CARD = { x: 42, y: 38, width: 116, height: 96 };
const SHADOW = { left: 42, top: 48, right: 158, bottom: 144, sigma: 8, opacity: 0.4 };

const shade = blurredBox(SHADOW);

async function draw(ground: number | null) {
  const { x, y, width, height } = CARD;
  const picture = paint(WIDTH, HEIGHT, ground, [
    { color: 0, outline: [rectangle(0, 0, WIDTH, HEIGHT)], shade },
    layer(0xe76f51, roundedRectangle(x, y, width, height, 7)),
  ]);
  const { svg, drawing } = await vectorize(picture, { fidelity: false });
  return { svg, shapes: [...shapesOf(drawing.items)] };
}

/** How far the drawing is from the blurred rectangle, in the channel that it changes most: the most, and on average, levels. */
function distance(svg: string, ground: number | null): { most: number; mean: number } {
  const { pixels } = new Resvg(svg).render();
  let [most, sum, seen] = [0, 0, 0];
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const { x: left, y: top, width, height } = CARD;
      if (x > left - 3 && x < left + width + 2 && y > top - 3 && y < top + height + 2) continue;
      const alpha = shade(x + 0.5, y + 0.5)[3];
      const truth = ground === null ? 255 * alpha : (ground & 255) * (1 - alpha);
      const off = Math.abs(pixels[(y * WIDTH + x) * 4 + (ground === null ? 3 : 2)]! - truth);
      most = Math.max(most, off);
      sum += off;
      seen++;
    }
  }
  return { most, mean: sum / seen };
}

describe('box ramps', () => {
  for (const [name, ground] of [
    ['on a plain ground', 0xf4f6f8],
    ['under its opacity', null],
  ] as const) {
    it(`draw the soft shadow of a card ${name}: linear sides, radial corners, no bands`, async () => {
      const { svg, shapes } = await draw(ground);
      const fills = shapes.map(({ fill }) => fill!);
      expect(fills.filter(({ kind }) => kind === 'linear').length).to.be.within(3, 4);
      expect(fills.filter(({ kind }) => kind === 'radial').length).to.be.within(2, 4);
      expect(shapes.length).to.be.at.most(11);
      for (const fill of fills) if (fill.kind !== 'solid') expect(fill.stops.length).to.be.at.most(6);
      const { most, mean } = distance(svg, ground);
      expect(most).to.be.at.most(7.5);
      expect(mean).to.be.at.most(0.45);
    });
  }

  for (const [sigma, ground, card] of [
    [5, 0x50f793, 0x63bccc],
    [7, 0xe22aa6, 0x8a5599],
    [6, 0xffffff, 0xe040b8],
    [9, 0xf4f6f8, 0x2f6fed],
  ] as const)
    it(`draw the shadow of a card that is blurred by ${sigma} px: no bands`, async () => {
      const [left, top, right, bottom] = [48.3, 46.6, 152.7, 132.2];
      const shade = blurredBox({ left, top: top + 4, right, bottom: bottom + 4, sigma, opacity: 0.4 });
      const picture = paint(WIDTH, HEIGHT, ground, [
        { color: 0, outline: [rectangle(0, 0, WIDTH, HEIGHT)], shade },
        { color: card, outline: [rectangle(left, top, right - left, bottom - top)] },
      ]);
      const { svg, drawing } = await vectorize(picture, { fidelity: false });
      const kinds = [...shapesOf(drawing.items)].map(({ fill }) => fill!.kind);
      expect(kinds.filter((kind) => kind === 'linear').length).to.be.within(3, 5);
      expect(kinds.length).to.be.at.most(14);
      const { pixels } = new Resvg(svg).render();
      let [sum, most] = [0, 0];
      for (let i = 0; i < WIDTH * HEIGHT; i++) {
        for (let c = 0; c < 3; c++) {
          const off = Math.abs(pixels[i * 4 + c]! - picture.data[i * 4 + c]!);
          sum += off;
          most = Math.max(most, off);
        }
      }
      expect(sum / (WIDTH * HEIGHT * 3)).to.be.at.most(0.6);
      expect(most).to.be.at.most(40);
    });

  for (const sigma of [1.5, 2, 2.5, 3, 4])
    it(`leave a white card on a page that is nearly white both their colors, where its shadow is blurred by ${sigma} px`, async () => {
      const [left, top, right, bottom] = [40, 38, 160, 122];
      const shade = blurredBox({ left, top: top + 2, right, bottom: bottom + 2, sigma, opacity: 0.25 });
      const picture = paint(WIDTH, HEIGHT, 0xf4f5f7, [
        { color: 0, outline: [rectangle(0, 0, WIDTH, HEIGHT)], shade },
        layer(0xffffff, roundedRectangle(left, top, right - left, bottom - top, 6)),
        layer(0x333344, roundedRectangle(54, 52, 60, 10, 3)),
      ]);
      const { svg } = await vectorize(picture, { fidelity: false });
      // The page's may be where the shadow's gradients end.
      expect(svg).to.include('"#f4f5f7"').and.to.include('"#fff"').and.to.include('"#334"');
      const { pixels } = new Resvg(svg).render();
      let sum = 0;
      for (let i = 0; i < WIDTH * HEIGHT; i++)
        for (let c = 0; c < 3; c++) sum += Math.abs(pixels[i * 4 + c]! - picture.data[i * 4 + c]!);
      expect(sum / (WIDTH * HEIGHT * 3)).to.be.at.most(0.5);
    });

  for (const lefts of [[120], [30, 260]])
    it(`draw the faint shadows of white cards on a page nearly as white, ${lefts.length} of them, though pixels of round corners lead from page to card: no bands`, async () => {
      const [width, height] = [480, 260];
      const layers = lefts.flatMap((left) => {
        const [right, top, bottom] = [left + (lefts.length > 1 ? 180 : 240), 60, 180];
        const shade = blurredBox({ left, top: top + 4, right, bottom: bottom + 4, sigma: 6, opacity: 0.12 });
        const card = roundedRectangle(left, top, right - left, bottom - top, 12);
        return [{ color: 0, outline: [rectangle(0, 0, width, height)], shade }, layer(0xffffff, card)];
      });
      const picture = paint(width, height, 0xf3f4f6, layers);
      const { svg, drawing } = await vectorize(picture, { fidelity: false });
      expect([...shapesOf(drawing.items)].length).to.be.at.most(2 + 10 * lefts.length);
      expect(psnrOfPixels(renderSvg(svg, width, '#fff').data, picture.data)).to.be.at.least(54);
    });

  it('draw the shadows of cards in a row, between which the page is seen', async () => {
    const [width, height] = [720, 280];
    const colors = [0x0ea5e9, 0x22c55e, 0xf97316];
    const layers = colors.flatMap((color, k) => {
      const [left, top, right, bottom] = [24 + 240 * k, 24, 204 + 240 * k, 226];
      const shadow = { left, top: top + 2, right, bottom: bottom + 2, sigma: 4, opacity: 0.15 };
      return [
        { color: 0, outline: [rectangle(0, 0, width, height)], shade: blurredBox(shadow) },
        layer(0xffffff, roundedRectangle(left, top, right - left, bottom - top, 14)),
        layer(color, rectangle(left + 14, top + 14, right - left - 28, 76)),
      ];
    });
    const picture = paint(width, height, 0xeef2f7, layers);
    const { svg } = await vectorize(picture, { fidelity: false });
    expect(psnrOfPixels(renderSvg(svg, width, '#fff').data, picture.data)).to.be.at.least(54);
  });

  for (const [name, card] of [
    ['a card', 0xe6a06a],
    ['a white card on white', 0xffffff],
  ] as const)
    it(`draw the shadow of ${name} that badges lie on, and text beside it: no bands`, async () => {
      const [width, height] = [320, 240];
      const [left, top, right, bottom] = [60.3, 40.6, 250.7, 170.2];
      const shade = blurredBox({ left, top: top + 6, right, bottom: bottom + 6, sigma: 5.3, opacity: 0.37 });
      const letters = Array.from({ length: 14 }, (_, k) => rectangle(40.2 + 9 * k, 186.3 + (k % 3), 3, 13));
      const picture = paint(width, height, 0xffffff, [
        { color: 0, outline: [rectangle(0, 0, width, height)], shade },
        layer(card, roundedRectangle(left, top, right - left, bottom - top, 9)),
        layer(0x3355ee, circle(70.4, 60.3, 34.2)),
        layer(0xffffff, circle(70.4, 60.3, 12.2)),
        layer(0xf95d3c, rectangle(220.3, 120.4, 60, 70)),
        layer(0x1c2340, ...letters),
      ]);
      const { svg, drawing } = await vectorize(picture, { fidelity: false });
      const kinds = [...shapesOf(drawing.items)].map(({ fill }) => fill!.kind);
      expect(kinds.filter((kind) => kind === 'linear').length).to.be.within(3, 6);
      expect(kinds.filter((kind) => kind === 'radial').length).to.be.within(2, 6);
      const { pixels } = new Resvg(svg).render();
      let sum = 0;
      for (let i = 0; i < width * height; i++)
        for (let c = 0; c < 3; c++) sum += Math.abs(pixels[i * 4 + c]! - picture.data[i * 4 + c]!);
      expect(sum / (width * height * 3)).to.be.at.most(0.45);
    });

  it('draw the soft shadow of a pill, whose ends are round', async () => {
    const [left, right, middle, radius, blur] = [70, 130, 92, 24, 20];
    const pill: Shade = (x, y) => {
      const away = Math.hypot(Math.max(left - x, 0, x - right), y - middle);
      const inside = Math.min(1, Math.max(0, (radius + blur - away) / (2 * blur)));
      return [0, 0, 0, 0.5 * inside * inside * (3 - 2 * inside)];
    };
    const picture = paint(WIDTH, HEIGHT, 0xf4f6f8, [
      { color: 0, outline: [rectangle(0, 0, WIDTH, HEIGHT)], shade: pill },
    ]);
    const { svg, drawing } = await vectorize(picture, { fidelity: false });
    const kinds = [...shapesOf(drawing.items)].map(({ fill }) => fill!.kind);
    expect(kinds).to.include('linear').and.to.include('radial');
    expect(kinds.length).to.be.at.most(11);
    const { pixels } = new Resvg(svg).render();
    let sum = 0;
    for (let y = 0, i = 0; y < HEIGHT; y++)
      for (let x = 0; x < WIDTH; x++, i++) sum += Math.abs(pixels[i * 4 + 2]! - 0xf8 * (1 - pill(x + 0.5, y + 0.5)[3]));
    expect(sum / (WIDTH * HEIGHT)).to.be.at.most(1);
  });

  it('are none in a plain radial ramp, nor in a linear one that ends within the picture', async () => {
    const radial = radialShade(100, 92, 150, [240, 200, 60, 1], [40, 60, 160, 1]);
    const linear = linearShade(0, 20, 0, 150, [240, 200, 60, 1], [40, 60, 160, 1]);
    for (const [shade, kind] of [
      [radial, 'radial'],
      [linear, 'linear'],
    ] as const) {
      const picture = paint(WIDTH, HEIGHT, 0xffffff, [
        { color: 0, outline: [rectangle(0, 0, WIDTH, HEIGHT)], shade },
        layer(0x264653, rectangle(30, 30, 40, 20)),
      ]);
      const { drawing } = await vectorize(picture, { fidelity: false });
      const fills = [...shapesOf(drawing.items)].map(({ fill }) => fill!.kind);
      expect(fills.filter((one) => one !== 'solid')).to.deep.equal([kind]);
    }
  });

  it('are none in strokes that fade out, nor what these lie on', async () => {
    const side = 128;
    const fading = bar(82, 78, 104.3, 106.7, 8.5);
    const picture = paint(side, side, 0xffffff, [
      layer(0x000000, circle(64, 64, 64)),
      layer(0xffffff, rectangle(38.4, 38.4, 8.5, 51.2), bar(42.6, 38.4, 82, 78, 10.2)),
      { color: 0, outline: [fading], shade: linearShade(82, 78, 104.3, 106.7, [255, 255, 255, 1], [0, 0, 0, 1]) },
      {
        color: 0,
        outline: [rectangle(81.8, 38.4, 8.5, 38)],
        shade: linearShade(0, 38.4, 0, 76.4, [255, 255, 255, 1], [0, 0, 0, 1]),
      },
    ]);
    const { svg, drawing } = await vectorize(picture, { fidelity: false });
    const fills = [...shapesOf(drawing.items)].map(({ fill }) => fill!.kind);
    expect(fills).to.not.include('radial');
    expect(psnrOfPixels(renderSvg(svg, side, '#fff').data, picture.data)).to.be.at.least(36);
  });
});
