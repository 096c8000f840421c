import type { EnginePicture } from '../types.js';
import { straightened } from './premultiplied.js';
import type { WorkingPixels } from './working-pixels.js';

const CHANNELS = 4;
/** Pixels between two colors along rows, and mixed of them, as a share of all places where colors change: from there on edges are anti-aliased. */
const MOST_MIXED = 0.02;
/** How far a color may be from the line between two, levels, to be a mixture, and how far each of the two must be. */
const MIXED_LEVELS = 6;
/** Colors that differ by less than this in every channel are shades of one: there are no edges between the bands of a ramp. */
const LEAST_LEVELS = 12;
/** Steps there must be for edges to be slanted. */
const LEAST_STEPS = 16;
/** Steps at so large a share of all pixels are no edges, but a texture. */
const MOST_STEPS = 0.25;
/** An edge is followed so far along the pixels, px. */
const LONGEST_PX = 64;
/** A step rises over half the side beside it, and no more than so many times the side beyond it: what goes on level for longer is level. */
const MOST_TIMES = 1;
/** Half the side, px, of the square around a point where four pixels of two colors touch, in which the rarer color is the one that goes on across it. */
const AROUND_PX = 4;

/**
 * Whether a picture's edges are not anti-aliased, as those of old graphics, of paint programs and of selections that were cut out hard: hardly a pixel
 * along its rows is mixed of the two colors beside it.
 */
export function hasHardEdges({ rgba, runs, width }: WorkingPixels): boolean {
  const { starts, count } = runs;
  let mixed = 0;
  let hard = 0;
  for (let r = 1; r < count; r++) {
    const from = starts[r];
    if (from % width === 0 || !isEdge(rgba, from - 1, from)) continue;
    // The last run of a row has another color on one side alone.
    const isSingle = r + 1 < count && starts[r + 1] - from === 1 && (from + 1) % width !== 0;
    if (isSingle && isMixture(rgba, from - 1, from, from + 1)) mixed++;
    else hard++;
    // So many would be too many however hard the rest were.
    if (mixed > MOST_MIXED * (mixed + hard + count - r)) return false;
  }
  return hard > 0 && mixed <= MOST_MIXED * (mixed + hard);
}

function isEdge(rgba: Uint8Array, a: number, b: number): boolean {
  for (let c = 0; c < CHANNELS; c++)
    if (Math.abs(rgba[CHANNELS * a + c] - rgba[CHANNELS * b + c]) >= LEAST_LEVELS) return true;
  return false;
}

function isMixture(rgba: Uint8Array, a: number, mixed: number, b: number): boolean {
  let fromA = 0;
  let fromB = 0;
  for (let c = 0; c < CHANNELS; c++) {
    const level = rgba[CHANNELS * mixed + c];
    const one = rgba[CHANNELS * a + c];
    const other = rgba[CHANNELS * b + c];
    if (level < Math.min(one, other) - MIXED_LEVELS || level > Math.max(one, other) + MIXED_LEVELS) return false;
    fromA = Math.max(fromA, Math.abs(level - one));
    fromB = Math.max(fromB, Math.abs(level - other));
  }
  return fromA > MIXED_LEVELS && fromB > MIXED_LEVELS;
}

/**
 * The picture with the anti-aliasing that edges of its steps' slope would have, undefined where there are hardly any steps, or hardly anything
 * else. An edge goes through the middles of the sides of its steps, so a corner at a side of one pixel is cut off from middle to middle, and the
 * pixels there become what is left of them and what is beyond (as morphological anti-aliasing does, Reshetov 2009). Corners between longer sides stay.
 */
export function withoutSteps(pixels: WorkingPixels): EnginePicture | undefined {
  const { width, height, opaque } = pixels;
  const smoother = new StepSmoother(pixels);
  for (let y = 1; y < height; y++) smoother.smoothRow(y);
  if (smoother.count < LEAST_STEPS || smoother.count > MOST_STEPS * width * height) return undefined;
  return { width, height, data: opaque ? smoother.data : straightened(smoother.data) };
}

class StepSmoother {
  /** The pixels as they are by now. */
  readonly data: Uint8Array<ArrayBuffer>;
  /** Corners that were cut off. */
  count = 0;
  private readonly pixels: WorkingPixels;

  constructor(pixels: WorkingPixels) {
    this.pixels = pixels;
    this.data = new Uint8Array(pixels.rgba);
  }

  /** All corners between a row and the one above it. */
  smoothRow(y: number): void {
    const { width, words } = this.pixels;
    const below = y * width;
    const above = below - width;
    for (let x = 1; x < width; x++) {
      const a = words[above + x - 1];
      const b = words[above + x];
      const c = words[below + x - 1];
      const d = words[below + x];
      if (a === b ? c === d : a === c && b === d) continue;
      if (b === c && c === d) this.smoothCorner(x - 1, y - 1, 1, 1);
      else if (a === c && c === d) this.smoothCorner(x, y - 1, -1, 1);
      else if (a === b && b === d) this.smoothCorner(x - 1, y, 1, -1);
      else if (a === b && b === c) this.smoothCorner(x, y, -1, -1);
      else if (a === d && b === c) {
        // The color that goes on across leaves two corners of the other one.
        if (this.goesOn(x, y) === a) {
          this.smoothCorner(x, y - 1, -1, 1);
          this.smoothCorner(x - 1, y, 1, -1);
        } else {
          this.smoothCorner(x - 1, y - 1, 1, 1);
          this.smoothCorner(x, y, -1, -1);
        }
      }
    }
  }

