import type { Raster } from '#application/ports/tracer.js';

/** A picture's pixels sorted by how light they are. */
export interface Tones {
  /** Per pixel 0 (black) to 255 (white), over white. */
  readonly luminance: Uint8Array;
  /** Whether anything is seen through; `luminance` alone says everything if not. */
  readonly opaque: boolean;
  /** Lightest first: the tones that the picture is brought down to. */
  readonly classes: readonly Tone[];
}

export interface Tone {
  /** Pixels up to this luminance are of this tone or a darker one, 0..255. */
  readonly upTo: number;
  /** Mean color of its pixels, 0..255 each. */
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly pixels: number;
}

/** Rec. 601, of 0..255. */
export const lumaOf = (red: number, green: number, blue: number): number =>
  (red * 19595 + green * 38470 + blue * 7471) >> 16;

/** From this opacity a pixel is there. */
export const SOLID = 128;

/**
 * Brings a picture down to at most `count` (2 or more) tones: the levels of luminance (Rec. 601) are parted so that the
 * squared error is least (Otsu 1979, for many levels by dynamic programming). Pixels that are not there (opacity under one
 * half) belong to none.
 */
export function findTones(raster: Raster, count: number): Tones {
  const { data, width, height } = raster;
  const luminance = new Uint8Array(width * height);
  const histogram = new Float64Array(256);
  let opaque = true;
  for (let i = 0, at = 0; i < luminance.length; i++, at += 4) {
    const alpha = data[at + 3] as number;
    if (alpha !== 255) opaque = false;
    const level = lumaOf(data[at] as number, data[at + 1] as number, data[at + 2] as number);
    luminance[i] = 255 - Math.round(((255 - level) * alpha) / 255);
    if (alpha >= SOLID) histogram[luminance[i] as number] = (histogram[luminance[i] as number] as number) + 1;
  }
  const limits = partLevels(histogram, count);
  const classOf = new Uint8Array(256);
  for (let level = 0, k = limits.length - 1; level < 256; level++) {
    while (k > 0 && level > (limits[k] as number)) k--;
    classOf[level] = k;
  }
  const sums = new Float64Array(limits.length * 4);
  for (let i = 0, at = 0; i < luminance.length; i++, at += 4) {
    if ((data[at + 3] as number) < SOLID) continue;
    const to = (classOf[luminance[i] as number] as number) * 4;
    for (let c = 0; c < 3; c++) sums[to + c] = (sums[to + c] as number) + (data[at + c] as number);
    sums[to + 3] = (sums[to + 3] as number) + 1;
  }
  const classes = limits.map((upTo, k): Tone => {
    const pixels = sums[k * 4 + 3] as number;
    const mean = (c: number) => Math.round((sums[k * 4 + c] as number) / Math.max(1, pixels));
    return { upTo, red: mean(0), green: mean(1), blue: mean(2), pixels };
  });
  return { luminance, opaque, classes };
}

/** Upper limits of the classes, the lightest (255) first; no more classes than there are levels. */
function partLevels(histogram: Float64Array, count: number): number[] {
  const levels: number[] = [];
  for (let level = 0; level < 256; level++) if (histogram[level] !== 0) levels.push(level);
  const classes = Math.max(1, Math.min(count, levels.length));
  // Prefix sums over the levels that occur: pixels, sums, sums of squares.
  const n = [0];
  const s = [0];
  const q = [0];
  for (const [i, level] of levels.entries()) {
    const pixels = histogram[level] as number;
    n.push((n[i] as number) + pixels);
    s.push((s[i] as number) + pixels * level);
    q.push((q[i] as number) + pixels * level * level);
  }
  const error = (from: number, to: number) => {
    const pixels = (n[to] as number) - (n[from] as number);
    const sum = (s[to] as number) - (s[from] as number);
    return (q[to] as number) - (q[from] as number) - (sum * sum) / pixels;
  };
  // best[k][j]: least error of the first j levels in k + 1 classes; cut[k][j]: where the last of them begins.
  let best = levels.map((_, j) => error(0, j + 1));
  const cuts: number[][] = [];
  for (let k = 1; k < classes; k++) {
    const next: number[] = [];
    const cut: number[] = [];
    for (let j = 0; j < levels.length; j++) {
      let least = Number.POSITIVE_INFINITY;
      let at = 0;
      for (let i = k; i <= j; i++) {
        const total = (best[i - 1] as number) + error(i, j + 1);
        if (total < least) {
          least = total;
          at = i;
        }
      }
      next.push(least);
      cut.push(at);
    }
    best = next;
    cuts.push(cut);
  }
  const limits = [255];
  for (let k = classes - 1, end = levels.length - 1; k > 0; k--) {
    const at = (cuts[k - 1] as number[])[end] as number;
    // Halfway between the levels on either side: what anti-aliasing left between two flat tones is shared out evenly.
    limits.push(((levels[at] as number) + (levels[at - 1] as number)) >> 1);
    end = at - 1;
  }
  return limits;
}
