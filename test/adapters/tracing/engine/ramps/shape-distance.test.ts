import { expect } from 'chai';
import { kernelMemory } from '#adapters/tracing/engine/kernels/kernel-memory.js';
import { fewer, ProfileFitter, type RampSamples } from '#adapters/tracing/engine/ramps/ramp-profile.js';
import type { RampShape } from '#adapters/tracing/engine/ramps/ramp-shape.js';
import { ShapeDistance } from '#adapters/tracing/engine/ramps/shape-distance.js';
import { samplesOf } from '#test/support/ramp-samples.js';

const SHAPES: readonly RampShape[] = [
  { kind: 'linear', cx: 20, cy: 16, angle: 0.7, squeeze: 1, size: 40 },
  { kind: 'circle', cx: 12, cy: 30, angle: 0, squeeze: 1, size: 40 },
  { kind: 'ellipse', cx: 22, cy: 14, angle: 1.1, squeeze: 0.6, size: 40 },
  { kind: 'box', cx: 20, cy: 16, angle: 0, squeeze: 1, size: 40, core: { halfWidth: 6, halfHeight: 4 } },
];
const KNOTS = [4, 9, 17];

describe('the distance of a shape', () => {
  for (const [name, alpha] of [
    ['opaque', 255],
    ['translucent', undefined],
    ['evenly translucent', 90],
  ] as const)
    it(`is that of the best profile along it, of ${name} samples`, () => {
      const distance = new ShapeDistance();
      // The larger after the smaller, and back: nothing is left of what was measured before.
      for (const count of [40, 300, 60]) {
        const samples = samplesOf(count, count, alpha);
        distance.begin(samples);
        for (const shape of SHAPES) {
          for (const knots of KNOTS) {
            const rms = distance.rms(shape, knots);
            distance.measure(shape);
            const profile = new ProfileFitter().fitEvenly(samples, distance.positions, distance.knots(knots));
            expect(profile.rms).to.be.above(1);
            expect(rms, `${shape.kind}, ${knots} knots`).to.be.closeTo(profile.rms, 1e-6);
          }
        }
      }
    });

  it('is that of its own samples, whatever else has used the memory of the kernels since', () => {
    const [one, other] = [new ShapeDistance(), new ShapeDistance()];
    one.begin(samplesOf(120, 5, 255));
    other.begin(samplesOf(75, 6, 255));
    const before = SHAPES.map((shape) => [one.rms(shape, 9), other.rms(shape, 17)] as const);
    kernelMemory.scratch(4000).fill(7);
    for (const [k, shape] of SHAPES.entries()) {
      expect(other.rms(shape, 17)).to.equal(before[k]![1]);
      expect(one.rms(shape, 9)).to.equal(before[k]![0]);
      expect(before[k]![0]).not.to.equal(before[k]![1]);
      // Room for more knots than there was is room for all samples still.
      expect(one.rms(shape, 49)).to.be.at.most(before[k]![0] * 1.05);
    }
    kernelMemory.beginBand(64, 64);
    expect(SHAPES.map((shape) => one.rms(shape, 9))).to.deep.equal(before.map(([rms]) => rms));
  });

  it('has knots farther apart than pixels, and four at least', () => {
    const distance = new ShapeDistance();
    distance.begin(samplesOf(200, 3, 255));
    for (const shape of SHAPES) {
      distance.measure(shape);
      const span = Math.max(...distance.positions.subarray(0, 200)) - Math.min(...distance.positions.subarray(0, 200));
      expect(span / (distance.knots(49) - 1)).to.be.above(1);
      expect(distance.knots(9)).to.equal(9);
      expect(distance.knots(2)).to.equal(4);
    }
  });

  it('is none where all samples lie at one place', () => {
    const samples: RampSamples = {
      count: 5,
      x: new Float64Array(5).fill(3),
      y: new Float64Array(5).fill(4),
      channels: Float64Array.from({ length: 20 }, (_, at) => (at % 4 === 3 ? 255 : 80)),
    };
    const distance = new ShapeDistance();
    distance.begin(samples);
    for (const shape of SHAPES) expect(distance.rms(shape, 4)).to.be.closeTo(0, 0.01);
  });
});

describe('fewer samples', () => {
  it('are the very same where there are no more', () => {
    const samples = samplesOf(30, 1);
    expect(fewer(samples, 30)).to.equal(samples);
  });

  it('are evenly taken, each with its own colors', () => {
    const samples = samplesOf(90, 2);
    const some = fewer(samples, 40);
    expect(some.count).to.equal(40);
    for (let k = 0; k < 40; k++) {
      const i = Math.floor((k * 90) / 40);
      expect([some.x[k], some.y[k]]).to.deep.equal([samples.x[i], samples.y[i]]);
      expect([...some.channels.subarray(4 * k, 4 * k + 4)]).to.deep.equal([
        ...samples.channels.subarray(4 * i, 4 * i + 4),
      ]);
    }
  });
});
