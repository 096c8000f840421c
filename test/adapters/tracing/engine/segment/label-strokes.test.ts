import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { choosePalette } from '#adapters/tracing/engine/quantize/palette.js';
import { labelFlat } from '#adapters/tracing/engine/segment/label-flat.js';
import { labelStrokes } from '#adapters/tracing/engine/segment/label-strokes.js';
import { findStrokeKinds, spreadOf } from '#adapters/tracing/engine/segment/stroke-colors.js';
import { findStrands } from '#adapters/tracing/engine/segment/stroke-sections.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import type { Raster } from '#application/ports/tracer.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { drawingStatsOf } from '#domain/drawing/drawing-stats.js';
import { differenceOf, referencePicture } from '#test/support/compare-pictures.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { circle, ellipse, lettering, rectangle, ring } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

/** Places of a stroke within its pixels that are averaged over, and parts of a row that it is measured in. */
const PLACES = 64;
const PARTS = 64;

/** How far a stroke is spread over its pixels, by painting it at all places. */
function paintedSpread(width: number, slope: number): number {
  const wide = width * Math.hypot(1, slope);
  let sum = 0;
  for (let place = 0; place < PLACES; place++) {
    const shares = new Float64Array(13);
    for (let part = 0; part < PARTS; part++) {
      const middle = 6.5 + (place + 0.5) / PLACES + slope * ((part + 0.5) / PARTS - 0.5);
      for (let x = 0; x < shares.length; x++)
        shares[x]! += Math.max(0, Math.min(x + 1, middle + wide / 2) - Math.max(x, middle - wide / 2)) / PARTS;
    }
    const all = shares.reduce((a, b) => a + b, 0);
    const mean = shares.reduce((total, share, x) => total + share * x, 0) / all;
    sum += shares.reduce((total, share, x) => total + share * (x - mean) ** 2, 0) / all;
  }
  return sum / PLACES;
}

const [WHITE, PINK, BLACK] = [0xffffff, 0xffe9e9, 0x111111];

/** Rings of a color, so many px wide, with and without a fill, and black letters in them. */
function badges(line: number, width: number, scale = 1): Raster {
  const layers = [0, 1, 2, 3].flatMap((k) => {
    const [x, y] = [50.3 + 90.4 * (k % 2), 48.8 + 88.7 * (k >> 1)];
    const outer = 33.4 + 1.7 * k + width / 2;
    return [
      layer(line, circle(x, y, outer)),
      layer(k === 1 ? PINK : WHITE, circle(x, y, outer - width)),
      layer(BLACK, ...lettering(x - 22, y + 5, 10)),
    ];
  });
  // Letters are too thin to tell what they are of.
  layers.push(layer(BLACK, rectangle(90, 90, 9, 9)));
  // Letters are too thin to tell what they are of.
  layers.push(layer(BLACK, rectangle(90, 90, 9, 9)));
  const scaled = layers.map(({ outline, ...rest }) => ({
    ...rest,
    outline: outline.map((contour) => contour.map((value) => value * scale)),
  }));
  return paint(190 * scale, 190 * scale, WHITE, scaled);
}

const rgbOf = ({ width, height, data }: Raster) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, k) => data[Math.floor(k / 3) * 4 + (k % 3)]!),
});

/** White roads with an edge a pixel wide, and letters. */
function roads(ground: number, edge: number, scale = 1): Raster {
  const at = (shape: readonly number[]) => shape.map((value) => value * scale);
  const ways = (wide: number) =>
    [
      ring(20, 30, 110 + wide, 102 - wide),
      ring(190, 10, 90 + wide, 84 - wide),
      ring(60, 190, 84 + wide, 77 - wide),
    ].map((way) => way.map(at));
  return paint(200 * scale, 180 * scale, ground, [
    ...ways(1).map((way) => layer(edge, ...way)),
    ...ways(0).map((way) => layer(WHITE, ...way)),
    layer(0x444444, ...[...lettering(20, 40, 9), ...lettering(30, 140, 9), ...lettering(130, 160, 9)].map(at)),
  ]);
}

function partsOf(raster: Raster) {
  const pixels = toWorkingPixels(raster);
  const palette = choosePalette(pixels, ENGINE.mergeDistance, 2);
  return { pixels, palette, flat: labelFlat(pixels, palette) };
}

function kindsOf(raster: Raster) {
  const { pixels, palette, flat } = partsOf(raster);
  return findStrokeKinds(
    pixels,
    palette.channels,
    findStrands(pixels, palette.channels, flat, () => true, 60),
  );
}

const farthest = (color: ArrayLike<number>, rgb: number) =>
  Math.max(...[16, 8, 0].map((shift, c) => Math.abs(color[c]! - ((rgb >> shift) & 255))));

