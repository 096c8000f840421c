import { arena } from '../math/arena.js';
import { LUMA, lumaOf } from '../math/luma.js';
import type { EnginePicture } from '../types.js';
import type { ChromaSampling, HalvedAxis } from './chroma-sampling.js';
import type { WorkingPixels } from './working-pixels.js';

/** Samples that colors are followed over on each side of one. */
const REACH = 2;
/** What the lightness of even areas varies by, levels squared: with less, colors do not follow it. */
const EVEN_SQ = 8;
/** A pixel has the colors that came for it where its lightness is no farther from what samples make of it, levels. */
const LEAST_DETAIL = 1;
/** Where the lightness of samples differs by no more than this, none has so much more of it. */
const PLAIN_LEVELS = 2 * LEAST_DETAIL;
/** Of the two samples that a pixel lies between, what the nearer one has of it. */
const NEARER = 0.75;
const [RED, GREEN, BLUE] = LUMA;
const CHANNELS = 4;
/** Numbers of a column: how many samples, six sums, and four ends. */
const SUMS = 11;
/** And of a line. */
const LINE = 6;

/**
 * A picture whose colors were kept at half its resolution with colors as sharp as its lightness. Near an edge of two colors both go by what either covers of a pixel, so that the
 * one is a line over the other; that line is fitted where both are halved, and then taken at what the full lightness has beyond its halves (guided upsampling: He, Sun
 * and Tang, Guided Image Filtering, 2010). Lightness stays as it is, and colors within those of the samples around.
 */
export function withChromaDetail(pixels: WorkingPixels, sampling: ChromaSampling): EnginePicture {
  const { width, height } = pixels;
  const detail = new ChromaDetail(pixels, sampling);
  detail.restore();
  return { width, height, data: detail.data };
}

/** How the pixels of one axis lie among its samples. */
class SampledAxis {
  readonly samples: number;
  /** Per sample the first pixel that lies in it, and one more behind the last. */
  readonly begins: Int32Array;
  /** Whether pixels are mixed of two samples, and what a sample's pixels together then have of either sample next to it. */
  readonly smooth: boolean;
  readonly shareOfNext: number;
  private readonly first: number;

  constructor(axis: HalvedAxis | undefined, length: number) {
    this.first = axis?.first ?? 0;
    this.smooth = axis?.smooth ?? false;
    this.shareOfNext = this.smooth ? (1 - NEARER) / 2 : 0;
    this.samples = axis === undefined ? length : (length + axis.first + 1) >> 1;
    this.begins = Int32Array.from({ length: this.samples + 1 }, (_, sample) =>
      axis === undefined ? sample : Math.max(0, Math.min(length, 2 * sample - axis.first)),
    );
  }

  /** The other sample that a pixel of one lies between. */
  beside(sample: number, pixel: number): number {
    if (!this.smooth) return sample;
    const other = sample + (((pixel + this.first) & 1) === 1 ? 1 : -1);
    return other < 0 ? 0 : other < this.samples ? other : sample;
  }
}

class ChromaDetail {
  readonly data: Uint8Array;
  private readonly pixels: WorkingPixels;
  private readonly across: SampledAxis;
  private readonly down: SampledAxis;
  /** Per sample the mean lightness of its pixels, and what that of their colors was made of: how far red and blue are from it. */
  private readonly light: Float32Array;
  private readonly red: Float32Array;
  private readonly blue: Float32Array;
  /** The mean lightness of a sample's pixels if there were no more of it than of colors. */
  private readonly halved: Float32Array;
  /** Per sample whether its pixels are all the same. */
  private readonly isEven: Uint8Array;
  /** Per column of samples what was summed up around a row of them, and which row that was: samples next to each other have most columns in common. */
  private readonly columns: Float64Array;
  private readonly rowOfColumn: Int32Array;
  /** Per column the line of colors over lightness around a row of samples, and which row that was: slope and ends of red, and of blue. */
  private readonly lines: Float64Array;
  private readonly rowOfLine: Int32Array;
  /** Of the row of samples at hand, which of them lack nothing; and what lightness the row of pixels at hand has by them. */
  private readonly isPlainColumn: Uint8Array;
  private readonly rowLight: Float64Array;

