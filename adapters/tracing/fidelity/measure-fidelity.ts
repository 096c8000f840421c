import type { Fidelity } from '#domain/diagnostics/diagnostics.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { ciede2000, toLab } from './ciede2000.js';
import { renderDrawing } from './rasterize.js';

/** RGBA bytes, not premultiplied, row by row from the top left. */
export interface FidelityPicture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

const MAX_PSNR = 99;
/** Of the pixels, one in each block of this side is compared in CIEDE2000. */
const SAMPLE_SIDE = 4;
const WINDOW = 8;
const WINDOW_STEP = 4;
/** The picture is cut into at most so many blocks a side when the worst is looked for. */
const MAX_BLOCKS = 64;
const MIN_BLOCK = 16;
/** SSIM's constants for 8 bits: (0.01 * 255)² and (0.03 * 255)². */
const C1 = 6.5025;
const C2 = 58.5225;
const WHITE = 0xffffff;
const MAGENTA = 0xff00ff;
/** Slots of the CIEDE2000 cache; a power of two. */
const CACHE_SIZE = 1024;

/**
 * How well a drawing, rendered at the picture's size, matches the picture. Both are laid over white; a picture with
 * transparent pixels also over magenta, and the worse figure of the two holds. Deterministic. Throws RangeError where the data
 * is not width x height RGBA.
 */
export function measureFidelity(picture: FidelityPicture, drawing: Drawing): Fidelity {
  const { width, height, data } = picture;
  if (data.length !== width * height * 4)
    throw new RangeError(`${width} x ${height} pixels take ${width * height * 4} bytes, not ${data.length}`);
  return compareWithRendering(picture, renderDrawing(drawing, width, height));
}

/** As `measureFidelity`, for a rendering that is there already: RGBA bytes, premultiplied. */
export function compareWithRendering({ width, height, data }: FidelityPicture, rendering: Uint8Array): Fidelity {
  const overWhite = compareOver(WHITE, width, height, data, rendering);
  if (!hasAlpha(data)) return overWhite;
  const overMagenta = compareOver(MAGENTA, width, height, data, rendering);
  const worse = overWhite.deltaE00 >= overMagenta.deltaE00 ? overWhite : overMagenta;
  return {
    psnr: Math.min(overWhite.psnr, overMagenta.psnr),
    ssim: Math.min(overWhite.ssim, overMagenta.ssim),
    deltaE00: worse.deltaE00,
    worst: worse.worst,
  };
}

function hasAlpha(data: FidelityPicture['data']): boolean {
  for (let i = 3; i < data.length; i += 4) if (data[i] !== 255) return true;
  return false;
}

/** The pixels of straight or premultiplied RGBA over a ground, packed as 0xRRGGBB. */
function overGround(data: FidelityPicture['data'], ground: number, premultiplied: boolean): Uint32Array {
  const count = data.length / 4;
  const flat = new Uint32Array(count);
  const groundR = ground >> 16;
  const groundG = (ground >> 8) & 0xff;
  const groundB = ground & 0xff;
  for (let i = 0, at = 0; i < count; i++, at += 4) {
    const alpha = data[at + 3]!;
    if (alpha === 255) {
      flat[i] = (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!;
    } else {
      const part = premultiplied ? 1 : alpha / 255;
      const rest = 1 - alpha / 255;
      const r = Math.min(255, (data[at]! * part + groundR * rest + 0.5) | 0);
      const g = Math.min(255, (data[at + 1]! * part + groundG * rest + 0.5) | 0);
      const b = Math.min(255, (data[at + 2]! * part + groundB * rest + 0.5) | 0);
      flat[i] = (r << 16) | (g << 8) | b;
    }
  }
  return flat;
}

function compareOver(
  ground: number,
  width: number,
  height: number,
  data: FidelityPicture['data'],
  rendering: Uint8Array,
): Fidelity {
  const a = overGround(data, ground, false);
  const b = overGround(rendering, ground, true);
  const sampled = sampleDifference(a, b, width, height);
  return {
    psnr: psnrOf(a, b),
    ssim: ssimOf(a, b, width, height),
    ...sampled,
  };
}

function psnrOf(a: Uint32Array, b: Uint32Array): number {
  let squares = 0;
  for (let i = 0; i < a.length; i++) {
    const p = a[i]!;
    const q = b[i]!;
    if (p === q) continue;
    const r = (p >> 16) - (q >> 16);
    const g = ((p >> 8) & 0xff) - ((q >> 8) & 0xff);
    const blue = (p & 0xff) - (q & 0xff);
    squares += r * r + g * g + blue * blue;
  }
  if (squares === 0) return MAX_PSNR;
  return Math.min(MAX_PSNR, 10 * Math.log10((255 * 255 * 3 * a.length) / squares));
}

/** Rec. 601 luma, 0..255, in whole numbers. */
const luma = (rgb: number): number => (77 * (rgb >> 16) + 150 * ((rgb >> 8) & 0xff) + 29 * (rgb & 0xff) + 128) >> 8;

/** The mean over windows of 8x8, every 4 pixels and flush with the far edges; a smaller picture is one window. */
function ssimOf(a: Uint32Array, b: Uint32Array, width: number, height: number): number {
  const windowWidth = Math.min(WINDOW, width);
  const windowHeight = Math.min(WINDOW, height);
  const columns = Math.ceil((width - windowWidth) / WINDOW_STEP) + 1;
  const rows = Math.ceil((height - windowHeight) / WINDOW_STEP) + 1;
  // 1 where a strip of four pixels differs: windows without any are alike and need no sums.
  const strips = Math.ceil(width / WINDOW_STEP);
  const differs = new Uint8Array(strips * Math.ceil(height / WINDOW_STEP));
  let anyDiffers = false;
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(y / WINDOW_STEP) * strips;
    for (let x = 0; x < width; x++, i++) {
      if (a[i] === b[i]) continue;
      differs[row + (x >> 2)] = 1;
      anyDiffers = true;
    }
  }
  if (!anyDiffers) return 1;
  let total = 0;
  for (let row = 0; row < rows; row++) {
    const top = Math.min(row * WINDOW_STEP, height - windowHeight);
    for (let column = 0; column < columns; column++) {
      const left = Math.min(column * WINDOW_STEP, width - windowWidth);
      let alike = true;
      for (let y = top >> 2; y <= (top + windowHeight - 1) >> 2; y++)
        for (let x = left >> 2; x <= (left + windowWidth - 1) >> 2; x++)
          if (differs[y * strips + x] === 1) alike = false;
      total += alike ? 1 : windowSsim(a, b, width, left, top, windowWidth, windowHeight);
    }
  }
  return total / (rows * columns);
}

