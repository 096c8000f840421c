import type { DecodedImage, ImageDecoder } from '#application/ports/image-decoder.js';
import { ServiceError } from '#domain/errors.js';
import { decodeBmp } from './bmp-decoder.js';
import { detectImageKind, type ImageKind } from './image-kind.js';
import { type ImageSize, readImageSize } from './image-size.js';
import { loadSharp, type SharpFactory } from './sharp-loaders.js';
import { unreadableImage } from './unreadable-image.js';

export interface ImageDecoderOptions {
  /** Pictures with more pixels (width x height) are refused. Default 50 million. */
  readonly maxPixels?: number;
}

const DEFAULT_MAX_PIXELS = 50_000_000;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const toPixels = async (sharp: SharpFactory, bytes: Uint8Array, maxPixels: number) => {
  const { data, info } = await sharp(bytes, {
    limitInputPixels: maxPixels,
    // Refuses damage and missing data; harmless irregularities, such as a wrong colour profile, are read.
    failOn: 'error',
    sequentialRead: true,
    page: 0,
    pages: 1,
    autoOrient: true,
  })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels, data };
};

/** Another thread that loads sharp for the first time shuts all readers for some microseconds: one more try sees them open. */
const toPixelsDespiteBlocking = async (sharp: SharpFactory, bytes: Uint8Array, maxPixels: number) => {
  try {
    return await toPixels(sharp, bytes, maxPixels);
  } catch (error) {
    if (!messageOf(error).includes('unsupported image format')) throw error;
    return await toPixels(sharp, bytes, maxPixels);
  }
};

const toRefusal = (error: unknown, kind: ImageKind, size: ImageSize, limitPixels: number): ServiceError => {
  const message = messageOf(error);
  if (message.includes('exceeds pixel limit')) {
    return new ServiceError('IMAGE_TOO_LARGE', { ...size, limitPixels }, { cause: error });
  }
  const isCutShort = /premature|truncated|end of (stream|file|input)/i.test(message);
  return unreadableImage(kind, isCutShort ? 'the file is cut short.' : 'its data are damaged or cut short.', error);
};

/**
 * Decodes JPEG, PNG, WEBP, AVIF and BMP, told apart by their bytes alone. What comes out is upright (EXIF), in sRGB (embedded
 * profiles and CMYK converted), 8 bits per channel, with alpha kept and not premultiplied; of an animation, the first frame.
 * `decode` rejects with UNSUPPORTED_IMAGE, UNREADABLE_IMAGE or IMAGE_TOO_LARGE; the size is read from the header before
 * anything is decoded.
 */
export function createImageDecoder({ maxPixels = DEFAULT_MAX_PIXELS }: ImageDecoderOptions = {}): ImageDecoder {
  if (!(Number.isSafeInteger(maxPixels) && maxPixels >= 1)) {
    throw new RangeError(`maxPixels is ${maxPixels}; it must be a whole number of 1 or more.`);
  }
  return {
    async decode(bytes): Promise<DecodedImage> {
      const kind = detectImageKind(bytes);
      if (kind === undefined) throw new ServiceError('UNSUPPORTED_IMAGE');
      if (kind === 'bmp') return decodeBmp(bytes, maxPixels);

      const size = readImageSize(bytes, kind);
      if (size.width * size.height > maxPixels) {
        throw new ServiceError('IMAGE_TOO_LARGE', { ...size, limitPixels: maxPixels });
      }
      // Outside the catch: a sharp that cannot be loaded is no fault of the picture.
      const sharp = await loadSharp();
      const pixels = await toPixelsDespiteBlocking(sharp, bytes, maxPixels).catch((error: unknown) => {
        throw toRefusal(error, kind, size, maxPixels);
      });
      const { width, height, data } = pixels;
      if (pixels.channels !== 4) throw new Error(`sharp answered ${pixels.channels} channels; 4 were asked for.`);
      return { format: kind, width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.length) };
    },
  };
}
