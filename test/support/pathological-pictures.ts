import type { Raster } from '#application/ports/tracer.js';
import { createSeededRandom } from './seeded-random.js';

/** Packed as little-endian RGBA. */
const opaque = (rgb: number) => (0xff000000 | ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
const BLACK = opaque(0x101418);
const WHITE = opaque(0xf8f8f8);

function words(width: number, height: number, colorAt: (x: number, y: number) => number): Raster {
  const pixels = new Uint32Array(width * height);
  for (let y = 0, at = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[at++] = colorAt(x, y);
  return { width, height, data: new Uint8Array(pixels.buffer) };
}

/** Blocks of noise: about as many regions as asked for. */
function blocks(side: number, regions: number): Raster {
  const random = createSeededRandom(5);
  const count = Math.ceil(Math.sqrt(regions));
  const colors = Uint32Array.from({ length: count * count }, () => opaque(Math.floor(random() * 0x1000000)));
  return words(side, side, (x, y) => colors[Math.floor((y * count) / side) * count + Math.floor((x * count) / side)]!);
}

/** Circles, rings and bars with smooth edges, as a logo has them. */
function logo(side: number): Raster {
  const random = createSeededRandom(9);
  const circles = Array.from({ length: 40 }, () => ({
    x: random() * side,
    y: random() * side,
    r: side * (0.02 + random() * 0.09),
    rgb: Math.floor(random() * 0x1000000),
  }));
  const raster = words(side, side, () => WHITE);
  const pixels = new Uint32Array(raster.data.buffer);
  for (const { x, y, r, rgb } of circles)
    for (let py = Math.max(0, Math.floor(y - r - 1)); py < Math.min(side, y + r + 1); py++)
      for (let px = Math.max(0, Math.floor(x - r - 1)); px < Math.min(side, x + r + 1); px++) {
        const cover = Math.min(1, Math.max(0, r + 0.5 - Math.hypot(px + 0.5 - x, py + 0.5 - y)));
        if (cover === 0) continue;
        const under = pixels[py * side + px]!;
        const mix = (shift: number, channel: number) =>
          Math.round(((under >> shift) & 255) * (1 - cover) + channel * cover);
        const [red, green, blue] = [mix(0, rgb >> 16), mix(8, (rgb >> 8) & 255), mix(16, rgb & 255)];
        pixels[py * side + px] = opaque((red << 16) | (green << 8) | blue);
      }
  return raster;
}

/** Light and color that change over hundreds and over tens of pixels, and grain: what no part of is even. */
function photograph(side: number): Raster {
  const random = createSeededRandom(12);
  const octaves = [256, 64, 16].map((px, k) => {
    const count = Math.ceil(side / px) + 2;
    return { px, count, level: 90 / 2 ** k, values: Float32Array.from({ length: count * count * 3 }, () => random()) };
  });
  const data = new Uint8Array(side * side * 4);
  for (let y = 0, at = 0; y < side; y++)
    for (let x = 0; x < side; x++, at += 4) {
      for (let c = 0; c < 3; c++) {
        let value = 40 + (random() - 0.5) * 8;
        for (const { px, count, level, values } of octaves) {
          const [u, v] = [x / px, y / px];
          const [i, j] = [Math.floor(u), Math.floor(v)];
          const of = (column: number, row: number) => values[(row * count + column) * 3 + c]!;
          const above = of(i, j) * (1 - u + i) + of(i + 1, j) * (u - i);
          const below = of(i, j + 1) * (1 - u + i) + of(i + 1, j + 1) * (u - i);
          value += level * (above * (1 - v + j) + below * (v - j));
        }
        data[at + c] = Math.max(0, Math.min(255, value));
      }
      data[at + 3] = 255;
    }
  return { width: side, height: side, data };
}

/** A line of one pixel that goes anywhere and crosses itself everywhere. */
function randomWalk(side: number): Raster {
  const random = createSeededRandom(3);
  const raster = words(side, side, () => WHITE);
  const pixels = new Uint32Array(raster.data.buffer);
  let [x, y] = [side >> 1, side >> 1];
  for (let step = 0; step < (side * side) / 8; ) {
    const turn = Math.floor(random() * 4);
    for (let k = 0; k < 6; k++, step++) {
      x = (x + (turn === 0 ? 1 : turn === 1 ? side - 1 : 0)) % side;
      y = (y + (turn === 2 ? 1 : turn === 3 ? side - 1 : 0)) % side;
      pixels[y * side + x] = BLACK;
    }
  }
  return raster;
}

/** Smooth dots of about a pixel, one in every square of 8 px, somewhere in its middle. */
function dots(side: number): Raster {
  const random = createSeededRandom(7);
  const raster = words(side, side, () => WHITE);
  const pixels = new Uint32Array(raster.data.buffer);
  const coverOf = (center: number, pixel: number) =>
    Math.max(0, Math.min(center + 0.5, pixel + 1) - Math.max(center - 0.5, pixel));
  for (let y = 4; y < side - 2; y += 8)
    for (let x = 4; x < side - 2; x += 8) {
      const [cx, cy] = [x + random(), y + random()];
      for (let v = y - 1; v <= y + 1; v++)
        for (let u = x - 1; u <= x + 1; u++) {
          const gray = Math.round(248 - 228 * coverOf(cx, u) * coverOf(cy, v));
          pixels[v * side + u] = opaque(gray * 0x10101);
        }
    }
  return raster;
}

/** Pictures that an engine with a quadratic step, or one that calls itself, would not get through; `side` scales most of them. */
export const PATHOLOGICAL: Readonly<Record<string, (side: number) => Raster>> = {
  '50,000 regions': (side) => blocks(side, 50_000),
  'noise of single pixels': (side) => blocks(side, side * side),
  'checkerboard of single pixels': (side) => words(side, side, (x, y) => ((x + y) & 1 ? BLACK : WHITE)),
  'checkerboard of two': (side) => words(side, side, (x, y) => (((x >> 1) + (y >> 1)) & 1 ? BLACK : WHITE)),
  'checkerboard of seven': (side) =>
    words(side, side, (x, y) => ((Math.floor(x / 7) + Math.floor(y / 7)) & 1 ? BLACK : WHITE)),
  'spiral of three pixels': (side) =>
    words(side, side, (x, y) => {
      const [dx, dy] = [x - side / 2, y - side / 2];
      const turn = Math.hypot(dx, dy) / 6 - Math.atan2(dy, dx) / (2 * Math.PI);
      return turn - Math.floor(turn) < 0.5 ? BLACK : WHITE;
    }),
  'comb of one pixel': (side) => words(side, side, (x, y) => (x & 1 && y > 2 ? BLACK : WHITE)),
  'squares in squares of one pixel': (side) =>
    words(side, side, (x, y) => (Math.min(x, y, side - 1 - x, side - 1 - y) & 1 ? BLACK : WHITE)),
  'rings in rings': (side) =>
    words(side, side, (x, y) => (Math.floor(Math.hypot(x - side / 2, y - side / 2) / 4) & 1 ? BLACK : WHITE)),
  'a random walk': randomWalk,
  'dots of a pixel': dots,
  'lone pixels': (side) => words(side, side, (x, y) => ((x & 7) === 4 && (y & 7) === 4 ? BLACK : WHITE)),
  'one color': (side) => words(side, side, () => BLACK),
  'nothing at all': (side) => words(side, side, () => 0),
  'a photograph': photograph,
  'a logo': logo,
  'one pixel': () => words(1, 1, () => BLACK),
  'one column': () => words(1, 50_000, (_, y) => (y % 3 === 0 ? BLACK : WHITE)),
  'one row': () => words(50_000, 1, (x) => (x % 3 === 0 ? BLACK : WHITE)),
};
