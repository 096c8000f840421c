import type { WorkingPixels } from '../intake/working-pixels.js';
import type { Ramps } from './find-ramps.js';
import { COMPRESSED } from './limits.js';
import { RampReader } from './ramp-reader.js';

/** How far from a ramp's pixels compression leaves others of its own off its color, px. */
const RING_PX = 7;
/** How far off, root mean square, levels. */
const RING_LEVELS = 20;
const RING_SQ = 3 * RING_LEVELS * RING_LEVELS;

/**
 * Around edges compression leaves rings: pixels on a ramp, or next to it, that are too far from its color to have been found and too
 * near to be of another. Per pixel the ramp it is a ring of, -1 for none.
 */
export function findRings(pixels: WorkingPixels, { of, found }: Ramps): Int32Array {
  const { width, height } = pixels;
  const rings = new Int32Array(of.length).fill(-1);
  const readers = found.map(({ ramp }) => new RampReader(ramp, pixels, COMPRESSED.near));
  let front: number[] = [];
  for (let i = 0; i < of.length; i++) if (of[i] >= 0) front.push(i);
  for (let step = 0; step < RING_PX; step++) {
    const next: number[] = [];
    for (const i of front) {
      const ramp = of[i] >= 0 ? of[i] : rings[i];
      const x = i % width;
      const y = (i - x) / width;
      for (let d = 0; d < 4; d++) {
        const u = x + (d === 0 ? 1 : d === 1 ? -1 : 0);
        const v = y + (d === 2 ? -1 : d === 3 ? 1 : 0);
        if (u < 0 || v < 0 || u >= width || v >= height) continue;
        const j = v * width + u;
        if (of[j] >= 0 || rings[j] >= 0 || readers[ramp].distanceSq(u, v) > RING_SQ) continue;
        rings[j] = ramp;
        next.push(j);
      }
    }
    front = next;
  }
  return rings;
}
