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
  const picture = wordsOf(data);
  if (isOpaque(picture)) {
    const drawn = wordsOf(rendering);
    return compare(picture, isOpaque(drawn) ? drawn : overGround(rendering, WHITE, true), width, height);
  }
  const [overWhite, overMagenta] = [WHITE, MAGENTA].map((ground) =>
    compare(overGround(data, ground, false), overGround(rendering, ground, true), width, height),
  ) as [Fidelity, Fidelity];
  const worse = overWhite.deltaE00 >= overMagenta.deltaE00 ? overWhite : overMagenta;
  return {
    psnr: Math.min(overWhite.psnr, overMagenta.psnr),
    ssim: Math.min(overWhite.ssim, overMagenta.ssim),
    deltaE00: worse.deltaE00,
    worst: worse.worst,
  };
}

function isOpaque(pixels: Uint32Array): boolean {
  let all = OPAQUE;
  for (let i = 0; i < pixels.length; i++) all &= pixels[i]!;
  return all >>> 0 === OPAQUE;
}

/** The highest byte of pixels that hide what is behind them. */
const OPAQUE = 0xff000000;

/** Bytes in memory order make words with red lowest. */
const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** The pixels of RGBA bytes as words with red lowest. */
function wordsOf(data: FidelityPicture['data']): Uint32Array {
  if (LITTLE_ENDIAN && data.byteOffset % 4 === 0) return new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
  const words = new Uint32Array(data.length / 4);
  for (let i = 0, at = 0; i < words.length; i++, at += 4)
    words[i] = (data[at + 3]! << 24) | (data[at + 2]! << 16) | (data[at + 1]! << 8) | data[at]!;
  return words;
}

/** The pixels of straight or premultiplied RGBA over a ground, red in the lowest byte, the highest byte 255. */
function overGround(data: FidelityPicture['data'], ground: number, premultiplied: boolean): Uint32Array {
  const flat = wordsOf(data).slice();
  const groundR = ground >> 16;
  const groundG = (ground >> 8) & 0xff;
  const groundB = ground & 0xff;
  const bare = (OPAQUE | (groundB << 16) | (groundG << 8) | groundR) >>> 0;
  for (let i = 0; i < flat.length; i++) {
    const alpha = flat[i]! >>> 24;
    if (alpha === 255) continue;
    if (alpha === 0) {
      flat[i] = bare;
      continue;
    }
    const at = 4 * i;
    const part = premultiplied ? 1 : alpha / 255;
    const rest = 1 - alpha / 255;
    const r = Math.min(255, (data[at]! * part + groundR * rest + 0.5) | 0);
    const g = Math.min(255, (data[at + 1]! * part + groundG * rest + 0.5) | 0);
    const b = Math.min(255, (data[at + 2]! * part + groundB * rest + 0.5) | 0);
    flat[i] = OPAQUE | (b << 16) | (g << 8) | r;
  }
  return flat;
}

/** Of opaque pixels, red lowest. */
function compare(a: Uint32Array, b: Uint32Array, width: number, height: number): Fidelity {
  // 1 for each 4x4 in which a pixel differs: where none does there is nothing to measure.
  const cells = Math.ceil(width / SAMPLE_SIDE);
  const differs = new Uint8Array(cells * Math.ceil(height / SAMPLE_SIDE));
  const squares = markDifferences(a, b, width, height, differs);
  if (squares === 0)
    return { psnr: MAX_PSNR, ssim: 1, deltaE00: 0, worst: { ...blockOf(0, width, height), deltaE00: 0 } };
  return {
    psnr: Math.min(MAX_PSNR, 10 * Math.log10((255 * 255 * 3 * a.length) / squares)),
    ssim: ssimOf(a, b, width, height, differs),
    ...sampleDifference(a, b, width, height, differs),
  };
}

/** The sum of squared differences of all channels. */
function markDifferences(a: Uint32Array, b: Uint32Array, width: number, height: number, differs: Uint8Array): number {
  const cells = Math.ceil(width / SAMPLE_SIDE);
  let squares = 0;
  for (let y = 0, i = 0; y < height; y++) {
    const row = (y >> 2) * cells;
    for (const end = i + width; i < end; i++) {
      const p = a[i]!;
      const q = b[i]!;
      if (p === q) continue;
      differs[row + ((i - end + width) >> 2)] = 1;
      const red = (p & 0xff) - (q & 0xff);
      const green = ((p >> 8) & 0xff) - ((q >> 8) & 0xff);
      const blue = ((p >> 16) & 0xff) - ((q >> 16) & 0xff);
      squares += red * red + green * green + blue * blue;
    }
  }
  return squares;
}

