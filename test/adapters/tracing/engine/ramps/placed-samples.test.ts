import { expect } from 'chai';
import { PlacedSamples } from '#adapters/tracing/engine/ramps/placed-samples.js';
import {
  knotBefore,
  ProfileFitter,
  ProfileSystem,
  partOf,
  rmsOf,
} from '#adapters/tracing/engine/ramps/ramp-profile.js';
import { samplesOf } from '#test/support/ramp-samples.js';

/** Sample by sample, as the sums should have it. */
function directly(samples: ReturnType<typeof samplesOf>, positions: Float64Array, knots: Float64Array) {
  const system = new ProfileSystem();
  system.clear(knots.length);
  for (let i = 0; i < samples.count; i++) {
    const k = knotBefore(knots, positions[i]!);
    system.add(samples.channels, i, k, partOf(knots, k, positions[i]!));
  }
  const values = new Float64Array(knots.length * 4);
  return { rms: rmsOf(system.solve(values), samples.count), values };
}

describe('samples by their place along a ramp', () => {
  for (const [name, alpha] of [
    ['opaque', 255],
    ['translucent', undefined],
  ] as const)
    it(`have the profile over any knots that ${name} samples one by one have`, () => {
      for (const count of [2, 60, 700]) {
        const samples = samplesOf(count, count, alpha);
        // Far from where the ramp begins, as those of gentle circles are.
        const positions = samples.x.map((x, i) => 900 + x + samples.y[i]! / 7);
        const placed = new PlacedSamples(samples, positions);
        for (const knots of [
          [900, 950],
          [905.5, 912, 913, 930],
          [880, 890, 891.25, 960, 990],
          [positions[0]!, positions[1]! + 50],
        ]) {
          const own = Float64Array.from(knots);
          const { rms, values } = directly(samples, positions, own);
          expect(placed.rms(own), `${count} samples, ${knots}`).to.be.closeTo(rms, 1e-5);
          const profile = placed.fit(own);
          expect(profile.rms).to.equal(placed.rms(own));
          expect(profile.knots).to.equal(own);
          for (let at = 0; at < values.length; at++) expect(profile.values[at]).to.be.closeTo(values[at]!, 1e-3);
        }
      }
    });

  it('are as near to even knots as those that are fitted evenly', () => {
    const samples = samplesOf(400, 7, 255);
    const even = new ProfileFitter().fitEvenly(samples, samples.x, 9);
    expect(even.rms).to.be.above(1);
    expect(new PlacedSamples(samples, samples.x).rms(even.knots)).to.be.closeTo(even.rms, 1e-6);
  });

  it('that all lie at one place have the color they have there', () => {
    const { channels } = samplesOf(5, 5, 255);
    const at = new Float64Array(5).fill(3);
    const profile = new PlacedSamples({ count: 5, x: at, y: at, channels }, at).fit(Float64Array.of(3, 4));
    const mean = channels.reduce((sum, value, i) => sum + (i % 4 === 0 ? value : 0), 0) / 5;
    expect(profile.values[0]).to.be.closeTo(mean, 0.1);
  });
});
