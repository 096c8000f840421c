import { medianOf } from '../math/median.js';
import type { EnginePicture } from '../types.js';
import { countBorderPixels, eachBorderPixel } from './border-pixels.js';
import { areEqual, levelOf, levelsBetween } from './premultiplied.js';

/** Red, green, blue, alpha: 0..255, not premultiplied. */
export type Rgba = readonly [number, number, number, number];

/** What may lie beyond the end of a picture: nothing, white paper, black. */
const NOTHING: Rgba = [0, 0, 0, 0];
const PAPERS: readonly Rgba[] = [
  [255, 255, 255, 255],
  [0, 0, 0, 255],
];
/** Shares of the outermost pixels that lie beyond: less is not worth a strip of its own. */
const LEAST_SHARE = 0.1;
const MOST_SHARE = 0.95;
/** And what a pixel shows none of it by. */
const NO_SHARE = 0.03;
/** How far apart those of two pixels beside each other are, at most, where the picture ends along a line. */
const SAME_SHARE = 0.03;
/** How far a pixel must be from what lies beyond to tell how much of it that is, levels in one channel. */
const TELLING = 40;
/** How far pixels may be off what the share makes of them, levels, and how many of them may be farther. */
const NEAR = 3;
const STRAY_SHARE = 0.1;
/** So large a share of those that could tell must do so; within so many px from where what they show ends it may be round, and there may be less of it. */
const TELLING_SHARE = 0.2;
const ROUND_PX = 5;
/** Share of the picture's border that a color takes at least whose ground that is. */
const GROUND_SHARE = 0.5;
/** Pixels that must tell of it at least, and that must be of another color than the first that does. */
const LEAST_PX = 8;
const OTHER_LEVELS = 48;

/**
 * What lies beyond one side of a picture that ends within its outermost pixels, as one does that was scaled to, or cut at, a fraction of a
 * pixel: wherever that can be told these show a share of it, the same or nearly so from one to the next, and those beneath none. What is opaque may be a line in a color of its own
 * as well, unless several colors end there alike, or some of what lies beyond is seen whole, or all around the picture. The `count`
 * outermost pixels are those from `first` by `step`, deeper ones follow by `inward`. Undefined where the side is not such a one.
 */
export function findBeyond(
  picture: EnginePicture,
  first: number,
  step: number,
  count: number,
  inward: number,
): Rgba | undefined {
  const { data } = picture;
  let isClear = false;
  let differing = 0;
  for (let k = 0; k < count; k++) {
    const outer = first + k * step;
    if (!areEqual(data, outer, outer + inward)) differing++;
    if (data[4 * outer + 3] < 255) isClear = true;
  }
  // Where a picture ends so, all that tells of it differs from what is beneath.
  if (differing < LEAST_PX) return undefined;
  if (isClear) return new SoftSide(data, first, step, count, inward, NOTHING).isSoft() ? NOTHING : undefined;
  const corner = cornerColor(picture);
  const last = first + (count - 1) * step;
  const isAtEnds = (color: Rgba) => isAlike(data, first, color) && isAlike(data, last, color);
  const papers = corner === undefined ? PAPERS : [...PAPERS, corner];
  return papers.find((paper) => {
    const side = new SoftSide(data, first, step, count, inward, paper);
    return side.isSoft() && (isAtEnds(paper) || side.isSureOfColor() || isGround(picture, paper));
  });
}

/** The color of all four corners; undefined where they differ. */
function cornerColor({ data, width, height }: EnginePicture): Rgba | undefined {
  const isSame = [width - 1, (height - 1) * width, width * height - 1].every((corner) => areEqual(data, 0, corner));
  return isSame ? [data[0], data[1], data[2], data[3]] : undefined;
}

function isAlike(data: EnginePicture['data'], pixel: number, color: Rgba): boolean {
  return color.every((level, c) => Math.abs(levelOf(data, pixel, c) - level) <= NEAR);
}

/** Whether most of a picture's border is of a color. */
function isGround(picture: EnginePicture, color: Rgba): boolean {
  let count = 0;
  eachBorderPixel(picture, (pixel) => {
    if (isAlike(picture.data, pixel, color)) count++;
  });
  return count >= GROUND_SHARE * countBorderPixels(picture);
}

/** One side, and one color that may lie beyond it. */
class SoftSide {
  /** Pixels at which all is what lies beyond. */
  private beyondPx = 0;
  /** Those that are far enough from it to tell how much of it there is. */
  private far = 0;

  private readonly data: EnginePicture['data'];
  private readonly first: number;
  private readonly step: number;
  private readonly count: number;
  private readonly inward: number;
  private readonly beyond: Rgba;

  constructor(data: EnginePicture['data'], first: number, step: number, count: number, inward: number, beyond: Rgba) {
    this.data = data;
    this.first = first;
    this.step = step;
    this.count = count;
    this.inward = inward;
    this.beyond = beyond;
  }

