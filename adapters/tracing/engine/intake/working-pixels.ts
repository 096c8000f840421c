import type { EnginePicture } from '../types.js';

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
}

/** Copies a picture into working form. Throws RangeError where the sizes do not agree. */
export function toWorkingPixels(picture: EnginePicture): WorkingPixels {
  const { width, height, data } = picture;
  const count = width * height;
  if (!(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0)) {
    throw new RangeError(`a picture of ${width} x ${height} pixels cannot be traced`);
  }
  if (data.length !== count * 4) {
    throw new RangeError(`${width} x ${height} pixels are ${count * 4} bytes of RGBA, not ${data.length}`);
  }
  const rgba = new Uint8Array(count * 4);
  rgba.set(data);
  const words = new Uint32Array(rgba.buffer);
  let opaque = true;
  for (let i = 3; i < rgba.length; i += 4) {
    const alpha = rgba[i];
    if (alpha === 255) continue;
    opaque = false;
    rgba[i - 3] = (rgba[i - 3] * alpha + 127) / 255;
    rgba[i - 2] = (rgba[i - 2] * alpha + 127) / 255;
    rgba[i - 1] = (rgba[i - 1] * alpha + 127) / 255;
  }
  return { width, height, rgba, straight: data, words, opaque };
}
