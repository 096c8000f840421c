/** A 32-bit BMP with alpha (bit masks after a plain header), bottom-up, from RGBA pixels. */
export function writeBmp(width: number, height: number, rgba: Uint8Array): Uint8Array {
  const offset = 14 + 40 + 16;
  const bytes = new Uint8Array(offset + width * height * 4);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, offset, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 32, true);
  view.setUint32(30, 6, true);
  // Red, green, blue and alpha in the order that the pixels have already.
  for (let channel = 0; channel < 4; channel++) view.setUint32(54 + channel * 4, (0xff << (channel * 8)) >>> 0, true);
  for (let y = 0; y < height; y++) {
    bytes.set(rgba.subarray(y * width * 4, (y + 1) * width * 4), offset + (height - 1 - y) * width * 4);
  }
  return bytes;
}
