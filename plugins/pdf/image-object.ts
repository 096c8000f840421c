import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { ImageItem } from '#domain/drawing/drawing.js';
import type { PdfRef } from './content.js';
import type { NewObject } from './paints.js';

/** What readers must do with an image's bytes; pixels by rows from the top left. */
export interface ImageData {
  readonly colorSpace: 'DeviceRGB' | 'DeviceGray';
  readonly filter: 'DCTDecode' | 'FlateDecode';
  readonly colors: Uint8Array;
  /** Deflated, one byte a pixel; left out where all is opaque. */
  readonly alpha?: Uint8Array;
}

/** JPEG files as they are, anything else as deflated pixels. */
export async function readImageData({ bytes, mediaType }: ImageItem): Promise<ImageData> {
  if (mediaType === 'image/jpeg') {
    const { channels } = await sharp(bytes).metadata();
    if (channels === 1 || channels === 3)
      return { colorSpace: channels === 1 ? 'DeviceGray' : 'DeviceRGB', filter: 'DCTDecode', colors: bytes };
  }
  const pixels = await sharp(bytes).toColourspace('srgb').ensureAlpha().raw().toBuffer();
  const count = pixels.length / 4;
  const rgb = new Uint8Array(3 * count);
  const alpha = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    rgb.set(pixels.subarray(4 * i, 4 * i + 3), 3 * i);
    alpha[i] = pixels[4 * i + 3]!;
  }
  const colors = deflateSync(rgb);
  const opaque = alpha.every((value) => value === 255);
  return {
    colorSpace: 'DeviceRGB',
    filter: 'FlateDecode',
    colors,
    ...(!opaque && { alpha: deflateSync(alpha) }),
  };
}

export function imageObject(newObject: NewObject, image: ImageItem, data: ImageData): PdfRef {
  const common = {
    Type: 'XObject',
    Subtype: 'Image',
    Width: image.width,
    Height: image.height,
    BitsPerComponent: 8,
    Interpolate: !image.pixelated,
  };
  const mask = data.alpha && newObject({ ...common, ColorSpace: 'DeviceGray', Filter: 'FlateDecode' }, data.alpha);
  return newObject(
    { ...common, ColorSpace: data.colorSpace, Filter: data.filter, ...(mask && { SMask: mask }) },
    data.colors,
  );
}
