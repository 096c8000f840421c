/**
 * A picture as runs: stretches of equal pixels within one row, from the left. Flat art has a few runs a row, so that what is
 * asked of its flat areas (how many pixels have no other neighbor, which colors they have) takes time by runs, not by pixels.
 */
export interface PixelRuns {
  readonly count: number;
  /** Per run its first pixel (row by row), and one more at the end: the number of pixels. */
  readonly starts: Int32Array;
  /**
   * Per run: how many of its pixels are equal to their four neighbors; a neighbor outside the picture counts as equal. These
   * are the flat interiors: an anti-aliased pixel is never among them.
   */
  readonly interiors: Int32Array;
  /** The sums over all runs, and over those that are not the word 0, with the number of their pixels. */
  readonly interiorPx: number;
  readonly drawnInteriorPx: number;
  readonly drawnPx: number;
  /** Whether a run of one pixel lies between two others: a sign that nothing has been enlarged. */
  readonly hasSinglePixels: boolean;
}

/**
 * Finds the runs of a picture of `width` x `height` words, one pixel each, which are not to change: a pass over the pixels, and two over the runs when
 * their interiors are first asked for. Of what a compressed picture was mended to nobody asks.
 */
export function findRuns(words: Uint32Array, width: number, height: number): PixelRuns {
  let starts = new Int32Array(1024);
  const rowFirst = new Int32Array(height + 1);
  let count = 0;
  for (let y = 0; y < height; y++) {
    rowFirst[y] = count;
    // Rows to come have about as many as those before.
    if (count + width >= starts.length) starts = grown(starts, count + width + Math.ceil((count / (y + 1)) * height));
    count = findRunsOfRow(words, y * width, width, starts, count);
  }
  rowFirst[height] = count;
  starts[count] = width * height;
  return new CountedRuns(words, width, height, starts.subarray(0, count + 1), rowFirst);
}

/*
 * Rows are walked over by functions of their own, here and in the stages behind: these are called often enough to be compiled well while the first
 * picture is still at hand, where a loop over all of a picture runs once and would be compiled for its middle and then again for its beginning.
 */

/** Adds the starts of a row's runs, beginning with `row` itself; returns how many there are then. */
function findRunsOfRow(words: Uint32Array, row: number, width: number, starts: Int32Array, count: number): number {
  let word = words[row];
  starts[count++] = row;
  for (let i = row + 1, end = row + width; i < end; i++) {
    const next = words[i];
    if (next === word) continue;
    word = next;
    starts[count++] = i;
  }
  return count;
}

function grown(list: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(least + 1, list.length * 2));
  larger.set(list);
  return larger;
}

class CountedRuns implements PixelRuns {
  readonly count: number;
  readonly starts: Int32Array;
  private readonly words: Uint32Array;
  private readonly width: number;
  private readonly height: number;
  private readonly rowFirst: Int32Array;
  private counter: InteriorCounter | undefined;

  constructor(words: Uint32Array, width: number, height: number, starts: Int32Array, rowFirst: Int32Array) {
    this.count = starts.length - 1;
    this.starts = starts;
    this.words = words;
    this.width = width;
    this.height = height;
    this.rowFirst = rowFirst;
  }

  get interiors(): Int32Array {
    return this.counted.interiors;
  }

  get interiorPx(): number {
    return this.counted.interiorPx;
  }

  get drawnInteriorPx(): number {
    return this.counted.drawnInteriorPx;
  }

  get drawnPx(): number {
    return this.counted.drawnPx;
  }

  get hasSinglePixels(): boolean {
    return this.counted.hasSinglePixels;
  }

  private get counted(): InteriorCounter {
    if (this.counter !== undefined) return this.counter;
    const { words, width, height, starts, rowFirst } = this;
    this.counter = new InteriorCounter(words, width, height, starts, rowFirst);
    for (let y = 0; y < height; y++) this.counter.countRow(y);
    return this.counter;
  }
}

class InteriorCounter {
  readonly interiors: Int32Array;
  interiorPx = 0;
  drawnInteriorPx = 0;
  drawnPx = 0;
  hasSinglePixels = false;
  private readonly words: Uint32Array;
  private readonly width: number;
  private readonly height: number;
  private readonly starts: Int32Array;
  private readonly rowFirst: Int32Array;

  constructor(words: Uint32Array, width: number, height: number, starts: Int32Array, rowFirst: Int32Array) {
    this.interiors = new Int32Array(starts.length - 1);
    this.starts = starts;
    this.words = words;
    this.width = width;
    this.height = height;
    this.rowFirst = rowFirst;
  }

  countRow(y: number): void {
    const { words, width, starts, rowFirst, interiors } = this;
    const row = y * width;
    // Outside the picture everything is equal: the row itself stands in for the one that is not there.
    const up = y > 0 ? -width : 0;
    const down = y + 1 < this.height ? width : 0;
    let above = up === 0 ? rowFirst[y] : rowFirst[y - 1];
    let below = down === 0 ? rowFirst[y] : rowFirst[y + 1];
    let interiorPx = 0;
    let drawnInteriorPx = 0;
    let drawnPx = 0;
    for (let r = rowFirst[y], behind = rowFirst[y + 1]; r < behind; r++) {
      const word = words[starts[r]];
      const from = starts[r];
      const to = starts[r + 1];
      if (word !== 0) drawnPx += to - from;
      // Its ends have an unequal neighbor beside them, unless they are the picture's.
      const first = from === row ? from : from + 1;
      const last = to === row + width ? to : to - 1;
      // One pixel between two others.
      if (first > last) this.hasSinglePixels = true;
      let inner = 0;
      for (let at = first; at < last; ) {
        while (starts[above + 1] <= at + up) above++;
        while (starts[below + 1] <= at + down) below++;
        const upEnd = starts[above + 1] - up;
        const downEnd = starts[below + 1] - down;
        const next = Math.min(last, upEnd, downEnd);
        if (words[starts[above]] === word && words[starts[below]] === word) inner += next - at;
        at = next;
      }
      interiors[r] = inner;
      interiorPx += inner;
      if (word !== 0) drawnInteriorPx += inner;
    }
    this.interiorPx += interiorPx;
    this.drawnInteriorPx += drawnInteriorPx;
    this.drawnPx += drawnPx;
  }
}
