/** Largest, and root mean square, distance of a sample from a shape that stands for a whole contour, px. */
const LARGEST_PX = 0.28;
const RMS_PX = 0.075;
/** Over a stretch of samples the distances of a true shape cancel out; what they come to at most, px. */
const STRETCH_PX = 0.07;
const STRETCHES = 16;
const LEAST_STRETCH = 4;

/** How near a shape is to its samples. */
export interface Closeness {
  readonly isNear: boolean;
  readonly rms: number;
}

/**
 * Judges signed distances of samples from a shape, in the order of the contour: near enough each, on the whole, and without a
 * stretch that lies to one side, as a shape that is only similar has. Samples whose distance is NaN do not count; `times` as far as else
 * may they be off.
 */
export function judge(distances: Float64Array, count: number, times = 1): Closeness {
  let squares = 0;
  let largest = 0;
  let seen = 0;
  for (let i = 0; i < count; i++) {
    const d = distances[i];
    if (Number.isNaN(d)) continue;
    seen++;
    squares += d * d;
    const size = d < 0 ? -d : d;
    if (size > largest) largest = size;
  }
  const rms = Math.sqrt(squares / Math.max(1, seen));
  if (seen === 0 || largest > times * LARGEST_PX || rms > times * RMS_PX) return { isNear: false, rms };
  const length = Math.max(LEAST_STRETCH, Math.ceil(count / STRETCHES));
  for (let from = 0; from < count; from += length) {
    let sum = 0;
    let n = 0;
    for (let i = from; i < Math.min(count, from + length); i++) {
      if (Number.isNaN(distances[i])) continue;
      sum += distances[i];
      n++;
    }
    if (n >= LEAST_STRETCH && Math.abs(sum / n) > times * STRETCH_PX * Math.sqrt(1 + LEAST_STRETCH / n))
      return { isNear: false, rms };
  }
  return { isNear: true, rms };
}
