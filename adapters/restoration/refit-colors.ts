import { evenPixels } from './flatten-areas.js';
import { CHANNELS, emptyPlanes, halve, type Planes } from './planes.js';

// Restorers drift: an even orange comes back a shade redder. What an area's color was, the picture knows better, since
// damage spares the inside of areas.

/** Levels by which neighbors may differ inside an even area. */
const EVEN = 10 / 255;
/** Colors are told apart by so many steps a channel. */
const STEPS = 16;
/** Fewer even pixels of a color than this say nothing about it. */
const LEAST_PIXELS = 12;
/** More than this is no drift. */
const MOST_SHIFT = 20 / 255;

/** Shifts by color: for each step of red, green and blue what the picture has more than the restored one. */
interface Shifts {
  readonly known: Uint8Array;
  readonly values: Float32Array;
}

const stepOf = (value: number): number => Math.max(0, Math.min(STEPS - 1, Math.floor(value * STEPS)));

function measureShifts(source: Planes, restored: Planes): Shifts {
  const size = source.width * source.height;
  const even = evenPixels(restored, EVEN);
  const counts = new Uint32Array(STEPS ** 3);
  const values = new Float32Array(STEPS ** 3 * CHANNELS);
  for (let i = 0; i < size; i++) {
    if (even[i] === 0) continue;
    let bin = 0;
    for (let channel = 0; channel < CHANNELS; channel++)
      bin = bin * STEPS + stepOf(restored.values[channel * size + i] as number);
    counts[bin] = (counts[bin] as number) + 1;
    for (let channel = 0; channel < CHANNELS; channel++) {
      const at = channel * size + i;
      const shift = (source.values[at] as number) - (restored.values[at] as number);
      values[bin * CHANNELS + channel] = (values[bin * CHANNELS + channel] as number) + shift;
    }
  }
  const known = new Uint8Array(STEPS ** 3);
  for (let bin = 0; bin < counts.length; bin++) {
    const count = counts[bin] as number;
    if (count < LEAST_PIXELS) continue;
    known[bin] = 1;
    for (let at = bin * CHANNELS; at < (bin + 1) * CHANNELS; at++)
      values[at] = Math.max(-MOST_SHIFT, Math.min(MOST_SHIFT, (values[at] as number) / count));
  }
  return { known, values };
}

/**
 * The restored planes (twice the picture's size) in the picture's own colors: what lies inside even areas is compared, and
 * every color shifted by what it differs there on average.
 */
export function refitColors(source: Planes, restored: Planes): Planes {
  const { known, values } = measureShifts(source, halve(restored));
  const size = restored.width * restored.height;
  const fitted = emptyPlanes(restored.width, restored.height);
  const color = new Float64Array(CHANNELS);
  for (let i = 0; i < size; i++) {
    let bin = 0;
    for (let channel = 0; channel < CHANNELS; channel++) {
      const value = Math.max(0, Math.min(1, restored.values[channel * size + i] as number));
      color[channel] = value;
      bin = bin * STEPS + stepOf(value);
    }
    for (let channel = 0; channel < CHANNELS; channel++) {
      const shift = known[bin] === 1 ? (values[bin * CHANNELS + channel] as number) : 0;
      fitted.values[channel * size + i] = Math.max(0, Math.min(1, (color[channel] as number) + shift));
    }
  }
  return fitted;
}
