import { ServiceError } from '#domain/errors.js';
import { unreadableImage } from './unreadable-image.js';

/** Where the bits of each channel lie in a pixel; 0 means that the channel is absent. */
export interface BmpMasks {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

export interface BmpHeader {
  /** 1 or more. */
  readonly width: number;
  /** 1 or more; the sign in the file is told by `topDown`. */
  readonly height: number;
  readonly topDown: boolean;
  readonly bitsPerPixel: 1 | 2 | 4 | 8 | 16 | 24 | 32;
  readonly runLength: boolean;
  /** For 16 and 32 bits per pixel. */
  readonly masks: BmpMasks | undefined;
  /** RGBA entries for 1 to 8 bits per pixel, `paletteSize` of them. */
  readonly palette: Uint8Array | undefined;
  /** Byte offset of the first stored row. */
  readonly pixelOffset: number;
}

const FILE_HEADER_BYTES = 14;
const CORE_HEADER_BYTES = 12;
/** BITMAPCOREHEADER, BITMAPINFOHEADER, its two undocumented extensions with masks, OS/2 2.x, V4, V5. */
const DIB_HEADER_BYTES: readonly number[] = [CORE_HEADER_BYTES, 40, 52, 56, 64, 108, 124];
const OS2_HEADER_BYTES = 64;

const COMPRESSION = { none: 0, rle8: 1, rle4: 2, bitFields: 3, jpeg: 4, png: 5, alphaBitFields: 6 } as const;

const DEPTHS: readonly number[] = [1, 2, 4, 8, 16, 24, 32];
const CORE_DEPTHS: readonly number[] = [1, 4, 8, 24];

const RGB555: BmpMasks = { red: 0x7c00, green: 0x03e0, blue: 0x001f, alpha: 0 };
const BGRX: BmpMasks = { red: 0xff0000, green: 0x00ff00, blue: 0x0000ff, alpha: 0 };

const bad = (problem: string) => unreadableImage('bmp', problem);

/** True for the two bytes that every BMP begins with. */
export const isBmp = (bytes: Uint8Array) => bytes[0] === 0x42 && bytes[1] === 0x4d;

/** Size, depth and compression: what stands at a fixed place in every header kind. */
interface Fields {
  readonly headerBytes: number;
  readonly width: number;
  readonly storedHeight: number;
  readonly planes: number;
  readonly bitsPerPixel: number;
  readonly compression: number;
  readonly colorsUsed: number;
}

const readFields = (view: DataView): Fields => {
  if (view.byteLength < FILE_HEADER_BYTES + 4) throw bad('the file ends inside its header.');
  const headerBytes = view.getUint32(14, true);
  if (!DIB_HEADER_BYTES.includes(headerBytes)) throw bad(`its header of ${headerBytes} bytes is of no known kind.`);
  if (view.byteLength < FILE_HEADER_BYTES + headerBytes) throw bad('the file ends inside its header.');
  if (headerBytes === CORE_HEADER_BYTES) {
    return {
      headerBytes,
      width: view.getUint16(18, true),
      storedHeight: view.getUint16(20, true),
      planes: view.getUint16(22, true),
      bitsPerPixel: view.getUint16(24, true),
      compression: COMPRESSION.none,
      colorsUsed: 0,
    };
  }
  return {
    headerBytes,
    width: view.getInt32(18, true),
    storedHeight: view.getInt32(22, true),
    planes: view.getUint16(26, true),
    bitsPerPixel: view.getUint16(28, true),
    compression: view.getUint32(30, true),
    colorsUsed: view.getUint32(46, true),
  };
};

const checkCompression = ({ headerBytes, bitsPerPixel, compression, storedHeight }: Fields): void => {
  const isCore = headerBytes === CORE_HEADER_BYTES;
  if (!(isCore ? CORE_DEPTHS : DEPTHS).includes(bitsPerPixel)) {
    throw bad(`${bitsPerPixel} bits per pixel are not a BMP depth${isCore ? ' of OS/2' : ''}.`);
  }
  switch (compression) {
    case COMPRESSION.none:
      return;
    case COMPRESSION.rle8:
    case COMPRESSION.rle4: {
      const needed = compression === COMPRESSION.rle8 ? 8 : 4;
      if (bitsPerPixel !== needed) throw bad(`RLE${needed} needs ${needed} bits per pixel, not ${bitsPerPixel}.`);
      if (storedHeight < 0) throw bad('a run-length encoded picture cannot be stored top-down.');
      return;
    }
    case COMPRESSION.bitFields:
    case COMPRESSION.alphaBitFields:
      // In an OS/2 2.x header, 3 is a fax encoding.
      if (headerBytes === OS2_HEADER_BYTES) break;
      if (bitsPerPixel === 16 || bitsPerPixel === 32) return;
      throw bad(`bit masks need 16 or 32 bits per pixel, not ${bitsPerPixel}.`);
    case COMPRESSION.jpeg:
    case COMPRESSION.png:
      throw bad('it wraps a JPEG or PNG meant for a printer; send that file itself.');
  }
  throw bad(`its compression (${compression}) is not one that can be read.`);
};

const isContiguous = (mask: number) => {
  const lowest = (mask & -mask) >>> 0;
  const shifted = mask / lowest;
  return (shifted & (shifted + 1)) === 0;
};

const checkMasks = (masks: BmpMasks, bitsPerPixel: number): BmpMasks => {
  const all = [masks.red, masks.green, masks.blue, masks.alpha];
  if (masks.red === 0 && masks.green === 0 && masks.blue === 0) throw bad('none of its bit masks has a colour.');
  let seen = 0;
  for (const mask of all) {
    if (mask === 0) continue;
    if (!isContiguous(mask)) throw bad('a bit mask has a gap.');
    if ((seen & mask) !== 0) throw bad('its bit masks overlap.');
    if (bitsPerPixel === 16 && mask > 0xffff) throw bad('a bit mask lies outside the 16 bits of a pixel.');
    seen |= mask;
  }
  return masks;
};

/** The masks and the offset after everything that belongs to the header. */
const readMasks = (view: DataView, fields: Fields): { masks: BmpMasks | undefined; headerEnd: number } => {
  const { headerBytes, bitsPerPixel, compression } = fields;
  let headerEnd = FILE_HEADER_BYTES + headerBytes;
  if (compression !== COMPRESSION.bitFields && compression !== COMPRESSION.alphaBitFields) {
    const masks = bitsPerPixel === 16 ? RGB555 : bitsPerPixel === 32 ? BGRX : undefined;
    return { masks, headerEnd };
  }
  // After a plain header the masks follow it; the longer headers hold them at the same place.
  if (headerBytes === 40) headerEnd += compression === COMPRESSION.alphaBitFields ? 16 : 12;
  if (view.byteLength < headerEnd) throw bad('the file ends inside its bit masks.');
  const masks: BmpMasks = {
    red: view.getUint32(54, true),
    green: view.getUint32(58, true),
    blue: view.getUint32(62, true),
    alpha: headerEnd >= 70 ? view.getUint32(66, true) : 0,
  };
  return { masks: checkMasks(masks, bitsPerPixel), headerEnd };
};

const readPalette = (bytes: Uint8Array, fields: Fields, start: number, pixelOffset: number): Uint8Array => {
  const entryBytes = fields.headerBytes === CORE_HEADER_BYTES ? 3 : 4;
  const most = 2 ** fields.bitsPerPixel;
  const stated = fields.colorsUsed === 0 ? most : Math.min(fields.colorsUsed, most);
  // OS/2 headers cannot state a number of colours: what lies before the pixels is the palette.
  const count = Math.min(stated, Math.floor((pixelOffset - start) / entryBytes));
  if (count < 1) throw bad('its palette is missing.');
  const palette = new Uint8Array(count * 4);
  for (let i = 0; i < count; i++) {
    const at = start + i * entryBytes;
    palette[i * 4] = bytes[at + 2] as number;
    palette[i * 4 + 1] = bytes[at + 1] as number;
    palette[i * 4 + 2] = bytes[at] as number;
    palette[i * 4 + 3] = 255;
  }
  return palette;
};

/**
 * Reads and checks everything before the pixels. Allocates nothing that grows with the picture.
 * Throws UNSUPPORTED_IMAGE (no BMP), IMAGE_TOO_LARGE (more than `maxPixels`), UNREADABLE_IMAGE (anything else wrong).
 */
export function readBmpHeader(bytes: Uint8Array, maxPixels: number): BmpHeader {
  if (!isBmp(bytes)) throw new ServiceError('UNSUPPORTED_IMAGE');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = readFields(view);
  const { width, storedHeight } = fields;
  const height = Math.abs(storedHeight);
  if (width <= 0) throw bad(`its width is ${width}; it must be 1 or more.`);
  if (height === 0) throw bad('its height is 0; it must be 1 or more.');
  if (width * height > maxPixels) throw new ServiceError('IMAGE_TOO_LARGE', { width, height, limitPixels: maxPixels });
  if (fields.planes !== 1) throw bad(`it has ${fields.planes} colour planes; a BMP has 1.`);
  checkCompression(fields);

  const { masks, headerEnd } = readMasks(view, fields);
  const pixelOffset = view.getUint32(10, true);
  if (pixelOffset < headerEnd) throw bad('its pixels would begin inside its header.');
  if (pixelOffset >= bytes.length) throw bad('its pixels would begin after the end of the file; it is cut short.');
  return {
    width,
    height,
    topDown: storedHeight < 0,
    bitsPerPixel: fields.bitsPerPixel as BmpHeader['bitsPerPixel'],
    runLength: fields.compression === COMPRESSION.rle8 || fields.compression === COMPRESSION.rle4,
    masks,
    palette: fields.bitsPerPixel <= 8 ? readPalette(bytes, fields, headerEnd, pixelOffset) : undefined,
    pixelOffset,
  };
}