  constructor(pixels: WorkingPixels, { along, down }: ChromaSampling) {
    const { width, height, rgba } = pixels;
    this.pixels = pixels;
    this.data = new Uint8Array(rgba);
    this.across = new SampledAxis(along, width);
    this.down = new SampledAxis(down, height);
    const count = this.across.samples * this.down.samples;
    this.light = arena.rawFloat32(count);
    this.red = arena.rawFloat32(count);
    this.blue = arena.rawFloat32(count);
    this.halved = arena.rawFloat32(count);
    this.isEven = arena.rawUint8(count);
    const { samples } = this.across;
    this.columns = new Float64Array(samples * SUMS);
    this.rowOfColumn = new Int32Array(samples).fill(-1);
    this.lines = new Float64Array(samples * LINE);
    this.rowOfLine = new Int32Array(samples).fill(-1);
    this.isPlainColumn = new Uint8Array(samples);
    this.rowLight = new Float64Array(samples);
    for (let j = 0; j < this.down.samples; j++) this.averageRow(j);
    for (let j = 0; j < this.down.samples; j++) this.halveRow(j);
  }

  /** Averages the pixels of a row of samples. */
  private averageRow(j: number): void {
    const { across, down, light, red, blue, isEven } = this;
    const { width, rgba, words } = this.pixels;
    const { begins, samples } = across;
    const top = down.begins[j] * width;
    const end = down.begins[j + 1] * width;
    let known = -1;
    for (let i = 0, sample = j * samples; i < samples; i++, sample++) {
      const left = begins[i];
      const right = begins[i + 1];
      const word = words[top + left];
      let isAlike = true;
      for (let row = top; row < end; row += width)
        for (let pixel = row + left; pixel < row + right; pixel++) if (words[pixel] !== word) isAlike = false;
      isEven[sample] = isAlike ? 1 : 0;
      if (isAlike && known >= 0 && words[known] === word) {
        light[sample] = light[sample - 1];
        red[sample] = red[sample - 1];
        blue[sample] = blue[sample - 1];
        continue;
      }
      known = isAlike ? top + left : -1;
      let [r, g, b, count] = [0, 0, 0, 0];
      for (let row = top; row < end; row += width) {
        for (let pixel = row + left; pixel < row + right; pixel++, count++) {
          r += rgba[CHANNELS * pixel];
          g += rgba[CHANNELS * pixel + 1];
          b += rgba[CHANNELS * pixel + 2];
        }
      }
      const mean = lumaOf(r, g, b) / count;
      light[sample] = mean;
      red[sample] = r / count - mean;
      blue[sample] = b / count - mean;
    }
  }

  private halveRow(j: number): void {
    const { across, down, light, halved } = this;
    const { samples } = across;
    const row = j * samples;
    const above = j > 0 ? row - samples : row;
    const below = j + 1 < down.samples ? row + samples : row;
    const vertical = down.shareOfNext;
    const horizontal = across.shareOfNext;
    const column = (i: number) =>
      (1 - 2 * vertical) * light[row + i] + vertical * (light[above + i] + light[below + i]);
    let before = column(0);
    let here = before;
    for (let i = 0; i < samples; i++) {
      const behind = i + 1 < samples ? column(i + 1) : here;
      halved[row + i] = (1 - 2 * horizontal) * here + horizontal * (before + behind);
      before = here;
      here = behind;
    }
  }

  restore(): void {
    const { across, down, isPlainColumn } = this;
    for (let j = 0; j < down.samples; j++) {
      for (let i = 0; i < across.samples; i++) isPlainColumn[i] = this.isPlain(i, j) ? 1 : 0;
      for (let y = down.begins[j]; y < down.begins[j + 1]; y++) this.restoreRow(y, j);
    }
  }

  /** Gives the pixels of a row, which is of a row of samples, what their colors lack. */
  private restoreRow(y: number, j: number): void {
    const { across, down, light, data, lines, rowOfLine, isPlainColumn, rowLight } = this;
    const { width, rgba } = this.pixels;
    const { samples, begins, smooth } = across;
    const row = j * samples;
    const other = down.beside(j, y) * samples;
    for (let i = 0; i < samples; i++) rowLight[i] = NEARER * light[row + i] + (1 - NEARER) * light[other + i];
    for (let i = 0; i < samples; i++) {
      if (isPlainColumn[i] === 1) continue;
      for (let x = begins[i]; x < begins[i + 1]; x++) {
        const halved = smooth ? NEARER * rowLight[i] + (1 - NEARER) * rowLight[across.beside(i, x)] : rowLight[i];
        const at = CHANNELS * (y * width + x);
        const own = lumaOf(rgba[at], rgba[at + 1], rgba[at + 2]);
        const detail = own - halved;
        if (detail > -LEAST_DETAIL && detail < LEAST_DETAIL) continue;
        if (rowOfLine[i] !== j) this.follow(i, j);
        const line = i * LINE;
        const red = clamp(rgba[at] - own + lines[line] * detail, lines[line + 1], lines[line + 2]);
        const blue = clamp(rgba[at + 2] - own + lines[line + 3] * detail, lines[line + 4], lines[line + 5]);
        data[at] = toLevel(own + red);
        data[at + 1] = toLevel(own - (RED * red + BLUE * blue) / GREEN);
        data[at + 2] = toLevel(own + blue);
      }
    }
  }

