import sharp, { type Sharp } from 'sharp';
import type { Raster } from '#application/ports/tracer.js';
import {
  bar,
  type Contour,
  circle,
  ellipse,
  lettering,
  rectangle,
  ring,
  roundedRectangle,
  spiral,
  star,
  turned,
} from './outlines.js';
import { createSeededRandom } from './seeded-random.js';

/** One color laid over what is there already. Contours walked the other way cut holes. */
export interface Layer {
  readonly outline: readonly Contour[];
  /** 0xRRGGBB */
  readonly color: number;
  /** 0..1, 1 where left out. */
  readonly opacity?: number;
  /** In place of `color` and `opacity`: red, green, blue (0..255) and opacity (0..1) at a point. */
  readonly shade?: Shade;
}
export type Shade = (x: number, y: number) => readonly [number, number, number, number];

export const layer = (color: number, ...outline: readonly Contour[]): Layer => ({ color, outline });

/** A color change from one point to another, even beyond them. */
export function linearShade(x1: number, y1: number, x2: number, y2: number, from: Rgba, to: Rgba): Shade {
  const lengthSq = (x2 - x1) ** 2 + (y2 - y1) ** 2;
  return (x, y) => mixed(from, to, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / lengthSq);
}

/** A color change from a center to a circle around it, even outside. */
export function radialShade(cx: number, cy: number, r: number, from: Rgba, to: Rgba): Shade {
  return (x, y) => mixed(from, to, Math.hypot(x - cx, y - cy) / r);
}

/** A color change as browsers draw it: up to half a level more or less, in turns that repeat every eight px (ordered dithering; Bayer 1973). */
export function ditheredShade(shade: Shade): Shade {
  return (x, y) => {
    const [r, g, b, opacity] = shade(x, y);
    const off = (bayer(Math.floor(x), Math.floor(y)) - 31.5) / 64;
    return [r + off, g + off, b + off, opacity];
  };
}

/** The turn of a pixel, 0..63: bits of how its column differs from its row, and of its column, the last ones first. */
function bayer(x: number, y: number): number {
  let turn = 0;
  for (let bit = 0; bit < 3; bit++)
    turn |= ((((x ^ y) >> bit) & 1) << (5 - 2 * bit)) | (((x >> bit) & 1) << (4 - 2 * bit));
  return turn;
}

/** A black rectangle, blurred by a normal distribution: what casts a shadow under a card. */
export function blurredBox(box: {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** The blur's standard deviation, px. */
  readonly sigma: number;
  /** 0..1 */
  readonly opacity: number;
}): Shade {
  const { left, top, right, bottom, sigma, opacity } = box;
  const inside = (v: number, from: number, to: number) =>
    (erf((v - from) / (sigma * Math.SQRT2)) - erf((v - to) / (sigma * Math.SQRT2))) / 2;
  return (x, y) => [0, 0, 0, opacity * inside(x, left, right) * inside(y, top, bottom)];
}

/** The Gaussian error function, to 2e-7 (Abramowitz & Stegun 7.1.26). */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

type Rgba = readonly [number, number, number, number];

function mixed(from: Rgba, to: Rgba, t: number): Rgba {
  const part = Math.min(1, Math.max(0, t));
  const at = (c: number) => from[c]! + part * (to[c]! - from[c]!);
  return [at(0), at(1), at(2), at(3)];
}

/**
 * How much of every pixel the contours cover, 0..1, exactly: each side of a contour is cut at the pixel borders, and what lies
 * to the right of every piece is summed with its sign.
 */
