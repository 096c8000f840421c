import type { WorkingPixels } from '../intake/working-pixels.js';
import type { NoisyPalette } from '../quantize/noisy-palette.js';
import { type FlatLabels, Unmixer } from './label-flat.js';

/** A pixel this near to a color (levels), or this many times the noise, may be a seed of it. */
const SEED_LEVELS = 20;
const SEED_NOISES = 4;
/** Of its eight neighbors so many must be nearest to the same color. */
const SEED_NEIGHBORS = 6;
/** How far around a pixel seeds are looked for: blocks of compression blur edges over several px. */
const FARTHEST = 5;

/**
 * Labels for flat art with compression noise. Where a pixel and most of its neighbors are near one color it is that color;
 * ringing and blurred edges between are mixtures of the colors around them, and get the one that covers more. Returns the labels
 * and the share of pixels that are seeds: low where the picture is no flat art.
 */
export function labelNoisy(pixels: WorkingPixels, palette: NoisyPalette): FlatLabels & { readonly seeds: number } {
  const { width, height, rgba } = pixels;
  const count = width * height;
  const { channels, size } = palette;
  const limit = Math.max(SEED_LEVELS, SEED_NOISES * palette.noise) ** 2 * 3;
  const nearest = new Int32Array(count);
  const unmixer = new Unmixer(rgba, channels);
  for (let i = 0; i < count; i++) {
    if (i > 0 && pixels.words[i] === pixels.words[i - 1]) {
      nearest[i] = nearest[i - 1];
      continue;
    }
    unmixer.nearest(i, size);
    nearest[i] = unmixer.error <= limit ? unmixer.label : -1;
  }
  const labels = new Int32Array(count).fill(-1);
  let seeds = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const label = nearest[i];
      if (label < 0) continue;
      let same = 0;
      if (x > 0 && y > 0 && x + 1 < width && y + 1 < height) {
        const up = i - width;
        const down = i + width;
        same = 1;
        if (nearest[up - 1] === label) same++;
        if (nearest[up] === label) same++;
        if (nearest[up + 1] === label) same++;
        if (nearest[i - 1] === label) same++;
        if (nearest[i + 1] === label) same++;
        if (nearest[down - 1] === label) same++;
        if (nearest[down] === label) same++;
        if (nearest[down + 1] === label) same++;
      } else {
        for (let v = y - 1; v <= y + 1; v++) {
          for (let u = x - 1; u <= x + 1; u++) {
            // Beyond the border everything agrees.
            if (u < 0 || v < 0 || u >= width || v >= height || nearest[v * width + u] === label) same++;
          }
        }
      }
      if (same > SEED_NEIGHBORS) {
        labels[i] = label;
        seeds++;
      }
    }
  }
  return { labels, seeds: seeds / count, ...unmixBetween(labels, width, height, size, unmixer) };
}

/** Explains what is no seed as mixtures of the seeds around it. */
function unmixBetween(
  labels: Int32Array,
  width: number,
  height: number,
  size: number,
  unmixer: Unmixer,
): Pick<FlatLabels, 'mixed' | 'errors'> {
  let open = 0;
  for (let i = 0; i < labels.length; i++) if (labels[i] < 0) open++;
  const mixed = new Int32Array(open);
  for (let i = 0, k = 0; i < labels.length; i++) if (labels[i] < 0) mixed[k++] = i;
  const errors = new Float64Array(open);
  const chosen = new Int32Array(open);
  const seen = new Int32Array(size);
  const candidates = new Int32Array(size);
  let tag = 0;
  for (let k = 0; k < open; k++) {
    const i = mixed[k];
    const y = (i / width) | 0;
    const x = i - y * width;
    let found = 0;
    for (let reach = 1; reach <= FARTHEST && found < 2; reach++) {
      found = 0;
      tag++;
      const top = y > reach ? y - reach : 0;
      const bottom = y + reach < height ? y + reach : height - 1;
      const left = x > reach ? x - reach : 0;
      const right = x + reach < width ? x + reach : width - 1;
      for (let v = top; v <= bottom; v++) {
        for (let j = v * width + left, end = v * width + right; j <= end; j++) {
          const label = labels[j];
          if (label < 0 || seen[label] === tag) continue;
          seen[label] = tag;
          candidates[found++] = label;
        }
      }
    }
    if (found >= 2) unmixer.unmix(i, candidates, found);
    else unmixer.nearest(i, size);
    // Alone among its like, a pixel is of their color with some ringing, unless it is far from it.
    chosen[k] = found === 1 ? candidates[0] : unmixer.label;
    errors[k] = found === 1 ? unmixer.distanceSq(i, candidates[0]) : unmixer.error;
  }
  for (let k = 0; k < open; k++) labels[mixed[k]] = chosen[k];
  return { mixed, errors };
}
