import type { EnginePicture } from '../types.js';

/** One of a pixel's four channels, 0..255, red, green and blue times the opacity. */
export function levelOf(data: EnginePicture['data'], pixel: number, channel: number): number {
  const value = data[4 * pixel + channel];
  return channel === 3 ? value : (value * data[4 * pixel + 3]) / 255;
}

/** Levels by which two pixels differ, summed over the channels; 0 only where they are exactly alike. */
export function levelsBetween(data: EnginePicture['data'], a: number, b: number): number {
  let sum = 0;
  for (let c = 0; c < 4; c++) sum += Math.abs(levelOf(data, a, c) - levelOf(data, b, c));
  return sum;
}

/** Whether two pixels have the same bytes. */
export function areEqual(data: EnginePicture['data'], a: number, b: number): boolean {
  for (let c = 0; c < 4; c++) if (data[4 * a + c] !== data[4 * b + c]) return false;
  return true;
}

/** Premultiplied bytes with red, green and blue as they are without the opacity, in place. */
export function straightened(data: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3];
    if (alpha === 0 || alpha === 255) continue;
    for (let c = 0; c < 3; c++) data[at + c] = Math.min(255, (data[at + c] * 255) / alpha + 0.5);
  }
  return data;
}
