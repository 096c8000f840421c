import { expect } from 'chai';
import { dropStraySamples } from '#adapters/tracing/engine/fit/stray-samples.js';

type Sample = readonly [x: number, y: number, trust: number];

/** What is left of samples, between two of another chain that are not looked at. */
function leftOf(samples: readonly Sample[]): readonly Sample[] {
  const all: readonly Sample[] = [[0, 99, 0.5], ...samples, [0, 99, 0.5]];
  const x = Float64Array.from(all, ([value]) => value);
  const y = Float64Array.from(all, ([, value]) => value);
  const trust = Float32Array.from(all, ([, , value]) => value);
  const end = dropStraySamples(x, y, trust, 1, all.length - 1);
  expect([x[0], y[0], trust[0]]).to.deep.equal(all[0]);
  return Array.from({ length: end - 1 }, (_, i) => [x[i + 1]!, y[i + 1]!, trust[i + 1]!] as const);
}

const level = (trust: number): Sample[] => Array.from({ length: 9 }, (_, k) => [k + 0.5, 12, trust] as const);
const without = (samples: readonly Sample[], ...numbers: readonly number[]) =>
  samples.filter((_, i) => !numbers.includes(i));

describe('samples of an edge that cannot be', () => {
  it('are left out, each by itself, wherever they lie', () => {
    const samples = level(0.5);
    samples[3] = [3.5, 10.6, 0.5];
    samples[6] = [6.5, 12.9, 0.25];
    expect(leftOf(samples)).to.deep.equal(without(samples, 3, 6));
  });

  it('are kept where they are to be trusted, where a line ends, and where too little is known of what is beside them', () => {
    for (const [at, trust] of [
      [4, 1],
      [4, 0],
      [0, 0.5],
      [1, 0.5],
      [7, 0.5],
    ] as const) {
      const samples = level(0.5);
      samples[at] = [at + 0.5, 10.6, trust];
      expect(leftOf(samples), `${at}, ${trust}`).to.deep.equal(samples);
    }
  });

  it('are none on a slope, in noise, on a corner, at a tip, or beside a gap', () => {
    const slope = Array.from({ length: 9 }, (_, k): Sample => [k + 0.5, 3 * k + (k % 2) * 0.3, 0.5]);
    const corner = Array.from({ length: 9 }, (_, k): Sample => [k, Math.abs(k - 4), 0.5]);
    const tip = Array.from({ length: 9 }, (_, k): Sample => [k, Math.abs(k - 4) * 6, 0.5]);
    const gap: readonly Sample[] = [...level(0.5).slice(0, 3), [7, 13, 0.5], [10.5, 12, 0.5], [11.5, 12, 0.5]];
    for (const samples of [slope, corner, tip, gap]) expect(leftOf(samples)).to.deep.equal(samples);
  });
});
