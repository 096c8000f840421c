import type { WorkingPixels } from '../intake/working-pixels.js';
import type { Palette } from '../quantize/palette.js';

/** How far around a pixel the colors it may be a mixture of are looked for. */
const FARTHEST = 3;

/**
 * Gives every pixel a palette color. A pixel of exactly a palette color gets it; any other is taken for a mixture of two
 * colors that lie near it, the pair that explains it best, and gets the one that covers more of it.
 */
export function labelFlat(pixels: WorkingPixels, palette: Palette): Int32Array {
  const { width, height, words } = pixels;
  const labels = new Int32Array(width * height);
  const { table, entryOf } = palette;
  let lastWord = 0;
  let lastLabel = -2;
  let unknown = 0;
  for (let i = 0; i < labels.length; i++) {
    const word = words[i];
    if (word !== lastWord || lastLabel === -2) {
      lastWord = word;
      const found = table.find(word);
      lastLabel = found < 0 ? -1 : entryOf[found];
    }
    labels[i] = lastLabel;
    if (lastLabel < 0) unknown++;
  }
  if (unknown === 0) return labels;

  const mixed = new Int32Array(unknown);
  for (let i = 0, k = 0; i < labels.length; i++) if (labels[i] < 0) mixed[k++] = i;
  const chosen = new Int32Array(unknown);
  const seen = new Int32Array(palette.size);
  const candidates = new Int32Array(palette.size);
  for (let k = 0; k < unknown; k++) {
    const i = mixed[k];
    const y = (i / width) | 0;
    const x = i - y * width;
    let count = 0;
    let tag = k * FARTHEST + 1;
    for (let reach = 1; reach <= FARTHEST && count < 2; reach++, tag++) {
      count = 0;
      const top = y > reach ? y - reach : 0;
      const bottom = y + reach < height ? y + reach : height - 1;
      const left = x > reach ? x - reach : 0;
      const right = x + reach < width ? x + reach : width - 1;
      for (let v = top; v <= bottom; v++) {
        for (let j = v * width + left, end = v * width + right; j <= end; j++) {
          const label = labels[j];
          if (label >= 0 && seen[label] !== tag) {
            seen[label] = tag;
            candidates[count++] = label;
          }
        }
      }
    }
    chosen[k] = count < 2 ? nearest(pixels, palette, i) : unmix(pixels.rgba, palette.channels, i, candidates, count);
  }
  for (let k = 0; k < unknown; k++) labels[mixed[k]] = chosen[k];
  return labels;
}

/** The palette color nearest to a pixel that lies in no one's neighborhood. */
function nearest(pixels: WorkingPixels, palette: Palette, pixel: number): number {
  const { rgba } = pixels;
  const { channels } = palette;
  const at = pixel * 4;
  let best = 0;
  let least = Infinity;
  for (let k = 0; k < palette.size; k++) {
    let d = 0;
    for (let c = 0; c < 4; c++) d += (rgba[at + c] - channels[k * 4 + c]) ** 2;
    if (d < least) {
      least = d;
      best = k;
    }
  }
  return best;
}

/** The larger part of the two-color mixture (of the candidates) that is nearest to the pixel. */
function unmix(rgba: Uint8Array, channels: Float64Array, pixel: number, candidates: Int32Array, count: number): number {
  const at = pixel * 4;
  const r = rgba[at];
  const g = rgba[at + 1];
  const b = rgba[at + 2];
  const a = rgba[at + 3];
  let least = Infinity;
  let best = candidates[0];
  for (let p = 0; p < count; p++) {
    const P = candidates[p] * 4;
    for (let q = p + 1; q < count; q++) {
      const Q = candidates[q] * 4;
      const dr = channels[P] - channels[Q];
      const dg = channels[P + 1] - channels[Q + 1];
      const db = channels[P + 2] - channels[Q + 2];
      const da = channels[P + 3] - channels[Q + 3];
      const er = r - channels[Q];
      const eg = g - channels[Q + 1];
      const eb = b - channels[Q + 2];
      const ea = a - channels[Q + 3];
      let t = (er * dr + eg * dg + eb * db + ea * da) / (dr * dr + dg * dg + db * db + da * da);
      t = t < 0 ? 0 : t > 1 ? 1 : t;
      const error = (er - t * dr) ** 2 + (eg - t * dg) ** 2 + (eb - t * db) ** 2 + (ea - t * da) ** 2;
      if (error < least - 1e-9) {
        least = error;
        best = t >= 0.5 ? candidates[p] : candidates[q];
      }
    }
  }
  return best;
}