/** Rec. 601 luma, 0..255, in whole numbers. */
const luma = (pixel: number): number =>
  (77 * (pixel & 0xff) + 150 * ((pixel >> 8) & 0xff) + 29 * ((pixel >> 16) & 0xff) + 128) >> 8;

/** The mean over windows of 8x8, every 4 pixels and flush with the far edges; a smaller picture is one window. */
function ssimOf(a: Uint32Array, b: Uint32Array, width: number, height: number, differs: Uint8Array): number {
  const windowWidth = Math.min(WINDOW, width);
  const windowHeight = Math.min(WINDOW, height);
  const columns = Math.ceil((width - windowWidth) / WINDOW_STEP) + 1;
  const rows = Math.ceil((height - windowHeight) / WINDOW_STEP) + 1;
  const cells = Math.ceil(width / SAMPLE_SIDE);
  const sums = new LumaSums(a, b, width);
  let total = 0;
  for (let row = 0; row < rows; row++) {
    const top = Math.min(row * WINDOW_STEP, height - windowHeight);
    for (let column = 0; column < columns; column++) {
      const left = Math.min(column * WINDOW_STEP, width - windowWidth);
      let alike = true;
      for (let y = top >> 2; y <= (top + windowHeight - 1) >> 2; y++)
        for (let x = left >> 2; x <= (left + windowWidth - 1) >> 2; x++)
          if (differs[y * cells + x] === 1) alike = false;
      total += alike ? 1 : sums.ssim(left, top, windowWidth, windowHeight);
    }
  }
  return total / (rows * columns);
}

/** Sums over the luma of two pictures' pixels: of either, of their squares, and of their products. */
const SUMS = 5;

/** The lumas of two pictures over windows of them. Windows that are whole cells share these: every cell lies in up to four. */
class LumaSums {
  private readonly a: Uint32Array;
  private readonly b: Uint32Array;
  private readonly width: number;
  private readonly cells: number;
  /** Of two rows of cells, even and odd ones, whose sums are there, and which row of cells each is of. */
  private readonly ofCells: Int32Array;
  private readonly rowOf: Int32Array;
  private readonly ofWindow = new Int32Array(SUMS);

  constructor(a: Uint32Array, b: Uint32Array, width: number) {
    this.a = a;
    this.b = b;
    this.width = width;
    this.cells = Math.ceil(width / SAMPLE_SIDE);
    this.ofCells = new Int32Array(2 * this.cells * SUMS);
    this.rowOf = new Int32Array(2 * this.cells).fill(-1);
  }

  ssim(left: number, top: number, windowWidth: number, windowHeight: number): number {
    const { ofWindow } = this;
    ofWindow.fill(0);
    if (((left | top) & 3) === 0 && windowWidth === WINDOW && windowHeight === WINDOW) {
      for (let y = top >> 2; y < (top + WINDOW) >> 2; y++)
        for (let x = left >> 2; x < (left + WINDOW) >> 2; x++) {
          const at = this.cellAt(x, y);
          for (let k = 0; k < SUMS; k++) ofWindow[k]! += this.ofCells[at + k]!;
        }
    } else this.add(ofWindow, 0, left, top, windowWidth, windowHeight);
    const sumA = ofWindow[0]!;
    const sumB = ofWindow[1]!;
    const sumAA = ofWindow[2]!;
    const sumBB = ofWindow[3]!;
    const sumAB = ofWindow[4]!;
    const count = windowWidth * windowHeight;
    const meanA = sumA / count;
    const meanB = sumB / count;
    const variances = (sumAA + sumBB) / count - meanA * meanA - meanB * meanB;
    const covariance = sumAB / count - meanA * meanB;
    const likeness = (2 * meanA * meanB + C1) * (2 * covariance + C2);
    return likeness / ((meanA * meanA + meanB * meanB + C1) * (variances + C2));
  }

  /** Where the sums of a cell are, which are made where they are not there. */
  private cellAt(x: number, y: number): number {
    const slot = (y & 1) * this.cells + x;
    const at = slot * SUMS;
    if (this.rowOf[slot] === y) return at;
    this.rowOf[slot] = y;
    this.ofCells.fill(0, at, at + SUMS);
    this.add(this.ofCells, at, x * SAMPLE_SIDE, y * SAMPLE_SIDE, SAMPLE_SIDE, SAMPLE_SIDE);
    return at;
  }

