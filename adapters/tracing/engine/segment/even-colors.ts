import type { WorkingPixels } from '../intake/working-pixels.js';
import { changeRegions, type Regions } from './regions.js';

/** Pixels of another even color, all their neighbors alike, from which a region is of that color. */
const LEAST_PIXELS = 9;
/** And by how much these outnumber those of the color that the region was given. */
const SHARE = 4;
/** Colors nearer than this, of 0..255 in four channels, nobody tells apart. */
const LEAST_LEVELS = 5;

/**
 * The regions in the even colors that they have: of colors that are nearly the same the palette has one, which a region all of another gets
 * too. Where it has an interior of that other color, and next to nothing of its own, it gets that.
 */
export function inEvenColors(regions: Regions, { words, rgba, runs }: WorkingPixels): Regions {
  const { of, count, colors } = regions;
  const bytes = new Uint8Array(4);
  const asWord = new Uint32Array(bytes.buffer);
  const given = new Uint32Array(count);
  for (let r = 0; r < count; r++) {
    for (let c = 0; c < 4; c++) bytes[c] = Math.round(colors[r * 4 + c]);
    given[r] = asWord[0];
  }
  // By majority: of the interior pixels of other colors, those that outnumber all others.
  const own = new Int32Array(count);
  const votes = new Int32Array(count);
  const other = new Int32Array(count).fill(-1);
  const seen = new Int32Array(count);
  let any = false;
  const { starts, interiors } = runs;
  for (let n = 0; n < runs.count; n++) {
    const from = starts[n];
    const r = of[from];
    if (words[from] === given[r]) own[r] += starts[n + 1] - from;
    else if (interiors[n] > 0) {
      any = true;
      seen[r] += interiors[n];
      const isSame = other[r] >= 0 && words[other[r]] === words[from];
      votes[r] += isSame ? interiors[n] : -interiors[n];
      if (votes[r] >= 0) continue;
      other[r] = from;
      votes[r] = -votes[r];
    }
  }
  if (!any) return regions;
  const changed = Float64Array.from(colors);
  const colorOf = Int32Array.from(regions.colorOf);
  let next = 1 + colorOf.reduce((most, color) => Math.max(most, color), -1);
  const numbers = new Map<number, number>();
  for (let r = 0; r < count; r++) {
    if (votes[r] < LEAST_PIXELS || seen[r] < SHARE * own[r]) continue;
    let squared = 0;
    for (let c = 0; c < 4; c++) squared += (rgba[other[r] * 4 + c] - colors[r * 4 + c]) ** 2;
    if (squared < LEAST_LEVELS * LEAST_LEVELS) continue;
    for (let c = 0; c < 4; c++) changed[r * 4 + c] = rgba[other[r] * 4 + c];
    const key = words[other[r]];
    if (!numbers.has(key)) numbers.set(key, next++);
    colorOf[r] = numbers.get(key) as number;
  }
  return changeRegions(regions, { colors: changed, colorOf });
}
