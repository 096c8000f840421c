import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { findRamps } from '#adapters/tracing/engine/ramps/find-ramps.js';
import { flattenRamps } from '#adapters/tracing/engine/ramps/flatten-ramps.js';
import { hasNarrowRamps, hasRamps } from '#adapters/tracing/engine/ramps/has-ramps.js';
import { hasThinRamps } from '#adapters/tracing/engine/ramps/thin-ramps.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { bar, type Contour, circle, lettering, rectangle, ring, turned } from '#test/support/outlines.js';
import {
  jpegDamaged,
  type Layer,
  layer,
  linearShade,
  paint,
  radialShade,
  type Shade,
  testPictures,
} from '#test/support/pictures.js';

const BLUE_TO_RED = linearShade(0, 4, 0, 44, [0, 150, 255, 1], [255, 30, 86, 1]);
const shaded = (shade: Shade, ...outline: readonly Contour[]): Layer => ({ color: 0, outline, shade });

/** The outline of an icon: a ring and two lines, so many px wide. */
const icon = (width: number) => [
  shaded(BLUE_TO_RED, ...ring(24.3, 23.8, 19, 19 - width)),
  shaded(BLUE_TO_RED, bar(24.2, 13.6, 24.2, 33.9, width)),
  shaded(BLUE_TO_RED, bar(9, 23.4, 15.5, 23.4, width)),
];
const fillsOf = (picture: ReturnType<typeof paint>) =>
  trace(picture, ENGINE, () => {}).drawing.items.flatMap((item) => ('fill' in item ? [item.fill] : []));

