import type { FittedRamp } from './fit-ramp.js';
import { RampRuler } from './ramp-shape.js';

/**
 * Where along it each ramp begins and ends, px, two numbers each: of few of its pixels none may lie near its ends, where colors still
 * change. What borders on others may be anti-aliased and is left out. `of` has the ramp of every pixel of a picture so wide, -1 for
 * none. The first is larger than the second where a ramp has no such pixel.
 */
export function rampEnds(of: Int32Array, width: number, ramps: readonly FittedRamp[]): Float64Array {
  const height = of.length / width;
  const rulers = ramps.map(({ shape }) => new RampRuler(shape));
  const ends = Float64Array.from({ length: 2 * ramps.length }, (_, k) => (k % 2 === 0 ? Infinity : -Infinity));
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const ramp = of[i];
      if (ramp < 0) continue;
      if ((x > 0 && of[i - 1] !== ramp) || (x + 1 < width && of[i + 1] !== ramp)) continue;
      if ((y > 0 && of[i - width] !== ramp) || (y + 1 < height && of[i + width] !== ramp)) continue;
      const place = rulers[ramp].at(x + 0.5, y + 0.5);
      if (place < ends[2 * ramp]) ends[2 * ramp] = place;
      if (place > ends[2 * ramp + 1]) ends[2 * ramp + 1] = place;
    }
  }
  return ends;
}