  isSoft(): boolean {
    const shares = this.measureShares();
    const told: number[] = [];
    let stray = 0;
    for (let k = 0; k < this.count; k++) {
      if (Number.isNaN(shares[k])) continue;
      const isBeside = (other: number | undefined) => Math.abs((other ?? Number.NaN) - shares[k]) <= SAME_SHARE;
      const isLevel = isBeside(shares[k - 1]) || isBeside(shares[k + 1]);
      if (isLevel && shares[k] > NO_SHARE && this.isShare(k, shares[k])) told.push(shares[k]);
      else if (shares[k] <= NO_SHARE || !this.isNearEnd(k)) stray++;
    }
    if (told.length < LEAST_PX || told.length < TELLING_SHARE * this.far) return false;
    const share = medianOf(Float64Array.from(told));
    return stray <= STRAY_SHARE * (told.length + stray) && share >= LEAST_SHARE && share <= MOST_SHARE;
  }

  /** Whether it can be no line in a color of its own. */
  isSureOfColor(): boolean {
    if (this.beyondPx >= LEAST_PX) return true;
    let own = -1;
    let others = 0;
    for (let k = 0; k < this.count; k++) {
      const inner = this.innerOf(k);
      if (this.contrast(inner) < TELLING) continue;
      if (own < 0) own = inner;
      else if (levelsBetween(this.data, own, inner) >= OTHER_LEVELS) others++;
    }
    return others >= LEAST_PX && this.far - others >= LEAST_PX;
  }

  /** Per outermost pixel how much of it lies beyond; NaN where that is not to be told. */
  private measureShares(): Float64Array {
    const shares = new Float64Array(this.count).fill(Number.NaN);
    for (let k = 0; k < this.count; k++) {
      const inner = this.innerOf(k);
      if (this.contrast(inner) >= TELLING) {
        this.far++;
        if (this.isClear(k)) shares[k] = this.shareAt(k);
      } else if (this.contrast(inner) <= NEAR && this.contrast(this.first + k * this.step) <= NEAR) this.beyondPx++;
    }
    return shares;
  }

  /** Whether the pixel beneath an outermost one is far from what lies beyond, and as those around it: where colors change towards the side, its end is none. */
  private isClear(k: number): boolean {
    const inner = this.innerOf(k);
    if (this.contrast(inner) < TELLING || this.comesCloser(inner)) return false;
    return (
      (k === 0 || this.isAs(inner, this.innerOf(k - 1))) &&
      (k + 1 === this.count || this.isAs(inner, this.innerOf(k + 1)))
    );
  }

  /** Whether a pixel is nearer to what lies beyond than the one beneath it. */
  private comesCloser(pixel: number): boolean {
    const deeper = pixel + this.inward;
    return !this.isAs(pixel, deeper) && this.contrast(pixel) < this.contrast(deeper);
  }

  /** Whether what an outermost pixel shows ends near to it, or the side does. */
  private isNearEnd(k: number): boolean {
    if (k < ROUND_PX || k + ROUND_PX >= this.count) return true;
    for (let j = k - ROUND_PX; j <= k + ROUND_PX; j++) if (!this.isAs(this.innerOf(k), this.innerOf(j))) return true;
    return false;
  }

  /** How much of an outermost pixel lies beyond, by least squares over the channels. */
  private shareAt(k: number): number {
    const inner = this.innerOf(k);
    let dot = 0;
    let length = 0;
    for (let c = 0; c < 4; c++) {
      const own = levelOf(this.data, inner, c);
      const full = this.beyond[c] - own;
      dot += (levelOf(this.data, this.first + k * this.step, c) - own) * full;
      length += full * full;
    }
    return length > 0 ? dot / length : 0;
  }

  private isShare(k: number, share: number): boolean {
    const inner = this.innerOf(k);
    for (let c = 0; c < 4; c++) {
      const own = levelOf(this.data, inner, c);
      const level = levelOf(this.data, this.first + k * this.step, c);
      if (Math.abs(level - own - share * (this.beyond[c] - own)) > NEAR) return false;
    }
    return true;
  }

  /** The pixel beneath an outermost one. */
  private innerOf(k: number): number {
    return this.first + k * this.step + this.inward;
  }

  /** Whether two pixels are of one color. */
  private isAs(one: number, other: number): boolean {
    for (let c = 0; c < 4; c++)
      if (Math.abs(levelOf(this.data, one, c) - levelOf(this.data, other, c)) > NEAR) return false;
    return true;
  }

  /** Levels between a pixel and what lies beyond, in the channel where they differ most. */
  private contrast(pixel: number): number {
    let most = 0;
    for (let c = 0; c < 4; c++) most = Math.max(most, Math.abs(levelOf(this.data, pixel, c) - this.beyond[c]));
    return most;
  }
}
