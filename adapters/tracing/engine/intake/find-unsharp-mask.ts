import type { EnginePicture, UnsharpMask } from '../types.js';
import { ChangingTiles } from './changing-tiles.js';
import { gaussianReach } from './gaussian.js';
import { Unmasker } from './unsharp-mask.js';
import type { WorkingPixels } from './working-pixels.js';

/** Larger pictures take too long: some two microseconds a pixel. */
const MOST_PIXELS = 1 << 20;
/** Side of the window that masks are judged by, px, and in which steps it is moved to where most changes. */
const SIDE = 96;
const STEP = 32;
/** Levels of change that count as one: so edges are counted, and not how steep they are. */
const MOST_CHANGE = 20;
/** Where the search begins: pixels, and times. */
const RADII = [0.6, 1, 1.7, 2.8];
const AMOUNTS = [0.35, 0.8, 1.6];
/** By which factors it goes on, before what was cut off is filled in, and after. */
const COARSE = [1.25, 1.1];
const FINE = [1.07, 1.03, 1.015];
const MOST_MOVES = 2;
/** Masks that are looked for, and what share of its changes a picture has without one, at most. */
const MOST_RADIUS_PX = 4;
const MOST_AMOUNT = 2.5;
const LEAST_AMOUNT = 0.2;
const CHANGES_LEFT = 0.75;
/** Levels between neighbors beyond which a change counts no more: edges are as they are. */
const EDGE_LEVELS = 8;
/** Levels that solving may leave of a contrast of all levels: while masks are judged, of the picture, and of what was filled in. */
const JUDGED_LEVELS = 3;
const LEFT_LEVELS = 0.4;
const REFILLED_LEVELS = 3;
/** Side of the tiles outside of which a picture is even, px: about as far as masks reach. */
const LEAST_TILE_PX = 6;
/** How often what was cut off is filled in. */
const FILLS = 2;
const BLACK = 0;
const WHITE = 255;
const CHANNELS = 4;
const COLORS = 3;

/**
 * The unsharp mask that an opaque picture of flat art was sharpened by: the one without which least changes from pixel to pixel, counting up to a few
 * levels. Halos are most of what changes slowly in flat art; where a mask is too weak some of them are left, and where it is too strong edges grow soft.
 * Undefined where the best leaves most of the changes there: it was none, then.
 */
export function findUnsharpMask(pixels: WorkingPixels): UnsharpMask | undefined {
  if (!pixels.opaque || pixels.words.length > MOST_PIXELS) return undefined;
  const search = new MaskSearch(pixels);
  return search.find();
}

/** The picture as it was before it was sharpened by a mask, even areas beside dark and light edges in the colors that they have farther off. */
export function withoutUnsharpMask(pixels: WorkingPixels, mask: UnsharpMask): EnginePicture {
  const { width, height, rgba } = pixels;
  const tiles = new ChangingTiles(pixels, Math.max(LEAST_TILE_PX, gaussianReach(mask.radiusPx)));
  const unmasker = new Unmasker(width, height, tiles);
  unmasker.setMask(mask);
  const isGray = isAllGray(rgba);
  const seen = Array.from({ length: isGray ? 1 : COLORS }, (_, c) => planeOf(rgba, c));
  const planes = seen.map((plane) => plane.slice());
  const solve = (within: number) => {
    for (let c = 0; c < planes.length; c++) unmasker.solve(seen[c], planes[c], within);
  };
  solve(LEFT_LEVELS);
  for (let fill = 0; fill < FILLS && unmasker.fillIn(seen, planes) > 0; fill++) solve(REFILLED_LEVELS);
  const data = new Uint8Array(rgba);
  for (let c = 0; c < COLORS; c++) {
    const plane = planes[isGray ? 0 : c];
    for (let i = 0; i < plane.length; i++)
      data[CHANNELS * i + c] = Math.max(BLACK, Math.min(WHITE, Math.round(plane[i])));
  }
  return { width, height, data };
}

function planeOf(rgba: Uint8Array, channel: number): Float64Array {
  const plane = new Float64Array(rgba.length / CHANNELS);
  for (let i = 0; i < plane.length; i++) plane[i] = rgba[CHANNELS * i + channel];
  return plane;
}

function isAllGray(rgba: Uint8Array): boolean {
  for (let i = 0; i < rgba.length; i += CHANNELS) if (rgba[i] !== rgba[i + 1] || rgba[i] !== rgba[i + 2]) return false;
  return true;
}

/** Searches for the mask in one channel of the part of a picture in which most changes. */
class MaskSearch {
  private readonly width: number;
  private readonly height: number;
  private readonly seen: Float64Array;
  /** Where solving begins. */
  private begun: Float64Array;
  private readonly plane: Float64Array;
  private readonly unmasker: Unmasker;
  private readonly changes: number;
  private best: UnsharpMask = { radiusPx: 0, amount: 0 };
  private least: number;

