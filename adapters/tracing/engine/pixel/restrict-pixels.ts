import { ColorTable } from '../quantize/color-counts.js';
import { restrictColors } from '../segment/labeling.js';
import type { EnginePicture, EngineSettings } from '../types.js';

/** The picture with every pixel in one of the colors that were asked for: a fixed palette, or so many of its own. */
export function restrictPixels(picture: EnginePicture, settings: EngineSettings): EnginePicture {
  const { width, height } = picture;
  const bytes = Uint8Array.from(picture.data);
  const words = new Uint32Array(bytes.buffer);
  const table = new ColorTable();
  const labels = new Int32Array(words.length);
  for (let i = 0; i < words.length; i++) {
    // What cannot be seen is one color, whatever its bytes.
    const index = table.indexOf(bytes[i * 4 + 3] === 0 ? 0 : words[i]);
    table.counts[index]++;
    labels[i] = index;
  }
  const size = table.size;
  const straight = new Uint8Array(table.words.slice(0, size).buffer);
  const channels = new Float64Array(size * 4);
  for (let k = 0; k < size; k++) {
    const alpha = straight[k * 4 + 3];
    for (let c = 0; c < 3; c++) channels[k * 4 + c] = (straight[k * 4 + c] * alpha) / 255;
    channels[k * 4 + 3] = alpha;
  }
  const restricted = restrictColors(labels, channels, table.counts.subarray(0, size), true, settings);
  for (let i = 0; i < words.length; i++) {
    const at = restricted.labels[i] * 4;
    const alpha = restricted.channels[at + 3];
    for (let c = 0; c < 3; c++) {
      bytes[i * 4 + c] = alpha > 0 ? Math.round((restricted.channels[at + c] * 255) / alpha) : 0;
    }
    bytes[i * 4 + 3] = Math.round(alpha);
  }
  return { width, height, data: bytes };
}
