import sharp from 'sharp';
import { renderDrawing } from '#adapters/tracing/fidelity/rasterize.js';
import type { Drawing } from '#domain/drawing/drawing.js';

/** RGB bytes. */
export interface RgbPicture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export interface PictureDifference {
  /** Mean of all channels, 0..255. */
  readonly mean: number;
  /** Share of pixels of which a channel differs by more than 32 of 255. */
  readonly far: number;
}

/** Pixels of two RGBA pictures of one size of which a color channel differs by more than so many levels. */
export function countFarther(
  a: { readonly data: ArrayLike<number> },
  b: { readonly data: ArrayLike<number> },
  levels: number,
): number {
  let count = 0;
  for (let i = 0; i < b.data.length; i += 4)
    if ([0, 1, 2].some((c) => Math.abs(a.data[i + c]! - b.data[i + c]!) > levels)) count++;
  return count;
}

/** The reference: the drawing on white (or `ground`, 0xRRGGBB), `scale` pixels a unit. */
export function referencePicture(drawing: Drawing, scale: number, ground = 0xffffff): RgbPicture {
  const width = Math.round(drawing.width * scale);
  const height = Math.round(drawing.height * scale);
  const pixels = renderDrawing(drawing, width, height);
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++)
    for (let c = 0; c < 3; c++) {
      const beneath = (ground >> (16 - 8 * c)) & 0xff;
      data[3 * i + c] = Math.round(pixels[4 * i + c]! + (beneath * (255 - pixels[4 * i + 3]!)) / 255);
    }
  return { width, height, data };
}

/** A picture file on white. */
export async function readPicture(file: Uint8Array | string): Promise<RgbPicture> {
  const { data, info } = await sharp(file)
    .flatten({ background: '#fff' })
    .removeAlpha()
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new TypeError(`${info.channels} channels`);
  return { width: info.width, height: info.height, data };
}

/** Each `by` x `by` pixels averaged to one; what is left over at the edges is cut off. */
export function averaged(picture: RgbPicture, by: number): RgbPicture {
  const { data } = picture;
  const width = Math.floor(picture.width / by);
  const height = Math.floor(picture.height / by);
  const small = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let v = 0; v < by; v++)
          for (let u = 0; u < by; u++) sum += data[((y * by + v) * picture.width + x * by + u) * 3 + c]!;
        small[(y * width + x) * 3 + c] = Math.round(sum / (by * by));
      }
  return { width, height, data: small };
}

/** Compares what two pictures have in common, from the top left. Throws RangeError where their sizes differ by more than a pixel. */
export function differenceOf(a: RgbPicture, b: RgbPicture): PictureDifference {
  if (Math.abs(a.width - b.width) > 1 || Math.abs(a.height - b.height) > 1)
    throw new RangeError(`sizes differ: ${a.width} x ${a.height} and ${b.width} x ${b.height}`);
  const width = Math.min(a.width, b.width);
  const height = Math.min(a.height, b.height);
  let sum = 0;
  let far = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let most = 0;
      for (let c = 0; c < 3; c++) {
        const difference = Math.abs(a.data[(y * a.width + x) * 3 + c]! - b.data[(y * b.width + x) * 3 + c]!);
        sum += difference;
        most = Math.max(most, difference);
      }
      if (most > 32) far++;
    }
  return { mean: sum / (width * height * 3), far: far / (width * height) };
}
