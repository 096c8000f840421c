import type { EnginePicture } from '../types.js';

/** How wide a picture's margin is on every side, 0 or 1 px. */
export interface Margin {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

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
/** Smaller pictures have no room for all this. */
const LEAST_SIDE = 8;

/**
 * The margin of its ground's color that a picture is to be traced with: on every side where all that comes up to the border does so as a round
 * outline does, from within, as a disk or a box with round corners that just fits into the picture. Cut off by the border, that would be
 * pieces of ground upon a shape; with the margin it is one shape on its ground. Undefined where there is no such side.
 */
export function findMargin(picture: EnginePicture): Margin | undefined {
  const { width, height } = picture;
  if (Math.min(width, height) < LEAST_SIDE || picture.data.length !== width * height * 4) return undefined;
  const right = width - 1;
  const bottom = (height - 1) * width;
  const border = new BorderReader(picture);
  const margin = {
    left: border.isTouched(0, width, height, 1) ? 1 : 0,
    top: border.isTouched(0, 1, width, width) ? 1 : 0,
    right: border.isTouched(right, width, height, -1) ? 1 : 0,
    bottom: border.isTouched(bottom, 1, width, -width) ? 1 : 0,
  };
  return margin.left + margin.top + margin.right + margin.bottom > 0 ? margin : undefined;
}

class BorderReader {
  private readonly data: EnginePicture['data'];
  /** A pixel of the ground on the side at hand. */
  private ground = 0;

  constructor({ data }: EnginePicture) {
    this.data = data;
  }

  /** Whether shapes touch one side of the picture, and all as round ones do: of `count` pixels from `first`, and deeper ones by `inward`. */
  isTouched(first: number, step: number, count: number, inward: number): boolean {
    this.ground = first;
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
    const contrast = this.difference(deep, this.ground);
    if (contrast < LEAST_CONTRAST || this.difference(pixel, this.ground) > FIRST_SHARE * contrast) return false;
    const most = SHADED_SHARE * contrast;
    for (let n = 0; n < RISE_PX; n++) {
      const own = deep + n * step;
      if (this.difference(own, deep) > most || this.difference(own + inward, deep) > most) return false;
      const outer = pixel + n * step;
      if (n > 0 && this.difference(outer, this.ground) <= this.difference(outer - step, this.ground)) return false;
    }
    return true;
  }

  /** Whether a pixel is exactly as the ground, or as transparent. */
  private isGround(pixel: number): boolean {
    return this.difference(pixel, this.ground) === 0;
  }

  /** Levels by which two pixels differ, premultiplied and summed. */
  private difference(a: number, b: number): number {
    const { data } = this;
    const alphaA = data[4 * a + 3];
    const alphaB = data[4 * b + 3];
    let sum = Math.abs(alphaA - alphaB);
    for (let c = 0; c < 3; c++) sum += Math.abs(data[4 * a + c] * alphaA - data[4 * b + c] * alphaB) / 255;
    return sum;
  }
}

/** The picture with a margin: each side's is of the color of its corners. */
export function withMargin({ width, height, data }: EnginePicture, margin: Margin): EnginePicture {
  const wide = width + margin.left + margin.right;
  const high = height + margin.top + margin.bottom;
  const bytes = new Uint8Array(wide * high * 4);
  for (let y = 0; y < high; y++) {
    const own = Math.max(0, Math.min(height - 1, y - margin.top));
    const isOutside = own !== y - margin.top;
    // Outside, the corner is the row's own first pixel; beside the rows, the sides' first pixels are.
    const corner = isOutside ? own * width : 0;
    for (let x = 0; x < (isOutside ? wide : margin.left); x++) copyPixel(data, corner, bytes, y * wide + x);
    if (isOutside) continue;
    bytes.set(data.subarray(own * width * 4, (own + 1) * width * 4), (y * wide + margin.left) * 4);
    if (margin.right > 0) copyPixel(data, width - 1, bytes, (y + 1) * wide - 1);
  }
  return { width: wide, height: high, data: bytes };
}

function copyPixel(from: EnginePicture['data'], source: number, to: Uint8Array, target: number): void {
  for (let c = 0; c < 4; c++) to[4 * target + c] = from[4 * source + c];
}
