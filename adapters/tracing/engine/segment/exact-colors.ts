import type { WorkingPixels } from '../intake/working-pixels.js';
import { ColorTable } from '../quantize/color-counts.js';
import { changeRegions, type Regions } from './regions.js';

/**
 * The regions in colors that the picture has: one that was given a mean, being too thin or too noisy to show its own, gets that of
 * its pixel which is nearest, the first of equals. Regions for which `isPainted` is true keep theirs, as do those that can be seen through.
 */
export function inExactColors(
  regions: Regions,
  pixels: WorkingPixels,
  isPainted: (region: number) => boolean,
): Regions {
  const { of, count } = regions;
  const { rgba, words } = pixels;
  const table = new ColorTable();
  let last = -1;
  for (const word of words) {
    if (word !== last) table.indexOf(word);
    last = word;
  }
  const colors = Float64Array.from(regions.colors);
  const nearest = new Float64Array(count).fill(-1);
  const bytes = new Uint8Array(4);
  const word = new Uint32Array(bytes.buffer);
  let open = 0;
  for (let r = 0; r < count; r++) {
    if (colors[r * 4 + 3] < 254.5 || isPainted(r)) continue;
    for (let c = 0; c < 4; c++) bytes[c] = Math.round(colors[r * 4 + c]);
    if (table.find(word[0]) >= 0) continue;
    nearest[r] = Infinity;
    open++;
  }
  if (open === 0) return regions;
  for (let i = 0; i < of.length; i++) {
    const r = of[i];
    if (nearest[r] < 0 || rgba[i * 4 + 3] !== 255) continue;
    let d = 0;
    for (let c = 0; c < 3; c++) d += (rgba[i * 4 + c] - regions.colors[r * 4 + c]) ** 2;
    if (d >= nearest[r]) continue;
    nearest[r] = d;
    for (let c = 0; c < 3; c++) colors[r * 4 + c] = rgba[i * 4 + c];
  }
  return changeRegions(regions, { colors });
}