  /** The color of the two where four pixels touch that goes on across: the one with less around. */
  private goesOn(x: number, y: number): number {
    const { width, height, words } = this.pixels;
    const one = words[y * width + x];
    const other = words[y * width + x - 1];
    let more = 0;
    for (let v = Math.max(0, y - AROUND_PX); v < Math.min(height, y + AROUND_PX); v++) {
      for (let u = Math.max(0, x - AROUND_PX); u < Math.min(width, x + AROUND_PX); u++) {
        const word = words[v * width + u];
        if (word === one) more++;
        else if (word === other) more--;
      }
    }
    return more <= 0 ? one : other;
  }

  /** The corner of a pixel towards the one at (ox, oy) from it, cut off where one of its two sides is a step. */
  private smoothCorner(x: number, y: number, ox: number, oy: number): void {
    const { width, rgba } = this.pixels;
    if (!isEdge(rgba, y * width + x, y * width + x + ox)) return;
    const across = this.sideFrom(x, y, -ox, 0, 0, oy);
    const down = this.sideFrom(x, y, 0, -oy, ox, 0);
    const beyondDown = down === 1 ? this.sideBehind(x, y, x, y - oy, ox, 0, 0, oy) : 0;
    const beyondAcross = across === 1 ? this.sideBehind(x, y, x - ox, y, 0, oy, ox, 0) : 0;
    if (beyondDown > 0) this.cut(x, y, -ox, 0, 0, oy, across, beyondDown);
    else if (beyondAcross > 0) this.cut(x, y, 0, -oy, ox, 0, down, beyondAcross);
  }

  /** How many pixels from one on, in a direction, have its color and beside them that which the first has beside it, LONGEST_PX at most. */
  private sideFrom(x: number, y: number, dx: number, dy: number, bx: number, by: number): number {
    const { width, height, words } = this.pixels;
    const own = words[y * width + x];
    const other = words[(y + by) * width + x + bx];
    let length = 1;
    for (let u = x + dx, v = y + dy; length < LONGEST_PX; u += dx, v += dy, length++) {
      if (u < 0 || v < 0 || u >= width || v >= height) break;
      if (words[v * width + u] !== own || words[(v + by) * width + u + bx] !== other) break;
    }
    return length;
  }

  /**
   * How long the side is that follows a side of one pixel, between one and the one at (nx, ny), where the edge turns the other way, in a direction
   * (dx, dy): there what is beyond the edge is at (bx, by). 0 where it turns the same way, as around the end of a line.
   */
  private sideBehind(
    x: number,
    y: number,
    nx: number,
    ny: number,
    dx: number,
    dy: number,
    bx: number,
    by: number,
  ): number {
    const { width, height, words } = this.pixels;
    if (nx < 0 || ny < 0 || nx >= width || ny >= height) return 0;
    const own = words[y * width + x];
    if (words[(ny + dy) * width + nx + dx] !== own) return 0;
    const next = words[ny * width + nx];
    if (next !== own) {
      const touches = next === words[(y + dy) * width + x + dx];
      if (!touches || this.goesOn(Math.max(x, nx, x + dx), Math.max(y, ny, y + dy)) !== own) return 0;
    }
    return this.sideFrom(nx + dx, ny + dy, dx, dy, bx, by);
  }

  /**
   * Cuts off what is beyond the edge of the pixels from one on in a direction, along a side of so many: half a pixel deep at first, nothing in its
   * middle. What is beyond is at (bx, by), and the side behind the step is so long. Where the edge comes back at the other end of the side, it is
   * an arch.
   */
  private cut(
    x: number,
    y: number,
    dx: number,
    dy: number,
    bx: number,
    by: number,
    side: number,
    behind: number,
  ): void {
    const { width, height, rgba, words } = this.pixels;
    const { data } = this;
    this.count++;
    const own = words[y * width + x];
    const endX = x + side * dx;
    const endY = y + side * dy;
    const isArch = endX < 0 || endY < 0 || endX >= width || endY >= height || words[endY * width + endX] !== own;
    const length = Math.min(side / 2, MOST_TIMES * behind);
    const power = isArch ? 3 : 2;
    const left = (at: number) => (0.5 * length * Math.max(0, 1 - at / length) ** power) / power;
    const beside = CHANNELS * (by * width + bx);
    for (let j = 0; j < length; j++) {
      const share = left(j) - left(j + 1);
      const at = CHANNELS * ((y + j * dy) * width + x + j * dx);
      // Rounded each time: a level is a two hundredth of a pixel, and much less than is known of where the edge runs.
      for (let c = at; c < at + CHANNELS; c++) {
        const level = data[c] + share * (rgba[c + beside] - rgba[c]);
        data[c] = Math.max(0, Math.min(255, Math.round(level)));
      }
    }
  }
}
