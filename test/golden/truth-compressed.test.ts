import { expect } from 'chai';
import type { Raster } from '#application/ports/tracer.js';
import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { bar, circle, ellipse, rectangle, ring, roundedRectangle, star } from '#test/support/outlines.js';
import { avifDamaged, jpegDamaged, layer, linearShade, paint, webpDamaged } from '#test/support/pictures.js';
import { difference, render } from './render.js';

const HAIR = 0x963b22;
const SKIN = 0xd4ab88;
const SHIRT = 0x4289c1;
const SHORTS = 0x1c6399;
/** A runner of 72 px, whose limbs are four px wide. */
const runner = paint(72, 72, 0xffffff, [
  layer(SKIN, bar(36, 30, 22, 38, 4.5), bar(22, 38, 14, 30, 4), bar(40, 28, 52, 36, 4.5), bar(52, 36, 46, 44, 4)),
  layer(SKIN, bar(36, 50, 24, 56, 5.5), bar(24, 56, 24, 68, 4.5), bar(42, 50, 48, 62, 5.5), bar(48, 62, 62, 62, 4.5)),
  layer(SKIN, circle(34, 12, 8)),
  layer(HAIR, ellipse(36, 8, 8.5, 5)),
  layer(SHIRT, rectangle(30, 22, 14, 22)),
  layer(SHORTS, rectangle(30, 42, 14, 10)),
]);

/** How far the nearest color painted is from one, levels in the channel that is off most, and what of the picture has it, px. */
async function nearest(picture: Raster, color: number): Promise<{ readonly off: number; readonly areaPx: number }> {
  const { drawing } = await vectorize(picture, { fidelity: false });
  const channels = (of: number) => [of >> 16, (of >> 8) & 255, of & 255];
  const areas = new Map<number, number>();
  for (const { fill, visibleAreaPx } of shapesOf(drawing.items))
    if (fill?.kind === 'solid') areas.set(fill.color, (areas.get(fill.color) ?? 0) + visibleAreaPx);
  const offOf = (own: number) => Math.max(...channels(own).map((value, c) => Math.abs(value - channels(color)[c]!)));
  const [own, areaPx] = [...areas].reduce((best, one) => (offOf(one[0]) < offOf(best[0]) ? one : best));
  return { off: offOf(own), areaPx };
}

describe('pictures of icon size that compression has been at', () => {
  it('keep the colors of parts that are nowhere even', async () => {
    const truth = await nearest(runner, SKIN);
    for (const quality of [50, 60, 75, 85]) {
      const picture = await jpegDamaged(runner, quality);
      for (const color of [HAIR, SKIN, SHIRT, SHORTS])
        expect((await nearest(picture, color)).off, `${quality} ${color.toString(16)}`).to.be.at.most(32);
      const { areaPx } = await nearest(picture, SKIN);
      expect(areaPx, `quality ${quality}`).to.be.within(0.75 * truth.areaPx, 1.25 * truth.areaPx);
      const { svg, traceStats } = await vectorize(picture, { fidelity: false });
      expect(difference(runner, render(svg, 1)).mean, `quality ${quality}`).to.be.below(4);
      expect(traceStats.shapes, `quality ${quality}`).to.be.within(5, 20);
    }
  });

  it('have the colors of their shapes on either side of an edge, as far as lightness tells these apart', async () => {
    const sign = paint(160, 160, 0xefe6d8, [
      layer(0x1d6fa5, circle(72.3, 80.6, 60.2)),
      layer(0xf4c430, circle(72.3, 80.6, 24.4)),
      layer(0xc8364a, rectangle(124.3, 20.4, 24, 110)),
    ]);
    for (const [quality, most] of [
      [50, 1.2],
      [75, 0.8],
      [90, 0.5],
    ] as const) {
      const { svg, traceStats } = await vectorize(await jpegDamaged(sign, quality), { fidelity: false });
      expect(traceStats.shapes, `quality ${quality}`).to.equal(4);
      expect(difference(sign, render(svg, 1)).mean, `quality ${quality}`).to.be.below(most);
    }
  });
});

