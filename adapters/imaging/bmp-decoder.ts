import type { DecodedImage } from '#application/ports/image-decoder.js';
import { readBmpHeader } from './bmp-header.js';
import { checkBmpRows, fillBmpPixels } from './bmp-pixels.js';
import { fillBmpRunLength } from './bmp-rle.js';

/**
 * Decodes a BMP strictly: Windows (plain, V2 to V5) and OS/2 headers; 1, 2, 4, 8, 16, 24 and 32 bits per pixel; RLE4, RLE8 and
 * bit masks; bottom-up and top-down. Alpha is kept where a mask declares it and ignored where the format says "unused".
 * Throws a ServiceError: UNSUPPORTED_IMAGE (no BMP by its first bytes), IMAGE_TOO_LARGE (more than `maxPixels`, told from the
 * header before pixels are allocated), UNREADABLE_IMAGE (anything the format does not allow, or a file cut short).
 */
export function decodeBmp(bytes: Uint8Array, maxPixels: number): DecodedImage {
  const header = readBmpHeader(bytes, maxPixels);
  const { width, height, palette, runLength } = header;
  if (!runLength) checkBmpRows(bytes, header);
  const data = new Uint8Array(width * height * 4);
  if (runLength && palette !== undefined) fillBmpRunLength(bytes, header, palette, data);
  else fillBmpPixels(bytes, header, data);
  return { format: 'bmp', width, height, data };
}
