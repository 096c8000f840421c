import type { FlatLabels } from './label-flat.js';

/** A palette's channels (four each) with one more color behind. */
export function withColor(palette: Float64Array, color: ArrayLike<number>): Float64Array {
  const grown = new Float64Array(palette.length + 4);
  grown.set(palette);
  grown.set(color, palette.length);
  return grown;
}

/**
 * A palette's channels without the colors for which `to` is -1. `flat`, which has none of these, changes in place, and `to` becomes the colors' numbers
 * among those left.
 */
export function withoutColors(palette: Float64Array, { labels, others }: FlatLabels, to: Int32Array): Float64Array {
  if (!to.includes(-1)) return palette;
  let left = 0;
  for (let k = 0; k < to.length; k++) if (to[k] >= 0) to[k] = left++;
  for (let i = 0; i < labels.length; i++) labels[i] = to[labels[i]];
  if (others !== undefined) for (let k = 0; k < others.length; k++) if (others[k] >= 0) others[k] = to[others[k]];
  return palette.filter((_, at) => to[at >> 2] >= 0);
}