describe('strokes that cover few pixels', () => {
  it('are spread over them as their width says, at any slope', () => {
    for (const width of [0.3, 0.6, 1, 1.4, 2])
      for (const slope of [0, 0.3, 0.7, 1])
        expect(spreadOf(width, slope), `${width} px, ${slope}`).to.be.closeTo(paintedSpread(width, slope), 0.001);
  });

  /** With how far the drawing may be off, levels on average: all but one were half as far again before there was this rule. */
  for (const [line, width, most] of [
    [0x999999, 1.34, 0.22],
    [0xbbbbbb, 1.03, 0.4],
    [0xb0b0b0, 1.2, 0.29],
    [0x8899aa, 0.8, 0.7],
  ] as const) {
    const name = `${width} px wide of #${line.toString(16)}`;

    it(`tell what they are of, ${name}, and how wide`, () => {
      const kinds = kindsOf(badges(line, width)).filter(({ sections }) => sections.length > 80);
      expect(kinds).to.have.length.at.least(2);
      for (const kind of kinds) {
        expect(farthest(kind.color, line)).to.be.at.most(8);
        expect(kind.widthPx).to.be.closeTo(width, 0.08);
      }
    });

    it(`are drawn in their color, ${name}, and not as hairlines of what letters have`, () => {
      const { drawing } = trace(badges(line, width), ENGINE, () => {});
      const colors = [...shapesOf(drawing.items)].map(({ fill }) => (fill?.kind === 'solid' ? fill.color : 0));
      const off = (color: number) => farthest([color >> 16, (color >> 8) & 255, color & 255], line);
      expect(Math.min(...colors.map(off))).to.be.at.most(8);
      expect(drawingStatsOf(drawing).nodes).to.be.at.most(300);
      expect(differenceOf(referencePicture(drawing, 4), rgbOf(badges(line, width, 4))).mean).to.be.at.most(most);
    });
  }

  for (const [ground, edge, most] of [
    [0xf2efe9, 0xc9c4bd, 0.55],
    [0xcfe5f2, 0xd0c8b8, 0.3],
  ] as const) {
    it(`are told on the way to their color, or where they might be seams: #${edge.toString(16)} on #${ground.toString(16)}`, () => {
      const kinds = kindsOf(roads(ground, edge));
      expect(kinds).to.have.length.at.least(1);
      for (const { color, widthPx } of kinds) {
        expect(farthest(color, edge)).to.be.at.most(5);
        expect(widthPx).to.be.closeTo(1, 0.08);
      }
      const { drawing } = trace(roads(ground, edge), ENGINE, () => {});
      expect(differenceOf(referencePicture(drawing, 4), rgbOf(roads(ground, edge, 4))).mean).to.be.at.most(most);
    });
  }

  it('of a color that areas have are given that', () => {
    const grayRings = badges(0x999999, 1.34);
    const box = paint(190, 30, WHITE, [layer(0x999999, rectangle(10, 5, 150, 20))]);
    const data = Uint8ClampedArray.from([...grayRings.data, ...box.data]);
    const { pixels, palette, flat } = partsOf({ width: 190, height: 220, data });
    const gray = palette.table.find(new Uint32Array(Uint8Array.of(0x99, 0x99, 0x99, 255).buffer)[0]!);
    const black = palette.entryOf[palette.table.find(new Uint32Array(Uint8Array.of(0x11, 0x11, 0x11, 255).buffer)[0]!)];
    // As if all that is gray in the rings were thought to be a little black.
    for (let k = 0; k < flat.mixed.length; k++) flat.others![k] = black ?? 0;
    const { channels, ofStrokes } = labelStrokes(pixels, palette, palette.channels, flat);
    expect(channels).to.have.length(palette.channels.length);
    expect(ofStrokes).to.deep.equal([palette.entryOf[gray]]);
  });

  it('are of no new color where areas meet, where they are of the ink that is known, or where nothing is thin', () => {
    const newColors = (raster: Raster) => {
      const { pixels, palette, flat } = partsOf(raster);
      const { channels } = labelStrokes(pixels, palette, palette.channels, flat);
      return channels.length / 4 - palette.size;
    };
    const shapes = paint(190, 190, WHITE, [
      layer(0x2a9d8f, circle(80.4, 90.2, 60.3)),
      layer(0xe9c46a, ellipse(120.3, 100.8, 50.2, 30.4, 20)),
      layer(0x264653, ...lettering(30, 100, 40)),
    ]);
    expect(newColors(shapes)).to.equal(0);
    expect(kindsOf(badges(BLACK, 0.9))).to.have.length.at.least(1);
    expect(newColors(badges(BLACK, 0.9))).to.equal(0);
    expect(newColors(badges(BLACK, 0.35))).to.equal(0);
    expect(newColors(roads(0xf2efe9, 0xc9c4bd))).to.equal(1);
  });
});
