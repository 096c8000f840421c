import { otsuThreshold } from './color-mode.js';
import { toWorkingPixels, type WorkingPixels } from './working-pixels.js';

/** Of ink and paper, the share of their difference within which a pixel is pure. */
const PURE = 0.12;
/** Transitions from one to the other over more pixels are shades, and fewer transitions tell nothing. */
const WIDEST_PX = 6;
const LEAST_TRANSITIONS = 40;
/** Only edges along the pixels' rows or columns tell it, to this cosine. */
const LEVEL_COSINE = 0.97;
/** Edges that are looked at, at most. */
const MOST_TRANSITIONS = 4000;
const HALVINGS = 10;
/** Blur of less than this is none, of more is no lens's: variances, px². */
const LEAST_VARIANCE = 0.1;
const MOST_VARIANCE = 1.5;
const ROUNDS = 6;

/**
 * A sheet of ink on paper without its blur, found by how wide its edges are, where it has any: fine lines and short strokes have their
 * darkness and length again (Van Cittert 1931, within the levels of ink and paper). `gray` are gray and opaque; so is the answer.
 */
export function unblur(gray: WorkingPixels): WorkingPixels {
  const { width, height, rgba } = gray;
  const levels = levelsOf(gray);
  if (levels === undefined) return gray;
  const { ink, paper } = levels;
  const size = width * height;
  const seen = new Float32Array(size);
  for (let i = 0; i < size; i++) seen[i] = (rgba[i * 4] - ink) / (paper - ink);
  const variance = blurOf(seen, width, height);
  if (variance < LEAST_VARIANCE) return gray;
  const kernel = kernelOf(variance);
  const sharp = Float32Array.from(seen);
  const blurred = new Float32Array(size);
  const across = new Float32Array(size);
  for (let round = 0; round < ROUNDS; round++) {
    blur(sharp, across, blurred, width, height, kernel);
    for (let i = 0; i < size; i++) sharp[i] = Math.min(1, Math.max(0, sharp[i] + seen[i] - blurred[i]));
  }
  const data = new Uint8Array(size * 4);
  for (let i = 0; i < size; i++) {
    data[i * 4] = data[i * 4 + 1] = data[i * 4 + 2] = Math.round(ink + sharp[i] * (paper - ink));
    data[i * 4 + 3] = 255;
  }
  return toWorkingPixels({ width, height, data });
}

/** The most frequent level on either side of the threshold, grain smoothed; undefined where the two are too near to tell. */
function levelsOf(gray: WorkingPixels): { readonly ink: number; readonly paper: number } | undefined {
  const threshold = otsuThreshold(gray);
  const { rgba } = gray;
  const counts = new Float64Array(256);
  for (let i = 0; i < rgba.length; i += 4) counts[rgba[i]]++;
  const peak = (from: number, to: number) => {
    let best = -1;
    let at = from;
    for (let level = from; level <= to; level++) {
      let near = 0;
      for (let k = Math.max(from, level - 4); k <= Math.min(to, level + 4); k++) near += counts[k];
      if (near <= best) continue;
      best = near;
      at = level;
    }
    return at;
  };
  const parted = Math.floor(threshold);
  if (parted < 0 || parted > 254) return undefined;
  const ink = peak(0, parted);
  const paper = peak(parted + 1, 255);
  return paper - ink > 64 ? { ink, paper } : undefined;
}

/** The variance of the blur that edges between ink (0) and paper (1) have had beside that of pixels, px²; 0 where too few are seen. */
function blurOf(seen: Float32Array, width: number, height: number): number {
  const variances: number[] = [];
  let most = MOST_TRANSITIONS / 2;
  const look = (start: number, step: number, count: number, aside: number) => {
    let pure = -1;
    let isPaper = false;
    for (let k = 0; k < count; k++) {
      const t = seen[start + k * step];
      if (t > PURE && t < 1 - PURE) continue;
      const paper = t >= 0.5;
      if (pure >= 0 && paper !== isPaper && k - pure <= WIDEST_PX && variances.length < most) {
        let spread = 0;
        let light = 0;
        let along = 0;
        let across = 0;
        for (let n = pure; n <= k; n++) {
          const at = start + n * step;
          const value = Math.min(1, Math.max(0, seen[at]));
          spread += value * (1 - value);
          light += value;
          if (n === 0 || n + 1 >= count) continue;
          along += Math.abs(seen[at + step] - seen[at - step]);
          across += Math.abs(seen[at + aside] - seen[at - aside]);
        }
        if (along >= LEVEL_COSINE * Math.hypot(along, across))
          variances.push(varianceOf(light - Math.floor(light), spread));
      }
      pure = k;
      isPaper = paper;
    }
  };
  for (let y = 1; y + 1 < height; y++) look(y * width, 1, width, width);
  most += variances.length;
  for (let x = 1; x + 1 < width; x++) look(x, width, height, 1);
  if (variances.length < LEAST_TRANSITIONS) return 0;
  return variances.sort((a, b) => a - b)[variances.length >> 1];
}

/** By which blur an edge that covers `part` of a pixel spreads so far: the sum of t (1 - t). */
function varianceOf(part: number, spread: number): number {
  let low = 0;
  let high = MOST_VARIANCE;
  for (let n = 0; n < HALVINGS; n++) {
    const middle = (low + high) / 2;
    if (spreadOf(part, middle) < spread) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function spreadOf(part: number, variance: number): number {
  const [a, b, c] = kernelOf(variance);
  const values = [0, 0, 0, 0, part, 1, 1, 1, 1];
  let spread = 0;
  for (let k = 2; k < 7; k++) {
    const value = a * values[k] + b * (values[k - 1] + values[k + 1]) + c * (values[k - 2] + values[k + 2]);
    spread += value * (1 - value);
  }
  return spread;
}

/** A Gaussian's weights at its middle and so many pixels beside it on either side. */
function kernelOf(variance: number): readonly [number, number, number] {
  const b = Math.exp(-1 / (2 * Math.max(1e-3, variance)));
  const c = Math.exp(-4 / (2 * Math.max(1e-3, variance)));
  const sum = 1 + 2 * b + 2 * c;
  return [1 / sum, b / sum, c / sum];
}

function blur(
  from: Float32Array,
  across: Float32Array,
  to: Float32Array,
  width: number,
  height: number,
  kernel: readonly [number, number, number],
): void {
  const [a, b, c] = kernel;
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < width; x++) {
      const l = row + Math.max(0, x - 1);
      const r = row + Math.min(width - 1, x + 1);
      const ll = row + Math.max(0, x - 2);
      const rr = row + Math.min(width - 1, x + 2);
      across[row + x] = a * from[row + x] + b * (from[l] + from[r]) + c * (from[ll] + from[rr]);
    }
  }
  for (let y = 0; y < height; y++) {
    const u = Math.max(0, y - 1) * width;
    const d = Math.min(height - 1, y + 1) * width;
    const uu = Math.max(0, y - 2) * width;
    const dd = Math.min(height - 1, y + 2) * width;
    for (let x = 0; x < width; x++)
      to[y * width + x] =
        a * across[y * width + x] + b * (across[u + x] + across[d + x]) + c * (across[uu + x] + across[dd + x]);
  }
}
