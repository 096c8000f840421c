import { PULL_PITCH, SHARE_KINDS, SHARE_TAPS, SHARE_WAYS } from '../kernels/kernel-layout.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { edgesOf } from './edge-ways.js';
import {
  BEYOND,
  bytesOfParts,
  divide,
  firstPart,
  NO_LABEL,
  PARTS,
  PARTS_OF_PIXEL,
  ShareSurface,
  type SubPixels,
  strideOf,
} from './sub-pixels.js';
import { MOST_SHARED, type Shares } from './unmix-shares.js';

/** Widths of the neighborhood that draws parts of its colors, px: across an edge, and along one that is sure (standard deviations). */
const ACROSS_PX = 0.25;
const ALONG_PX = 0.8;
/** Where the neighborhood ends, in half squared standard deviations. */
const END = 1.5;
/** Pixels around one that see it change. */
const REACH_PX = 2;
/** Times that parts of three colors are looked through for two to be exchanged. */
const EXCHANGES = 3;
/** What the nearest part counts, and what a part that is all of a color is drawn to it by at first: sums of them are numbers of 16 bits. */
const NEAREST = 127;
const WHOLE = 1 << 12;
/** Numbers of what is drawn to a color, and where among them each part's is. */
const PULL_OF_COLOR = PARTS * PULL_PITCH;
const PLACE_OF = Int32Array.from(
  { length: PARTS_OF_PIXEL },
  (_, part) => Math.floor(part / PARTS) * PULL_PITCH + (part % PARTS),
);

/**
 * Says of what color every part of the mixed pixels is: as many parts of each color as its share is, and these where most of the same color lies
 * around them, along the way that edges take there. Sub-pixel mapping by pixel swapping (Atkinson), begun from interpolated
 * shares, with neighborhoods that are drawn out along the edges: without that hairlines would gather to dots.
 */
export class SharePlacer {
  private readonly width: number;
  private readonly height: number;
  private readonly shares: Shares;
  private readonly placer: PixelPlacer;
  /** The round in which something around a mixed pixel changed last. */
  private readonly changed: Int32Array;
  private round = 0;

  /** `labels` are the colors of the pixels that are not mixed. */
  constructor(labels: Int32Array, width: number, height: number, shares: Shares) {
    this.width = width;
    this.height = height;
    this.shares = shares;
    this.placer = new PixelPlacer(labels, width, height, shares);
    this.changed = new Int32Array(shares.pixels.length);
    const surface = new ShareSurface(labels, width, height, shares);
    for (let m = 0; m < shares.pixels.length; m++) {
      if (shares.counts[m] < 2) continue;
      this.placer.interpolate(m, surface);
      this.placer.place(m);
    }
  }

  /** As they are so far; good until the kernels' memory is taken for something else. */
  get parts(): SubPixels {
    return this.placer.parts;
  }

  /** Goes so many times over all that may change. `ways` are the kinds (`EdgeWays`) of edges at the mixed pixels. */
  settle(ways: Uint8Array, rounds: number): void {
    const { shares, placer, changed } = this;
    const count = shares.pixels.length;
    const first = this.round + 1;
    changed.fill(first);
    for (this.round = first; this.round < first + rounds; this.round++) {
      // There and back, for nothing to be drawn along with the order.
      for (let n = 0; n < count; n++) {
        const m = this.round % 2 === 0 ? count - 1 - n : n;
        if (shares.counts[m] < 2 || changed[m] < this.round) continue;
        placer.lookAround(m, ways[m]);
        if (placer.place(m)) this.markAround(shares.pixels[m]);
      }
    }
  }

  private markAround(pixel: number): void {
    const { width, height, shares, changed, round } = this;
    const y = Math.floor(pixel / width);
    const x = pixel - y * width;
    for (let v = Math.max(0, y - REACH_PX); v <= Math.min(height - 1, y + REACH_PX); v++) {
      for (let u = Math.max(0, x - REACH_PX); u <= Math.min(width - 1, x + REACH_PX); u++) {
        const m = shares.indexOf[v * width + u];
        if (m >= 0) changed[m] = round + 1;
      }
    }
  }
}

