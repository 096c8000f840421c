import type { WorkingPixels } from '../intake/working-pixels.js';
import { ColorsAround } from './explain-again.js';
import { type FlatLabels, Unmixer } from './label-flat.js';
import { ThreeColors } from './three-colors.js';

/** A pixel may be this far from a mixture of colors that are near, levels squared: more than rounding leaves, as what it was taken for is not near at all. */
const NEAR_SQ = 5 * 5;
/** With more colors around it, some would explain anything. */
const MOST_COLORS = 6;
/** Where there are more such pixels than these, it is something else than flat art. */
const MOST_LONE = 1 << 14;

/**
 * Explains pixels anew that were taken for a color that none of those around them has: as a mixture of two or three colors that are near, where they are not far
 * from one. A color from elsewhere explains by chance what three colors leave where they meet. `flat` changes in place.
 */
export function explainLonePixels(pixels: WorkingPixels, channels: Float64Array, flat: FlatLabels): void {
  const { rgba, width, height } = pixels;
  const { labels, mixed, errors, others } = flat;
  if (others === undefined) return;
  const unmixer = new Unmixer(rgba, channels);
  const three = new ThreeColors();
  const around = new ColorsAround(pixels, labels, channels.length / 4);
  const near: number[] = [];
  let lone = 0;
  for (let k = 0; k < mixed.length && lone < MOST_LONE; k++) {
    const pixel = mixed[k];
    const y = (pixel / width) | 0;
    const x = pixel - y * width;
    const label = labels[pixel];
    if (hasLabel(labels, width, height, x, y, label)) continue;
    lone++;
    near.length = 0;
    const count = around.find(pixel);
    for (let n = 0; n < count; n++) if (around.colors[n] !== label) near.push(around.colors[n]);
    if (near.length < 2 || near.length > MOST_COLORS) continue;
    unmixer.error = NEAR_SQ;
    unmixer.label = -1;
    for (let a = 0; a < near.length; a++)
      for (let b = a + 1; b < near.length; b++) unmixer.tryPair(pixel, near[a], near[b]);
    let { label: found, other, error } = unmixer;
    if (found < 0) {
      error = three.nearest(rgba, pixel, channels, near, near.length, NEAR_SQ);
      if (error < NEAR_SQ) [found, other] = three.mostOf(rgba, pixel);
    }
    if (found < 0) continue;
    labels[pixel] = found;
    others[k] = other;
    errors[k] = error;
  }
}

/** Whether one of the eight pixels around a place has a label. */
function hasLabel(labels: Int32Array, width: number, height: number, x: number, y: number, label: number): boolean {
  for (let v = y > 0 ? y - 1 : 0; v <= y + 1 && v < height; v++)
    for (let u = x > 0 ? x - 1 : 0; u <= x + 1 && u < width; u++)
      if ((u !== x || v !== y) && labels[v * width + u] === label) return true;
  return false;
}
