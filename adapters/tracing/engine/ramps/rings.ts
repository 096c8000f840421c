import type { WorkingPixels } from '../intake/working-pixels.js';
import type { Ramps } from './find-ramps.js';
import { COMPRESSED } from './limits.js';
import { readersOf } from './ramp-reader.js';

/** How far from a ramp's pixels compression leaves others of its own off its color, px. */
const RING_PX = 7;
/** How far off, root mean square, levels. */
const RING_LEVELS = 20;
export const RING_SQ = 3 * RING_LEVELS * RING_LEVELS;
/** What in a ring has another color and hangs together in no more than so many px is of the ramp, too. */
const SPECK_PX = 40;

/**
 * Around edges compression leaves rings: pixels on a ramp, or next to it, that are too far from its color to have been found and too
 * near to be of another. Per pixel the ramp it is a ring of, -1 for none.
 */
export function findRings(pixels: WorkingPixels, { of, found }: Ramps): Int32Array {
  const { width, height } = pixels;
  const rings = new Int32Array(of.length).fill(-1);
  const readers = readersOf(found, pixels, COMPRESSED.near);
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

/** Takes from the labels of a ring's pixels (-1 for none) those of specks: a few px, none beside one of their label that is in no ring. */
export function clearSpecks(labels: Int32Array, rings: Int32Array, width: number): void {
  const seen = new Uint8Array(labels.length);
  const speck = new Int32Array(labels.length);
  const isInRing = (i: number) => rings[i] >= 0;
  for (let from = 0; from < labels.length; from++) {
    if (seen[from] === 1 || !isInRing(from) || labels[from] < 0) continue;
    let size = 1;
    let reaches = false;
    speck[0] = from;
    seen[from] = 1;
    for (let k = 0; k < size; k++) {
      const i = speck[k];
      const x = i % width;
      for (let d = 0; d < 4; d++) {
        const j = d === 0 ? i - 1 : d === 1 ? i + 1 : d === 2 ? i - width : i + width;
        if ((d === 0 && x === 0) || (d === 1 && x === width - 1) || j < 0 || j >= labels.length) continue;
        if (labels[j] !== labels[from]) continue;
        if (!isInRing(j)) reaches = true;
        else if (seen[j] === 0) {
          seen[j] = 1;
          speck[size++] = j;
        }
      }
    }
    if (!reaches && size <= SPECK_PX) for (let k = 0; k < size; k++) labels[speck[k]] = -1;
  }
}