describe('light colors that are hardly apart', () => {
  const PANEL = 0xf4f2ed;

  it('stay two after compression: a panel on white, and white upon it', async () => {
    const icon = paint(192, 192, 0xffffff, [
      layer(PANEL, roundedRectangle(0, 0, 192, 192, 48)),
      layer(0xffffff, circle(96.4, 95.7, 70.2)),
      layer(0x69b53f, circle(96.4, 95.7, 54.3)),
      layer(0xffffff, rectangle(72.3, 84.6, 48, 22)),
    ]);
    const [panel, white] = [await nearest(icon, PANEL), await nearest(icon, 0xffffff)];
    for (const [quality, mostShapes] of [
      [40, 10],
      [60, 10],
      [85, 8],
    ] as const) {
      const picture = await jpegDamaged(icon, quality);
      const [own, around] = [await nearest(picture, PANEL), await nearest(picture, 0xffffff)];
      expect(own.off, `panel, quality ${quality}`).to.be.at.most(4);
      expect(around.off, `white, quality ${quality}`).to.be.at.most(4);
      expect(own.areaPx, `quality ${quality}`).to.be.within(0.97 * panel.areaPx, 1.03 * panel.areaPx);
      expect(around.areaPx, `quality ${quality}`).to.be.within(0.97 * white.areaPx, 1.03 * white.areaPx);
      const { svg, traceStats } = await vectorize(picture, { fidelity: false });
      expect(difference(icon, render(svg, 1)).mean, `quality ${quality}`).to.be.below(1);
      expect(traceStats.shapes, `quality ${quality}`).to.be.at.most(mostShapes);
    }
  });

  it('leave a thin line between them whole', async () => {
    const outline = roundedRectangle(40.3, 44.6, 112, 96, 36);
    const inner = roundedRectangle(41.7, 46, 109.2, 93.2, 34.6);
    const card = paint(192, 192, PANEL, [layer(0x000000, outline), layer(0xececec, inner)]);
    const line = await nearest(card, 0x000000);
    for (const quality of [75, 90]) {
      const picture = await jpegDamaged(card, quality);
      const own = await nearest(picture, 0x000000);
      expect(own.areaPx, `quality ${quality}`).to.be.within(0.75 * line.areaPx, 1.25 * line.areaPx);
      expect((await nearest(picture, 0xececec)).off, `quality ${quality}`).to.be.at.most(3);
      const { svg, traceStats } = await vectorize(picture, { fidelity: false });
      expect(traceStats.shapes, `quality ${quality}`).to.be.at.most(4);
      expect(difference(card, render(svg, 1)).mean, `quality ${quality}`).to.be.below(1.2);
    }
  });
});