/** Places the colors of one pixel after the other. Its memory is the kernel's: nothing else may take that meanwhile. */
class PixelPlacer {
  readonly parts: SubPixels;
  private readonly shares: Shares;
  /** How much each part is drawn to each of the pixel's colors, color by color. */
  private readonly pull: Int16Array;
  /** Where the parts of a pixel are, from the first, and where they are in memory. */
  private readonly steps: Int32Array;
  private readonly begin: number;
  /** Parts that each color has of a pixel. */
  private readonly numbers: Uint8Array;
  private readonly order = new Int32Array(PARTS_OF_PIXEL);
  private readonly margins = new Int32Array(PARTS_OF_PIXEL);
  private readonly taken = new Uint8Array(PARTS_OF_PIXEL);
  private readonly left = new Int32Array(MOST_SHARED);

  constructor(labels: Int32Array, width: number, height: number, shares: Shares) {
    const taps = tapsOf(strideOf(width));
    const from = SHARE_TAPS + taps.list.length * 4;
    const bytes = bytesOfParts(width, height);
    const { buffer, byteOffset } = kernelMemory.scratch(Math.ceil((from + bytes) / 8));
    this.pull = new Int16Array(buffer, byteOffset, PULL_OF_COLOR * MOST_SHARED);
    new Int32Array(buffer, byteOffset + SHARE_WAYS, taps.ways.length).set(taps.ways);
    new Int32Array(buffer, byteOffset + SHARE_TAPS, taps.list.length).set(taps.list);
    this.begin = byteOffset + from;
    this.parts = divide(new Uint8Array(buffer, this.begin, bytes), labels, width, height, shares);
    this.shares = shares;
    this.numbers = numbersOf(shares);
    this.steps = Int32Array.from({ length: PARTS_OF_PIXEL }, (_, part) => {
      const down = Math.floor(part / PARTS);
      return down * this.parts.stride + part - down * PARTS;
    });
  }

  /** Draws the parts of a pixel as its colors' shares, interpolated, would have it. */
  interpolate(m: number, surface: ShareSurface): void {
    const { pull, shares } = this;
    for (let k = 0; k < shares.counts[m]; k++)
      surface.over(shares.pixels[m], shares.colors[m * MOST_SHARED + k], pull, k * PULL_OF_COLOR, PULL_PITCH, WHOLE);
  }

  /** And as what is around them does; to one of two colors by how much more of it there is. */
  lookAround(m: number, way: number): void {
    const { shares, parts } = this;
    const { colors } = shares;
    const { kernel } = kernelMemory;
    const at = m * MOST_SHARED;
    const first = this.begin + firstPart(parts, shares.pixels[m]);
    if (shares.counts[m] === 2) {
      kernel.countShares(first, parts.stride, way, colors[at], colors[at + 1], 0);
      this.pull.fill(0, PULL_OF_COLOR, 2 * PULL_OF_COLOR);
      return;
    }
    for (let k = 0; k < shares.counts[m]; k++)
      kernel.countShares(first, parts.stride, way, colors[at + k], NO_LABEL, k);
  }

  /** Gives each color its parts of a pixel, by what they are drawn to; returns whether any is another's than before. */
  place(m: number): boolean {
    const { parts, shares, taken, steps } = this;
    const count = shares.counts[m];
    if (count === 2 && this.isPlaced(m)) return false;
    this.take(m, count);
    if (count > 2) this.exchange();
    const first = firstPart(parts, shares.pixels[m]);
    let isOther = false;
    for (let part = 0; part < PARTS_OF_PIXEL; part++) {
      const label = shares.colors[m * MOST_SHARED + taken[part]];
      if (parts.labels[first + steps[part]] === label) continue;
      parts.labels[first + steps[part]] = label;
      isOther = true;
    }
    return isOther;
  }

  /** Whether of two colors each part of the first is drawn to it no less than any of the second. */
  private isPlaced(m: number): boolean {
    const { pull, parts, shares, numbers, steps } = this;
    const own = shares.colors[m * MOST_SHARED];
    const first = firstPart(parts, shares.pixels[m]);
    let least = 0x7fff;
    let most = -0x8000;
    let count = 0;
    for (let part = 0; part < PARTS_OF_PIXEL; part++) {
      const value = pull[PLACE_OF[part]] - pull[PULL_OF_COLOR + PLACE_OF[part]];
      if (parts.labels[first + steps[part]] === own) {
        count++;
        if (value < least) least = value;
      } else if (value > most) most = value;
    }
    return least >= most && count === numbers[m * MOST_SHARED];
  }

