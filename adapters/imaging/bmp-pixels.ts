import type { BmpHeader, BmpMasks } from './bmp-header.js';
import { unreadableImage } from './unreadable-image.js';

/** Takes one channel out of a pixel and brings it to 0..255. */
interface Channel {
  readonly mask: number;
  readonly shift: number;
  /** 8-bit value by stored value, for up to 8 stored bits. */
  readonly table: Uint8Array | undefined;
  readonly max: number;
}

const toChannel = (mask: number): Channel | undefined => {
  if (mask === 0) return undefined;
  const shift = 31 - Math.clz32((mask & -mask) >>> 0);
  const max = mask >>> shift;
  const table = max > 255 ? undefined : Uint8Array.from({ length: max + 1 }, (_, v) => Math.round((v * 255) / max));
  return { mask, shift, table, max };
};

const channelValue = (pixel: number, channel: Channel): number => {
  const stored = (pixel & channel.mask) >>> channel.shift;
  return channel.table === undefined ? Math.round((stored * 255) / channel.max) : (channel.table[stored] as number);
};

/** Row `y` of the picture, counted from the top, as a byte offset into the file. */
const rowOffset = (header: BmpHeader, stride: number, y: number) =>
  header.pixelOffset + stride * (header.topDown ? y : header.height - 1 - y);

const fillIndexed = (bytes: Uint8Array, header: BmpHeader, stride: number, palette: Uint8Array, rgba: Uint8Array) => {
  const { width, height, bitsPerPixel } = header;
  const colors = new Uint32Array(palette.buffer);
  const pixels = new Uint32Array(rgba.buffer);
  const perByte = 8 / bitsPerPixel;
  const mask = 2 ** bitsPerPixel - 1;
  for (let y = 0, out = 0; y < height; y++) {
    const row = rowOffset(header, stride, y);
    for (let x = 0; x < width; x++, out++) {
      const byte = bytes[row + Math.floor(x / perByte)] as number;
      const index = (byte >> (8 - bitsPerPixel - (x % perByte) * bitsPerPixel)) & mask;
      if (index >= colors.length) throw colorMissing(x, y, index, colors.length);
      pixels[out] = colors[index] as number;
    }
  }
};

/** The refusal of a pixel whose colour is not in the palette. */
export const colorMissing = (x: number, y: number, index: number, count: number) =>
  unreadableImage('bmp', `the pixel at ${x}, ${y} has colour ${index}, and the palette ends at ${count - 1}.`);

const fillBgr = (bytes: Uint8Array, header: BmpHeader, stride: number, rgba: Uint8Array) => {
  const { width, height } = header;
  for (let y = 0, out = 0; y < height; y++) {
    let at = rowOffset(header, stride, y);
    for (let x = 0; x < width; x++, at += 3, out += 4) {
      rgba[out] = bytes[at + 2] as number;
      rgba[out + 1] = bytes[at + 1] as number;
      rgba[out + 2] = bytes[at] as number;
      rgba[out + 3] = 255;
    }
  }
};

const fillMasked = (bytes: Uint8Array, header: BmpHeader, stride: number, masks: BmpMasks, rgba: Uint8Array) => {
  const { width, height, bitsPerPixel } = header;
  const [red, green, blue, alpha] = [masks.red, masks.green, masks.blue, masks.alpha].map(toChannel);
  const wide = bitsPerPixel === 32;
  let anyAlpha = 0;
  for (let y = 0, out = 0; y < height; y++) {
    let at = rowOffset(header, stride, y);
    for (let x = 0; x < width; x++, out += 4) {
      let pixel = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
      if (wide) pixel |= ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
      at += wide ? 4 : 2;
      if (red !== undefined) rgba[out] = channelValue(pixel, red);
      if (green !== undefined) rgba[out + 1] = channelValue(pixel, green);
      if (blue !== undefined) rgba[out + 2] = channelValue(pixel, blue);
      const opacity = alpha === undefined ? 255 : channelValue(pixel, alpha);
      rgba[out + 3] = opacity;
      anyAlpha |= opacity;
    }
  }
  // A channel that was declared and never filled: browsers show such files opaque, and nobody sends an invisible picture.
  if (anyAlpha === 0) for (let out = 3; out < rgba.length; out += 4) rgba[out] = 255;
};

/** Fills `rgba` (width x height x 4 bytes) from uncompressed rows. Throws UNREADABLE_IMAGE when rows are missing. */
export function fillBmpPixels(bytes: Uint8Array, header: BmpHeader, rgba: Uint8Array): void {
  const { bitsPerPixel, masks, palette } = header;
  const stride = bmpStrideBytes(header);
  if (palette !== undefined) fillIndexed(bytes, header, stride, palette, rgba);
  else if (bitsPerPixel === 24) fillBgr(bytes, header, stride, rgba);
  else if (masks !== undefined) fillMasked(bytes, header, stride, masks, rgba);
}

/** Bytes from one stored row to the next: rows are padded to four bytes. */
const bmpStrideBytes = ({ width, bitsPerPixel }: BmpHeader) => Math.ceil((width * bitsPerPixel) / 32) * 4;

/** Refuses a file that ends before its last pixel; the padding after that pixel may be missing. */
export function checkBmpRows(bytes: Uint8Array, header: BmpHeader): void {
  const lastRowBytes = Math.ceil((header.width * header.bitsPerPixel) / 8);
  const neededBytes = bmpStrideBytes(header) * (header.height - 1) + lastRowBytes;
  const presentBytes = bytes.length - header.pixelOffset;
  if (presentBytes < neededBytes) {
    throw unreadableImage(
      'bmp',
      `its pixels need ${neededBytes} bytes and ${presentBytes} are there; it is cut short.`,
    );
  }
}