export function coverageOf(outline: readonly Contour[], width: number, height: number): Float64Array {
  const sums = new Float64Array((width + 2) * height);
  const stride = width + 2;
  const addPiece = (x0: number, y0: number, x1: number, y1: number) => {
    const y = Math.floor((y0 + y1) / 2);
    if (y < 0 || y >= height || y0 === y1) return;
    const middle = (x0 + x1) / 2;
    const x = Math.min(Math.max(Math.floor(middle), -1), width);
    const inside = Math.min(Math.max(middle - x, 0), 1);
    const at = y * stride + Math.max(x, 0);
    const dy = y1 - y0;
    if (x < 0) sums[at]! += dy;
    else {
      sums[at]! += dy * (1 - inside);
      sums[at + 1]! += dy * inside;
    }
  };
  for (const contour of outline)
    for (let k = 0; k < contour.length; k += 2) {
      const x0 = contour[k]!;
      const y0 = contour[k + 1]!;
      const x1 = contour[(k + 2) % contour.length]!;
      const y1 = contour[(k + 3) % contour.length]!;
      const cuts = [0, 1];
      for (let x = Math.ceil(Math.min(x0, x1)); x <= Math.max(x0, x1); x++)
        if (x1 !== x0) cuts.push((x - x0) / (x1 - x0));
      for (let y = Math.ceil(Math.min(y0, y1)); y <= Math.max(y0, y1); y++)
        if (y1 !== y0) cuts.push((y - y0) / (y1 - y0));
      cuts.sort((a, b) => a - b);
      for (let c = 1; c < cuts.length; c++) {
        const a = cuts[c - 1]!;
        const b = cuts[c]!;
        if (b > a) addPiece(x0 + a * (x1 - x0), y0 + a * (y1 - y0), x0 + b * (x1 - x0), y0 + b * (y1 - y0));
      }
    }
  const coverage = new Float64Array(width * height);
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let x = 0; x < width; x++) {
      sum += sums[y * stride + x]!;
      coverage[y * width + x] = Math.min(1, Math.abs(sum));
    }
  }
  return coverage;
}

/** Paints layers, first to last, over a background color or over nothing (null). */
export function paint(width: number, height: number, background: number | null, layers: readonly Layer[]): Raster {
  const count = width * height;
  // Premultiplied, 0..1.
  const sums = new Float64Array(count * 4);
  const over = (pixel: number, color: number, alpha: number, shade?: Shade) => {
    const at = pixel * 4;
    const channels = [(color >> 16) / 255, ((color >> 8) & 255) / 255, (color & 255) / 255, 1];
    if (shade !== undefined) {
      const [r, g, b, opacity] = shade((pixel % width) + 0.5, Math.floor(pixel / width) + 0.5);
      channels.splice(0, 3, r / 255, g / 255, b / 255);
      alpha *= opacity;
    }
    for (let c = 0; c < 4; c++) sums[at + c] = channels[c]! * alpha + sums[at + c]! * (1 - alpha);
  };
  if (background !== null) for (let i = 0; i < count; i++) over(i, background, 1);
  for (const { outline, color, opacity = 1, shade } of layers) {
    const coverage = coverageOf(outline, width, height);
    for (let i = 0; i < count; i++) if (coverage[i]! > 1e-9) over(i, color, coverage[i]! * opacity, shade);
  }
  const data = new Uint8Array(count * 4);
  for (let i = 0; i < count; i++) {
    const alpha = sums[i * 4 + 3]!;
    if (alpha < 0.5 / 255) continue;
    for (let c = 0; c < 3; c++) data[i * 4 + c] = Math.round((sums[i * 4 + c]! / alpha) * 255);
    data[i * 4 + 3] = Math.round(alpha * 255);
  }
  return { width, height, data };
}

/** A picture from a function that gives red, green, blue and alpha (0..255) of every pixel. */
export function pixelwise(
  width: number,
  height: number,
  colorAt: (x: number, y: number) => readonly [number, number, number, number],
): Raster {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(colorAt(x, y), (y * width + x) * 4);
  return { width, height, data };
}

/** A picture in hard pixels from rows of letters; `.` is nothing. */
export function sprite(rows: readonly string[], colors: Readonly<Record<string, number>>): Raster {
  return pixelwise(rows[0]!.length, rows.length, (x, y) => {
    const color = colors[rows[y]![x]!];
    return color === undefined ? [0, 0, 0, 0] : [color >> 16, (color >> 8) & 255, color & 255, 255];
  });
}

/** Every pixel made a block of `factor` by `factor`. */
export function enlarge(raster: Raster, factor: number): Raster {
  return pixelwise(raster.width * factor, raster.height * factor, (x, y) => {
    const at = (Math.floor(y / factor) * raster.width + Math.floor(x / factor)) * 4;
    return [raster.data[at]!, raster.data[at + 1]!, raster.data[at + 2]!, raster.data[at + 3]!];
  });
}