  /** The parts that lose most by not having their own come first. */
  private take(m: number, count: number): void {
    const { pull, order, margins, taken, left, numbers } = this;
    for (let k = 0; k < count; k++) left[k] = numbers[m * MOST_SHARED + k];
    for (let part = 0; part < PARTS_OF_PIXEL; part++) {
      const place = PLACE_OF[part];
      let best = -0x8000;
      let next = -0x8000;
      for (let k = 0; k < count; k++) {
        const value = pull[k * PULL_OF_COLOR + place];
        if (value > best) {
          next = best;
          best = value;
        } else if (value > next) next = value;
      }
      const margin = best - next;
      let at = part;
      for (; at > 0 && margins[at - 1] < margin; at--) {
        margins[at] = margins[at - 1];
        order[at] = order[at - 1];
      }
      margins[at] = margin;
      order[at] = part;
    }
    for (let n = 0; n < PARTS_OF_PIXEL; n++) {
      const part = order[n];
      const place = PLACE_OF[part];
      let best = -1;
      for (let k = 0; k < count; k++) {
        if (left[k] === 0) continue;
        if (best < 0 || pull[k * PULL_OF_COLOR + place] > pull[best * PULL_OF_COLOR + place]) best = k;
      }
      taken[part] = best;
      left[best]--;
    }
  }

  /** Of three colors the last may have been left what others should have. */
  private exchange(): void {
    const { pull, taken } = this;
    for (let round = 0, isDone = false; round < EXCHANGES && !isDone; round++) {
      isDone = true;
      for (let p = 0; p < PARTS_OF_PIXEL; p++) {
        for (let q = p + 1; q < PARTS_OF_PIXEL; q++) {
          const a = taken[p];
          const b = taken[q];
          if (a === b) continue;
          const atP = PLACE_OF[p];
          const atQ = PLACE_OF[q];
          const given = pull[a * PULL_OF_COLOR + atP] + pull[b * PULL_OF_COLOR + atQ];
          if (pull[b * PULL_OF_COLOR + atP] + pull[a * PULL_OF_COLOR + atQ] <= given) continue;
          taken[p] = b;
          taken[q] = a;
          isDone = false;
        }
      }
    }
  }
}

/**
 * The neighborhoods of all ways (`EdgeWays`): for each where its taps begin and how many there are, and the taps, each a step from one part to
 * another and what that counts.
 */
function tapsOf(stride: number): { readonly ways: Int32Array; readonly list: Int32Array } {
  const ways = new Int32Array(2 * SHARE_KINDS);
  const list: number[] = [];
  for (let kind = 0; kind < SHARE_KINDS; kind++) {
    const { angle, sureness } = edgesOf(kind);
    const across = ACROSS_PX * PARTS;
    const along = across + (ALONG_PX * PARTS - across) * sureness;
    const dx = Math.cos(angle);
    const dy = Math.sin(angle);
    ways[2 * kind] = list.length / 2;
    for (let v = -BEYOND; v <= BEYOND; v++) {
      for (let u = -BEYOND; u <= BEYOND; u++) {
        const far = ((u * dx + v * dy) / along) ** 2 / 2 + ((v * dx - u * dy) / across) ** 2 / 2;
        if (far < END && (u !== 0 || v !== 0)) list.push(v * stride + u, Math.round(NEAREST * Math.exp(-far)));
      }
    }
    ways[2 * kind + 1] = list.length / 2 - ways[2 * kind];
  }
  return { ways, list: Int32Array.from(list) };
}

/** Shares as whole numbers of parts. */
function numbersOf({ shares, counts }: Shares): Uint8Array {
  const numbers = new Uint8Array(shares.length);
  for (let m = 0; m < counts.length; m++) {
    let left = PARTS_OF_PIXEL;
    for (let k = 0; k < counts[m]; k++) {
      const at = m * MOST_SHARED + k;
      numbers[at] = k === counts[m] - 1 ? left : Math.min(left, Math.round(shares[at] * PARTS_OF_PIXEL));
      left -= numbers[at];
    }
  }
  return numbers;
}
