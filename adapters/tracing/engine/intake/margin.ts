import type { EnginePicture } from '../types.js';

/** How wide the margin is on every side, px. */
export const MARGIN_PX = 1;
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
 * The picture with a margin of its ground's color, where all that comes up to its border does so as a round outline does, from within: a disk or a
 * box with round corners that just fits into it. Cut off by the border, that would be four pieces of ground upon a shape; with the
 * margin it is one shape on its ground. Undefined where something runs on beyond the border, or nothing touches it.
 */
export function withMargin(picture: EnginePicture): EnginePicture | undefined {
  const { width, height } = picture;
  if (Math.min(width, height) < LEAST_SIDE || picture.data.length !== width * height * 4) return undefined;
  const right = width - 1;
  const bottom = (height - 1) * width;
  const border = new BorderReader(picture);
  const sides = [
    border.findTouches(0, 1, width, width),
    border.findTouches(bottom, 1, width, -width),
    border.findTouches(0, width, height, 1),
    border.findTouches(right, width, height, -1),
  ];
  const isFitting = sides.every((touches) => touches >= 0) && sides.some((touches) => touches > 0);
  return isFitting ? widened(picture) : undefined;
}

class BorderReader {
  private readonly data: EnginePicture['data'];

  constructor({ data }: EnginePicture) {
    this.data = data;
  }

  /** How many shapes touch one side of the picture, -1 where one runs on beyond it: of `count` pixels from `first`, and deeper ones by `inward`. */
  findTouches(first: number, step: number, count: number, inward: number): number {
    if (!this.isGround(first) || !this.isGround(first + (count - 1) * step)) return -1;
    let touches = 0;
    for (let k = 1; k < count; k++) {
      if (this.isGround(first + k * step)) continue;
      const from = k;
      while (!this.isGround(first + (k + 1) * step)) k++;
      const isLong = k - from + 1 >= 2 * RISE_PX - 1;
      if (!isLong || !this.rises(first + from * step, step, inward) || !this.rises(first + k * step, -step, inward))
        return -1;
      touches++;
    }
    return touches;
  }

  /** Whether more and more of a shape is seen from a pixel on, which lies beneath all of these. */
  private rises(pixel: number, step: number, inward: number): boolean {
    const deep = pixel + DEEP_PX * inward;
    const contrast = this.difference(deep, 0);
    if (contrast < LEAST_CONTRAST || this.difference(pixel, 0) > FIRST_SHARE * contrast) return false;
    const most = SHADED_SHARE * contrast;
    for (let n = 0; n < RISE_PX; n++) {
      const own = deep + n * step;
      if (this.difference(own, deep) > most || this.difference(own + inward, deep) > most) return false;
      const outer = pixel + n * step;
      if (n > 0 && this.difference(outer, 0) <= this.difference(outer - step, 0)) return false;
    }
    return true;
  }

  /** Whether a pixel is exactly as the picture's first one, or as transparent. */
  private isGround(pixel: number): boolean {
    return this.difference(pixel, 0) === 0;
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

function widened({ width, height, data }: EnginePicture): EnginePicture {
  const wide = width + 2 * MARGIN_PX;
  const high = height + 2 * MARGIN_PX;
  const bytes = new Uint8Array(wide * high * 4);
  new Uint32Array(bytes.buffer).fill(new Uint32Array(data.slice(0, 4).buffer)[0]);
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * width * 4, (y + 1) * width * 4);
    bytes.set(row, ((y + MARGIN_PX) * wide + MARGIN_PX) * 4);
  }
  return { width: wide, height: high, data: bytes };
}
