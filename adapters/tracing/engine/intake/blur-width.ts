import { lumaOf } from '../math/luma.js';
import type { EnginePicture } from '../types.js';

/** Lines, about, that are read along either axis, and edges that are measured on these at most. */
const LINES = 96;
const MOST_EDGES = 4096;
/** Edges that must tell. */
const LEAST_EDGES = 48;
/** An edge takes so many pixels at most, and what it parts differs by so many levels of luma at least, which compression keeps sharper than colors. */
const WIDEST_PX = 24;
const LEAST_CONTRAST = 48;
/** Neighbors within so many levels are even, so that compression's ripples hide no edge; an edge's ends go on from there for so many pixels more. */
const EVEN_LEVELS = 6;
const TAIL_PX = 4;
/** What an edge goes back by at most, and beyond the colors that it parts, as a share of the contrast. */
const MOST_BACK = 0.04;
/** Edges that go farther aside from one line to the next are measured along the other axis. */
const MOST_SLOPE = 1.2;
/**
 * Edges are as wide as those that a quarter of all are sharper than: what ends, and corners, only are wider. Where one edge in twenty is sharper than so
 * much of that, something sharp lies upon what is blurred.
 */
const WIDTH_QUANTILE = 0.25;
const SHARP_QUANTILE = 0.05;
const LEAST_SHARP = 0.6;
/** Edges of two quantiles say how even the blur is. */
const EVEN_QUANTILES = [0.15, 0.6] as const;
/** Variance of what one pixel covers, and of what lies between two, px². */
const PIXEL_VARIANCE = 1 / 12;
const CHANNELS = 4;
const COLORS = 3;

/** How far a picture is blurred all over. */
export interface Blur {
  /** The standard deviation of a Gaussian that blurs as much, px; 0 where edges do not agree, or are too few. */
  readonly px: number;
  /** How many times as wide as sharp edges others are, from 1 on: hardly more, wherever they lie, unless the picture was enlarged. */
  readonly unevenness: number;
}

/**
 * Measures the blur of an opaque picture by edges between even colors, along some rows and columns. From pixel to pixel an edge's steps are a Gaussian, whose squares add up
 * to 1 / (2 sqrt(pi) s) of the squared contrast wherever it lies between pixels, and ripples hardly show in them.
 */
export function measureBlur(picture: EnginePicture): Blur {
  const { width, height } = picture;
  const reader = new WidthReader(picture);
  reader.read(height, width, width, 1);
  reader.read(width, height, 1, width);
  return reader.blur();
}

/** A line of pixels: its first one, how many there are, and what lies from one to the next, and to the same one of the next line. */
interface Line {
  readonly start: number;
  readonly length: number;
  readonly along: number;
  readonly aside: number;
}

class WidthReader {
  private readonly data: EnginePicture['data'];
  private readonly widths = new Float64Array(MOST_EDGES);
  private count = 0;

  constructor({ data }: EnginePicture) {
    this.data = data;
  }

  /** Reads some of `lines` lines of `length` pixels: `aside` from one to the next, `along` from pixel to pixel. */
  read(lines: number, length: number, aside: number, along: number): void {
    const step = Math.max(1, Math.floor(lines / LINES));
    const most = this.count + MOST_EDGES / 2;
    for (let n = 1 + (step >> 1); n + 1 < lines; n += step) {
      if (this.count >= most) break;
      this.readLine({ start: n * aside, length, along, aside }, most);
    }
  }

  private readLine(line: Line, most: number): void {
    const { data } = this;
    const { start, length, along } = line;
    const stride = along * CHANNELS;
    // The last pixel that is as the one before it.
    let even = -1;
    for (let i = 1, at = start * CHANNELS + stride; i < length; i++, at += stride) {
      if (!isEven(data, at, at - stride)) continue;
      const between = i - 1 - even;
      if (even >= 0 && between > 0 && between <= WIDEST_PX) {
        this.take(line, even, i - 1);
        if (this.count >= most) return;
      }
      even = i;
    }
  }

  blur(): Blur {
    const sorted = this.widths.subarray(0, this.count).sort();
    const at = (quantile: number) => sorted[Math.floor(quantile * sorted.length)];
    const width = at(WIDTH_QUANTILE);
    if (sorted.length < LEAST_EDGES || at(SHARP_QUANTILE) < LEAST_SHARP * width) return { px: 0, unevenness: Infinity };
    const [low, high] = EVEN_QUANTILES;
    const px = Math.sqrt(Math.max(0, width * width - 2 * PIXEL_VARIANCE));
    return { px, unevenness: at(high) / at(low) };
  }

  private luma(pixel: number): number {
    const at = pixel * CHANNELS;
    return lumaOf(this.data[at], this.data[at + 1], this.data[at + 2]);
  }

  /** Takes the edge between two even pixels of a line, if it is one. */
  private take(line: Line, even: number, last: number): void {
    const { start, along, aside } = line;
    const from = this.endOf(line, even, -1);
    const to = this.endOf(line, last, 1);
    const first = this.luma(start + from * along);
    const contrast = this.luma(start + to * along) - first;
    if (Math.abs(contrast) < LEAST_CONTRAST) return;
    const shareAt = (pixel: number) => (this.luma(pixel) - first) / contrast;
    let squares = 0;
    let before = 0;
    let steepest = 0;
    let steep = start;
    for (let i = from + 1; i <= to; i++) {
      const share = shareAt(start + i * along);
      const step = share - before;
      if (step < -MOST_BACK || share > 1 + MOST_BACK) return;
      squares += step * step;
      if (step > steepest) {
        steepest = step;
        steep = start + i * along;
      }
      before = share;
    }
    const behind = shareAt(steep + aside) + shareAt(steep + aside - along);
    const ahead = shareAt(steep - aside) + shareAt(steep - aside - along);
    const slope = Math.abs(behind - ahead) / (4 * steepest);
    // What crosses a line aslant is wider along it.
    if (slope <= MOST_SLOPE)
      this.widths[this.count++] = 1 / (2 * Math.sqrt(Math.PI) * squares * Math.sqrt(1 + slope * slope));
  }

  /** The pixel up to which an edge goes on changing by little from where it is even. */
  private endOf({ start, length, along }: Line, from: number, way: -1 | 1): number {
    const { data } = this;
    const inner = (start + (from - way) * along) * CHANNELS;
    let at = from;
    for (let n = 0; n < TAIL_PX && at > 0 && at + 1 < length; n++, at += way) {
      const here = (start + at * along) * CHANNELS;
      const next = here + way * along * CHANNELS;
      let onwards = 0;
      for (let c = 0; c < COLORS; c++)
        onwards += (data[next + c] - data[here + c]) * (data[here + c] - data[inner + c]);
      if (onwards <= 0 || !isEven(data, here, next)) break;
    }
    return at;
  }
}

/** Whether the pixels that begin at two bytes are so near to each other that no edge is between them. */
function isEven(data: EnginePicture['data'], a: number, b: number): boolean {
  return (
    Math.abs(data[a] - data[b]) <= EVEN_LEVELS &&
    Math.abs(data[a + 1] - data[b + 1]) <= EVEN_LEVELS &&
    Math.abs(data[a + 2] - data[b + 2]) <= EVEN_LEVELS
  );
}
