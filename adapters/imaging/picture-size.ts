import { readBmpHeader } from './bmp-header.js';
import { detectImageKind } from './image-kind.js';
import { type ImageSize, readImageSize } from './image-size.js';

/** As far as it is searched for a size where that can be anywhere: in time that nobody notices who waits for it. */
const SEARCHED_BYTES = 512 * 1024;

/**
 * Width and height as a picture file states them; `unreadable` for what will be refused as soon as somebody looks, and `unseen`
 * where the size stands far behind other things.
 */
export function readPictureSize(bytes: Uint8Array): ImageSize | 'unreadable' | 'unseen' {
  const kind = detectImageKind(bytes);
  if (kind === undefined) return 'unreadable';
  const isSearched = (kind === 'jpeg' || kind === 'avif') && bytes.length > SEARCHED_BYTES;
  try {
    if (kind === 'bmp') return readBmpHeader(bytes, Number.POSITIVE_INFINITY);
    return readImageSize(isSearched ? bytes.subarray(0, SEARCHED_BYTES) : bytes, kind);
  } catch {
    return isSearched ? 'unseen' : 'unreadable';
  }
}
