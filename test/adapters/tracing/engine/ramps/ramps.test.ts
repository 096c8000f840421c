import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { findRamps } from '#adapters/tracing/engine/ramps/find-ramps.js';
import { flattenRamps } from '#adapters/tracing/engine/ramps/flatten-ramps.js';
import { hasNarrowRamps, hasRamps } from '#adapters/tracing/engine/ramps/has-ramps.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import type { EngineShape } from '#adapters/tracing/engine/types.js';
import type { Raster } from '#application/ports/tracer.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { bar, circle, rectangle } from '#test/support/outlines.js';
import {
  checkerboard,
  enlarge,
  type Layer,
  layer,
  linearShade,
  noise,
  paint,
  pixelwise,
  radialShade,
  type Shade,
  SPRITE_COLORS,
  SPRITE_ROWS,
  sprite,
  testPictures,
} from '#test/support/pictures.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const shaded = (shade: Shade, outline: readonly number[]): Layer => ({ color: 0, outline: [outline], shade });
const whole = rectangle(0, 0, 128, 96);

/** A picture's drawing, and whether ramps were taken out of it before. */
const drawn = (raster: Raster) => ({
  flattened: flattenRamps(toWorkingPixels(raster), 0.02) !== undefined,
  drawing: trace(raster, ENGINE, () => {}).drawing,
});

