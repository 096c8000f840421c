import { isBmp } from './bmp-header.js';

/** The kinds of picture that are read. */
export type ImageKind = 'jpeg' | 'png' | 'webp' | 'avif' | 'bmp';

const hasBytes = (bytes: Uint8Array, at: number, wanted: readonly number[]) =>
  wanted.every((byte, i) => bytes[at + i] === byte);

/** Four ASCII characters, as chunk and box names are; shorter where the bytes end. */
export const fourCharacters = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));

export const PNG_SIGNATURE: readonly number[] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG_START: readonly number[] = [0xff, 0xd8, 0xff];

/** AVIF is one of many kinds of file in the same container: one of the brands in its first box says so. */
const isAvif = (bytes: Uint8Array): boolean => {
  if (bytes.length < 16 || fourCharacters(bytes, 4) !== 'ftyp') return false;
  const boxBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const end = Math.min(boxBytes, bytes.length);
  for (let at = 8; at + 4 <= end; at += 4) {
    // Between the major brand and the compatible ones stands a version number.
    if (at === 12) continue;
    const brand = fourCharacters(bytes, at);
    if (brand === 'avif' || brand === 'avis') return true;
  }
  return false;
};

/** What the bytes are, by their first ones alone; undefined for anything that is not read here. */
export function detectImageKind(bytes: Uint8Array): ImageKind | undefined {
  if (hasBytes(bytes, 0, PNG_SIGNATURE)) return 'png';
  if (hasBytes(bytes, 0, JPEG_START)) return 'jpeg';
  if (fourCharacters(bytes, 0) === 'RIFF' && fourCharacters(bytes, 8) === 'WEBP') return 'webp';
  if (isBmp(bytes)) return 'bmp';
  if (isAvif(bytes)) return 'avif';
  return undefined;
}

/** What is read, for people and programs that ask. */
export const INPUT_FORMATS: readonly { readonly id: ImageKind; readonly mediaType: string }[] = [
  { id: 'jpeg', mediaType: 'image/jpeg' },
  { id: 'png', mediaType: 'image/png' },
  { id: 'bmp', mediaType: 'image/bmp' },
  { id: 'webp', mediaType: 'image/webp' },
  { id: 'avif', mediaType: 'image/avif' },
];
