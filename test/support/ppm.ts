import type { RgbPicture } from './compare-pictures.js';

/** The picture of a binary PPM ("P6") of 8 bits a channel: renderers write it as it is, and a PNG would have to be packed and unpacked. */
export function pictureOfPpm(file: Buffer): RgbPicture {
  const header = /^P6\s(?:#[^\n]*\n)*(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 512));
  if (header === null) throw new TypeError('it is no PPM of 8 bits a channel');
  const [width, height] = [Number(header[1]), Number(header[2])];
  const data = file.subarray(header[0].length);
  if (data.length !== width * height * 3) throw new TypeError(`${data.length} bytes for ${width} x ${height} pixels`);
  return { width, height, data };
}
