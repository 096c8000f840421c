import sharp from 'sharp';
import type { ImageDecoder } from '#application/ports/image-decoder.js';
import type { ImageItem } from '#domain/drawing/drawing.js';
import { ServiceError } from '#domain/errors.js';
import { LIMITS } from '#domain/tiers/limits.js';
import { plainNumber } from './parse-values.js';
import type { SanitizedSvg } from './sanitize.js';
import type { WarningList } from './warning-list.js';

export type EmbeddedImage = Pick<ImageItem, 'mediaType' | 'bytes' | 'width' | 'height'>;

/** A picture of one pixel. The number behind its end, which no reader looks at, says which picture it stands for. */
const PLACEHOLDER = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const ACCEPTED = ['png', 'jpeg', 'webp'];

/** A JPEG file that needs nothing done to it: no turn, no profile, no CMYK, nothing said beside the picture. */
async function isPlainJpeg(bytes: Uint8Array): Promise<boolean> {
  const { format, orientation, icc, exif, xmp, iptc, space } = await sharp(bytes).metadata();
  return (
    format === 'jpeg' &&
    (orientation ?? 1) === 1 &&
    !icc &&
    !exif &&
    !xmp &&
    !iptc &&
    (space === 'srgb' || space === 'b-w')
  );
}

async function decodeImage(data: string, decoder: ImageDecoder): Promise<EmbeddedImage | string> {
  const bytes = Buffer.from(data, 'base64');
  try {
    const { format, width, height, data: pixels } = await decoder.decode(bytes);
    if (!ACCEPTED.includes(format)) return `${format} is not accepted`;
    if (format === 'jpeg' && (await isPlainJpeg(bytes))) return { mediaType: 'image/jpeg', bytes, width, height };
    const png = await sharp(pixels, { raw: { width, height, channels: 4 } })
      .png({ compressionLevel: 6 })
      .toBuffer();
    return { mediaType: 'image/png', bytes: png, width, height };
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'IMAGE_TOO_LARGE' && error.kind !== 'cancelled')
      return error.code === 'UNSUPPORTED_IMAGE' ? 'not a picture by its bytes' : 'damaged';
    throw error;
  }
}

/**
 * Decodes every embedded picture, and puts a placeholder of one pixel where its data stood, so that nothing but our own decoder
 * sees them. Resolves to the picture that a placeholder's `href` stands for. Rejects with IMAGE_TOO_LARGE.
 */
export async function takeImages(
  { images }: SanitizedSvg,
  decoder: ImageDecoder,
  warnings: WarningList,
): Promise<(href: string) => EmbeddedImage | undefined> {
  const byData = new Map<string, EmbeddedImage | string>();
  const found: EmbeddedImage[] = [];
  let pixels = 0;
  for (const { node, data } of images) {
    let image = byData.get(data);
    if (image === undefined) {
      image = await decodeImage(data, decoder);
      byData.set(data, image);
      if (typeof image !== 'string') {
        pixels += image.width * image.height;
        if (pixels > LIMITS.maxPixels)
          throw new ServiceError('IMAGE_TOO_LARGE', {
            width: image.width,
            height: image.height,
            limitPixels: LIMITS.maxPixels,
          });
      }
    }
    if (typeof image === 'string') {
      warnings.add('image-dropped', image);
      node.attributes.set('display', 'none');
      continue;
    }
    const [width, height] = [node.attributes.get('width'), node.attributes.get('height')];
    const ratio = image.width / image.height;
    if (isAuto(width))
      node.attributes.set(
        'width',
        String(isAuto(height) ? image.width : (plainNumber(height) ?? image.height) * ratio),
      );
    if (isAuto(height))
      node.attributes.set('height', String(isAuto(width) ? image.height : (plainNumber(width) ?? image.width) / ratio));
    const number = Buffer.alloc(4);
    number.writeUInt32BE(found.length);
    found.push(image);
    const stand = Buffer.concat([PLACEHOLDER, number]).toString('base64');
    node.attributes.set('xlink:href', `data:image/png;base64,${stand}`);
  }
  return (href) => {
    const bytes = Buffer.from(href.slice(href.indexOf(',') + 1), 'base64');
    return bytes.length === PLACEHOLDER.length + 4 ? found[bytes.readUInt32BE(PLACEHOLDER.length)] : undefined;
  };
}

const isAuto = (text: string | undefined) => text === undefined || text.trim() === 'auto' || text.trim() === '';
