import { expect } from 'chai';
import fc from 'fast-check';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { findRamps } from '#adapters/tracing/engine/ramps/find-ramps.js';
import { LayerFitter } from '#adapters/tracing/engine/ramps/fit-layers.js';
import { layRamps } from '#adapters/tracing/engine/ramps/lay-ramps.js';
import { type LayerKind, LayerModel, SHAPE_SIZE } from '#adapters/tracing/engine/ramps/layer-model.js';
import { RampReader } from '#adapters/tracing/engine/ramps/ramp-reader.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { circle, rectangle } from '#test/support/outlines.js';
import { type Layer, layer, linearShade, paint, radialShade, type Shade } from '#test/support/pictures.js';
import { holds } from '#test/support/properties.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const SIDE = 128;
const LEAST_STEP = 1e-6;

/** Unknowns of layers that change colors all over -1..1. */
function unknownsOf(kinds: readonly LayerKind[], random: () => number): Float64Array {
  const { size } = new LayerModel(kinds);
  const baseSize = new LayerModel(['linear']).size;
  const x = Float64Array.from({ length: size }, random);
  kinds.forEach((kind, n) => {
    const at = n === 0 ? 0 : baseSize + ((n - 1) * (size - baseSize)) / (kinds.length - 1);
    const shape = kind === 'linear' ? [0.2 + 0.2 * random(), 0.1, 0.5] : [-2, 0.3 * random(), 0.3, 0.05, 0.2, 0.1];
    x.set(shape, at);
    for (let k = at + SHAPE_SIZE; k < at + SHAPE_SIZE + 6; k++) x[k] = 255 * random();
  });
  return x;
}

/** One shade in front of another, as seen through it. */
const over =
  (front: Shade, back: Shade): Shade =>
  (x, y) => {
    const [a, b] = [front(x, y), back(x, y)];
    const mixed = (c: 0 | 1 | 2) => a[c] * a[3] + b[c] * (1 - a[3]);
    return [mixed(0), mixed(1), mixed(2), 1];
  };

const BENEATH = linearShade(0, 0, 40, SIDE, [250, 200, 60, 1], [200, 30, 90, 1]);
const GLOW = radialShade(110, 10, 90, [60, 60, 240, 0.9], [60, 60, 240, 0]);
const shaded = (shade: Shade, outline: readonly number[]): Layer => ({ color: 0, outline: [outline], shade });

describe('gradients that lie on each other', () => {
  it('change with each of their unknowns as their slopes say', () => {
    const kind = fc.constantFrom<LayerKind>('linear', 'radial');
    holds(
      fc.property(
        fc.array(kind, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 1 << 30 }),
        (kinds, seed) => {
          const random = createSeededRandom(seed);
          const model = new LayerModel(kinds);
          const x = unknownsOf(kinds, random);
          const [u, v] = [2 * random() - 1, 2 * random() - 1];
          model.readWithSlopes(x, u, v);
          const slopes = new Float64Array(3 * model.size);
          for (let c = 0; c < 3; c++)
            for (let k = c * model.rowSize; k < (c + 1) * model.rowSize; k++)
              slopes[c * model.size + model.unknowns[k]!] = model.row[k]!;
          let checked = 0;
          for (let k = 0; k < model.size; k++) {
            const colors = [-1, 1].map((sign) => {
              const moved = Float64Array.from(x);
              moved[k]! += sign * LEAST_STEP;
              model.read(moved, u, v);
              return Array.from(model.color);
            });
            for (let c = 0; c < 3; c++) {
              const slope = (colors[1]![c]! - colors[0]![c]!) / (2 * LEAST_STEP);
              // At a stop the color bends.
              if (Math.abs(slope - slopes[c * model.size + k]!) <= 1e-3 * Math.max(1, Math.abs(slope))) checked++;
            }
          }
          expect(checked).to.be.at.least(3 * model.size * 0.95);
        },
      ),
      200,
    );
  });

  it('are found to a level and a half, root mean square', () => {
    const random = createSeededRandom(5);
    const shade = over(GLOW, BENEATH);
    const count = 300;
    const x = Float64Array.from({ length: count }, () => SIDE * random());
    const y = Float64Array.from({ length: count }, () => SIDE * random());
    const channels = Float64Array.from({ length: count * 4 }, (_, k) => {
      const color = shade(x[k >> 2]!, y[k >> 2]!);
      return (k & 3) === 3 ? 255 : Math.round(color[(k & 3) as 0 | 1 | 2]);
    });
    const fitted = new LayerFitter({ count, x, y, channels }).fit(4);
    if (fitted === undefined) throw new RangeError('none were found');
    expect(fitted.rms).to.be.at.most(1.5);
    const [base, ...front] = fitted.layers;
    expect(front.length).to.be.within(1, 5);
    const reader = new RampReader({ ...base!, over: front }, { width: SIDE, rgba: new Uint8Array(4) } as never, 1);
    const color = new Float64Array(4);
    for (let k = 0; k < 400; k++) {
      const [u, v] = [Math.floor(SIDE * random()), Math.floor(SIDE * random())];
      reader.read(u, v, color, 0);
      const truth = shade(u + 0.5, v + 0.5);
      expect(color[3]).to.be.closeTo(255, 1e-6);
      for (const c of [0, 1, 2] as const) expect(color[c], `${u}, ${v}`).to.be.closeTo(truth[c], 8);
    }
  });

  it('are drawn as one shape in as many paints, but in cutouts and within a budget, and what lies on them is drawn as ever', () => {
    const badge = circle(64, 64, 50);
    const raster = paint(SIDE, SIDE, 0xffffff, [
      shaded(over(GLOW, BENEATH), badge),
      layer(0xffffff, rectangle(50, 56, 28, 16)),
    ]);
    const { items } = trace(raster, ENGINE, () => {}).drawing;
    const gradients = items.filter(({ fill }) => fill?.kind === 'linear' || fill?.kind === 'radial');
    expect(gradients.length).to.be.within(2, 6);
    for (const { geometry } of gradients) expect(geometry).to.equal(gradients[0]!.geometry);
    expect(items.length - gradients.length).to.be.within(1, 2);
    const cut = trace(raster, { ...ENGINE, stacking: 'cutouts' }, () => {}).drawing;
    const within = trace(raster, ENGINE, () => {}, { fits: () => true }).drawing;
    for (const { items: alone } of [cut, within]) {
      expect(alone.length).to.be.at.least(2);
      expect(new Set(alone.map(({ geometry }) => geometry)).size).to.equal(alone.length);
    }
    // What is seen of it is counted once.
    expect(gradients.filter(({ visibleAreaPx }) => visibleAreaPx > 0).length).to.equal(1);
    const [first, ...others] = gradients.map(({ fill }) =>
      fill?.kind === 'linear' || fill?.kind === 'radial' ? fill.stops : [],
    );
    for (const { opacity } of first!) expect(opacity).to.equal(1);
    for (const stops of others) expect(Math.min(...stops.map(({ opacity }) => opacity))).to.be.at.most(0.2);
  });

  it('are looked for only where ramps are not exact', () => {
    const raster = paint(SIDE, SIDE, null, [
      shaded(BENEATH, rectangle(0, 0, SIDE, SIDE)),
      shaded(radialShade(64, 64, 40, [20, 90, 60, 1], [220, 240, 200, 1]), circle(64, 64, 40)),
    ]);
    const pixels = toWorkingPixels(raster);
    const ramps = findRamps(pixels);
    expect(ramps.found.length).to.equal(2);
    expect(layRamps(pixels, ramps)).to.equal(ramps);
  });
});
