import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { choosePalette } from '#adapters/tracing/engine/quantize/palette.js';
import { labelFlat } from '#adapters/tracing/engine/segment/label-flat.js';
import { labelFlatArt } from '#adapters/tracing/engine/segment/labeling.js';
import { layLines } from '#adapters/tracing/engine/segment/lay-lines.js';
import { findLineColor } from '#adapters/tracing/engine/segment/line-color.js';
import { rescueThinColors } from '#adapters/tracing/engine/segment/rescue-thin-colors.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import type { Raster } from '#application/ports/tracer.js';
import { type Drawing, shapesOf } from '#domain/drawing/drawing.js';
import { differenceOf, referencePicture } from '#test/support/compare-pictures.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { bar, type Contour, circle, ellipse, rectangle, ring, turned } from '#test/support/outlines.js';
import { type Layer, layer, paint } from '#test/support/pictures.js';

const [WIDTH, HEIGHT] = [160, 120];
const [RED, GOLD, WHITE, BLUE] = [0xc8102e, 0xf6c644, 0xffffff, 0x1d4f91];

/** A shape with an outline, half of which is inside it. */
const outlined = (color: number, line: number, width: number, shape: (grow: number) => Contour): readonly Layer[] => [
  layer(line, shape(width / 2)),
  layer(color, shape(-width / 2)),
];

/** A coat of arms: shapes on three grounds, each with an outline, one of which crosses the edge of two grounds; and strokes on one of them, and `more`. */
function arms(line: number, width: number, scale = 1, more: readonly Layer[] = []): Raster {
  const scaled = ({ outline, ...rest }: Layer): Layer => ({
    ...rest,
    outline: outline.map((contour) => contour.map((value) => value * scale)),
  });
  const layers = [
    layer(RED, rectangle(0, 0, 60, 120)),
    layer(BLUE, rectangle(110, 0, 50, 120)),
    ...outlined(GOLD, line, width, (grow) => ellipse(58, 38, 34 + grow, 22 + grow, 20)),
    ...outlined(WHITE, line, width, (grow) => ellipse(104, 84, 36 + grow, 19 + grow, -25)),
    ...outlined(RED, line, width, (grow) => circle(84, 74, 9 + grow)),
    layer(line, turned(bar(34, 38, 82, 38, width), 14, 58, 38)),
    layer(line, turned(bar(34, 44, 82, 44, width), 31, 58, 38)),
    ...more,
  ];
  return paint(WIDTH * scale, HEIGHT * scale, WHITE, layers.map(scaled));
}

/** Many sides, so that a few pixels are little beside them. */
const starburst = (): readonly Contour[] =>
  Array.from({ length: 12 }, (_, n) => turned(bar(70, 200, 330, 200, 5), n * 15 + 4, 200, 200));

const drawingOf = (raster: Raster): Drawing => trace(raster, ENGINE, () => {}).drawing;

const colorsOf = ({ items }: Drawing) =>
  [...new Set([...shapesOf(items)].map(({ fill }) => (fill?.kind === 'solid' ? fill.color : NaN)))].sort(
    (a, b) => a - b,
  );

const rgbOf = ({ width, height, data }: Raster) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, k) => data[Math.floor(k / 3) * 4 + (k % 3)]!),
});

