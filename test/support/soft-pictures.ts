import type { Raster } from '#application/ports/tracer.js';

export { pixelwise } from './pictures.js';

/** Means over 3 px along each row. */
export function blurred({ width, height, data }: Raster): Raster {
  const out = new Uint8Array(data);
  for (let y = 0; y < height; y++) {
    for (let x = 1; x + 1 < width; x++) {
      const at = (y * width + x) * 4;
      for (let c = 0; c < 4; c++)
        out[at + c] = Math.round(
          ((data[at - 4 + c] as number) + (data[at + c] as number) + (data[at + 4 + c] as number)) / 3,
        );
    }
  }
  return { width, height, data: out };
}

/** The picture after a blur by which each pixel has `share` of both its neighbors along rows, and then along columns; a negative one sharpens. */
export function softened({ width, height, data }: Raster, share: number): Raster {
  const premultiplied = Float64Array.from(data, (value, i) => (i % 4 === 3 ? value : (value * data[i | 3]!) / 255));
  const mixed = (from: Float64Array, step: number, count: number, place: (i: number) => number) =>
    from.map((value, i) => {
      const before = place(i) > 0 ? i - step : i;
      const behind = place(i) + 1 < count ? i + step : i;
      return (1 - 2 * share) * value + share * (from[before]! + from[behind]!);
    });
  const across = mixed(premultiplied, 4, width, (i) => (i >> 2) % width);
  const both = mixed(across, 4 * width, height, (i) => Math.floor((i >> 2) / width));
  const out = both.map((value, i) => (i % 4 === 3 || both[i | 3] === 0 ? value : (value * 255) / both[i | 3]!));
  return { width, height, data: Uint8Array.from(out, (value) => Math.min(255, Math.max(0, Math.round(value)))) };
}

/** An opaque picture after a blur by a Gaussian of so many px (standard deviation); beyond the border it goes on as it is there. */
export function gaussianBlurred({ width, height, data }: Raster, px: number): Raster {
  const reach = Math.ceil(4 * px);
  const taps = Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-((i - reach) ** 2) / (2 * px * px)));
  const sum = taps.reduce((a, b) => a + b, 0);
  const along = (from: ArrayLike<number>, step: number, count: number, place: (i: number) => number) =>
    Float64Array.from({ length: from.length }, (_, i) => {
      let value = 0;
      for (let k = -reach; k <= reach; k++) {
        const to = Math.min(count - 1, Math.max(0, place(i) + k)) - place(i);
        value += (taps[k + reach]! / sum) * from[i + to * step]!;
      }
      return value;
    });
  const across = along(data, 4, width, (i) => (i >> 2) % width);
  const both = along(across, 4 * width, height, (i) => Math.floor((i >> 2) / width));
  return { width, height, data: Uint8Array.from(both, (value) => Math.round(value)) };
}
