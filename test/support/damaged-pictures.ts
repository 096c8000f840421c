import sharp, { type Sharp } from 'sharp';
import { drawingAt } from '#adapters/restoration/training/drawings.js';
import { findIconFiles } from '#adapters/restoration/training/icon-art.js';
import { createRandom } from '#adapters/restoration/training/random.js';
import { renderRgb } from '#adapters/restoration/training/render-drawings.js';
import type { Raster } from '#application/ports/tracer.js';
import { PACKAGE_ROOT } from './package-root.js';

/** RGB bytes. */
export interface Rgb {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

export interface DamagedPicture {
  readonly raster: Raster;
  /** The drawing that it was made of, at twice and at four times its size. */
  readonly twice: Rgb;
  readonly fourfold: Rgb;
  /** The damaged picture enlarged to twice its size, by Lanczos. */
  readonly enlarged: Rgb;
  readonly quality: number;
  /** Standard deviation of the blur, px; 0 for none. */
  readonly blurPx: number;
}

const KERNELS = ['box', 'cubic', 'mitchell', 'lanczos2', 'lanczos3'] as const;
const files = findIconFiles(PACKAGE_ROOT, 'aside');

export function rendered(svg: string, width: number): Rgb {
  const { image, rgb } = renderRgb(svg, width, PACKAGE_ROOT);
  return { width: image.width, height: image.height, rgb };
}

const sharpOf = ({ width, height, rgb }: Rgb): Sharp => sharp(rgb, { raw: { width, height, channels: 3 } });

async function rgbOf(picture: Sharp): Promise<Rgb> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}

/** Each four by four averaged. */
function quartered({ width, height, rgb }: Rgb): Rgb {
  const small = { width: width / 4, height: height / 4, rgb: new Uint8Array((width * height * 3) / 16) };
  for (let y = 0, to = 0; y < small.height; y++)
    for (let x = 0; x < small.width; x++)
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        for (let v = 0; v < 4; v++)
          for (let u = 0; u < 4; u++) sum += rgb[((y * 4 + v) * width + x * 4 + u) * 3 + c] as number;
        small.rgb[to++] = Math.round(sum / 16);
      }
  return small;
}

const sized = (picture: Rgb, scale: number, kernel: 'cubic' | 'mitchell' | 'lanczos2' | 'lanczos3'): Promise<Rgb> =>
  rgbOf(
    sharpOf(picture).resize(Math.round(picture.width * scale), Math.round(picture.height * scale), {
      kernel,
      fit: 'fill',
    }),
  );

/**
 * The picture of that number: a drawing that the restorer was never trained on, 64 to 256 px, brought down by one of several
 * kernels, blurred in half of all cases, and saved as a JPEG of quality 30 to 75.
 */
export async function damagedPicture(index: number): Promise<DamagedPicture> {
  const { svg, width } = drawingAt(index, 'aside', files);
  const random = createRandom(0xda3a9ed + index);
  const fourfold = rendered(svg, width * 4);
  const kernel = random.oneOf(KERNELS);
  const blurPx = random.chance(0.5) ? random.between(0.35, 1.2) : 0;
  const quality = random.whole(30, 75);
  const small = kernel === 'box' ? quartered(fourfold) : await sized(fourfold, 1 / 4, kernel);
  const soft = blurPx === 0 ? small : await rgbOf(sharpOf(small).blur(blurPx));
  const damaged = await rgbOf(sharp(await sharpOf(soft).jpeg({ quality }).toBuffer()));
  return {
    raster: await rasterOf(damaged),
    twice: rendered(svg, width * 2),
    fourfold,
    enlarged: await sized(damaged, 2, 'lanczos3'),
    quality,
    blurPx,
  };
}

async function rasterOf(picture: Rgb): Promise<Raster> {
  const data = await sharpOf(picture).ensureAlpha().raw().toBuffer();
  return { width: picture.width, height: picture.height, data: new Uint8Array(data) };
}

/** In dB, over all channels; 99 for equals. */
export function psnrOf(a: Rgb, b: Rgb): number {
  if (a.width !== b.width || a.height !== b.height)
    throw new RangeError(`sizes differ: ${a.width} x ${a.height} and ${b.width} x ${b.height}`);
  let squares = 0;
  for (let i = 0; i < a.rgb.length; i++) squares += ((a.rgb[i] as number) - (b.rgb[i] as number)) ** 2;
  return squares === 0 ? 99 : 10 * Math.log10((255 * 255 * a.rgb.length) / squares);
}