describe('letters in pictures that compression has been at', () => {
  const INK = 0x1a1a1a;
  const LILAC = 0xb1a8e8;
  /** Six letters H, in strokes of 2 to 2.4 px. */
  const word = (x: number, y: number) =>
    [0, 1, 2, 3, 4, 5].flatMap((k) => [
      rectangle(x + 20 * k, y, 2.2, 16),
      rectangle(x + 20 * k + 8.4, y + 0.3, 2.4, 15.7),
      rectangle(x + 20 * k + 2, y + 7.1, 7, 2),
    ]);
  const others = [
    layer(INK, circle(80, 130, 40)),
    layer(INK, ...word(160, 110)),
    layer(0xd1001c, rectangle(300, 20, 60, 60)),
  ];

  it('keep their color, though it might be a little of a darker one that letters elsewhere have', async () => {
    const page = paint(400, 200, 0xffffff, [...others, layer(LILAC, ...word(20.4, 30.3))]);
    const truth = await nearest(page, LILAC);
    for (const damaged of [jpegDamaged(page, 85), jpegDamaged(page, 70), webpDamaged(page, 80)]) {
      const { off, areaPx } = await nearest(await damaged, LILAC);
      // Chroma is coarser than these strokes.
      expect(off).to.be.at.most(20);
      expect(areaPx).to.be.within(0.7 * truth.areaPx, 1.3 * truth.areaPx);
    }
  });

  /** Share of each letter's ink that a drawing has, over those places; from `belowPx` down. */
  const sharesOf = async (picture: Raster, page: Raster, places: readonly number[], belowPx: number) => {
    const drawing = render((await vectorize(picture, { fidelity: false })).svg, 1);
    const inkAt = ({ data, width }: Raster, x: number): number => {
      let ink = 0;
      for (let v = 30 + belowPx; v <= 41; v++)
        for (let u = Math.floor(x) - 3; u < x + 6; u++) ink += (255 - data[4 * (v * width + u) + 1]!) / 255;
      return ink;
    };
    return places.map((x) => inkAt(drawing, x) / inkAt(page, x));
  };
  const places = Array.from({ length: 24 }, (_, k) => 20 + 14.3 * k);
  const pageOf = (letters: readonly (readonly number[])[]) =>
    paint(400, 120, 0xffffff, [layer(0x1d6fa5, circle(60, 84, 24)), layer(INK, ...letters)]);

  it('are all there, though a stroke of theirs is hardly wider than a pixel and has few of them', async () => {
    const letters = places.flatMap((x, k) =>
      k % 2 === 1
        ? [rectangle(x, 33.2, 1.2, 6.4), rectangle(x, 30.2, 1.2, 1.5)]
        : [rectangle(x, 30.2, 1.2, 9.4), rectangle(x - 2, 30.2, 5.2, 1.2)],
    );
    const page = pageOf(letters);
    for (const damaged of [jpegDamaged(page, 85), jpegDamaged(page, 75), webpDamaged(page, 85)]) {
      const shares = await sharesOf(await damaged, page, places, -1);
      expect(Math.min(...shares)).to.be.at.least(0.5);
      expect(Math.max(...shares)).to.be.at.most(1.4);
    }
  });

  it('have their stems, though these cover less than half of most pixels', async () => {
    const page = pageOf(places.flatMap((x) => [rectangle(x, 30.2, 0.8, 9.4), rectangle(x - 2, 30.2, 5.2, 1.2)]));
    for (const damaged of [jpegDamaged(page, 92), jpegDamaged(page, 85), webpDamaged(page, 85)]) {
      const shares = await sharesOf(await damaged, page, places, 2);
      expect(Math.min(...shares)).to.be.at.least(0.6);
      expect(Math.max(...shares)).to.be.at.most(1.4);
    }
  });

  it('are there on grounds that change by less than a level a pixel, which are one gradient', async () => {
    const ground = linearShade(0, 0, 400, 200, [122, 148, 230, 1], [88, 96, 222, 1]);
    const page = paint(400, 200, 0, [
      { color: 0, outline: [rectangle(0, 0, 400, 200)], shade: ground },
      layer(0x000000, ...word(30.4, 30.3)),
      layer(0xffffff, ...word(220.4, 40.3)),
      layer(0x9fd3d8, rectangle(120, 100, 160, 70)),
    ]);
    for (const damaged of [jpegDamaged(page, 85), jpegDamaged(page, 92), webpDamaged(page, 80)]) {
      const { svg, drawing } = await vectorize(await damaged, { fidelity: false });
      const kinds = [...shapesOf(drawing.items)].flatMap(({ fill }) => (fill ? [fill.kind] : []));
      expect(kinds.filter((kind) => kind === 'linear')).to.have.length(1);
      expect(difference(page, render(svg, 1)).mean).to.be.below(2.5);
      const inkOf = (isOwn: (color: number) => boolean) =>
        [...shapesOf(drawing.items)].reduce(
          (sum, { fill, visibleAreaPx }) => sum + (fill?.kind === 'solid' && isOwn(fill.color) ? visibleAreaPx : 0),
          0,
        );
      const truth = 6 * (2.2 * 16 + 2.4 * 15.7 + 6.4 * 2);
      const greenOf = (color: number) => (color >> 8) & 255;
      expect(
        inkOf((color) => greenOf(color) < 64),
        'black',
      ).to.be.within(0.8 * truth, 1.2 * truth);
      expect(
        inkOf((color) => greenOf(color) > 216),
        'white',
      ).to.be.within(0.8 * truth, 1.2 * truth);
    }
  });
});

describe('drawings in thin lines that compression has been at', () => {
  it('are lines, as many as there were, though nothing but the paper is even', async () => {
    for (const widthPx of [1, 1.4]) {
      const drawing = paint(192, 192, 0xffffff, [
        layer(0x000000, circle(60.4, 70.2, 40)),
        layer(0xffffff, circle(60.4, 70.2, 40 - widthPx)),
        layer(0x000000, bar(20, 170, 180, 110, widthPx), bar(20, 12, 180, 14, widthPx)),
        layer(0x000000, roundedRectangle(120, 30, 50, 70, 10)),
        layer(
          0xffffff,
          roundedRectangle(120 + widthPx, 30 + widthPx, 50 - 2 * widthPx, 70 - 2 * widthPx, 10 - widthPx),
        ),
      ]);
      const ink = await nearest(drawing, 0x000000);
      for (const quality of [50, 75, 90]) {
        const picture = await jpegDamaged(drawing, quality);
        const { svg, traceStats } = await vectorize(picture, { fidelity: false });
        const what = `${widthPx} px, quality ${quality}`;
        // Paper, four lines, what two of them enclose, and pieces of these.
        expect(traceStats.shapes, what).to.be.at.most(10);
        const own = await nearest(picture, 0x000000);
        expect(own.off, what).to.be.at.most(24);
        expect(own.areaPx, what).to.be.within(0.7 * ink.areaPx, 1.3 * ink.areaPx);
        expect(difference(drawing, render(svg, 1)).mean, what).to.be.below(1.5);
      }
    }
  });
});

