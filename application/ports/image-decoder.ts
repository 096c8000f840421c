import type { Raster } from './tracer.js';

export interface DecodedImage extends Raster {
  /** jpeg, png, webp, avif or bmp, by the bytes and never by the name. */
  readonly format: string;
}

/**
 * Turns a picture file into upright sRGB pixels: first frame only, EXIF orientation applied, ICC converted.
 * Rejects with a ServiceError: UNSUPPORTED_IMAGE (not one of the five kinds by its bytes), UNREADABLE_IMAGE (right kind,
 * broken or truncated), IMAGE_TOO_LARGE (more pixels than allowed, read from the header before anything is decoded).
 */
export interface ImageDecoder {
  decode(bytes: Uint8Array): Promise<DecodedImage>;
}