export function checkerboard(width: number, height: number, cell: number, a = 0x000000, b = 0xffffff): Raster {
  return pixelwise(width, height, (x, y) => {
    const color = (Math.floor(x / cell) + Math.floor(y / cell)) % 2 === 0 ? a : b;
    return [color >> 16, (color >> 8) & 255, color & 255, 255];
  });
}

export function noise(width: number, height: number, seed: number): Raster {
  const random = createSeededRandom(seed);
  const level = () => Math.floor(random() * 256);
  return pixelwise(width, height, () => [level(), level(), level(), 255]);
}

export const gradient = (width: number, height: number): Raster =>
  pixelwise(width, height, (x, y) => [Math.round((x * 255) / width), Math.round((y * 255) / height), 96, 255]);

export const single = (width: number, height: number, color: number, alpha = 255): Raster =>
  pixelwise(width, height, () => [color >> 16, (color >> 8) & 255, color & 255, alpha]);

/** The picture as JPEG leaves it at a quality of 1..100. */
export const jpegDamaged = (raster: Raster, quality: number): Promise<Raster> =>
  damaged(raster, (picture) => picture.jpeg({ quality }));

/** As WEBP leaves it. */
export const webpDamaged = (raster: Raster, quality: number): Promise<Raster> =>
  damaged(raster, (picture) => picture.webp({ quality }));

/** As AVIF leaves it. */
export const avifDamaged = (raster: Raster, quality: number): Promise<Raster> =>
  damaged(raster, (picture) => picture.avif({ quality }));

async function damaged({ width, height, data }: Raster, encode: (picture: Sharp) => Sharp): Promise<Raster> {
  const picture = sharp(data, { raw: { width, height, channels: 4 } }).flatten({ background: '#fff' });
  const decoded = await sharp(await encode(picture).toBuffer())
    .ensureAlpha()
    .raw()
    .toBuffer();
  return { width, height, data: new Uint8Array(decoded) };
}

export const SPRITE_COLORS = { k: 0x1a1c2c, r: 0xb13e53, y: 0xffcd75, g: 0x38b764, w: 0xf4f4f4 } as const;
export const SPRITE_ROWS = [
  '....kkkk....',
  '..kkrrrrkk..',
  '.krrwwrrrrk.',
  '.krwwrrrrrk.',
  'krrwrrrryrrk',
  'krrrrrrrrrrk',
  'krryrrrrrrrk',
  'kkkkrrrrkkkk',
  '..kwwwwwwk..',
  '..kwkwwkwk..',
  '..kwwggwwk..',
  '...kkkkkk...',
] as const;

export interface NamedPicture {
  readonly name: string;
  readonly raster: Raster;
}

const WHITE = 0xffffff;
const BLACK = 0x000000;
const RED = 0xe63946;
const BLUE = 0x1d3557;
const YELLOW = 0xf4c430;
const GREEN = 0x2a9d8f;

const combTeeth = (pitch: number, width: number) =>
  Array.from({ length: 9 }, (_, k) => rectangle(6 + k * pitch, 6, width, 36));

