import type { Raster } from '#application/ports/tracer.js';

const KERNELS = {
  linear: { reach: 1, weight: (t: number) => 1 - t },
  /** Keys (1981) with a = -1/2, which is Catmull and Rom's. */
  cubic: {
    reach: 2,
    weight: (t: number) => (t < 1 ? 1.5 * t ** 3 - 2.5 * t ** 2 + 1 : -0.5 * t ** 3 + 2.5 * t ** 2 - 4 * t + 2),
  },
  /** Keys with a = -3/4, as OpenCV and others have it. */
  'steep-cubic': {
    reach: 2,
    weight: (t: number) => (t < 1 ? 1.25 * t ** 3 - 2.25 * t ** 2 + 1 : -0.75 * (t ** 3 - 5 * t ** 2 + 8 * t - 4)),
  },
  /** Mitchell and Netravali (1988) with b = c = 1/3, as ImageMagick enlarges. */
  mitchell: {
    reach: 2,
    weight: (t: number) =>
      t < 1 ? (7 * t ** 3 - 12 * t ** 2 + 16 / 3) / 6 : ((-7 / 3) * t ** 3 + 12 * t ** 2 - 20 * t + 32 / 3) / 6,
  },
  lanczos: { reach: 3, weight: (t: number) => (t === 0 ? 1 : sinc(t) * sinc(t / 3)) },
} as const;
export type Kernel = keyof typeof KERNELS;

function sinc(t: number): number {
  return Math.sin(Math.PI * t) / (Math.PI * t);
}

/**
 * An opaque picture enlarged to another size as image programs do it, its border going on beyond it; libvips shifts it by half a pixel right and down. With `inBytes`
 * rows are enlarged to whole levels before columns are, which cuts off more.
 */
export function enlarged(
  { width, height, data }: Raster,
  toWidth: number,
  toHeight: number,
  kernel: Kernel,
  shiftPx = 0,
  inBytes = false,
): Raster {
  const across = weightsOf(width, toWidth, kernel, shiftPx);
  const down = weightsOf(height, toHeight, kernel, shiftPx);
  const level = (sum: number) => Math.min(255, Math.max(0, Math.round(sum)));
  const wide = new Float64Array(toWidth * height * 4);
  for (let i = 0; i < wide.length; i++) {
    const column = Math.floor(i / 4) % toWidth;
    const row = Math.floor(i / (4 * toWidth));
    let sum = 0;
    for (const [from, weight] of across[column]!) sum += weight * data[(row * width + from) * 4 + (i % 4)]!;
    wide[i] = inBytes ? level(sum) : sum;
  }
  const out = new Uint8Array(toWidth * toHeight * 4);
  for (let i = 0; i < out.length; i++) {
    const row = Math.floor(i / (4 * toWidth));
    let sum = 0;
    for (const [from, weight] of down[row]!) sum += weight * wide[from * toWidth * 4 + (i % (toWidth * 4))]!;
    out[i] = level(sum);
  }
  return { width: toWidth, height: toHeight, data: out };
}

/** Per pixel the small ones it is mixed of, and how much of it each is. */
function weightsOf(count: number, to: number, kernel: Kernel, shiftPx: number): (readonly [number, number])[][] {
  const { reach, weight } = KERNELS[kernel];
  return Array.from({ length: to }, (_, x) => {
    const at = ((x + 0.5 - shiftPx) * count) / to - 0.5;
    const taps: [number, number][] = [];
    for (let i = Math.ceil(at - reach); i <= at + reach; i++) {
      const distance = Math.abs(at - i);
      if (distance < reach) taps.push([Math.min(count - 1, Math.max(0, i)), weight(distance)]);
    }
    const sum = taps.reduce((all, [, share]) => all + share, 0);
    return taps.map(([i, share]) => [i, share / sum] as const);
  });
}
