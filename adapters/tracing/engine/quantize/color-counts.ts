import type { WorkingPixels } from '../intake/working-pixels.js';

/** An open-addressed table from color words to counts. */
export class ColorTable {
  words = new Uint32Array(256);
  /** Per distinct color: how often. */
  counts = new Int32Array(256);
  size = 0;
  private slots = new Int32Array(1024).fill(-1);
  private mask = 1023;

  /** The number of a color, new ones being added with count 0. */
  indexOf(word: number): number {
    let slot = hash(word) & this.mask;
    for (;;) {
      const found = this.slots[slot];
      if (found < 0) break;
      if (this.words[found] === word) return found;
      slot = (slot + 1) & this.mask;
    }
    const index = this.size++;
    if (index === this.words.length) this.grow();
    this.words[index] = word;
    this.counts[index] = 0;
    this.slots[slot] = index;
    if (this.size * 2 > this.slots.length) this.rehash();
    return index;
  }

  /** The number of a color that is there, or -1. */
  find(word: number): number {
    let slot = hash(word) & this.mask;
    for (;;) {
      const found = this.slots[slot];
      if (found < 0 || this.words[found] === word) return found;
      slot = (slot + 1) & this.mask;
    }
  }

  private grow(): void {
    const words = new Uint32Array(this.words.length * 2);
    words.set(this.words);
    this.words = words;
    const counts = new Int32Array(this.counts.length * 2);
    counts.set(this.counts);
    this.counts = counts;
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 4).fill(-1);
    this.mask = this.slots.length - 1;
    for (let i = 0; i < this.size; i++) {
      let slot = hash(this.words[i]) & this.mask;
      while (this.slots[slot] >= 0) slot = (slot + 1) & this.mask;
      this.slots[slot] = i;
    }
  }
}

function hash(word: number): number {
  let h = Math.imul(word ^ (word >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return h ^ (h >>> 15);
}

/**
 * Counts the colors of flat interiors: pixels equal to their four neighbors (a neighbor outside the picture counts as
 * equal). Anti-aliased pixels are never among them, so no mixture is taken for a color.
 */
export function countInteriorColors({ words, runs }: WorkingPixels): ColorTable {
  const table = new ColorTable();
  const { starts, interiors, count } = runs;
  for (let r = 0; r < count; r++) {
    if (interiors[r] > 0) table.counts[table.indexOf(words[starts[r]])] += interiors[r];
  }
  return table;
}

/**
 * Counts the squares of two by two equal pixels of every color. What is narrower than three pixels has no interior, but where
 * it is two wide it has these.
 */
export function countColorSquares({ width, words, runs }: WorkingPixels): ColorTable {
  const table = new ColorTable();
  const { starts, count } = runs;
  // The first run of the row at hand ends the row above.
  let above = 0;
  for (let r = 0; r < count; r++) {
    const from = starts[r] - width;
    if (from < 0) continue;
    const to = starts[r + 1] - width;
    const word = words[starts[r]];
    while (starts[above + 1] <= from) above++;
    for (let a = above; starts[a] < to; a++) {
      if (words[starts[a]] !== word) continue;
      const shared = Math.min(to, starts[a + 1]) - Math.max(from, starts[a]);
      if (shared > 1) table.counts[table.indexOf(word)] += shared - 1;
    }
  }
  return table;
}
