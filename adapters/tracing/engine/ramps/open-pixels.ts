import type { WorkingPixels } from '../intake/working-pixels.js';
import { UNEXPLAINED } from '../segment/label-flat.js';
import { meanOutmost, pixelDistanceSq } from '../segment/outmost-color.js';
import { LIKE_SQ } from '../segment/rescue-thin-colors.js';

/** A pixel this far from every mixture, squared, has some other color in it: as in flat art. */
export const UNEXPLAINED_SQ = UNEXPLAINED * UNEXPLAINED;
/** A color explains pixels that are so near to its mixtures, squared. */
export const EXPLAINED_SQ = 10 * 10;
/** So many of those that are of a color touch others. */
const LEAST_TOUCHING = 4;
const MOST_COLORS = 8;
/** Pixels that are like too few others, after which there is no color to be found: confetti. */
const MOST_FAILURES = 64;

/** Pixels that no color explains so far, with what is around each. */
export abstract class OpenPixels {
  count = 0;
  readonly pixels: Int32Array;
  /** Squared distances from the nearest mixtures, and whether (1) a pixel has been looked at. */
  private readonly errors: Float64Array;
  private readonly given: Uint8Array;

  /** With room for so many. */
  constructor(most: number) {
    this.pixels = new Int32Array(most);
    this.errors = new Float64Array(most);
    this.given = new Uint8Array(most);
  }

  protected add(pixel: number, error: number): void {
    this.pixels[this.count] = pixel;
    this.errors[this.count++] = error;
  }

  /** Squared distance of the n-th of them from the nearest mixture with a color. */
  protected abstract distanceSq(n: number, color: Float64Array): number;

  /** The pixel farthest from all mixtures that has not been asked for; -1 where none is far. */
  worst(): number {
    let worst = -1;
    for (let n = 0; n < this.count; n++) {
      if (this.given[n] === 1 || this.errors[n] <= UNEXPLAINED_SQ) continue;
      if (worst < 0 || this.errors[n] > this.errors[worst]) worst = n;
    }
    if (worst < 0) return -1;
    this.given[worst] = 1;
    return this.pixels[worst];
  }

  /** Those that are of about a pixel's color. */
  like(rgba: Uint8Array, pixel: number): number[] {
    const like: number[] = [];
    for (let n = 0; n < this.count; n++)
      if (this.errors[n] > UNEXPLAINED_SQ && pixelDistanceSq(rgba, this.pixels[n], pixel) < LIKE_SQ)
        like.push(this.pixels[n]);
    return like;
  }

  /** Takes one color more into account. */
  explain(color: Float64Array): void {
    for (let n = 0; n < this.count; n++) {
      const error = this.distanceSq(n, color);
      if (error >= this.errors[n]) continue;
      this.errors[n] = error;
      this.improved(n, error);
    }
  }

  /** Called where the color that was taken into account last comes nearer to the n-th of them than all before. */
  protected improved(_n: number, _error: number): void {}
}

/**
 * The colors that explain most of them, four channels each: as thin colors are rescued in flat art, with ramps for the ground. Pixels that are like one another and touch are of a
 * color, if these are `worthIt`.
 */
export function findUnseenColors(
  open: OpenPixels,
  { rgba, width, words }: WorkingPixels,
  worthIt: (pixels: readonly number[]) => boolean = () => true,
): number[] {
  const isOpen = new Uint8Array(words.length);
  for (let n = 0; n < open.count; n++) isOpen[open.pixels[n]] = 1;
  const steps = [-width - 1, -width, 1 - width, -1, 1, width - 1, width, width + 1];
  const touches = (i: number) => steps.some((step) => isOpen[i + step] === 1);
  const found: number[] = [];
  for (let failures = 0; failures < MOST_FAILURES && found.length < MOST_COLORS * 4; ) {
    const worst = open.worst();
    if (worst < 0) break;
    const like = open.like(rgba, worst);
    if (like.filter(touches).length < LEAST_TOUCHING || !worthIt(like)) {
      failures++;
      continue;
    }
    const color = meanOutmost(rgba, like, worst);
    found.push(...color);
    open.explain(color);
  }
  return found;
}
