import type { WorkingPixels } from '../intake/working-pixels.js';

/** Shares, 0..1, of pixels by tone: paper is measured nearby, so that uneven light does not count. */
export interface Tones {
  /** Nearly as light as the paper. */
  readonly paper: number;
  /** Plainly darker. */
  readonly ink: number;
  /** Neither. */
  readonly middle: number;
}

export interface ColorShares {
  /** Share of pixels taken by the two most frequent colors, and by the 24 most frequent; over white. */
  readonly topTwo: number;
  readonly topColors: number;
  /** How far the channels of the two lie apart, the larger of both, and how far their brightness does; levels. */
  readonly tint: number;
  readonly contrast: number;
  /** Share of pixels of plainly other colors than grays. */
  readonly tinted: number;
}

const TILE = 32;
/** Tones, as shares of the paper's brightness. */
const PAPER_TONE = 0.86;
const INK_TONE = 0.6;
const STRIPS = 8;
const STRONG = 40;
/** Channels farther apart than this are a color. */
const TINTED = 64;

/** Over white. */
export function toLuma({ rgba, width, height }: WorkingPixels): Uint8Array {
  const luma = new Uint8Array(width * height);
  for (let i = 0, at = 0; i < luma.length; i++, at += 4) {
    luma[i] = ((rgba[at] * 77 + rgba[at + 1] * 150 + rgba[at + 2] * 29) >> 8) + 255 - rgba[at + 3];
  }
  return luma;
}

export function measureTones(luma: Uint8Array, width: number, height: number): Tones {
  const columns = Math.max(1, Math.ceil(width / TILE));
  const rows = Math.max(1, Math.ceil(height / TILE));
  const paper = new Float64Array(columns * rows);
  const counts = new Int32Array(256);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      counts.fill(0);
      let total = 0;
      for (let y = row * TILE; y < Math.min(height, (row + 1) * TILE); y++) {
        for (let x = column * TILE; x < Math.min(width, (column + 1) * TILE); x++, total++)
          counts[luma[y * width + x]]++;
      }
      let level = 255;
      for (let above = counts[255]; level > 0 && above < total * 0.2; ) above += counts[--level];
      paper[row * columns + column] = level;
    }
  }
  const sorted = Float64Array.from(paper).sort();
  // Tiles that are all ink have no paper of their own.
  const least = sorted[sorted.length >> 1] * 0.55;
  let onPaper = 0;
  let ink = 0;
  let middle = 0;
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(y / TILE) * columns;
    for (let x = 0; x < width; x++, i++) {
      const tone = luma[i] / Math.max(1, least, paper[row + Math.floor(x / TILE)]);
      if (tone >= PAPER_TONE) onPaper++;
      else if (tone < INK_TONE) ink++;
      else middle++;
    }
  }
  const total = luma.length;
  return { paper: onPaper / total, ink: ink / total, middle: middle / total };
}

export function measureColors({ rgba }: WorkingPixels): ColorShares {
  // Five bits a channel: noise of a few levels does not make colors of its own.
  const counts = new Int32Array(1 << 15);
  for (let at = 0; at < rgba.length; at += 4) {
    const under = 255 - rgba[at + 3];
    const [r, g, b] = [rgba[at] + under, rgba[at + 1] + under, rgba[at + 2] + under];
    counts[((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3)]++;
  }
  let first = 0;
  for (let bin = 1; bin < counts.length; bin++) if (counts[bin] > counts[first]) first = bin;
  let second = first === 0 ? 1 : 0;
  for (let bin = 0; bin < counts.length; bin++) if (bin !== first && counts[bin] > counts[second]) second = bin;
  const tintOf = (bin: number): number => {
    const [r, g, b] = [bin >> 10, (bin >> 5) & 31, bin & 31];
    return (Math.max(r, g, b) - Math.min(r, g, b)) * 8;
  };
  const lumaOf = (bin: number): number => (0.3 * (bin >> 10) + 0.59 * ((bin >> 5) & 31) + 0.11 * (bin & 31)) * 8;
  const tint = Math.max(tintOf(first), tintOf(second));
  const contrast = Math.abs(lumaOf(first) - lumaOf(second));
  let tinted = 0;
  for (let bin = 0; bin < counts.length; bin++) if (counts[bin] > 0 && tintOf(bin) > TINTED) tinted += counts[bin];
  const top = counts.sort().subarray(-24);
  let sum = 0;
  for (const count of top) sum += count;
  const total = rgba.length / 4;
  return { topTwo: (top[22] + top[23]) / total, topColors: sum / total, tint, contrast, tinted: tinted / total };
}

/** Bands of busy rows with quiet rows above and below, summed over eight upright strips: lines of lettering. */
export function countTextBands(luma: Uint8Array, width: number, height: number): number {
  const stripWidth = Math.floor(width / STRIPS);
  if (stripWidth < 12) return 0;
  let bands = 0;
  for (let strip = 0; strip < STRIPS; strip++) {
    let busyRows = 0;
    let quiet = true;
    for (let y = 0; y < height; y++) {
      let changes = 0;
      const start = y * width + strip * stripWidth;
      for (let x = 1; x < stripWidth; x++) {
        if (Math.abs(luma[start + x] - luma[start + x - 1]) > STRONG) changes++;
      }
      if (changes >= Math.max(4, stripWidth / 14)) busyRows++;
      else if (changes === 0) {
        // A band of text is a few px high, and quiet above and below.
        if (quiet && busyRows >= 4 && busyRows <= 40) bands++;
        busyRows = 0;
        quiet = true;
      } else if (busyRows === 0) quiet = quiet && changes <= 2;
    }
  }
  return bands;
}

/** Straight level and upright edges of a fifth of the picture's side or more. */
export function countLongEdges(luma: Uint8Array, width: number, height: number): number {
  let edges = 0;
  for (let y = 1; y < height; y++) {
    let run = 0;
    for (let x = 0, i = y * width; x < width; x++, i++) {
      run = Math.abs(luma[i] - luma[i - width]) > 8 ? run + 1 : 0;
      if (run === Math.ceil(width / 5)) edges++;
    }
  }
  for (let x = 1; x < width; x++) {
    let run = 0;
    for (let y = 0, i = x; y < height; y++, i += width) {
      run = Math.abs(luma[i] - luma[i - 1]) > 8 ? run + 1 : 0;
      if (run === Math.ceil(height / 5)) edges++;
    }
  }
  return edges;
}