describe('black on white that AVIF has been at', () => {
  const BLACK = 0x000000;
  const signs: Readonly<Record<string, Raster>> = {
    badge: paint(256, 256, 0xffffff, [
      layer(BLACK, ...ring(128.3, 127.6, 118.4, 101.2)),
      layer(BLACK, star(128.3, 122.7, 84.5, 36.2, 5)),
      layer(BLACK, bar(70.3, 206.4, 186.2, 206.4, 9.3)),
    ]),
    'an icon of lines': paint(320, 320, 0xffffff, [
      layer(BLACK, bar(53.4, 160.3, 266.7, 160.3, 26.6), bar(53.4, 160.3, 133.2, 80.4, 26.6)),
      layer(BLACK, bar(53.4, 160.3, 133.2, 240.1, 26.6)),
      layer(BLACK, ...ring(226.4, 90.2, 46.7, 20.1)),
    ]),
  };

  for (const [name, sign] of Object.entries(signs))
    it(`is drawn with the nodes that it has without: ${name}`, async () => {
      const clean = await vectorize(sign, { fidelity: false });
      for (const quality of [40, 50, 60, 75]) {
        const { svg, traceStats } = await vectorize(await avifDamaged(sign, quality), { fidelity: false });
        expect(traceStats.nodes, `quality ${quality}`).to.be.at.most(1.5 * clean.traceStats.nodes);
        expect(difference(sign, render(svg, 1)).mean, `quality ${quality}`).to.be.below(0.5);
      }
    });
});

describe('thumbnails that compression has been at', () => {
  const INK = 0x1f2933;
  /** An icon of lines, 96 px. */
  const icon = paint(96, 96, 0xffffff, [
    layer(INK, bar(16.3, 48.2, 80.1, 48.2, 8), bar(16.3, 48.2, 40.2, 24.1, 8), bar(16.3, 48.2, 40.2, 72.3, 8)),
    layer(INK, ...ring(70.2, 22.4, 14.3, 6.4)),
  ]);
  /** A flag, 128 x 96 px. */
  const flag = paint(128, 96, 0xfecb00, [
    layer(0x34b233, rectangle(0, 32, 128, 32)),
    layer(0xea2839, rectangle(0, 64, 128, 32)),
    layer(0xffffff, star(64, 50.3, 34.2, 13.1, 5)),
  ]);
  /** A face of many colors, 112 px, hardly any of which is even after it. */
  const face = paint(112, 112, 0xffffff, [
    layer(0x553788, roundedRectangle(14.2, 66.3, 83.4, 60, 24)),
    layer(0xffcc4d, circle(56.3, 48.2, 33.1)),
    layer(0xa0041e, ellipse(56.3, 22.4, 34.2, 14.2), bar(24.2, 28.1, 26.3, 60.2, 11)),
    layer(0x662113, circle(44.2, 48.1, 4.2), circle(68.4, 48.1, 4.2)),
    layer(0xdd2e44, ellipse(56.3, 65.2, 12.3, 5.1)),
    layer(0x3b88c3, star(56.3, 92.2, 12.4, 5.3, 5)),
    layer(0x77b255, circle(86.3, 88.2, 9.4)),
    layer(0xe1e8ed, circle(26.2, 88.3, 9.4)),
  ]);
  const codecs = { JPEG: jpegDamaged, WEBP: webpDamaged, AVIF: avifDamaged } as const;

  for (const [name, sign] of Object.entries({ 'an icon of lines': icon, 'a flag': flag, 'a face': face }))
    for (const [codec, damage] of Object.entries(codecs))
      it(`are drawn with hardly more nodes than they have without: ${name} as ${codec}`, async () => {
        const clean = await vectorize(sign, { fidelity: false });
        for (const quality of [60, 75, 85]) {
          const { svg, traceStats } = await vectorize(await damage(sign, quality), { fidelity: false });
          expect(traceStats.nodes, `quality ${quality}`).to.be.at.most(1.6 * clean.traceStats.nodes);
          expect(difference(sign, render(svg, 1)).mean, `quality ${quality}`).to.be.below(2);
        }
      });
});

