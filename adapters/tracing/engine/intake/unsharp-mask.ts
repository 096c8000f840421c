import type { UnsharpMask } from '../types.js';
import type { ChangingTiles } from './changing-tiles.js';
import { GaussianBlur } from './gaussian.js';

const BLACK = 0;
const WHITE = 255;
const MOST_ROUNDS = 12;
/** Levels beyond black or white from which a pixel was cut off there for certain. */
const CUT_LEVELS = 1;
/** Neighbors that are to be so near, levels, where an area is even, and how far off one is looked for: px, and standard deviations. */
const EVEN_LEVELS = 2.5;
const EVEN_PX = 2;
const EVEN_TIMES = 1.5;
/** What a pixel's distance counts against levels, squared; and levels that it does not show. */
const DISTANCE_SHARE = 0.5;
const CUT_SHARE = 0.25;
/** A color that is this far from what a pixel shows is not its own, levels. */
const MOST_LEVELS = 80;

/**
 * Takes unsharp masks from planes of one size. An unsharp mask's inverse is a filter that smooths, so that noise does not grow: it is solved for by
 * Richardson's iteration, with steps by the roots of Chebyshev's polynomials (Young, On Richardson's method, 1953): a sharpened picture less its blurred
 * self leaves of every frequency between 1 and `1 + amount` times what there was, and no step is far off for any of these.
 */
export class Unmasker {
  private readonly width: number;
  private readonly height: number;
  private readonly gaussian: GaussianBlur;
  private readonly blurred: Float64Array;
  private amount = 0;
  private radiusPx = 0;

  /** With `tiles`, which are as wide as masks reach at least, what is outside of them is even. */
  constructor(width: number, height: number, tiles?: ChangingTiles) {
    this.width = width;
    this.height = height;
    this.gaussian = new GaussianBlur(width, height, tiles);
    this.blurred = new Float64Array(width * height);
  }

  setMask({ radiusPx, amount }: UnsharpMask): void {
    this.radiusPx = radiusPx;
    this.amount = amount;
    this.gaussian.setRadius(radiusPx);
  }

  /**
   * Brings a plane from where it begins to what, sharpened, is `seen` (0..255), within so many levels of a contrast of all there are; pixels that are
   * cut off there stay where they begin, as far as that explains it.
   */
  solve(seen: Float64Array, plane: Float64Array, within: number): void {
    const { amount, blurred } = this;
    const rounds = roundsFor(amount, within);
    for (let round = 0; round < rounds; round++) {
      const root = Math.cos((Math.PI * (2 * round + 1)) / (2 * rounds));
      const step = 1 / (1 + amount * (0.5 + 0.5 * root));
      this.gaussian.blur(plane, blurred);
      for (let i = 0; i < plane.length; i++) {
        const level = plane[i];
        const sharpened = level + amount * (level - blurred[i]);
        const off = seen[i] - sharpened;
        const isCutOff = (off >= 0 && seen[i] <= BLACK) || (off <= 0 && seen[i] >= WHITE);
        if (!isCutOff) plane[i] = level + step * off;
      }
    }
  }