  private add(sums: Int32Array, at: number, left: number, top: number, columns: number, rows: number): void {
    const { a, b, width } = this;
    let sumA = 0;
    let sumB = 0;
    let sumAA = 0;
    let sumBB = 0;
    let sumAB = 0;
    for (let y = top; y < top + rows; y++) {
      const base = y * width + left;
      for (let i = base; i < base + columns; i++) {
        const p = luma(a[i]!);
        const q = a[i] === b[i] ? p : luma(b[i]!);
        sumA += p;
        sumB += q;
        sumAA += p * p;
        sumBB += q * q;
        sumAB += p * q;
      }
    }
    sums[at]! += sumA;
    sums[at + 1]! += sumB;
    sums[at + 2]! += sumAA;
    sums[at + 3]! += sumBB;
    sums[at + 4]! += sumAB;
  }
}

/** The side of the blocks among which the worst is looked for, px; a multiple of the cells'. */
const blockSideOf = (width: number, height: number): number =>
  Math.max(MIN_BLOCK, SAMPLE_SIDE * Math.ceil(Math.max(width, height) / (MAX_BLOCKS * SAMPLE_SIDE)));

/** Blocks are numbered row by row. */
function blockOf(block: number, width: number, height: number) {
  const side = blockSideOf(width, height);
  const columns = Math.ceil(width / side);
  const x = (block % columns) * side;
  const y = Math.floor(block / columns) * side;
  return { x, y, width: Math.min(side, width - x), height: Math.min(side, height - y) };
}

/** 0xRRGGBB of a pixel with red lowest. */
const toRgb = (pixel: number): number => ((pixel & 0xff) << 16) | (pixel & 0xff00) | ((pixel >> 16) & 0xff);

/** CIEDE2000 on one pixel of each 4x4, whose place in it varies from one to the next in a fixed way. */
function sampleDifference(a: Uint32Array, b: Uint32Array, width: number, height: number, differs: Uint8Array) {
  const side = blockSideOf(width, height);
  const blockColumns = Math.ceil(width / side);
  const blockTotal = new Float64Array(blockColumns * Math.ceil(height / side));
  const cacheA = new Uint32Array(CACHE_SIZE);
  const cacheB = new Uint32Array(CACHE_SIZE);
  const cached = new Float64Array(CACHE_SIZE);
  const lab = new Float64Array(6);
  const columns = Math.ceil(width / SAMPLE_SIDE);
  let total = 0;
  for (let cell = 0; cell < differs.length; cell++) {
    if (differs[cell] === 0) continue;
    const cellX = cell % columns;
    const cellY = (cell - cellX) / columns;
    const place = (5 * cellX + 7 * cellY + (cellX >> 2) + (cellY >> 3)) & 15;
    const x = Math.min(width - 1, cellX * SAMPLE_SIDE + (place & 3));
    const y = Math.min(height - 1, cellY * SAMPLE_SIDE + (place >> 2));
    const p = a[y * width + x]!;
    const q = b[y * width + x]!;
    if (p === q) continue;
    const slot = (Math.imul(p, 0x9e3779b1) ^ Math.imul(q, 0x85ebca6b)) >>> 22;
    // No pixel is 0: the highest byte is 255.
    if (cacheA[slot] !== p || cacheB[slot] !== q) {
      toLab(toRgb(p), lab, 0);
      toLab(toRgb(q), lab, 3);
      cached[slot] = ciede2000(lab[0]!, lab[1]!, lab[2]!, lab[3]!, lab[4]!, lab[5]!);
      cacheA[slot] = p;
      cacheB[slot] = q;
    }
    total += cached[slot]!;
    blockTotal[Math.floor(y / side) * blockColumns + Math.floor(x / side)]! += cached[slot]!;
  }
  // The first of equals.
  let worst = { ...blockOf(0, width, height), deltaE00: 0 };
  for (const [k, sum] of blockTotal.entries()) {
    if (sum === 0) continue;
    const block = blockOf(k, width, height);
    const deltaE00 = sum / (Math.ceil(block.width / SAMPLE_SIDE) * Math.ceil(block.height / SAMPLE_SIDE));
    if (deltaE00 > worst.deltaE00) worst = { ...block, deltaE00 };
  }
  return { deltaE00: total / differs.length, worst };
}
