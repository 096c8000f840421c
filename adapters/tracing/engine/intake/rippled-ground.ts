import type { WorkingPixels } from './working-pixels.js';

/** Levels, in every channel, within which a color is nearly another's. */
const NEARLY = 4;
/**
 * For every pixel of the ground, so many that are nearly of its color: the edges of clean drawings leave up to .004 (black-on-white
 * lettering has the most), JPEGs of quality 60 to 98 have .03 and more.
 */
const LEAST_RIPPLES = 0.012;
/** A ground with a smaller share of the picture tells nothing. */
const LEAST_GROUND = 0.05;

/**
 * Whether the most frequent color of a picture is rippled, as lossy compression leaves it around all edges, or is of little of it, so that
 * none can tell. Where it is not, nothing has been at the picture: what else is uneven there is so by intent.
 */
export function mayBeRippled({ words, rgba, runs }: WorkingPixels): boolean {
  const { starts, count } = runs;
  const lengths = new Map<number, number>();
  let most = 0;
  let ground = 0;
  for (let r = 0; r < count; r++) {
    const word = words[starts[r]];
    const length = (lengths.get(word) ?? 0) + starts[r + 1] - starts[r];
    lengths.set(word, length);
    if (length <= most) continue;
    most = length;
    ground = starts[r];
  }
  if (most < LEAST_GROUND * words.length) return true;
  let ripples = 0;
  for (let r = 0; r < count; r++) {
    const first = starts[r];
    if (words[first] !== words[ground] && isNearly(rgba, first, ground)) ripples += starts[r + 1] - first;
  }
  return ripples > LEAST_RIPPLES * most;
}

function isNearly(rgba: Uint8Array, a: number, b: number): boolean {
  for (let c = 0; c < 4; c++) if (Math.abs(rgba[a * 4 + c] - rgba[b * 4 + c]) > NEARLY) return false;
  return true;
}
