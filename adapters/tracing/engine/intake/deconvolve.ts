import { arena } from '../math/arena.js';
import type { EnginePicture } from '../types.js';
import { ChangingTiles } from './changing-tiles.js';
import { isEven } from './is-even.js';
import type { PixelRuns } from './pixel-runs.js';
import { straightened } from './premultiplied.js';
import type { WorkingPixels } from './working-pixels.js';

/**
 * Pixels of a tile's side: in this distance of a change, what it changes of others without the blur is within rounding, for the largest share a thousandth.
 */
const TILE = 8;
/** Changes of less than this are what rounding makes of nothing, levels. */
const LEAST_CHANGE = 0.5;
/** Even areas so near bound what a pixel becomes, px; also where what lies beside an edge goes beyond them by so many levels: filters do so a little. */
const EVEN_PX = 2;
const SAME_LEVELS = 8;
/** What levels are lifted by meanwhile: of nothing, sums would go on becoming smaller along a line to where numbers are slow. */
const LIFT = 1;
/** Numbers of a line after which those of the elimination stay the same: for the largest share they are within a millionth then. */
const STEADY = 16;

/**
 * The picture without a blur by which each pixel has `share` (below a quarter) of both its neighbors along rows, and then along columns: its inverse is
 * exact, two sweeps over rows and columns (the tridiagonal equations by Thomas's elimination), where anything changes at all. Never darker or lighter
 * than an even area beside it, so that no halos come; what is too thin for one, as a stroke of two pixels, has its contrast again, as far as the picture goes. Even areas keep
 * their exact colors, and so do pixels that are within `smooth` levels of all around them: of a smooth change the inverse leaves what it was, but for its rounding, which grows. Opacity is a channel like the others,
 * and colors go by it.
 */
export function deconvolve(pixels: WorkingPixels, share: number, smooth = 0): EnginePicture {
  const { width, height, rgba, opaque } = pixels;
  const data = new Uint8Array(rgba);
  const tiles = new ChangingTiles(pixels, TILE);
  const sweeper = new Sweeper(pixels, data, share, smooth);
  for (let channel = 0; channel < (opaque ? 3 : 4); channel++) {
    sweeper.begin(channel);
    tiles.eachStretch(false, (x0, y0, x1, y1) => {
      for (let y = y0; y < y1; y++) sweeper.row(y * width + x0, x1 - x0);
    });
    tiles.eachStretch(true, (x0, y0, x1, y1) => sweeper.columns(x0, y0, x1, y1));
  }
  return { width, height, data: opaque ? data : straightened(data) };
}

/** Takes the blur out of one channel: rows first, then columns. Beyond their ends lines go on as they are there. */
class Sweeper {
  private channel = 0;
  /** The channel's lowest and highest level in all of the picture. */
  private least = 0;
  private most = 255;
  private readonly width: number;
  private readonly height: number;
  private readonly source: Uint8Array;
  private readonly pixels: WorkingPixels;
  private readonly runs: PixelRuns;
  private readonly data: Uint8Array;
  private readonly plane: Float32Array;
  private readonly share: number;
  private readonly smooth: number;
  /** Of the elimination, per number of a line: what it is multiplied with, and how much of the next one is taken from it. */
  private readonly scale = new Float64Array(STEADY);
  private readonly next = new Float64Array(STEADY);

  constructor(pixels: WorkingPixels, data: Uint8Array, share: number, smooth: number) {
    this.smooth = smooth;
    const { width, height, rgba, runs } = pixels;
    this.width = width;
    this.height = height;
    this.source = rgba;
    this.pixels = pixels;
    this.runs = runs;
    this.data = data;
    this.plane = arena.rawFloat32(width * height);
    this.share = share;
    for (let i = 0; i < STEADY; i++) {
      this.scale[i] = 1 / (1 - (i === 0 ? share : 2 * share + share * this.next[i - 1]));
      this.next[i] = share * this.scale[i];
    }
  }

  /** Goes over to a channel. */
  begin(channel: number): void {
    const { source } = this;
    const { starts, count } = this.runs;
    this.channel = channel;
    this.least = 255;
    this.most = 0;
    for (let r = 0; r < count; r++) {
      const level = source[4 * starts[r] + channel];
      if (level < this.least) this.least = level;
      if (level > this.most) this.most = level;
    }
  }

