import { medianOf } from '../math/median.js';
import { otsuThreshold } from './color-mode.js';
import { toWorkingPixels, type WorkingPixels } from './working-pixels.js';

/** Side of the tiles in which the paper is measured, px: larger than strokes are wide, smaller than light changes. */
const TILE = 48;
/** Of the lighter half of a tile, the share that is lighter than what counts as its paper. */
const PAPER_RANK = 0.25;
/** A tile darker than this share of the picture's usual paper has none: it is ink. */
const LEAST_PAPER = 0.6;
/** What paper becomes. */
const WHITE = 250;

/**
 * A scan or photograph of a sheet in even light: each pixel by the brightness of the paper around it, so that shadows and yellowing
 * go; with `grainOut`, the grain of a pixel's size too. White lines on black are kept so. `gray` are gray and opaque; so is the answer.
 */
export function flattenPaper(gray: WorkingPixels, grainOut: boolean): WorkingPixels {
  const { width, height, rgba } = gray;
  const tone = new Float32Array(width * height);
  const threshold = otsuThreshold(gray);
  let light = 0;
  for (let i = 0; i < tone.length; i++) if (rgba[i * 4] > threshold) light++;
  const inverse = light * 2 < tone.length;
  for (let i = 0; i < tone.length; i++) tone[i] = inverse ? 255 - rgba[i * 4] : rgba[i * 4];
  if (grainOut) smooth(tone, width, height);
  const columns = Math.max(1, Math.ceil(width / TILE));
  const rows = Math.max(1, Math.ceil(height / TILE));
  const paper = measurePaper(tone, width, height, columns, rows);
  const data = new Uint8Array(width * height * 4);
  for (let y = 0, i = 0; y < height; y++) {
    const v = Math.min(rows - 1, Math.max(0, (y + 0.5) / TILE - 0.5));
    const row = Math.min(Math.floor(v), Math.max(0, rows - 2));
    const t = rows > 1 ? v - row : 0;
    for (let x = 0; x < width; x++, i++) {
      const u = Math.min(columns - 1, Math.max(0, (x + 0.5) / TILE - 0.5));
      const column = Math.min(Math.floor(u), Math.max(0, columns - 2));
      const s = columns > 1 ? u - column : 0;
      const at = row * columns + column;
      const right = columns > 1 ? 1 : 0;
      const down = rows > 1 ? columns : 0;
      const here =
        (paper[at] * (1 - s) + paper[at + right] * s) * (1 - t) +
        (paper[at + down] * (1 - s) + paper[at + down + right] * s) * t;
      const even = Math.min(255, Math.max(0, Math.round((tone[i] * WHITE) / here)));
      data[i * 4] = data[i * 4 + 1] = data[i * 4 + 2] = inverse ? 255 - even : even;
      data[i * 4 + 3] = 255;
    }
  }
  return toWorkingPixels({ width, height, data });
}

/** The brightness of the paper of each tile; where a tile shows none, that of the tiles around it. */
function measurePaper(tone: Float32Array, width: number, height: number, columns: number, rows: number): Float64Array {
  const paper = new Float64Array(columns * rows);
  const counts = new Int32Array(256);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      counts.fill(0);
      let total = 0;
      const bottom = Math.min(height, (row + 1) * TILE);
      const right = Math.min(width, (column + 1) * TILE);
      for (let y = row * TILE; y < bottom; y++)
        for (let x = column * TILE; x < right; x++, total++) counts[Math.round(tone[y * width + x])]++;
      let level = 255;
      for (let above = counts[255]; level > 0 && above < total * PAPER_RANK; ) above += counts[--level];
      paper[row * columns + column] = level;
    }
  }
  const usual = medianOf(paper);
  for (let k = 0; k < paper.length; k++) {
    if (paper[k] >= usual * LEAST_PAPER) continue;
    let sum = 0;
    let count = 0;
    for (let j = 0; j < paper.length; j++) {
      const apart =
        Math.abs((j % columns) - (k % columns)) + Math.abs(Math.floor(j / columns) - Math.floor(k / columns));
      if (apart > 0 && apart <= 2 && paper[j] >= usual * LEAST_PAPER) {
        sum += paper[j];
        count++;
      }
    }
    paper[k] = count > 0 ? sum / count : usual;
  }
  return paper;
}

/** Weights 1 2 1 both ways, in place: edges stay where they are. */
function smooth(tone: Float32Array, width: number, height: number): void {
  for (let y = 0; y < height; y++) {
    let before = tone[y * width];
    for (let x = 0, i = y * width; x < width; x++, i++) {
      const here = tone[i];
      const after = x + 1 < width ? tone[i + 1] : here;
      tone[i] = (before + 2 * here + after) / 4;
      before = here;
    }
  }
  for (let x = 0; x < width; x++) {
    let before = tone[x];
    for (let y = 0, i = x; y < height; y++, i += width) {
      const here = tone[i];
      const after = y + 1 < height ? tone[i + width] : here;
      tone[i] = (before + 2 * here + after) / 4;
      before = here;
    }
  }
}