describe('flat art that was compressed twice', () => {
  it('has no gradients, in which ripples of stripes would go on', async () => {
    const stars = [0, 1, 2, 3, 4, 5].map((k) =>
      star(150.3 + 43 * k, 220.2 - 24 * Math.sin((k + 0.5) * 0.52), 15, 6, 5),
    );
    const flag = paint(512, 384, 0xffcc00, [
      layer(0x00247d, rectangle(0, 128, 512, 128)),
      layer(0xcf142b, rectangle(0, 256, 512, 128)),
      layer(0xffffff, ...stars),
    ]);
    const { drawing, traceStats } = await vectorize(await jpegDamaged(await jpegDamaged(flag, 90), 75), {
      fidelity: false,
    });
    for (const { fill } of shapesOf(drawing.items)) expect(fill?.kind).to.equal('solid');
    expect(traceStats.nodes).to.be.below(100);
  });

  it('is none but of few colors, though not a third of its pixels equal their neighbors', async () => {
    const blocks = paint(256, 148, 0xffffff, [
      layer(0x0388c9, ...[0, 1, 2, 3].map((k) => bar(-20, 20 + 36.3 * k, 276, 60 + 36.3 * k, 17))),
      layer(0x0388c9, ...[0, 1, 2, 3, 4].map((k) => bar(-20 + 70.2 * k, 170, 90 + 70.2 * k, -20, 13))),
    ]);
    const clean = await vectorize(blocks, { fidelity: false });
    const { traceStats, qualityDiagnostics } = await vectorize(await jpegDamaged(await jpegDamaged(blocks, 90), 75), {
      fidelity: false,
    });
    expect(qualityDiagnostics.detectedType).to.equal('flat_art');
    expect(traceStats.nodes).to.be.at.most(2.5 * clean.traceStats.nodes);
  });
});

describe('white lines on a gradient that compression has been at', () => {
  it('lie on that one gradient, also around what they enclose', async () => {
    const shade = linearShade(0, 256, 256, 0, [77, 39, 168, 1], [166, 109, 255, 1]);
    const lens = paint(256, 256, 0xffffff, [
      { color: 0, outline: [rectangle(0, 0, 256, 256)], shade },
      layer(0xffffff, ...ring(118.3, 110.2, 82.4, 75.3), ...ring(118.3, 110.2, 58.2, 51.1)),
      layer(0xffffff, bar(172.2, 166.3, 220.4, 214.2, 17)),
      { color: 0, outline: [bar(172.2, 166.3, 220.4, 214.2, 7)], shade },
      layer(0xffffff, bar(30.3, 98.2, 62, 98.2, 6.2), bar(24.3, 118.2, 60, 118.2, 6.2)),
    ]);
    const clean = await vectorize(lens, { fidelity: false });
    for (const quality of [60, 75, 85]) {
      const { drawing, svg, traceStats } = await vectorize(await jpegDamaged(lens, quality), { fidelity: false });
      const graded = shapesOf(drawing.items).filter(({ fill }) => fill?.kind === 'linear');
      expect(graded.length, `quality ${quality}`).to.be.within(1, 6);
      expect(traceStats.shapes, `quality ${quality}`).to.be.at.most(8);
      expect(traceStats.nodes, `quality ${quality}`).to.be.at.most(1.5 * clean.traceStats.nodes);
      expect(difference(lens, render(svg, 1)).mean, `quality ${quality}`).to.be.below(2);
    }
  });
});

describe('a gradient that has the color of an even area', () => {
  it('has no specks of it along its edges after compression', async () => {
    const pink = linearShade(0, 0, 77, 0, [255, 99, 160, 1], [255, 65, 60, 1]);
    const gold = linearShade(166, 0, 256, 0, [255, 65, 60, 1], [255, 214, 0, 1]);
    const sign = paint(256, 204, 0xffffff, [
      layer(0xff413c, roundedRectangle(2, 30, 54, 170, 8)),
      {
        color: 0,
        outline: [bar(30, 32, 128.2, 110.3, 52), bar(128.2, 110.3, 226, 32, 52)],
        shade: (x, y) => (x < 128 ? pink(x, y) : gold(x, y)),
      },
    ]);
    for (const quality of [75, 80, 85]) {
      const { svg, traceStats } = await vectorize(await jpegDamaged(sign, quality), { fidelity: false });
      expect(traceStats.nodes, `quality ${quality}`).to.be.below(120);
      expect(difference(sign, render(svg, 1)).mean, `quality ${quality}`).to.be.below(2);
    }
  });
});
