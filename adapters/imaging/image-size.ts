import { fourCharacters, type ImageKind, PNG_SIGNATURE } from './image-kind.js';
import { unreadableImage } from './unreadable-image.js';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const cutShort = (kind: string) =>
  unreadableImage(kind, 'the file ends before it says how large it is; it is cut short.');

const readPngSize = (bytes: Uint8Array): ImageSize => {
  const at = PNG_SIGNATURE.length;
  if (bytes.length < at + 16) throw cutShort('png');
  if (fourCharacters(bytes, at + 4) !== 'IHDR') throw unreadableImage('png', 'its first chunk is not the header.');
  const view = viewOf(bytes);
  return { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
};

/** Markers without a length: TEM, RST0 to RST7, SOI. */
const isBareMarker = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
/** SOF0 to SOF15, less the tables and extensions that share their range. */
const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const readJpegSize = (bytes: Uint8Array): ImageSize => {
  const view = viewOf(bytes);
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) {
      // Bytes between segments are an error that every reader skips.
      at++;
      continue;
    }
    const marker = bytes[at + 1] as number;
    if (marker === 0xff) {
      at++;
    } else if (marker === 0 || isBareMarker(marker)) {
      at += 2;
    } else if (isFrameHeader(marker)) {
      if (at + 9 > bytes.length) break;
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    } else if (marker === 0xd9 || marker === 0xda) {
      throw unreadableImage('jpeg', 'its data begin before its header has said how large it is.');
    } else {
      at += 2 + Math.max(2, view.getUint16(at + 2));
    }
  }
  throw cutShort('jpeg');
};

const readWebpSize = (bytes: Uint8Array): ImageSize => {
  if (bytes.length < 30) throw cutShort('webp');
  const view = viewOf(bytes);
  const statedBytes = view.getUint32(4, true) + 8;
  if (statedBytes > bytes.length) {
    throw unreadableImage('webp', `it should have ${statedBytes} bytes and has ${bytes.length}; it is cut short.`);
  }
  switch (fourCharacters(bytes, 12)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X': {
      const width = (view.getUint32(24, true) & 0xffffff) + 1;
      const height = (view.getUint32(26, true) >>> 8) + 1;
      return { width, height };
    }
  }
  throw unreadableImage('webp', 'its first chunk is not a picture.');
};

/** The contents of each box of one name within a range of an ISO file. */
function* boxesNamed(bytes: Uint8Array, name: string, start: number, end: number) {
  const view = viewOf(bytes);
  let at = start;
  while (at + 8 <= end) {
    let headerBytes = 8;
    let boxBytes = view.getUint32(at);
    if (boxBytes === 0) boxBytes = end - at;
    else if (boxBytes === 1) {
      if (at + 16 > end) return;
      headerBytes = 16;
      boxBytes = view.getUint32(at + 8) * 2 ** 32 + view.getUint32(at + 12);
    }
    if (boxBytes < headerBytes) return;
    if (fourCharacters(bytes, at + 4) === name) {
      yield { start: at + headerBytes, end: Math.min(at + boxBytes, end) };
    }
    at += boxBytes;
  }
}

/**
 * AVIF states a size for the picture and for each of its tiles and previews; the largest is the picture's.
 * Which item each belongs to does not matter for a limit: none may be larger.
 */
const readAvifSize = (bytes: Uint8Array): ImageSize => {
  const view = viewOf(bytes);
  let largest: ImageSize | undefined;
  const FULL_BOX_BYTES = 4;
  for (const meta of boxesNamed(bytes, 'meta', 0, bytes.length)) {
    for (const properties of boxesNamed(bytes, 'iprp', meta.start + FULL_BOX_BYTES, meta.end)) {
      for (const list of boxesNamed(bytes, 'ipco', properties.start, properties.end)) {
        for (const extent of boxesNamed(bytes, 'ispe', list.start, list.end)) {
          if (extent.end - extent.start < FULL_BOX_BYTES + 8) continue;
          const width = view.getUint32(extent.start + FULL_BOX_BYTES);
          const height = view.getUint32(extent.start + FULL_BOX_BYTES + 4);
          if (largest === undefined || width * height > largest.width * largest.height) largest = { width, height };
        }
      }
    }
  }
  if (largest === undefined) throw cutShort('avif');
  return largest;
};

const READERS: Readonly<Record<Exclude<ImageKind, 'bmp'>, (bytes: Uint8Array) => ImageSize>> = {
  png: readPngSize,
  jpeg: readJpegSize,
  webp: readWebpSize,
  avif: readAvifSize,
};

/**
 * Width and height as the header states them, before any EXIF turn; nothing is decoded or allocated.
 * Throws UNREADABLE_IMAGE where there is no whole header or a side is 0. (A BMP's header is read by its own decoder.)
 */
export function readImageSize(bytes: Uint8Array, kind: Exclude<ImageKind, 'bmp'>): ImageSize {
  const size = READERS[kind](bytes);
  if (size.width === 0 || size.height === 0) {
    throw unreadableImage(kind, `its header says ${size.width} x ${size.height} pixels; each must be 1 or more.`);
  }
  return size;
}