describe('ramps', () => {
  it('are not found in flat art, and not looked for in pixel art and noise', async () => {
    const flat = (await testPictures()).filter(({ name }) => !['gradient', 'soft shadow'].includes(name));
    expect(flat.length).to.be.greaterThan(35);
    for (const { name, raster } of flat) expect(flattenRamps(toWorkingPixels(raster), 0.02), name).to.equal(undefined);
    const others = [
      noise(96, 96, 3),
      checkerboard(96, 96, 3),
      enlarge(sprite(SPRITE_ROWS, SPRITE_COLORS), 8),
      // Two colors that are nearly the same, and their anti-aliased edge.
      paint(96, 96, 0xf0f0f0, [layer(0xf6f6f6, circle(48, 48, 30)), layer(0xe8e8ee, bar(4, 10, 90, 60, 7))]),
      pixelwise(96, 96, (x, y) => [100 + ((x * 7 + y * 13) % 5), 120 + ((x * 11 + y * 3) % 6), 90, 255]),
    ];
    for (const [k, raster] of others.entries()) {
      expect(hasRamps(toWorkingPixels(raster)), `${k}`).to.equal(false);
      expect(hasNarrowRamps(toWorkingPixels(raster)), `${k}`).to.equal(false);
    }
  });

  it('are found where they go on evenly for long, dithered or not', () => {
    const width = 1500;
    for (const levels of [80, 120, 200]) {
      for (const dither of [0, 0.5, 1]) {
        const random = createSeededRandom(levels);
        const raster = pixelwise(width, 160, (x) => {
          const level = 100 + (levels * x) / width + dither * (random() - 0.5);
          return [Math.round(level), Math.round(level + 30), Math.round(level + 60), 255];
        });
        const { of, found } = findRamps(toWorkingPixels(raster));
        const share = of.filter((ramp) => ramp >= 0).length / of.length;
        // Where rounding hides how they go on, in two.
        expect(found.length, `${levels} levels, dithered by ${dither}`).to.be.within(1, 2);
        expect(share, `${levels} levels, dithered by ${dither}`).to.be.above(0.9);
      }
    }
  });

  it('are found steep and gentle, with every pixel of theirs and no other', () => {
    for (const [from, to] of [
      [
        [255, 40, 0, 1],
        [0, 40, 255, 1],
      ],
      [
        [240, 240, 240, 1],
        [222, 226, 232, 1],
      ],
    ] as const) {
      const raster = paint(128, 96, 0x102030, [
        shaded(linearShade(10, 10, 110, 70, from, to), rectangle(8, 8, 112, 80)),
      ]);
      const { of, found } = findRamps(toWorkingPixels(raster));
      expect(found.length).to.equal(1);
      expect(of.reduce((sum, r) => sum + (r === 0 ? 1 : 0), 0)).to.equal(112 * 80);
    }
  });

  it('that lie upon one another are two', () => {
    const below = linearShade(0, 0, 128, 96, [38, 70, 83, 1], [233, 196, 106, 1]);
    const above = radialShade(60, 40, 44, [255, 250, 240, 1], [155, 34, 38, 1]);
    const raster = paint(128, 96, null, [shaded(below, whole), shaded(above, circle(64, 48, 30))]);
    const { found } = findRamps(toWorkingPixels(raster));
    expect(found.flatMap(({ paints }) => paints.map(({ kind }) => kind)).sort()).to.deep.equal(['linear', 'radial']);
  });

  it('in pieces on either side of something are one', () => {
    const shade = linearShade(0, 0, 128, 0, [250, 60, 20, 1], [20, 60, 250, 1]);
    const raster = paint(128, 96, null, [shaded(shade, whole), layer(0xffffff, rectangle(50, 0, 12, 96))]);
    const { found } = findRamps(toWorkingPixels(raster));
    expect(found.length).to.equal(1);
  });

  it('beside something that covers most of one are of it, and go on there beyond what is seen elsewhere', () => {
    const shirt = linearShade(20, 100, 100, 20, [240, 108, 0, 1], [247, 140, 31, 1]);
    const raster = paint(128, 128, 0xffffff, [
      shaded(shirt, rectangle(20.3, 16, 80, 96)),
      layer(0x306090, bar(34, 10, 30, 120, 18)),
    ]);
    const { of, found } = findRamps(toWorkingPixels(raster));
    expect(found.length).to.equal(1);
    // The strip on the left ends where the bar begins, and becomes narrower from 4 px to none.
    let strip = 0;
    for (let y = 17; y < 60; y++) {
      const end = Math.floor(24.9 - (4 / 110) * (y - 10));
      for (let x = 21; x < end; x++, strip++) expect(of[y * 128 + x], `${x} ${y}`).to.equal(0);
    }
    expect(strip).to.be.greaterThan(60);
  });

  it('are not of even spots that happen to have their color', () => {
    const shade = linearShade(0, 0, 0, 128, [250, 60, 20, 1], [20, 60, 250, 1]);
    const alike = 0x803c8e;
    const raster = paint(128, 128, 0xffffff, [
      shaded(shade, rectangle(20, 0, 60, 128)),
      layer(alike, circle(88, 68, 4.5)),
    ]);
    const { of, found } = findRamps(toWorkingPixels(raster));
    expect(found.length).to.equal(1);
    const [r, g, b] = shade(88, 68);
    for (const [k, level] of [r, g, b].entries()) expect((alike >> (16 - 8 * k)) & 255).to.be.closeTo(level, 1);
    for (let y = 65; y < 71; y++) for (let x = 85; x < 91; x++) expect(of[y * 128 + x]).to.equal(-1);
  });

  it('are found on balls that are small and steep', () => {
    for (const ground of [0xff4020, 0xffffff, 0x0a3055]) {
      const ball = radialShade(48, 48, 15, [235, 235, 236, 1], [90, 90, 92, 1]);
      const { of, found } = findRamps(toWorkingPixels(paint(96, 96, ground, [shaded(ball, circle(48.4, 47.7, 12.3))])));
      expect(found.map(({ ramp }) => ramp.shape.kind)).to.deep.equal(['circle']);
      expect(of.filter((ramp) => ramp === 0).length).to.be.within(420, 475);
    }
  });

  it('are found in strokes too narrow for the usual square, on one ground or on another ramp', () => {
    const tube = linearShade(20, 20, 76, 76, [117, 117, 117, 1], [16, 16, 16, 1]);
    const coat = radialShade(48, 48, 90, [245, 245, 245, 1], [190, 190, 190, 1]);
    for (const below of [layer(0xffffff, rectangle(0, 0, 96, 96)), shaded(coat, rectangle(0, 0, 96, 96))]) {
      const raster = paint(96, 96, 0xffffff, [below, shaded(tube, bar(20.3, 18.1, 74.6, 79.2, 5.6))]);
      const { flattened, drawing } = drawn(raster);
      expect(flattened, 'looked for').to.equal(true);
      const paints = drawing.items.map(({ fill }) => fill?.kind);
      expect(paints.filter((kind) => kind === 'linear')).to.have.length(1);
      expect(drawing.items.length).to.equal(2);
    }
  });

  it('are found where they are gentle and in shapes narrow everywhere', () => {
    const shade = linearShade(0, 0, 240, 240, [255, 0, 160, 1], [150, 0, 255, 1]);
    const raster = paint(240, 240, 0xffffff, [
      shaded(shade, bar(20, 30, 200, 50, 12)),
      shaded(shade, bar(200, 50, 60, 120, 12)),
      shaded(shade, bar(60, 120, 210, 200, 12)),
    ]);
    expect(flattenRamps(toWorkingPixels(raster), 0.02)).not.to.equal(undefined);
    const { found } = findRamps(toWorkingPixels(raster));
    expect(found.flatMap(({ paints }) => paints.map(({ kind }) => kind))).to.deep.equal(['linear']);
  });

  it('are found where they are gentle and in slanted strips, which hold no larger squares', () => {
    const shade = linearShade(40, 10, 150, 215, [255, 0, 160, 1], [150, 0, 255, 1]);
    const strips = [0, 34, 68, 102].flatMap((y) => [
      shaded(shade, bar(20, 60 + y, 112, 10 + y, 12)),
      shaded(shade, bar(112, 10 + y, 204, 60 + y, 12)),
    ]);
    const { flattened, drawing } = drawn(paint(224, 224, 0xffffff, strips));
    expect(flattened).to.equal(true);
    const gradients = new Set(drawing.items.map(({ fill }) => fill?.kind));
    expect([...gradients].sort()).to.deep.equal(['linear', 'solid']);
    expect(drawing.items.length).to.be.at.most(9);
  });

  it('are looked for though small round ones are near to no plane, and edges are many', () => {
    const spots: Layer[] = [];
    for (let k = 0; k < 9; k++) {
      const [x, y] = [24 + 32 * (k % 3), 24 + 32 * Math.floor(k / 3)];
      const spot = radialShade(x, y, 12, [246, 178, 66, 1], [251, 219, 162, 1]);
      spots.push(layer(0xd8a060, circle(x + 2, y + 3, 14)), shaded(spot, circle(x, y, 11)));
    }
    expect(flattenRamps(toWorkingPixels(paint(192, 160, 0xffffff, spots)), 0.02)).not.to.equal(undefined);
  });

  it('leave what is small and of another color on them its own color', () => {
    const suit = linearShade(0, 0, 0, 96, [0, 96, 172, 1], [16, 24, 60, 1]);
    const gem = (half: number) => [48, 40 - 2 * half, 48 + half, 40, 48, 40 + 2 * half, 48 - half, 40];
    const red = radialShade(48, 42, 9, [255, 10, 10, 1], [170, 0, 0, 1]);
    const { drawing } = drawn(
      paint(96, 96, 0xffffff, [shaded(suit, rectangle(10, 4, 76, 88)), layer(0x000000, gem(6.4)), shaded(red, gem(3))]),
    );
    const isRed = ({ fill }: EngineShape) =>
      fill?.kind === 'solid' && fill.color >> 16 > 150 && ((fill.color >> 8) & 255) < 60 && (fill.color & 255) < 60;
    const reds = drawing.items.filter(isRed).reduce((sum, { visibleAreaPx }) => sum + visibleAreaPx, 0);
    expect(reds).to.be.within(32, 40);
  });

  it('go on to the corners of what they fill', () => {
    for (const [width, height] of [
      [256, 256],
      [230, 170],
      [301, 97],
    ] as const) {
      const shade = linearShade(0, height, width, 0, [47, 39, 175, 1], [82, 127, 255, 1]);
      const tile = paint(width, height, null, [shaded(shade, rectangle(0, 0, width, height))]);
      const [fill] = findRamps(toWorkingPixels(tile)).found.map((ramp) => ramp.paints[0]);
      if (fill?.kind !== 'linear') throw new RangeError(`painted ${fill?.kind}`);
      const length = Math.hypot(width, height);
      const along = (x: number, y: number) => (x * width + (height - y) * height) / length;
      const ends = [along(fill.x1, fill.y1), along(fill.x2, fill.y2)].sort((a, b) => a - b);
      expect(ends[0], `${width} x ${height}`).to.be.at.most(1.5);
      expect(ends[1], `${width} x ${height}`).to.be.at.least(length - 1.5);
    }
  });

  it('leave thin lines elsewhere in the picture their own color', () => {
    const button = linearShade(10, 0, 90, 0, [99, 102, 241, 1], [236, 72, 153, 1]);
    const { flattened, drawing } = drawn(
      paint(120, 120, 0xffffff, [
        shaded(button, rectangle(10, 80, 80, 28)),
        layer(0x2563eb, bar(8, 60, 60, 20, 1.9), bar(60, 20, 112, 50, 1.9)),
      ]),
    );
    expect(flattened).to.equal(true);
    const blues = drawing.items.flatMap(({ fill }) =>
      fill?.kind === 'solid' && fill.color !== 0xffffff ? [fill.color] : [],
    );
    expect(blues.length).to.be.greaterThan(0);
    for (const blue of blues) {
      expect(blue >> 16, blue.toString(16)).to.be.closeTo(0x25, 6);
      expect((blue >> 8) & 255, blue.toString(16)).to.be.closeTo(0x63, 6);
      expect(blue & 255, blue.toString(16)).to.be.closeTo(0xeb, 6);
    }
  });

  it('are as exact as rounding leaves them, whatever lies around them', () => {
    for (const ground of [0xff4020, 0xffffff, 0x0a3055]) {
      const ball = radialShade(48, 48, 19.6, [235, 235, 236, 1], [90, 90, 92, 1]);
      const { found } = findRamps(toWorkingPixels(paint(96, 96, ground, [shaded(ball, circle(48.4, 47.7, 16.3))])));
      expect(found.length).to.equal(1);
      expect(found[0]!.ramp.profile.rms).to.be.at.most(0.285);
    }
  });

  it('of three colors have three stops, the middle one where it is', () => {
    const first = linearShade(10, 8, 64, 34, [18, 194, 233, 1], [196, 113, 237, 1]);
    const second = linearShade(64, 34, 118, 60, [196, 113, 237, 1], [246, 79, 89, 1]);
    /** Px from the middle color's line. */
    const beyond = (x: number, y: number) => ((x - 64) * 54 + (y - 34) * 26) / Math.hypot(54, 26);
    const shade: Shade = (x, y) => (beyond(x, y) < 0 ? first : second)(x, y);
    const raster = paint(128, 96, 0xffffff, [shaded(shade, rectangle(10, 8, 108, 80))]);
    const { found } = findRamps(toWorkingPixels(raster));
    expect(found.length).to.equal(1);
    const gradient = found[0]!.paints[0];
    if (gradient?.kind !== 'linear') throw new RangeError(`painted ${gradient?.kind}`);
    expect(gradient.stops.length).to.equal(3);
    const { offset, color } = gradient.stops[1]!;
    const { x1, y1, x2, y2 } = gradient;
    expect(beyond(x1 + offset * (x2 - x1), y1 + offset * (y2 - y1))).to.be.closeTo(0, 0.5);
    for (const [k, truth] of [196, 113, 237].entries()) expect((color >> (16 - 8 * k)) & 255).to.be.closeTo(truth, 2);
  });

  it('that meet at an edge are two, and the edge is where it was', () => {
    const left = linearShade(0, 0, 0, 96, [67, 206, 162, 1], [24, 90, 157, 1]);
    const right = linearShade(0, 0, 0, 96, [90, 20, 60, 1], [240, 190, 60, 1]);
    const raster = paint(128, 96, null, [shaded(left, whole), shaded(right, rectangle(60.3, 0, 67.7, 96))]);
    const { coords, items } = trace(raster, ENGINE, () => {}).drawing;
    expect(items.length).to.equal(2);
    for (const { fill } of items) expect(fill?.kind).to.equal('linear');
    const { geometry } = items[1]!;
    const edges =
      geometry.kind === 'rect'
        ? [geometry.x, geometry.x + geometry.width]
        : [...coords.subarray(geometry.kind === 'path' ? geometry.firstCoord : 0)].filter((_, k) => k % 2 === 0);
    expect(Math.min(...edges.map((x) => Math.abs(x - 60.3)))).to.be.at.most(0.1);
  });

  it('leave edges where they are: a shape on a ramp is placed as on even ground', () => {
    const shade = linearShade(0, 0, 128, 96, [20, 60, 114, 1], [42, 157, 143, 1]);
    const raster = paint(128, 96, null, [shaded(shade, whole), layer(0xffffff, circle(64.3, 47.6, 25.2))]);
    const { items } = trace(raster, ENGINE, () => {}).drawing;
    const { geometry } = items.at(-1)!;
    if (geometry.kind !== 'circle') throw new RangeError(`a ${geometry.kind} was drawn`);
    expect(Math.hypot(geometry.cx - 64.3, geometry.cy - 47.6)).to.be.at.most(0.05);
    expect(geometry.r).to.be.closeTo(25.2, 0.05);
  });

  it('are flattened to colors that stand far from all others', () => {
    const shade = linearShade(0, 0, 128, 0, [250, 60, 20, 1], [20, 60, 250, 0.4]);
    const raster = paint(128, 96, null, [shaded(shade, whole), layer(0xffffff, circle(64, 48, 25))]);
    const flattened = flattenRamps(toWorkingPixels(raster), 0.02)!;
    const at = (x: number, y: number) => [...flattened.pixels.rgba.subarray((y * 128 + x) * 4, (y * 128 + x) * 4 + 4)];
    expect(at(2, 2)).to.deep.equal(at(120, 90));
    expect(at(64, 48)).to.deep.equal([255, 255, 255, 255]);
    // What can be seen through stays such.
    expect(at(2, 2)[3]).to.be.within(1, 254);
    expect(flattened.paintsOf(Float64Array.from(at(2, 2)), 0)?.[0]?.kind).to.equal('linear');
    expect(flattened.paintsOf(Float64Array.from(at(64, 48)), 0)).to.equal(undefined);
  });
});