describe('lines thinner than a pixel', () => {
  for (const line of [0x000000, 0x202a5a, 0x6e3c1e, 0x0b3d17, 0x808080])
    it(`have the color ${line.toString(16).padStart(6, '0')} that no pixel has, over all grounds, and are whole`, () => {
      for (const width of [0.5, 0.6, 0.7, 0.8, 0.9, 1]) {
        const drawing = drawingOf(arms(line, width));
        const grounds = [RED, GOLD, WHITE, BLUE];
        expect(colorsOf(drawing), `${width} px`).to.deep.equal([...grounds, line].sort((a, b) => a - b));
        const { mean, far } = differenceOf(referencePicture(drawing, 4), rgbOf(arms(line, width, 4)));
        // Of .5, .7 and .9 px a seventh to a fifteenth of what they were apart before lines had a color.
        expect(mean, `${width} px`).to.be.at.most(width < 0.6 ? 0.2 : 0.12);
        expect(far, `${width} px`).to.be.at.most(width < 0.6 ? 0.0018 : 0.0006);
      }
    });

  it('are black, where two grounds do not tell their color and the darkest pixels are nearly black', () => {
    const leaf = 0x198200;
    for (const width of [0.6, 0.7, 0.8]) {
      const picture = paint(WIDTH, HEIGHT, WHITE, [
        ...outlined(leaf, 0, width, (grow) => ellipse(60, 60, 34 + grow, 22 + grow, 20)),
        ...outlined(leaf, 0, width, (grow) => ellipse(120, 60, 14 + grow, 32 + grow, 30)),
      ]);
      expect(colorsOf(drawingOf(picture)), `${width} px`).to.deep.equal([0, leaf, WHITE]);
    }
  });

  it('are of one color, though level and upright ones leave the very same one again and again', () => {
    const width = 1.12;
    const columns = Array.from({ length: 10 }, (_, n) => bar(70.06 + n * 8, 24, 70.06 + n * 8, 100, width));
    const leaves = Array.from({ length: 5 }, (_, n) =>
      outlined(WHITE, 0, width, (grow) => ellipse(30, 20 + n * 18, 22 + grow, 6 + grow, 16 + 40 * n)),
    );
    const roof = outlined(WHITE, 0, width, (grow) => ellipse(106, 60, 48 + grow, 54 + grow));
    const palace = paint(WIDTH, HEIGHT, RED, [...leaves.flat(), ...roof, layer(0, ...columns)]);
    expect(colorsOf(drawingOf(palace))).to.deep.equal([0, RED, WHITE]);
  });

  it('leave others their own color, of which a line on whole pixels has the very same again and again, too', () => {
    // As grid lines are behind boxes and what joins these.
    const [gray, ink] = [0x888888, 0x222222];
    const grid = Array.from({ length: 8 }, (_, n) => layer(gray, bar(12.5 + n * 19, 6, 12.5 + n * 19, 114, 1)));
    const boxes = [GOLD, WHITE, BLUE].flatMap((color, n) =>
      outlined(color, ink, 1.3, (grow) =>
        rectangle(20.3 + n * 44 - grow, 22.6 + n * 26 - grow, 30 + 2 * grow, 17 + 2 * grow),
      ),
    );
    const joins = [0, 1, 2, 3, 4].map((n) =>
      layer(n % 2 === 0 ? ink : gray, bar(8, 10 + n * 23, 150, 30 + n * 17, n % 2 === 0 ? 1.3 : 1)),
    );
    const rings = [gray, ink].map((color, n) => layer(color, ...ring(50.4 + n * 60, 70.7, 15.5, 14.5 - n * 0.3)));
    const page = paint(WIDTH, HEIGHT, WHITE, [...grid, ...boxes, ...joins, ...rings]);
    expect(colorsOf(drawingOf(page))).to.deep.equal([BLUE, ink, gray, GOLD, WHITE]);
  });

  it('are two where two lie a pixel or two beside each other, at every angle', () => {
    // A hoop with a line within its outline, all around.
    const hoop = (apart: number, x: number): readonly Layer[] =>
      [0, -apart].flatMap((inner) => outlined(GOLD, 0, 0.6, (grow) => circle(x, 26.3, 20 + inner + grow)));
    const hoops = [28.2, 92.6, 132.4].flatMap((x) => hoop(1.8, x));
    const drawing = drawingOf(arms(0, 0.6, 1, hoops));
    // 1.32 where they fell into dots.
    expect(differenceOf(referencePicture(drawing, 4), rgbOf(arms(0, 0.6, 4, hoops))).mean).to.be.at.most(0.8);
  });

  it('are what leaves a pale color beside them, though more pixels are of that', () => {
    const pixels = toWorkingPixels(arms(0, 0.6));
    const palette = choosePalette(pixels, ENGINE.mergeDistance, 2);
    const flat = labelFlat(pixels, palette);
    const limits = { unexplained: 24, leastPixels: 4, same: 16, mostShare: 0.25 };
    const { channels } = rescueThinColors(pixels, palette.channels, flat, limits);
    const pale = channels.length / 4;
    const gold = [0xf6, 0xc6, 0x44].map((level) => Math.round((level * 15) / 16));
    const isGold = (k: number) => [0xf6, 0xc6, 0x44].every((level, c) => channels[k * 4 + c] === level);
    for (const i of flat.mixed) if (isGold(flat.labels[i]!)) flat.labels[i] = pale;
    const found = findLineColor(pixels, palette, Float64Array.from([...channels, ...gold, 255]), flat, [], false)!;
    expect(Math.max(...found.channels.subarray(found.color * 4, found.color * 4 + 3))).to.be.at.most(1);
    expect(found.isLeft[pale]).to.equal(1);
  });

  it('are dark and seen somewhere beside ramps, or none: what these leave has many colors, and leads anywhere', () => {
    const lineColorOf = (line: number, ...strokes: readonly Layer[]) =>
      labelFlatArt(toWorkingPixels(arms(line, 0.6, 1, strokes)), ENGINE, true)!.pen?.color;
    const stroke = (color: number) => layer(color, rectangle(130, 6, 1, 24));
    expect(lineColorOf(0x6e3c1e, stroke(0x6e3c1e))).to.equal(undefined);
    expect(lineColorOf(0x000000, stroke(0x000000))).to.be.a('number');
    expect(lineColorOf(0x000000)).to.equal(undefined);
  });

  it('keep a dark color that they show, which could pass for nearly black', () => {
    const ink = 0x111111;
    const picture = paint(WIDTH, HEIGHT, WHITE, [
      layer(ink, ...ring(60, 60, 41, 39)),
      layer(ink, ...ring(60, 60, 17, 15)),
      layer(ink, bar(14, 14, 106, 101, 2)),
      layer(ink, bar(90, 20, 150, 70, 2)),
      layer(ink, bar(100, 100, 150, 20, 2)),
    ]);
    const colors = colorsOf(drawingOf(picture));
    expect(colors.length).to.equal(2);
    expect(colors[0]! & 0xff).to.be.within(0x0f, 0x13);
  });

  it('are left as they were, where the color found explains too little', () => {
    const pixels = toWorkingPixels(arms(0x6e3c1e, 0.6));
    const palette = choosePalette(pixels, ENGINE.mergeDistance, 2);
    const flat = labelFlat(pixels, palette);
    const limits = { unexplained: 24, leastPixels: 4, same: 16, mostShare: 0.25 };
    const line = findLineColor(
      pixels,
      palette,
      rescueThinColors(pixels, palette.channels, flat, limits).channels,
      flat,
      [],
      false,
    )!;
    const before = Int32Array.from(flat.labels);
    const wrong = Float64Array.from(line.channels);
    wrong.set([0, 255, 0], line.color * 4);
    expect(layLines(pixels, { ...line, channels: wrong }, flat)).to.equal(undefined);
    expect(flat.labels).to.deep.equal(before);
    expect(layLines(pixels, line, flat)!.color).to.equal(line.color);
    expect(flat.labels).to.not.deep.equal(before);
  });

  it('are none, where what passes for them are a few pixels here and there', () => {
    const spots = (step: number, length: number): Raster => {
      const raster = paint(400, 400, WHITE, [layer(RED, ...starburst()), layer(BLUE, circle(200, 200, 60))]);
      // Pixels that a line would leave on white, far from each other, or in a row.
      for (let n = 0; n < 60; n++)
        for (let k = 0; k < length; k++) {
          const at = (20 * 400 + 20 + n * step + k) * 4;
          raster.data.fill(100 + ((n * 37) % 90), at, at + 3);
        }
      return raster;
    };
    expect(labelFlatArt(toWorkingPixels(spots(6, 2)), ENGINE)!.pen?.color).to.equal(undefined);
    expect(labelFlatArt(toWorkingPixels(spots(1, 1)), ENGINE)!.pen?.color).not.to.equal(undefined);
  });

  it('are none in a picture without any', () => {
    const picture = paint(WIDTH, HEIGHT, WHITE, [
      layer(RED, ellipse(60, 60, 40, 30, 20)),
      layer(BLUE, ellipse(100, 60, 40, 30, -20)),
      layer(GOLD, turned(rectangle(70, 40, 24, 36), 12, 80, 60)),
    ]);
    const labeling = labelFlatArt(toWorkingPixels(picture), ENGINE)!;
    expect(labeling.pen).to.equal(undefined);
    expect(labelFlatArt(toWorkingPixels(arms(0, 0.6)), ENGINE)!.pen?.color).to.be.a('number');
  });
});
