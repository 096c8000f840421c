import type { WorkingPixels } from '../intake/working-pixels.js';
import { ColorsAround } from './explain-again.js';
import { type FlatLabels, Unmixer } from './label-flat.js';

/** How near to a mixture a pixel must be, levels in four channels, squared: what rounding leaves. */
const WELL_SQ = 2 * 2;
/** How much of the color a pixel has at least; and how many pixels have it at least, and which share of them. */
const LEAST_SHARE = 0.3;
const LEAST_PIXELS = 4;
/** A color that more pixels than these were given is of something larger. */
const MOST_PIXELS = 1 << 11;
const LEAST_EXPLAINED = 0.75;
/** By how much nearer the pixels must be to what is so explained than to what they were, squared. */
const NEARER_SQ = 2 * 2;
/** With more colors than these some would explain anything. */
const MOST_COLORS = 48;

/**
 * Explains anew the pixels that were given a color for want of a better one, where another of the palette is what they have in common: each is of that,
 * mixed with a color near it, and not all with the same one. Two lines through color space meet in one color only, and pixels of a color that is none of
 * these would not lie on both. Where a shape is nowhere as wide as a pixel and different colors lie on its sides, all its pixels are such.
 *
 * `open` are the pixels, as numbers among the mixed ones, `found` the colors that they were given. Those of them that are not of the first `known` of the
 * palette go then: `to` is -1 for them. `flat` changes in place.
 */
export function shareColors(
  pixels: WorkingPixels,
  channels: Float64Array,
  known: number,
  found: readonly number[],
  open: Int32Array,
  flat: FlatLabels,
  to: Int32Array,
): void {
  const { labels, mixed, errors, others } = flat;
  if (others === undefined || to.length > MOST_COLORS) return;
  const unmixer = new Unmixer(pixels.rgba, channels);
  const around = new ColorsAround(pixels, labels, to.length);
  for (const color of found) {
    const isNew = color >= known;
    const own = open.filter((k) => labels[mixed[k]] === color);
    if (own.length < LEAST_PIXELS || own.length > MOST_PIXELS) continue;
    const now = isNew ? Infinity : own.reduce((sum, k) => sum + errors[k], 0) / own.length;
    const shared = findShared(
      unmixer,
      around,
      color,
      own.map((k) => mixed[k]),
      to,
      now / NEARER_SQ,
    );
    if (shared < 0) continue;
    if (isNew) to[color] = -1;
    for (const k of isNew ? open.filter((n) => labels[mixed[n]] === color || others[n] === color) : own) {
      const count = around.find(mixed[k]);
      unmixer.error = isNew ? Infinity : errors[k];
      unmixer.label = labels[mixed[k]];
      unmixer.other = others[k];
      for (let n = 0; n < count; n++)
        if (to[around.colors[n]] >= 0 && around.colors[n] !== shared)
          unmixer.tryPair(mixed[k], shared, around.colors[n]);
      // Where nothing else is near, what has gone leaves one color alone.
      if (unmixer.error === Infinity)
        unmixer.tryColor(mixed[k], labels[mixed[k]] === color ? shared : labels[mixed[k]], Infinity);
      labels[mixed[k]] = unmixer.label;
      others[k] = unmixer.other;
      errors[k] = unmixer.error;
    }
  }
}

/** The color that the pixels of another have in common, nearer on average than `limit` (squared); -1 where there is none. */
function findShared(
  unmixer: Unmixer,
  around: ColorsAround,
  own: number,
  pixels: Int32Array,
  to: Int32Array,
  limit: number,
): number {
  let shared = -1;
  let least = limit;
  for (let color = 0; color < to.length; color++) {
    if (color === own || to[color] < 0) continue;
    const explains = new Int32Array(to.length);
    let explained = 0;
    let sum = 0;
    for (const pixel of pixels) {
      const count = around.find(pixel);
      let nearest = Infinity;
      for (let n = 0; n < count; n++) {
        const other = around.colors[n];
        if (other === color || other === own || to[other] < 0) continue;
        if (unmixer.share(pixel, color, other) < LEAST_SHARE) continue;
        unmixer.error = Infinity;
        unmixer.tryPair(pixel, color, other);
        if (unmixer.error > WELL_SQ) continue;
        explains[other]++;
        nearest = Math.min(nearest, unmixer.error);
      }
      if (nearest === Infinity) continue;
      explained++;
      sum += nearest;
    }
    if (
      explained < Math.max(LEAST_PIXELS, LEAST_EXPLAINED * pixels.length) ||
      (limit === Infinity && explains.includes(explained))
    )
      continue;
    if (sum / explained >= least) continue;
    least = sum / explained;
    shared = color;
  }
  return shared;
}
