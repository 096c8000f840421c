import type { EnginePicture } from '../types.js';
import { countBorderPixels, eachBorderPixel } from './border-pixels.js';
import { areEqual, levelsBetween } from './premultiplied.js';
import { endRound } from './round-ends.js';
import { findBeyond, type Rgba } from './soft-side.js';

/** A value for every side of a picture. */
export interface Sides<T> {
  readonly left: T;
  readonly top: T;
  readonly right: T;
  readonly bottom: T;
}

/** How wide a picture's margin is on every side, 0 to 2 px, and its color there. */
export interface Margin extends Sides<number> {
  readonly colors: Sides<Rgba>;
}

/** Beyond what ends within its outermost pixels nothing is known of a color but from the margin: as wide as even areas are at least. */
const BEYOND_PX = 2;

/** Pixels over which a round outline comes up to the picture's border on either side of where it touches that, each with more of it. */
const RISE_PX = 3;
/** How deep within the shape its own color is looked for, px, and the next px must have it too. */
const DEEP_PX = 2;
/**
 * What a shape differs from the ground by, levels summed over the channels, how much of that its outermost pixel shows at most, and by
 * how much its own pixels differ at most: it may be shaded, but a glow is nowhere even.
 */
const LEAST_CONTRAST = 48;
const FIRST_SHARE = 0.6;
const SHADED_SHARE = 0.1;
/** Share of the picture's border, at least, that is of the ground's color where shapes lie along it. */
const GROUND_SHARE = 0.25;
/** Smaller pictures have no room for all this. */
const LEAST_SIDE = 8;

/**
 * The margin that a picture is to be traced with. Of its ground's color it is on every side where all that comes up to the border does so as a
 * round outline does, from within, as a disk or a box with round corners that just fits into the picture, or lies along it and ends round, as the
 * letters of a logo do that is cut close: cut off by the border, that would
 * be pieces of ground upon a shape; with the margin it is one shape on its ground. Of the color of what lies beyond it is where the
 * picture ends within its outermost pixels: there is where an edge lies, and no line in as many colors as end in it. Undefined where there
 * is no such side.
 */
export function findMargin(picture: EnginePicture): Margin | undefined {
  const { width, height } = picture;
  if (Math.min(width, height) < LEAST_SIDE || picture.data.length !== width * height * 4) return undefined;
  const border = new BorderReader(picture);
  const sideOf = (first: number, step: number, count: number, inward: number) => {
    const own = border.colorAt(first);
    if (border.isTouched(first, step, count, inward)) return { px: 1, color: own };
    const beyond = findBeyond(picture, first, step, count, inward);
    if (beyond !== undefined) return { px: BEYOND_PX, color: beyond };
    if (border.isEven(first, step, count)) return { px: 0, color: own };
    const ground = border.grounds.find((color) => endRound(picture, color, first, step, count, inward));
    return ground === undefined ? { px: 0, color: own } : { px: 1, color: ground };
  };
  const left = sideOf(0, width, height, 1);
  const top = sideOf(0, 1, width, width);
  const right = sideOf(width - 1, width, height, -1);
  const bottom = sideOf((height - 1) * width, 1, width, -width);
  if (left.px + top.px + right.px + bottom.px === 0) return undefined;
  const colors = { left: left.color, top: top.color, right: right.color, bottom: bottom.color };
  return { left: left.px, top: top.px, right: right.px, bottom: bottom.px, colors };
}

class BorderReader {
  private readonly picture: EnginePicture;
  private readonly data: EnginePicture['data'];
  /** A pixel of the ground on the side at hand. */
  private sideGround = 0;
  private foundGrounds: readonly Rgba[] | undefined;

  constructor(picture: EnginePicture) {
    this.picture = picture;
    this.data = picture.data;
  }

  /** The colors that are seen along the picture's border as much as a ground is, most first; counted when they are first asked for. */
  get grounds(): readonly Rgba[] {
    this.foundGrounds ??= this.findGrounds();
    return this.foundGrounds;
  }