function windowSsim(
  a: Uint32Array,
  b: Uint32Array,
  width: number,
  left: number,
  top: number,
  windowWidth: number,
  windowHeight: number,
): number {
  let sumA = 0;
  let sumB = 0;
  let sumAA = 0;
  let sumBB = 0;
  let sumAB = 0;
  for (let y = top; y < top + windowHeight; y++) {
    const base = y * width + left;
    for (let i = base; i < base + windowWidth; i++) {
      const p = luma(a[i]!);
      const q = a[i] === b[i] ? p : luma(b[i]!);
      sumA += p;
      sumB += q;
      sumAA += p * p;
      sumBB += q * q;
      sumAB += p * q;
    }
  }
  const count = windowWidth * windowHeight;
  const meanA = sumA / count;
  const meanB = sumB / count;
  const variances = (sumAA + sumBB) / count - meanA * meanA - meanB * meanB;
  const covariance = sumAB / count - meanA * meanB;
  return ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA * meanA + meanB * meanB + C1) * (variances + C2));
}

/** CIEDE2000 on one pixel of each 4x4, whose place in it varies from one to the next in a fixed way. */
function sampleDifference(a: Uint32Array, b: Uint32Array, width: number, height: number) {
  const longer = Math.max(width, height);
  const side = Math.max(MIN_BLOCK, SAMPLE_SIDE * Math.ceil(longer / (MAX_BLOCKS * SAMPLE_SIDE)));
  const blockColumns = Math.ceil(width / side);
  const blockCount = blockColumns * Math.ceil(height / side);
  const blockTotal = new Float64Array(blockCount);
  const blockSamples = new Int32Array(blockCount);
  const cacheA = new Int32Array(CACHE_SIZE).fill(-1);
  const cacheB = new Int32Array(CACHE_SIZE);
  const cached = new Float64Array(CACHE_SIZE);
  const lab = new Float64Array(6);
  let total = 0;
  let samples = 0;
  for (let cellY = 0; cellY * SAMPLE_SIDE < height; cellY++) {
    for (let cellX = 0; cellX * SAMPLE_SIDE < width; cellX++) {
      const place = (5 * cellX + 7 * cellY + (cellX >> 2) + (cellY >> 3)) & 15;
      const x = Math.min(width - 1, cellX * SAMPLE_SIDE + (place & 3));
      const y = Math.min(height - 1, cellY * SAMPLE_SIDE + (place >> 2));
      const block = Math.floor(y / side) * blockColumns + Math.floor(x / side);
      const p = a[y * width + x]!;
      const q = b[y * width + x]!;
      samples++;
      blockSamples[block]!++;
      if (p === q) continue;
      const slot = (Math.imul(p, 0x9e3779b1) ^ Math.imul(q, 0x85ebca6b)) >>> 22;
      if (cacheA[slot] !== p || cacheB[slot] !== q) {
        toLab(p, lab, 0);
        toLab(q, lab, 3);
        cached[slot] = ciede2000(lab[0]!, lab[1]!, lab[2]!, lab[3]!, lab[4]!, lab[5]!);
        cacheA[slot] = p;
        cacheB[slot] = q;
      }
      total += cached[slot]!;
      blockTotal[block]! += cached[slot]!;
    }
  }
  // The first of equals.
  let worst = 0;
  let worstMean = 0;
  for (let k = 0; k < blockCount; k++) {
    const mean = blockTotal[k]! / Math.max(1, blockSamples[k]!);
    if (mean <= worstMean) continue;
    worst = k;
    worstMean = mean;
  }
  const x = (worst % blockColumns) * side;
  const y = Math.floor(worst / blockColumns) * side;
  return {
    deltaE00: total / samples,
    worst: { x, y, width: Math.min(side, width - x), height: Math.min(side, height - y), deltaE00: worstMean },
  };
}
