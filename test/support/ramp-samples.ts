import type { RampSamples } from '#adapters/tracing/engine/ramps/ramp-profile.js';
import { createSeededRandom } from './seeded-random.js';

/** Samples of any colors over 40 x 32 px, all of one opacity or each of its own. */
export function samplesOf(count: number, seed: number, alpha?: number): RampSamples {
  const random = createSeededRandom(seed);
  const draw = (most: number) => Float64Array.from({ length: count }, () => random() * most);
  const [x, y, channels] = [draw(40), draw(32), new Float64Array(count * 4)];
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) channels[i * 4 + c] = Math.round(4 * x[i]! + 2 * y[i]! * (c - 1) + 9 * random());
    channels[i * 4 + 3] = alpha ?? Math.round(255 * random());
  }
  return { count, x, y, channels };
}
