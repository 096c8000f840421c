import type { FittedRamp } from './fit-ramp.js';
import type { RampSamples } from './ramp-profile.js';

const FEW_COLORS = 3;
const FEW_SHARE = 0.9;

/** Whether all are of one color. */
export function isOneColor({ channels, count }: RampSamples): boolean {
  for (let at = 4; at < count * 4; at++) if (channels[at] !== channels[at & 3]) return false;
  return true;
}

/**
 * Whether a few colors, each to the bit, make nearly all: areas beside each other do, and no stairs of a ramp that compression has been at. Of 55 such ramps the
 * three most frequent colors made .93 of one that had run over an even ground, and .91 and less of the others; of what were areas .94 and more.
 */
export function isOfFewColors({ channels, count }: RampSamples): boolean {
  const seen = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    let color = 0;
    for (let c = 0; c < 4; c++) color = color * 256 + channels[i * 4 + c];
    seen.set(color, (seen.get(color) ?? 0) + 1);
  }
  const most = [...seen.values()].sort((a, b) => b - a).slice(0, FEW_COLORS);
  return most.reduce((sum, n) => sum + n, 0) >= FEW_SHARE * count;
}

/** Whether a ramp leaves no more than a share of the samples' variance: what compression does around edges is no ramp. */
export function explainsMost({ profile }: FittedRamp, { channels, count }: RampSamples, share: number): boolean {
  let variance = 0;
  for (let c = 0; c < 4; c++) {
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < count; i++) {
      const v = c === 3 ? channels[i * 4 + 3] : (channels[i * 4 + c] * channels[i * 4 + 3]) / 255;
      sum += v;
      squares += v * v;
    }
    variance += (squares - (sum * sum) / count) / count / 3;
  }
  return profile.rms ** 2 <= variance * share;
}

/** Whether some channel has values so many levels apart, a twentieth at either end left out. */
export function changesBy({ channels, count }: RampSamples, least: number): boolean {
  if (least === 0) return true;
  const sorted = new Float64Array(count);
  for (let c = 0; c < 4; c++) {
    for (let i = 0; i < count; i++) sorted[i] = channels[i * 4 + c];
    sorted.sort();
    if (sorted[Math.floor((count - 1) * 0.95)] - sorted[Math.ceil((count - 1) * 0.05)] >= least) return true;
  }
  return false;
}

/** All of both. */
export function joined(a: RampSamples, b: RampSamples): RampSamples {
  const join = (first: Float64Array, second: Float64Array) => {
    const both = new Float64Array(first.length + second.length);
    both.set(first);
    both.set(second, first.length);
    return both;
  };
  return {
    count: a.count + b.count,
    x: join(a.x, b.x),
    y: join(a.y, b.y),
    channels: join(a.channels, b.channels),
  };
}