/** Pictures of every kind the engine must hold its promises on, the same ones on every call. */
export async function testPictures(): Promise<readonly NamedPicture[]> {
  const letters = paint(140, 48, WHITE, [layer(BLUE, ...lettering(8, 10, 28))]);
  const scene = paint(96, 72, 0x8ecae6, [
    layer(YELLOW, circle(74.3, 18.2, 11.5)),
    layer(GREEN, ellipse(28, 74, 46, 22)),
    layer(0x6b4f3a, rectangle(40.4, 34.6, 24, 26)),
    layer(RED, [37.2, 35, 52.4, 21.3, 67.7, 35]),
    layer(WHITE, rectangle(45.5, 40.5, 6, 7)),
    layer(BLUE, bar(10, 12, 34, 18.7, 1.4)),
  ]);
  const pictures: Record<string, Raster> = {
    circle: paint(64, 64, WHITE, [layer(RED, circle(31.7, 32.4, 20.3))]),
    'small circle': paint(16, 16, WHITE, [layer(BLACK, circle(8.2, 7.9, 3.1))]),
    ellipse: paint(72, 56, WHITE, [layer(BLUE, ellipse(36, 28, 27, 14, 23))]),
    'rounded rectangle': paint(72, 56, WHITE, [layer(GREEN, roundedRectangle(9.5, 8.25, 52, 38, 9))]),
    rectangle: paint(48, 40, WHITE, [layer(RED, rectangle(9.3, 7.6, 28.2, 22.7))]),
    'rectangle on whole pixels': paint(48, 40, WHITE, [layer(RED, rectangle(9, 7, 28, 22))]),
    star: paint(80, 80, WHITE, [layer(YELLOW, star(40, 42, 34, 14, 5))]),
    'turned square': paint(64, 64, WHITE, [layer(BLUE, turned(rectangle(14, 14, 36, 36), 17, 32, 32))]),
    'ring on nothing': paint(64, 64, null, [layer(RED, ...ring(32, 32, 25, 12))]),
    'rings in rings': paint(
      80,
      80,
      WHITE,
      [36, 30, 24, 18, 12, 6].map((r, k) => layer([RED, WHITE, BLUE][k % 3]!, circle(40, 40, r))),
    ),
    'three colors at a point': paint(64, 64, RED, [
      layer(BLUE, [31, 30, 70, -4, 70, 80, 34, 70]),
      layer(YELLOW, [31, 30, 70, 38, 70, 80, -10, 80, -6, 70]),
    ]),
    'four colors at a point': paint(40, 40, RED, [
      layer(BLUE, rectangle(20, -1, 30, 21)),
      layer(GREEN, rectangle(-1, 20, 21, 30)),
      layer(YELLOW, rectangle(20, 20, 30, 30)),
    ]),
    'thin line at 17 degrees': paint(80, 48, WHITE, [layer(BLACK, turned(bar(8, 24, 72, 24, 1), 17, 40, 24))]),
    'lines at angles': paint(
      96,
      96,
      WHITE,
      Array.from({ length: 8 }, (_, k) => layer(BLACK, turned(bar(64, 48, 92, 48, 1 + k / 4), k * 45 + 11, 48, 48))),
    ),
    lettering: letters,
    'small lettering': paint(60, 20, WHITE, [layer(BLACK, ...lettering(4, 4, 11))]),
    scene,
    'comb of one pixel': paint(60, 48, WHITE, [layer(BLACK, ...combTeeth(2, 1))]),
    'comb of half pixels': paint(60, 48, WHITE, [layer(BLACK, ...combTeeth(5.5, 1.5))]),
    spiral: paint(80, 80, WHITE, [layer(BLACK, spiral(40, 40, 4, 8, 3))]),
    'translucent panel': paint(64, 48, WHITE, [
      layer(RED, circle(24, 24, 15)),
      { color: BLUE, opacity: 0.5, outline: [rectangle(20, 10, 34, 28)] },
    ]),
    'translucent on nothing': paint(64, 48, null, [
      { color: RED, opacity: 0.6, outline: [circle(24, 24, 15)] },
      { color: BLUE, opacity: 0.4, outline: [roundedRectangle(24, 12, 32, 26, 6)] },
    ]),
    'soft shadow': pixelwise(48, 48, (x, y) => [
      20,
      20,
      30,
      Math.round(200 * Math.exp(-((x - 24) ** 2 + (y - 24) ** 2) / 120)),
    ]),
    sprite: sprite(SPRITE_ROWS, SPRITE_COLORS),
    'sprite eight times': enlarge(sprite(SPRITE_ROWS, SPRITE_COLORS), 8),
    'checkerboard of single pixels': checkerboard(24, 24, 1),
    'checkerboard of five': checkerboard(35, 30, 5, RED, YELLOW),
    'two pixels': checkerboard(2, 1, 1),
    'two by two': checkerboard(2, 2, 1),
    noise: noise(32, 32, 7),
    gradient: gradient(64, 40),
    'one color': single(20, 12, GREEN),
    'one pixel': single(1, 1, RED),
    'one pixel of nothing': single(1, 1, 0, 0),
    'nothing at all': single(17, 9, 0x123456, 0),
    'one column': pixelwise(1, 5000, (_, y) => (Math.floor(y / 7) % 2 === 0 ? [0, 0, 0, 255] : [255, 255, 255, 255])),
    'one row': pixelwise(300, 1, (x) => (x % 9 < 4 ? [200, 30, 30, 255] : [30, 30, 200, 255])),
    'scene as JPEG': await jpegDamaged(scene, 60),
    'lettering as JPEG': await jpegDamaged(letters, 40),
  };
  return Object.entries(pictures).map(([name, raster]) => ({ name, raster }));
}
