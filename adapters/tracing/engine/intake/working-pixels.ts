import { arena } from '../math/arena.js';
import type { EnginePicture } from '../types.js';
import { findRuns, type PixelRuns } from './pixel-runs.js';

/**
 * The pixels the engine works on: premultiplied RGBA bytes. In this form an anti-aliased pixel is a plain mixture of its
 * neighbors' colors whether or not there is transparency, and "nothing" is the color 0,0,0,0.
 */
export interface WorkingPixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
  /** The picture's own bytes, not premultiplied. */
  readonly straight: Uint8Array | Uint8ClampedArray;
  /** `rgba`, a pixel a word; for equality only, so the byte order does not matter. */
  readonly words: Uint32Array;
  readonly opaque: boolean;
  /** `words` as runs. */
  readonly runs: PixelRuns;
  /** Whether grain has been taken off: what is left of it, at edges, is nothing that compression did. */
  readonly isCleared?: boolean;
}

/** Brings a picture into working form, which is the picture's own bytes where all of it is opaque. Throws RangeError where the sizes do not agree. */
export function toWorkingPixels(picture: EnginePicture): WorkingPixels {
  const { data } = picture;
  if (
    !(Number.isInteger(picture.width) && Number.isInteger(picture.height) && picture.width > 0 && picture.height > 0)
  ) {
    throw new RangeError(`a picture of ${picture.width} x ${picture.height} pixels cannot be traced`);
  }
  // A sum with what was kept beside fractions is boxed, whole or not, and all that loops over pixels would be compiled for boxes.
  const width = picture.width | 0;
  const height = picture.height | 0;
  const count = width * height;
  if (data.length !== count * 4) {
    throw new RangeError(`${width} x ${height} pixels are ${count * 4} bytes of RGBA, not ${data.length}`);
  }
  // Words begin at whole multiples of their size; a file's bytes may lie anywhere.
  const isAligned = data.byteOffset % 4 === 0;
  const own = isAligned ? new Uint8Array(data.buffer, data.byteOffset, count * 4) : copyOf(data);
  const ownWords = new Uint32Array(own.buffer, own.byteOffset, count);
  // What is transparent at all is so in its first corner, mostly; only else are its runs worth finding beforehand.
  const ownRuns = isOpaque(ownWords[0]) ? findRuns(ownWords, width, height) : undefined;
  if (ownRuns !== undefined && areOpaque(ownWords, ownRuns))
    return { width, height, rgba: own, straight: data, words: ownWords, opaque: true, runs: ownRuns };
  const rgba = isAligned ? copyOf(data) : own;
  premultiply(rgba, width);
  const words = new Uint32Array(rgba.buffer, rgba.byteOffset, count);
  return { width, height, rgba, straight: data, words, opaque: false, runs: findRuns(words, width, height) };
}

function copyOf(data: Uint8Array | Uint8ClampedArray): Uint8Array<ArrayBuffer> {
  const copy = arena.rawUint8(data.length);
  copy.set(data);
  return copy;
}

/** Full opacity as a word of this machine's byte order. */
const OPAQUE = new Uint32Array(Uint8Array.of(0, 0, 0, 255).buffer)[0];

function isOpaque(word: number): boolean {
  return (word & OPAQUE) >>> 0 === OPAQUE;
}

function areOpaque(words: Uint32Array, { starts, count }: PixelRuns): boolean {
  let alphas = ~0;
  for (let r = 0; r < count; r++) alphas &= words[starts[r]];
  return isOpaque(alphas);
}

/** Multiplies in place. */
function premultiply(rgba: Uint8Array, width: number): void {
  for (let at = 0; at < rgba.length; at += width * 4) premultiplyRow(rgba, at, at + width * 4);
}

function premultiplyRow(rgba: Uint8Array, from: number, to: number): void {
  for (let i = from + 3; i < to; i += 4) {
    const alpha = rgba[i];
    if (alpha === 255) continue;
    rgba[i - 3] = (rgba[i - 3] * alpha + 127) / 255;
    rgba[i - 2] = (rgba[i - 2] * alpha + 127) / 255;
    rgba[i - 1] = (rgba[i - 1] * alpha + 127) / 255;
  }
}
