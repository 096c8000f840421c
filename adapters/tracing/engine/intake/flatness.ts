import { contrastOf, signedWords } from './word-contrast.js';
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

/** Looks at every row of small pictures, and at about 100 evenly spread rows of large ones. */
export function measureFlatness(pixels: WorkingPixels): Flatness {
  const { width, height } = pixels;
  if (width < 2 || height < 2) return { exact: 1, within4: 1, within12: 1, strong: 0 };
  const rowStep = Math.max(1, Math.floor(height / 100));
  const counter = new ContrastCounter(pixels);
  let seen = 0;
  for (let y = 0; y + 1 < height; y += rowStep, seen += width - 1) counter.countRow(y);
  const upTo = (most: number) => counter.counts.subarray(0, most + 1).reduce((sum, count) => sum + count, 0) / seen;
  return { exact: upTo(0), within4: upTo(4), within12: upTo(12), strong: 1 - upTo(48) };
}

/** Counts the pixels of rows, from above, by how far they are from their right and lower neighbors. */
class ContrastCounter {
  /** Per number of levels the pixels that are so far from one of the two in some channel, and no farther. */
  readonly counts = new Float64Array(256);
  private readonly width: number;
  private readonly words: Int32Array;
  private readonly starts: Int32Array;
  /** The runs at hand, in the row and in the one beneath it. */
  private run = 0;
  private beneath = 0;

  constructor({ width, words, runs }: WorkingPixels) {
    this.width = width;
    this.words = signedWords(words);
    this.starts = runs.starts;
  }

  countRow(y: number): void {
    const { width, words, starts, counts } = this;
    let { run, beneath } = this;
    const end = (y + 1) * width - 1;
    for (let i = y * width; i < end; ) {
      while (starts[run + 1] <= i) run++;
      while (starts[beneath + 1] <= i + width) beneath++;
      const down = contrastOf(words[i], words[i + width]);
      const last = starts[run + 1] - 1;
      if (i < last) {
        // As far as neither run ends, all are what the first is.
        const alike = Math.min(last, starts[beneath + 1] - width, end);
        counts[down] += alike - i;
        i = alike;
      } else {
        counts[Math.max(down, contrastOf(words[i], words[i + 1]))]++;
        i++;
      }
    }
    this.run = run;
    this.beneath = beneath;
  }
}
