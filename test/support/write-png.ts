import { deflateSync } from 'node:zlib';

export interface PngParts {
  readonly width: number;
  readonly height: number;
  /** 1, 2, 4, 8 or 16. */
  readonly bitDepth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey + alpha, 6 RGBA. */
  readonly colorType: number;
  /** The samples of each row as the file stores them, without the filter byte. */
  readonly rows: readonly (readonly number[] | Uint8Array)[];
  /** Chunks between the header and the pixels, e.g. `['tRNS', [0, 5]]`. */
  readonly chunks?: readonly (readonly [string, readonly number[]])[];
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

const crc32 = (bytes: Uint8Array): number => {
  let c = 0xffffffff;
  for (const byte of bytes) c = (CRC_TABLE[(c ^ byte) & 255] as number) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
};

const chunk = (name: string, body: Uint8Array | readonly number[]): Uint8Array => {
  const bytes = new Uint8Array(body.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  bytes.set(
    [...name].map((c) => c.charCodeAt(0)),
    4,
  );
  bytes.set(body, 8);
  view.setUint32(body.length + 8, crc32(bytes.subarray(4, body.length + 8)));
  return bytes;
};

/** A PNG written part by part, for what an ordinary encoder does not write. Sizes may lie: nothing is checked. */
export function writePng({ width, height, bitDepth, colorType, rows, chunks = [] }: PngParts): Uint8Array {
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, width);
  new DataView(header.buffer).setUint32(4, height);
  header.set([bitDepth, colorType, 0, 0, 0], 8);
  return Uint8Array.from(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', header),
      ...chunks.map(([name, body]) => chunk(name, body)),
      chunk('IDAT', deflateSync(Uint8Array.from(rows.flatMap((row) => [0, ...row])))),
      chunk('IEND', []),
    ]),
  );
}

/** An 8-bit RGBA PNG. */
export const writeRgbaPng = (width: number, height: number, rgba: Uint8Array): Uint8Array =>
  writePng({
    width,
    height,
    bitDepth: 8,
    colorType: 6,
    rows: Array.from({ length: height }, (_, y) => rgba.subarray(y * width * 4, (y + 1) * width * 4)),
  });

/** A PNG of RGBA pixels. */
export function pngOf({ width, height, data }: { width: number; height: number; data: ArrayLike<number> }): Uint8Array {
  const rows = Array.from({ length: height }, (_, y) =>
    Uint8Array.from({ length: width * 4 }, (_, i) => data[y * width * 4 + i] as number),
  );
  return writePng({ width, height, bitDepth: 8, colorType: 6, rows });
}