  /** Whether a sample and those around it are so alike that nothing can be missing. */
  private isPlain(i: number, j: number): boolean {
    const { across, down, light, isEven } = this;
    const { samples } = across;
    const at = j * samples + i;
    if (isEven[at] === 0) return false;
    const own = light[at];
    const left = i > 0 ? -1 : 0;
    const right = i + 1 < samples ? 1 : 0;
    const above = j > 0 ? at - samples : at;
    const below = j + 1 < down.samples ? at + samples : at;
    return (
      isNear(light[at + left], own) &&
      isNear(light[at + right], own) &&
      isNear(light[above], own) &&
      isNear(light[below], own) &&
      isNear(light[above + left], own) &&
      isNear(light[above + right], own) &&
      isNear(light[below + left], own) &&
      isNear(light[below + right], own)
    );
  }

  /** Fits the line of colors over lightness around a sample. */
  private follow(i: number, j: number): void {
    const { columns, rowOfColumn, lines } = this;
    const { samples } = this.across;
    let [leastRed, mostRed, leastBlue, mostBlue] = [Infinity, -Infinity, Infinity, -Infinity];
    let [count, sumL, sumR, sumB, sumLL, sumLR, sumLB] = [0, 0, 0, 0, 0, 0, 0];
    const right = Math.min(samples - 1, i + REACH);
    for (let u = Math.max(0, i - REACH); u <= right; u++) {
      if (rowOfColumn[u] !== j) this.sumColumn(u, j);
      const at = u * SUMS;
      count += columns[at];
      sumL += columns[at + 1];
      sumR += columns[at + 2];
      sumB += columns[at + 3];
      sumLL += columns[at + 4];
      sumLR += columns[at + 5];
      sumLB += columns[at + 6];
      if (u < i - 1 || u > i + 1) continue;
      if (columns[at + 7] < leastRed) leastRed = columns[at + 7];
      if (columns[at + 8] > mostRed) mostRed = columns[at + 8];
      if (columns[at + 9] < leastBlue) leastBlue = columns[at + 9];
      if (columns[at + 10] > mostBlue) mostBlue = columns[at + 10];
    }
    const variance = sumLL - (sumL * sumL) / count + EVEN_SQ * count;
    const line = i * LINE;
    lines[line] = (sumLR - (sumL * sumR) / count) / variance;
    lines[line + 1] = leastRed;
    lines[line + 2] = mostRed;
    lines[line + 3] = (sumLB - (sumL * sumB) / count) / variance;
    lines[line + 4] = leastBlue;
    lines[line + 5] = mostBlue;
    this.rowOfLine[i] = j;
  }

  /** Sums up what the samples above and below one have: those that are followed over, and of colors the ends of those next to it. */
  private sumColumn(u: number, j: number): void {
    const { halved, red, blue, columns } = this;
    const { samples } = this.across;
    let [leastRed, mostRed, leastBlue, mostBlue] = [Infinity, -Infinity, Infinity, -Infinity];
    let [count, sumL, sumR, sumB, sumLL, sumLR, sumLB] = [0, 0, 0, 0, 0, 0, 0];
    const bottom = Math.min(this.down.samples - 1, j + REACH);
    for (let v = Math.max(0, j - REACH); v <= bottom; v++) {
      const at = v * samples + u;
      const l = halved[at];
      const r = red[at];
      const b = blue[at];
      count++;
      sumL += l;
      sumR += r;
      sumB += b;
      sumLL += l * l;
      sumLR += l * r;
      sumLB += l * b;
      if (v < j - 1 || v > j + 1) continue;
      if (r < leastRed) leastRed = r;
      if (r > mostRed) mostRed = r;
      if (b < leastBlue) leastBlue = b;
      if (b > mostBlue) mostBlue = b;
    }
    const to = u * SUMS;
    columns[to] = count;
    columns[to + 1] = sumL;
    columns[to + 2] = sumR;
    columns[to + 3] = sumB;
    columns[to + 4] = sumLL;
    columns[to + 5] = sumLR;
    columns[to + 6] = sumLB;
    columns[to + 7] = leastRed;
    columns[to + 8] = mostRed;
    columns[to + 9] = leastBlue;
    columns[to + 10] = mostBlue;
    this.rowOfColumn[u] = j;
  }
}

function isNear(a: number, b: number): boolean {
  return a - b < PLAIN_LEVELS && b - a < PLAIN_LEVELS;
}

function clamp(value: number, least: number, most: number): number {
  return value < least ? least : value > most ? most : value;
}

function toLevel(value: number): number {
  return (clamp(value, 0, 255) + 0.5) | 0;
}
