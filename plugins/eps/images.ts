import { deflateSync } from 'node:zlib';
import { blendedOn } from '#domain/drawing/blend.js';
import type { DrawingItem, ImageItem, Matrix, Rgb } from '#domain/drawing/drawing.js';
import { formatNumber } from '#domain/drawing/path-data.js';
import type { TokenWriter } from './token-writer.js';

const MATRIX_DECIMALS = 8;
/** Characters of a line of data. */
const LINE = 120;

/** An image as PostScript can take it. */
export interface EpsImage {
  /** Of the data, outermost last. */
  readonly filter: 'DCTDecode' | 'FlateDecode' | 'RunLengthDecode';
  readonly bytes: Uint8Array;
  readonly channels: 1 | 3;
  /** Each pixel begins with a byte that says whether it is left out: 255, or painted: 0. */
  readonly masked: boolean;
  /** Some of it was mixed with what lies beneath. */
  readonly mixed: boolean;
}

/** Level 2 has no deflate: runs of equal bytes, and runs of others, up to 128 at once. */
export function runLengthEncoded(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(data.length + Math.ceil(data.length / 128) + 1);
  let length = 0;
  let at = 0;
  while (at < data.length) {
    let end = at + 1;
    while (end < data.length && end - at < 128 && data[end] === data[at]) end++;
    if (end - at > 2) {
      out[length++] = 257 - (end - at);
      out[length++] = data[at]!;
    } else {
      while (end < data.length && end - at < 128 && !(data[end] === data[end + 1] && data[end] === data[end + 2]))
        end++;
      out[length++] = end - at - 1;
      out.set(data.subarray(at, end), length);
      length += end - at;
    }
    at = end;
  }
  out[length++] = 128;
  return out.subarray(0, length);
}

/** Printable characters, five for each four bytes, in lines. No line begins with %, which would be a comment to some. */
export function ascii85Lines(data: Uint8Array): string[] {
  const parts: string[] = [];
  for (let at = 0; at < data.length; at += 4) {
    const count = Math.min(4, data.length - at);
    let word = 0;
    for (let i = 0; i < 4; i++) word = word * 256 + (i < count ? data[at + i]! : 0);
    if (word === 0 && count === 4) {
      parts.push('z');
      continue;
    }
    let five = '';
    for (let i = 0; i < 5; i++) {
      five = String.fromCharCode(33 + (word % 85)) + five;
      word = Math.floor(word / 85);
    }
    parts.push(five.slice(0, count + 1));
  }
  const text = `${parts.join('')}~>`;
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += LINE) lines.push(text.slice(at, at + LINE));
  // White space counts for nothing between the characters.
  return lines.map((line) => (line.startsWith('%') ? ` ${line}` : line));
}

async function imageOf({ bytes, mediaType }: ImageItem, level: number, beneath: Rgb): Promise<EpsImage> {
  // Loaded with the first picture: every program that lists the formats would wait for it.
  const { default: sharp } = await import('sharp');
  if (mediaType === 'image/jpeg') {
    const { channels } = await sharp(bytes).metadata();
    if (channels === 1 || channels === 3) return { filter: 'DCTDecode', bytes, channels, masked: false, mixed: false };
  }
  const pixels = await sharp(bytes).toColourspace('srgb').ensureAlpha().raw().toBuffer();
  const count = pixels.length / 4;
  let [clear, mixed] = [false, false];
  for (let i = 3; i < pixels.length; i += 4) {
    if (pixels[i] === 0) clear = true;
    else if (pixels[i] !== 255) mixed = true;
  }
  // Level 2 cannot leave out pixels.
  const masked = clear && level > 2;
  const stride = masked ? 4 : 3;
  const data = new Uint8Array(stride * count);
  for (let i = 0; i < count; i++) {
    const [r, g, b, alpha] = pixels.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number];
    let at = i * stride;
    if (masked) data[at++] = alpha === 0 ? 255 : 0;
    if (alpha === 255) data.set([r, g, b], at);
    else data.set(blendedOn((r << 16) | (g << 8) | b, alpha / 255, beneath).map(Math.round), at);
  }
  const shared = { channels: 3, masked, mixed: mixed || (clear && !masked) } as const;
  return level > 2
    ? { ...shared, filter: 'FlateDecode', bytes: deflateSync(data) }
    : { ...shared, filter: 'RunLengthDecode', bytes: runLengthEncoded(data) };
}

export type EpsImages = ReadonlyMap<ImageItem, EpsImage>;

/** Every image among the items, read once. What shines through is mixed with `beneath`. */
export async function epsImagesOf(
  items: readonly DrawingItem[],
  level: number,
  beneath: Rgb,
  found = new Map<ImageItem, EpsImage>(),
): Promise<EpsImages> {
  for (const item of items) {
    if (item.kind === 'image') found.set(item, await imageOf(item, level, beneath));
    else if (item.kind === 'group') await epsImagesOf(item.items, level, beneath, found);
  }
  return found;
}

const matrixText = (matrix: Matrix) => `[${matrix.map((value) => formatNumber(value, MATRIX_DECIMALS)).join(' ')}]`;

/** Paints an image by the level 2 `image` operator; where pixels are left out, by the masked form of level 3. */
export function putImage(out: TokenWriter, item: ImageItem, image: EpsImage): void {
  const { width, height, matrix, pixelated } = item;
  const { filter, bytes, channels, masked } = image;
  const decode = channels === 1 ? '[0 1]' : '[0 1 0 1 0 1]';
  // Image space has its rows from the top left, as the drawing does.
  const common = `/Width ${width}/Height ${height}/BitsPerComponent 8/ImageMatrix[1 0 0 1 0 0]`;
  const source = `/DataSource currentfile/ASCII85Decode filter${filter === 'DCTDecode' ? ' 0 dict' : ''}/${filter} filter`;
  out.token('q');
  out.token(`${matrixText(matrix)} concat`);
  out.line(`/Device${channels === 1 ? 'Gray' : 'RGB'} setcolorspace`);
  const data = `<</ImageType 1${common}/Decode${decode}/Interpolate ${!pixelated}`;
  if (masked) {
    out.line('<</ImageType 3/InterleaveType 1');
    out.line(`/MaskDict<</ImageType 1${common}/Decode[0 1]>>`);
    out.line(`/DataDict${data}`);
    out.line(`${source}>>>>image`);
  } else {
    out.line(data);
    out.line(`${source}>>image`);
  }
  for (const line of ascii85Lines(bytes)) out.line(line);
  out.token('Q');
}