  /** Sweeps over `count` pixels of a row from the left, and back. */
  row(first: number, count: number): void {
    const { source, plane, share, scale, next } = this;
    const last = count - 1;
    const begun = Math.min(STEADY, last);
    const steadyScale = scale[STEADY - 1];
    const steadyNext = next[STEADY - 1];
    let at = 4 * first + this.channel;
    let before = 0;
    for (let i = 0; i < begun; i++, at += 4)
      plane[first + i] = before = (source[at] + LIFT - share * before) * scale[i];
    for (let i = begun; i < last; i++, at += 4)
      plane[first + i] = before = (source[at] + LIFT - share * before) * steadyScale;
    plane[first + last] = before = (source[at] + LIFT - share * before) * this.lastScale(count);
    for (let i = last - 1; i >= begun; i--) plane[first + i] = before = plane[first + i] - steadyNext * before;
    for (let i = begun - 1; i >= 0; i--) plane[first + i] = before = plane[first + i] - next[i] * before;
  }

  /** Sweeps over columns side by side from above, and back, and writes what they are then. */
  columns(x0: number, y0: number, x1: number, y1: number): void {
    const { plane, width, share, scale, next } = this;
    const count = y1 - y0;
    for (let i = 0; i < count; i++) {
      const factor = i + 1 === count ? this.lastScale(count) : scale[Math.min(i, STEADY - 1)];
      const taken = i > 0 ? share : 0;
      const above = i > 0 ? width : 0;
      const row = (y0 + i) * width;
      for (let at = row + x0; at < row + x1; at++) plane[at] = (plane[at] - taken * plane[at - above]) * factor;
    }
    this.write(x0, x1, y1 - 1);
    for (let i = count - 2; i >= 0; i--) {
      const taken = next[Math.min(i, STEADY - 1)];
      const row = (y0 + i) * width;
      for (let at = row + x0; at < row + x1; at++) plane[at] -= taken * plane[at + width];
      this.write(x0, x1, y0 + i);
    }
  }

  /** What the last number of a line is multiplied with. */
  private lastScale(count: number): number {
    const { share, next } = this;
    return count > 1 ? 1 / (1 - share - share * next[Math.min(count - 2, STEADY - 1)]) : 1;
  }

  /** Writes a part of a row. */
  private write(x0: number, x1: number, y: number): void {
    const { plane, source, data, width, channel, least, most } = this;
    for (let x = x0; x < x1; x++) {
      const pixel = y * width + x;
      const at = 4 * pixel + channel;
      const value = plane[pixel] - LIFT;
      if (Math.abs(value - source[at]) <= LEAST_CHANGE) continue;
      data[at] = this.limited(Math.min(most, Math.max(least, Math.round(value))), x, y);
    }
  }

  /**
   * A level within those of a pixel and the eight around it and of even areas near it: beyond these only on a side where they go beyond all even ones, as
   * a thin stroke does.
   */
  private limited(level: number, x: number, y: number): number {
    const { source, width, height, channel } = this;
    let least = 255;
    let most = 0;
    for (let v = y > 0 ? y - 1 : 0; v <= y + 1 && v < height; v++) {
      for (let u = x > 0 ? x - 1 : 0; u <= x + 1 && u < width; u++) {
        const here = source[4 * (v * width + u) + channel];
        if (here < least) least = here;
        if (here > most) most = here;
      }
    }
    if (most - least <= this.smooth) return source[4 * (y * width + x) + channel];
    if (level < least) {
      const even = this.lastEven(x, y, -1);
      return even <= least + SAME_LEVELS ? Math.max(level, Math.min(least, even)) : level;
    }
    if (level > most) {
      const even = this.lastEven(x, y, 1);
      return even >= most - SAME_LEVELS ? Math.min(level, Math.max(most, even)) : level;
    }
    return level;
  }

  /** The lowest (-1) or highest level of even pixels near one; beyond all levels where none is. */
  private lastEven(x: number, y: number, way: -1 | 1): number {
    const { source, width, height, channel } = this;
    const right = Math.min(width - 1, x + EVEN_PX);
    const bottom = Math.min(height - 1, y + EVEN_PX);
    let last = way * -256;
    for (let v = Math.max(0, y - EVEN_PX); v <= bottom; v++) {
      for (let u = Math.max(0, x - EVEN_PX); u <= right; u++) {
        const here = source[4 * (v * width + u) + channel];
        if (way * (here - last) > 0 && isEven(this.pixels, u, v)) last = here;
      }
    }
    return last;
  }
}
