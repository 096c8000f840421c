import type { WorkingPixels } from './working-pixels.js';

/** How the pixels of a picture relate to their right and lower neighbors, as shares (0..1) of the pixels looked at. */
export interface Flatness {
  /** Equal to both. */
  readonly exact: number;
  /** Within 4 levels in every channel. */
  readonly within4: number;
  /** Within 12 levels. */
  readonly within12: number;
  /** More than 48 levels from one of them. */
  readonly strong: number;
}

/** Looks at every row of small pictures, and at about 200 evenly spread rows of large ones. */
export function measureFlatness(pixels: WorkingPixels): Flatness {
  const { width, height, rgba, words, runs } = pixels;
  if (width < 2 || height < 2) return { exact: 1, within4: 1, within12: 1, strong: 0 };
  const rowStep = Math.max(1, Math.floor(height / 200));
  let exact = 0;
  let within4 = 0;
  let within12 = 0;
  let strong = 0;
  let seen = 0;
  const { starts } = runs;
  let run = 0;
  let beneath = 0;
  for (let y = 0; y + 1 < height; y += rowStep) {
    const end = (y + 1) * width - 1;
    seen += width - 1;
    for (let i = y * width; i < end; i++) {
      // As far as neither this run nor the one beneath it ends, all are what the first is.
      while (starts[run + 1] <= i) run++;
      while (starts[beneath + 1] <= i + width) beneath++;
      const alike = Math.min(starts[run + 1] - 1, starts[beneath + 1] - width, end);
      if (i < alike && words[i] === words[i + width]) {
        exact += alike - i;
        i = alike - 1;
        continue;
      }
      let most = 0;
      for (let at = i * 4; at < i * 4 + 4 && most <= 48; at++) {
        const value = rgba[at];
        const right = Math.abs(value - rgba[at + 4]);
        const down = Math.abs(value - rgba[at + width * 4]);
        if (right > most) most = right;
        if (down > most) most = down;
      }
      if (most <= 4) within4++;
      else if (most <= 12) within12++;
      else if (most > 48) strong++;
    }
  }
  within4 += exact;
  within12 += within4;
  return { exact: exact / seen, within4: within4 / seen, within12: within12 / seen, strong: strong / seen };
}