describe('ramps in lines and rings', () => {
  it('are told by the colors along these, where no square lies within one', () => {
    for (const width of [2.4, 3.1, 3.8]) {
      const pixels = toWorkingPixels(paint(48, 48, 0xffffff, icon(width)));
      expect(hasRamps(pixels) || hasNarrowRamps(pixels), `${width}`).to.equal(false);
      expect(hasThinRamps(pixels), `${width}`).to.equal(true);
      const { found, of } = findRamps(pixels);
      expect(found.length, `${width}`).to.equal(1);
      expect(found[0]!.isThin).to.equal(true);
      const { shape } = found[0]!.ramp;
      expect(shape.kind).to.equal('linear');
      // Straight down.
      expect(Math.abs(Math.cos(shape.angle)), `${width}`).to.be.below(0.05);
      expect(of.filter((ramp) => ramp === 0).length).to.be.greaterThan(60);
    }
  });

  it('are none along outlines that are a hair off level or upright', () => {
    let tried = 0;
    for (const ground of [0x006129, 0xffc72c])
      for (const width of [0.6, 0.8, 1, 1.3])
        for (const degrees of [0.15, 0.2, 0.3])
          for (const off of [0.1, 0.4]) {
            const frame = (grow: number) =>
              turned(rectangle(40 + off - grow, 40 + off - grow, 160 + 2 * grow, 150 + 2 * grow), degrees, 120, 120);
            const outlined = paint(240, 240, 0xffffff, [layer(0, frame(width)), layer(ground, frame(0))]);
            expect(flattenRamps(toWorkingPixels(outlined), 0.02), `${width} px, ${degrees}`).to.equal(undefined);
            tried++;
          }
    expect(tried).to.equal(48);
  });

  it('are in no flat art: not along edges, not in lines that cover more and more of their pixels', async () => {
    const others = [
      // Edges and lines that are nearly upright or level.
      paint(64, 64, 0xffffff, [layer(0x12355b, bar(20, -10, 23, 74, 9)), layer(0xe64a19, bar(-10, 50, 74, 53.5, 1.3))]),
      paint(64, 64, 0xf4a261, [
        layer(0x12355b, bar(30.2, -10, 31.9, 74, 0.7)),
        layer(0x12355b, bar(-9, 20, 74, 22, 2.2)),
      ]),
      paint(96, 64, 0xffffff, [layer(0x222222, ...lettering(8, 12, 12)), layer(0xe63946, ...ring(70, 40, 16, 13.4))]),
    ];
    for (const [k, raster] of others.entries()) expect(hasThinRamps(toWorkingPixels(raster)), `${k}`).to.equal(false);
    const flat = (await testPictures()).filter(({ name }) => !['gradient', 'soft shadow'].includes(name));
    expect(flat.length).to.be.greaterThan(35);
    for (const { name, raster } of flat) expect(hasThinRamps(toWorkingPixels(raster)), name).to.equal(false);
  });

  it('are not looked for in a large picture for the sake of a few pixels', () => {
    const stroke = shaded(BLUE_TO_RED, bar(24.2, 8, 24.2, 40, 3.1));
    expect(hasThinRamps(toWorkingPixels(paint(48, 48, 0xffffff, [stroke])))).to.equal(true);
    expect(hasThinRamps(toWorkingPixels(paint(768, 768, 0xffffff, [stroke])))).to.equal(false);
  });

  it('are not looked for after lossy compression, which makes them', async () => {
    for (const quality of [60, 90]) {
      const damaged = await jpegDamaged(paint(96, 96, 0xffffff, [layer(0x1d3557, circle(48, 48, 30))]), quality);
      expect(hasThinRamps(toWorkingPixels(damaged)), `${quality}`).to.equal(false);
    }
  });

  it('are drawn as the one gradient that they are', () => {
    for (const width of [2.4, 3.1, 3.8]) {
      const fills = fillsOf(paint(48, 48, 0xffffff, icon(width)));
      const gradients = fills.filter((fill) => fill?.kind !== 'solid').map((fill) => JSON.stringify(fill));
      expect(gradients[0], `${width}`).to.include('linear');
      expect(new Set(gradients).size, `${width}`).to.equal(1);
      // White, and within the ring white again: no color that stands for a part of the ramp.
      const solid = fills.filter((fill) => fill?.kind === 'solid').map((fill) => (fill as { color: number }).color);
      expect(new Set(solid), `${width}`).to.deep.equal(new Set([0xffffff]));
    }
  });

  it('are one gradient all around a ring that is of nearly the color of its ground somewhere', () => {
    const whiteToBlack = linearShade(20, 0, 180, 0, [255, 255, 255, 1], [0, 0, 0, 1]);
    const onGreen = paint(200, 200, 0x22aa66, [
      shaded(whiteToBlack, ...ring(100.3, 99.6, 81.5, 78.5)),
      layer(0, rectangle(60, 60, 30, 80)),
      layer(0xffffff, rectangle(110, 60, 30, 80)),
    ]);
    // The ground, and within the ring that again.
    const kinds = fillsOf(onGreen).map((fill) => fill?.kind);
    expect(kinds.sort()).to.deep.equal(['linear', 'solid', 'solid', 'solid', 'solid']);
  });

  it('are found beside wide ones, where they have edges on both sides', () => {
    // Two eyes: white ones that get darker towards their edges, in rings that get lighter to the right.
    const eyes = [40.2, 110.3].flatMap((x) => [
      shaded(radialShade(x, 40.4, 23, [255, 255, 255, 1], [236, 236, 236, 1]), circle(x, 40.4, 23)),
      shaded(linearShade(x - 25, 0, x + 25, 0, [51, 51, 51, 1], [102, 102, 102, 1]), ...ring(x, 40.4, 25, 21)),
    ]);
    const face = paint(160, 80, 0x90a4ae, [...eyes, layer(0xc62828, rectangle(70, 60, 12, 12))]);
    expect(hasRamps(toWorkingPixels(face))).to.equal(true);
    const { found } = findRamps(toWorkingPixels(face));
    expect(found.map(({ ramp }) => ramp.shape.kind).sort()).to.deep.equal(['circle', 'circle', 'linear']);
    const fills = fillsOf(face);
    expect(fills.filter((fill) => fill?.kind === 'solid').length).to.equal(2);
    expect(fills.filter((fill) => fill?.kind !== 'solid').length).to.equal(4);
  });

  it('go on in lines that lie aslant, of which hardly a pixel shows their color', () => {
    const aslant = shaded(BLUE_TO_RED, bar(60, 9, 84, 37, 1.6));
    const raster = paint(96, 48, 0xffffff, [...icon(3.1), aslant]);
    const pixels = toWorkingPixels(raster);
    const flattened = flattenRamps(pixels, 0.02)!;
    expect(findRamps(pixels).found.length).to.equal(1);
    const { rgba } = flattened.pixels;
    // Each is a mixture of white with the color that stands for the ramp.
    const middle = (24 * 96 + 6) * 4;
    const standIn = [...rgba.subarray(middle, middle + 3)];
    let seen = 0;
    for (let y = 12; y < 34; y++) {
      for (let x = 58; x < 88; x++) {
        const at = (y * 96 + x) * 4;
        const given = pixels.rgba.subarray(at, at + 3);
        if (given.every((level) => level === 255)) continue;
        seen++;
        const off = standIn.map((level) => 255 - level);
        const way = [0, 1, 2].map((c) => 255 - rgba[at + c]!);
        const share = way.reduce((sum, w, c) => sum + w * off[c]!, 0) / off.reduce((sum, o) => sum + o * o, 0);
        for (let c = 0; c < 3; c++) expect(way[c], `${x} ${y}`).to.be.closeTo(share * off[c]!, 1.5);
      }
    }
    expect(seen).to.be.greaterThan(60);
    const kinds = fillsOf(raster).map((fill) => fill?.kind);
    expect(kinds.filter((kind) => kind === 'linear').length).to.be.greaterThan(0);
  });

  it('leave lines of a color that the picture has as they are', () => {
    const text = layer(0x222222, ...lettering(56, 14, 12));
    const disc = layer(0x222222, circle(84, 36, 8));
    const fills = fillsOf(paint(112, 48, 0xffffff, [...icon(3.1), text, disc]));
    const solid = fills.filter((fill) => fill?.kind === 'solid').map((fill) => (fill as { color: number }).color);
    expect(new Set(solid)).to.deep.equal(new Set([0xffffff, 0x222222]));
  });
});