  private findGrounds(): readonly Rgba[] {
    const { data } = this.picture;
    const counts = new Map<number, { readonly pixel: number; px: number }>();
    eachBorderPixel(this.picture, (pixel) => {
      const at = 4 * pixel;
      const word = (data[at] << 24) | (data[at + 1] << 16) | (data[at + 2] << 8) | data[at + 3];
      const known = counts.get(word);
      if (known === undefined) counts.set(word, { pixel, px: 1 });
      else known.px++;
    });
    const least = GROUND_SHARE * countBorderPixels(this.picture);
    const grounds = [...counts.values()].filter(({ px }) => px >= least).sort((a, b) => b.px - a.px);
    return grounds.map(({ pixel }) => this.colorAt(pixel));
  }

  /** Whether one side is all of one color. */
  isEven(first: number, step: number, count: number): boolean {
    for (let k = 1; k < count; k++) if (!areEqual(this.data, first, first + k * step)) return false;
    return true;
  }

  /** Whether shapes touch one side of the picture, and all as round ones do: of `count` pixels from `first`, and deeper ones by `inward`. */
  isTouched(first: number, step: number, count: number, inward: number): boolean {
    this.sideGround = first;
    if (!this.isGround(first + (count - 1) * step)) return false;
    let isTouched = false;
    for (let k = 1; k < count; k++) {
      if (this.isGround(first + k * step)) continue;
      const from = k;
      while (!this.isGround(first + (k + 1) * step)) k++;
      const isLong = k - from + 1 >= 2 * RISE_PX - 1;
      if (!isLong || !this.rises(first + from * step, step, inward) || !this.rises(first + k * step, -step, inward))
        return false;
      isTouched = true;
    }
    return isTouched;
  }

  /** Whether more and more of a shape is seen from a pixel on, which lies beneath all of these. */
  private rises(pixel: number, step: number, inward: number): boolean {
    const deep = pixel + DEEP_PX * inward;
    const contrast = levelsBetween(this.data, deep, this.sideGround);
    if (contrast < LEAST_CONTRAST || levelsBetween(this.data, pixel, this.sideGround) > FIRST_SHARE * contrast)
      return false;
    const most = SHADED_SHARE * contrast;
    for (let n = 0; n < RISE_PX; n++) {
      const own = deep + n * step;
      if (levelsBetween(this.data, own, deep) > most || levelsBetween(this.data, own + inward, deep) > most)
        return false;
      const outer = pixel + n * step;
      if (
        n > 0 &&
        levelsBetween(this.data, outer, this.sideGround) <= levelsBetween(this.data, outer - step, this.sideGround)
      )
        return false;
    }
    return true;
  }

  colorAt(pixel: number): Rgba {
    const { data } = this;
    const at = 4 * pixel;
    return [data[at], data[at + 1], data[at + 2], data[at + 3]];
  }

  /** Whether a pixel is exactly as the ground, or as transparent. */
  private isGround(pixel: number): boolean {
    return levelsBetween(this.data, pixel, this.sideGround) === 0;
  }
}

/** The picture with a margin: level sides reach over the upright ones. */
export function withMargin({ width, height, data }: EnginePicture, margin: Margin): EnginePicture {
  const { left, top, right, bottom, colors } = margin;
  const wide = width + left + right;
  const high = height + top + bottom;
  const bytes = new Uint8Array(wide * high * 4);
  fillPixels(bytes, colors.top, 0, top * wide);
  fillPixels(bytes, colors.bottom, (high - bottom) * wide, high * wide);
  for (let y = 0; y < height; y++) {
    const row = (y + top) * wide;
    fillPixels(bytes, colors.left, row, row + left);
    bytes.set(data.subarray(y * width * 4, (y + 1) * width * 4), (row + left) * 4);
    fillPixels(bytes, colors.right, row + wide - right, row + wide);
  }
  return { width: wide, height: high, data: bytes };
}

function fillPixels(bytes: Uint8Array, color: Rgba, from: number, to: number): void {
  for (let at = 4 * from; at < 4 * to; at++) bytes[at] = color[at & 3];
}