  /**
   * Gives what was cut off, and beside an edge of a dark shape is black instead of dark, the levels of an even area near it: that whose color comes
   * nearest in what the pixel shows. Planes of one picture, each with what is seen of it. Returns how many pixels there are.
   */
  fillIn(seen: readonly Float64Array[], planes: readonly Float64Array[]): number {
    const cut = planes.map((plane, c) => this.findCutOff(seen[c], plane));
    const isAnyCut = new Uint8Array(this.blurred.length);
    for (const of of cut) for (let i = 0; i < of.length; i++) isAnyCut[i] |= of[i];
    const even = this.findEven(planes, isAnyCut);
    const { width, height } = this;
    const found = new Int32Array(isAnyCut.length).fill(-1);
    let count = 0;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const pixel = y * width + x;
        if (isAnyCut[pixel] === 0) continue;
        found[pixel] = this.findLike(x, y, planes, cut, even);
        if (found[pixel] >= 0) count++;
      }
    }
    // Even areas are not cut off: what is read here is not written.
    for (let c = 0; c < planes.length; c++)
      for (let i = 0; i < found.length; i++) if (found[i] >= 0 && cut[c][i] === 1) planes[c][i] = planes[c][found[i]];
    return count;
  }

  /** The pixels (1) that are black or white because what the mask makes of them is beyond that. */
  private findCutOff(seen: Float64Array, plane: Float64Array): Uint8Array {
    const { blurred } = this;
    this.gaussian.blur(plane, blurred);
    const cut = new Uint8Array(plane.length);
    for (let i = 0; i < cut.length; i++) {
      const sharpened = plane[i] + this.amount * (plane[i] - blurred[i]);
      const isBeyond =
        seen[i] <= BLACK ? sharpened < BLACK - CUT_LEVELS : seen[i] >= WHITE && sharpened > WHITE + CUT_LEVELS;
      if (isBeyond) cut[i] = 1;
    }
    return cut;
  }

  /** The pixels (1) whose neighbors are of their color, and neither they nor these cut off. */
  private findEven(planes: readonly Float64Array[], isCut: Uint8Array): Uint8Array {
    const { width, height } = this;
    const even = new Uint8Array(isCut.length);
    for (let y = 1; y + 1 < height; y++) {
      for (let x = 1, i = y * width + 1; x + 1 < width; x++, i++) {
        if (isCut[i] === 1) continue;
        even[i] = 1;
        for (const plane of planes) if (!isEvenAt(plane, i, width, isCut)) even[i] = 0;
      }
    }
    return even;
  }

  /** The even pixel near a place that is most like what it shows; -1 where none is. */
  private findLike(
    x: number,
    y: number,
    planes: readonly Float64Array[],
    cut: readonly Uint8Array[],
    even: Uint8Array,
  ): number {
    const { width, height } = this;
    const reach = EVEN_PX + Math.ceil(EVEN_TIMES * this.radiusPx);
    const pixel = y * width + x;
    const right = Math.min(width - 1, x + reach);
    const bottom = Math.min(height - 1, y + reach);
    let found = -1;
    let best = MOST_LEVELS * MOST_LEVELS;
    for (let v = Math.max(0, y - reach); v <= bottom; v++) {
      for (let u = Math.max(0, x - reach); u <= right; u++) {
        const at = v * width + u;
        if (even[at] === 0) continue;
        let off = DISTANCE_SHARE * ((u - x) ** 2 + (v - y) ** 2);
        for (let c = 0; c < planes.length; c++) {
          const levels = planes[c][at] - planes[c][pixel];
          off += (cut[c][pixel] === 1 ? CUT_SHARE : 1) * levels * levels;
        }
        if (off >= best) continue;
        best = off;
        found = at;
      }
    }
    return found;
  }
}

/** Rounds after which no more is left of an error. */
function roundsFor(amount: number, within: number): number {
  const root = Math.sqrt(1 + amount);
  const rate = (root - 1) / (root + 1);
  return Math.min(MOST_ROUNDS, Math.max(1, Math.ceil(Math.log(within / (2 * WHITE)) / Math.log(rate))));
}

function isEvenAt(plane: Float64Array, i: number, width: number, isCut: Uint8Array): boolean {
  const level = plane[i];
  return (
    isNear(plane, i - 1, level, isCut) &&
    isNear(plane, i + 1, level, isCut) &&
    isNear(plane, i - width, level, isCut) &&
    isNear(plane, i + width, level, isCut)
  );
}

function isNear(plane: Float64Array, i: number, level: number, isCut: Uint8Array): boolean {
  return isCut[i] === 0 && Math.abs(plane[i] - level) <= EVEN_LEVELS;
}
