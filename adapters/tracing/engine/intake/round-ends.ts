import type { EnginePicture } from '../types.js';
import { levelOf } from './premultiplied.js';
import type { Rgba } from './soft-side.js';

/** Px from where a shape ends along the picture's border, into it and beyond it, that are looked at, and how many rows of them. */
const INTO_PX = 5;
const BEYOND_PX = 4;
const ROWS = 3;
/** What a shape must differ from the ground by, levels summed over the channels. */
const LEAST_CONTRAST = 48;
/** How near to a color pixels must be that show it alone, as a share of that; and how far off its mixtures with the ground any may be, levels. */
const NEAR_SHARE = 0.04;
const OFF_LEVELS = 6;
/** By how much less than a straight edge would leave it the outermost row has of a shape that ends round, px at least, and by how much at most of one that does not. */
const ROUND_PX = 0.2;
const STRAIGHT_PX = 0.08;

/**
 * Whether shapes that lie along a side of a picture end round there, as boxes and letters with round corners do where these just fit into it: at most of the
 * ends that can be told, the outermost row has less of the shape than an edge that goes on straight from the rows beneath would leave it. The `count` outermost
 * pixels are those from `first` by `step`, deeper ones follow by `inward`. Between the shapes is the ground, and beneath it too.
 */
export function endRound(
  picture: EnginePicture,
  ground: Rgba,
  first: number,
  step: number,
  count: number,
  inward: number,
): boolean {
  const side = new ShapedSide(picture, ground, first, step, count, inward);
  let round = 0;
  let straight = 0;
  let deepGround = 0;
  let grounds = 0;
  for (let k = 0; k < count; k++) {
    if (side.isGround(k, 0)) {
      grounds++;
      if (side.isGround(k, 1)) deepGround++;
      continue;
    }
    const from = k;
    while (k + 1 < count && !side.isGround(k + 1, 0)) k++;
    for (const missing of [side.missingAt(from, -1), side.missingAt(k, 1)]) {
      if (missing > ROUND_PX) round++;
      else if (missing < STRAIGHT_PX) straight++;
    }
  }
  // A row of mixed pixels has nothing of its color beneath it.
  return round > straight && 2 * deepGround >= grounds;
}

class ShapedSide {
  private readonly data: EnginePicture['data'];
  private readonly first: number;
  private readonly step: number;
  private readonly count: number;
  private readonly inward: number;
  /** Premultiplied, and what the shape at hand has more of each channel; the sum of its squares. */
  private readonly ground: Float64Array;
  private readonly more = new Float64Array(4);
  private moreSq = 0;

  constructor({ data }: EnginePicture, ground: Rgba, first: number, step: number, count: number, inward: number) {
    this.data = data;
    this.first = first;
    this.step = step;
    this.count = count;
    this.inward = inward;
    this.ground = Float64Array.from(ground, (value, c) => (c === 3 ? value : (value * ground[3]) / 255));
  }

  /** Whether a pixel, so many rows beneath the outermost one, is exactly as the ground. */
  isGround(k: number, row: number): boolean {
    const pixel = this.pixel(k, row);
    return this.ground.every((level, c) => levelOf(this.data, pixel, c) === level);
  }

  /**
   * By how much less the outermost row has of a shape that ends at pixel `end` of the side than its edge would leave it if it went on from the two rows
   * beneath, px; NaN where that is not to be told.
   */
  missingAt(end: number, outward: 1 | -1): number {
    const { count } = this;
    const innermost = end - INTO_PX * outward;
    if (innermost < 0 || innermost >= count || !this.takeShape(this.pixel(innermost, ROWS))) return Number.NaN;
    const wanted = end + BEYOND_PX * outward;
    const outermost = Math.max(0, Math.min(count - 1, wanted));
    const widths = new Float64Array(ROWS);
    for (let row = 0; row < ROWS; row++) {
      for (let k = innermost; k !== outermost + outward; k += outward) {
        const share = this.shareAt(this.pixel(k, row));
        const isInside = k === innermost || k === innermost + outward;
        if (isInside && !(Math.abs(share - 1) <= NEAR_SHARE)) return Number.NaN;
        if (k === wanted && !(Math.abs(share) <= NEAR_SHARE)) return Number.NaN;
        widths[row] += share;
      }
    }
    return 2 * widths[1] - widths[2] - widths[0];
  }

  private pixel(k: number, row: number): number {
    return this.first + k * this.step + row * this.inward;
  }

  /** Takes the color of a pixel for the shape's; whether it is far enough from the ground. */
  private takeShape(pixel: number): boolean {
    const { more, ground, data } = this;
    let levels = 0;
    this.moreSq = 0;
    for (let c = 0; c < 4; c++) {
      more[c] = levelOf(data, pixel, c) - ground[c];
      levels += Math.abs(more[c]);
      this.moreSq += more[c] * more[c];
    }
    return levels >= LEAST_CONTRAST;
  }

  /** How much of a pixel the shape covers; NaN where there is something else in it. */
  private shareAt(pixel: number): number {
    const { more, ground, data, moreSq } = this;
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += (levelOf(data, pixel, c) - ground[c]) * more[c];
    const share = dot / moreSq;
    for (let c = 0; c < 4; c++)
      if (Math.abs(levelOf(data, pixel, c) - ground[c] - share * more[c]) > OFF_LEVELS) return Number.NaN;
    return share;
  }
}
