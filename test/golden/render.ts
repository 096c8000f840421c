import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import type { Raster } from '#application/ports/tracer.js';

/** Every pixel of the source is so many pixels wide where drawings are compared. */
export const RENDER_SCALE = 2;

/** The SVG drawn over white by a renderer that is not ours. */
export function render(svg: string, scale = RENDER_SCALE): Raster {
  const image = new Resvg(svg, { fitTo: { mode: 'zoom', value: scale }, background: '#fff' }).render();
  return { width: image.width, height: image.height, data: new Uint8Array(image.pixels) };
}

/** A picture laid over white. */
export async function overWhite({ width, height, data }: Raster): Promise<Raster> {
  const flat = await sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw()
    .toBuffer();
  return { width, height, data: new Uint8Array(flat) };
}

export interface Difference {
  /** Levels, 0..255, over all channels. */
  readonly mean: number;
  readonly most: number;
}

/** Throws RangeError where the sizes differ. */
export function difference(a: Raster, b: Raster): Difference {
  if (a.width !== b.width || a.height !== b.height)
    throw new RangeError(`${a.width} x ${a.height} against ${b.width} x ${b.height}`);
  let sum = 0;
  let most = 0;
  for (let i = 0; i < a.data.length; i++) {
    const off = Math.abs(a.data[i]! - b.data[i]!);
    sum += off;
    if (off > most) most = off;
  }
  return { mean: sum / a.data.length, most };
}

export const toPng = ({ width, height, data }: Raster): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();

/** Expected, difference and actual side by side, enlarged, as a PNG. */
export async function triptych(expected: Raster, actual: Raster): Promise<Buffer> {
  const { width, height } = expected;
  const off = new Uint8Array(expected.data.length);
  for (let i = 0; i < off.length; i++)
    off[i] = i % 4 === 3 ? 255 : 255 - Math.abs(expected.data[i]! - (actual.data[i] ?? 0));
  const panels = [expected, { width, height, data: off }, actual];
  const gap = 8;
  const all = sharp({ create: { width: 3 * width + 2 * gap, height, channels: 4, background: '#888' } });
  const placed = await Promise.all(
    panels.map(async (panel, k) => ({ input: await toPng(panel), left: k * (width + gap), top: 0 })),
  );
  return all.composite(placed).png().toBuffer();
}