  constructor(pixels: WorkingPixels) {
    this.width = Math.min(SIDE, pixels.width);
    this.height = Math.min(SIDE, pixels.height);
    this.seen = pickWindow(pixels, this.width, this.height);
    this.begun = this.seen;
    this.plane = new Float64Array(this.seen.length);
    this.unmasker = new Unmasker(this.width, this.height);
    this.changes = this.changesOf(this.seen);
    this.least = this.changes;
  }

  find(): UnsharpMask | undefined {
    if (this.changes === 0) return undefined;
    for (const radiusPx of RADII) for (const amount of AMOUNTS) this.tryMask(radiusPx, amount);
    if (this.least > CHANGES_LEFT * this.changes) return undefined;
    for (const factor of COARSE) this.refine(factor);
    const { radiusPx, amount } = this.best;
    this.fillIn();
    this.least = Infinity;
    this.tryMask(radiusPx, amount);
    for (const factor of FINE) this.refine(factor);
    const { best } = this;
    const isMask = best.radiusPx <= MOST_RADIUS_PX && best.amount <= MOST_AMOUNT && best.amount >= LEAST_AMOUNT;
    return isMask && this.least <= CHANGES_LEFT * this.changes ? best : undefined;
  }

  /** Goes on by a factor to masks about the best one, also along the valley of those that are nearly as good: wider and weaker, narrower and stronger. */
  private refine(factor: number): void {
    for (let move = 0; move < MOST_MOVES; move++) {
      const { radiusPx, amount } = this.best;
      const { least } = this;
      this.tryMask(radiusPx * factor, amount);
      this.tryMask(radiusPx / factor, amount);
      this.tryMask(radiusPx, amount * factor);
      this.tryMask(radiusPx, amount / factor);
      this.tryMask(radiusPx * factor, amount / factor);
      this.tryMask(radiusPx / factor, amount * factor);
      if (this.least === least) break;
    }
  }

  private tryMask(radiusPx: number, amount: number): void {
    const mask = { radiusPx, amount };
    this.solve(mask);
    const changes = this.changesOf(this.plane);
    if (changes >= this.least) return;
    this.least = changes;
    this.best = mask;
  }

  private solve(mask: UnsharpMask): void {
    this.unmasker.setMask(mask);
    this.plane.set(this.begun);
    this.unmasker.solve(this.seen, this.plane, JUDGED_LEVELS);
  }

  private fillIn(): void {
    this.solve(this.best);
    this.unmasker.fillIn([this.seen], [this.plane]);
    this.begun = this.plane.slice();
  }

  /** What changes in a plane between neighbors that are not cut off, a pair. */
  private changesOf(plane: Float64Array): number {
    const { width, seen } = this;
    let sum = 0;
    let pairs = 0;
    for (let i = 0; i < plane.length; i++) {
      if (seen[i] <= BLACK || seen[i] >= WHITE) continue;
      if (i % width > 0 && seen[i - 1] > BLACK && seen[i - 1] < WHITE) {
        sum += Math.min(EDGE_LEVELS, Math.abs(plane[i] - plane[i - 1]));
        pairs++;
      }
      if (i >= width && seen[i - width] > BLACK && seen[i - width] < WHITE) {
        sum += Math.min(EDGE_LEVELS, Math.abs(plane[i] - plane[i - width]));
        pairs++;
      }
    }
    return pairs === 0 ? 0 : sum / pairs;
  }
}

/** Of the window, so large, in which most changes that channel in which most does between black and white. */
function pickWindow({ width, height, rgba }: WorkingPixels, columns: number, rows: number): Float64Array {
  let most = -1;
  let left = 0;
  let top = 0;
  let channel = 0;
  for (let y = 0; y + rows <= height; y += STEP) {
    for (let x = 0; x + columns <= width; x += STEP) {
      for (let c = 0; c < COLORS; c++) {
        const changes = changesWithin(rgba, CHANNELS * (y * width + x) + c, width, columns, rows);
        if (changes <= most) continue;
        most = changes;
        left = x;
        top = y;
        channel = c;
      }
    }
  }
  const window = new Float64Array(columns * rows);
  for (let y = 0, i = 0; y < rows; y++)
    for (let x = 0; x < columns; x++, i++) window[i] = rgba[CHANNELS * ((top + y) * width + left + x) + channel];
  return window;
}

function changesWithin(rgba: Uint8Array, from: number, width: number, columns: number, rows: number): number {
  let sum = 0;
  for (let y = 0; y < rows; y++) {
    for (let x = 1, at = from + CHANNELS * (y * width + 1); x < columns; x++, at += CHANNELS) {
      const level = rgba[at];
      if (level > BLACK && level < WHITE) sum += Math.min(MOST_CHANGE, Math.abs(level - rgba[at - CHANNELS]));
    }
  }
  return sum;
}
