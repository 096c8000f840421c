/** Colors as sharp as lightness: what `withChromaDetail` does, for a part of a picture. */
import {
  BLUE_OF_LUMA,
  CHROMA_LINE,
  CHROMA_REACH,
  CHROMA_SMOOTH,
  CHROMA_SUMS,
  GREEN_OF_LUMA,
  RED_OF_LUMA,
  SCRATCH,
} from './kernel-layout';
import { at4, at8 } from './places.as';

/** What the lightness of even areas varies by, levels squared: with less, colors do not follow it. */
const EVEN_SQ: f64 = 8;
/** A pixel has the colors that came for it where its lightness is no farther from what samples make of it, levels. */
const LEAST_DETAIL: f64 = 1;
/** Where the lightness of samples differs by no more than this, none has so much more of it. */
const PLAIN_LEVELS: f64 = 2 * LEAST_DETAIL;
/** Of the two samples that a pixel lies between, what the nearer one has of it, and the other. */
const NEARER: f64 = 0.75;
const FARTHER: f64 = 1 - NEARER;
/** What a sample's pixels together have of either sample next to it, where they are mixed of two. */
const OF_NEXT: f64 = FARTHER / 2;
/** Bytes of a column, and of a line. */
const SUMS: usize = 8 * CHROMA_SUMS;
const LINE: usize = 8 * CHROMA_LINE;

let width: i32 = 0;
let height: i32 = 0;
// Of either axis its samples, whether pixels share one, and are mixed of two, and the number of the first pixel that begins a pair.
let across: i32 = 0;
let down: i32 = 0;
let acrossMode: i32 = 0;
let acrossFirst: i32 = 0;
let downMode: i32 = 0;
let downFirst: i32 = 0;

let words: usize = 0;
// Per sample the mean lightness of its pixels, how far red and blue are from it, and the mean lightness if there were no more of it than of colors, in single precision;
// and whether its pixels are all the same.
let light: usize = 0;
let red: usize = 0;
let blue: usize = 0;
let halved: usize = 0;
let even: usize = 0;
// Per column of samples what was summed up around a row of them, and which row that was: samples next to each other have most columns in common. The line
// of colors over lightness around a row of samples, and which row that was. Of the row of samples at hand, which of them lack nothing; and what lightness the row of pixels
// at hand has by them.
let columns: usize = 0;
let lines: usize = 0;
let rowLight: usize = 0;
let columnRows: usize = 0;
let lineRows: usize = 0;
let plain: usize = 0;

function beginOf(sample: i32, mode: i32, first: i32, length: i32): i32 {
  return mode === 0 ? sample : max(0, min(length, 2 * sample - first));
}

/** The other sample that a pixel of one lies between. */
function besideOf(sample: i32, pixel: i32, mode: i32, first: i32, samples: i32): i32 {
  if (mode !== CHROMA_SMOOTH) return sample;
  const other = sample + (((pixel + first) & 1) === 1 ? 1 : -1);
  return other < 0 ? 0 : other < samples ? other : sample;
}

function single(list: usize, i: i32): f64 {
  return <f64>load<f32>(at4(list, i));
}

function lumaOf(r: f64, g: f64, b: f64): f64 {
  return RED_OF_LUMA * r + GREEN_OF_LUMA * g + BLUE_OF_LUMA * b;
}

/**
 * Restores the colors of samples `from` to `to` along the down axis. Of either axis there are given its samples, its mode (0, where no pixels share one, CHROMA_HALVED or CHROMA_SMOOTH) and
 * its first pair. The words of `columns` x `rows` pixels begin the room behind the layout; behind them those of the rows that were restored come, and behind these room for what
 * is told of samples, rows of them and columns.
 */
export function restoreChroma(
  pixelColumns: i32,
  pixelRows: i32,
  samplesAcross: i32,
  samplesDown: i32,
  from: i32,
  to: i32,
  modeAcross: i32,
  firstAcross: i32,
  modeDown: i32,
  firstDown: i32,
): void {
  width = pixelColumns;
  height = pixelRows;
  across = samplesAcross;
  down = samplesDown;
  acrossMode = modeAcross;
  acrossFirst = firstAcross;
  downMode = modeDown;
  downFirst = firstDown;
  const top = beginOf(from, downMode, downFirst, height);
  const bottom = beginOf(to, downMode, downFirst, height);
  words = SCRATCH;
  const out = at4(words, width * height);
  memory.copy(out, at4(words, top * width), (<usize>((bottom - top) * width)) << 2);
  // Numbers of eight bytes first, wherever what lies before ends.
  columns = (at4(out, (bottom - top) * width) + 7) & ~7;
  lines = columns + SUMS * <usize>across;
  rowLight = lines + LINE * <usize>across;
  light = at8(rowLight, across);
  red = at4(light, across * down);
  blue = at4(red, across * down);
  halved = at4(blue, across * down);
  columnRows = at4(halved, across * down);
  lineRows = at4(columnRows, across);
  even = at4(lineRows, across);
  plain = even + <usize>(across * down);
  memory.fill(columnRows, 255, (<usize>across) << 3);
  for (let j = 0; j < down; j++) averageRow(j);
  for (let j = 0; j < down; j++) halveRow(j);
  for (let j = from; j < to; j++) {
    for (let i = 0; i < across; i++) store<u8>(plain + <usize>i, isPlain(i, j) ? 1 : 0);
    const end = beginOf(j + 1, downMode, downFirst, height);
    for (let y = beginOf(j, downMode, downFirst, height); y < end; y++) restoreRow(y, j, at4(out, (y - top) * width));
  }
}

/** Averages the pixels of a row of samples. */
function averageRow(j: i32): void {
  const top = beginOf(j, downMode, downFirst, height) * width;
  const end = beginOf(j + 1, downMode, downFirst, height) * width;
  let sample = j * across;
  for (let i = 0; i < across; i++, sample++) {
    const left = beginOf(i, acrossMode, acrossFirst, width);
    const right = beginOf(i + 1, acrossMode, acrossFirst, width);
    const word = load<i32>(at4(words, top + left));
    let isAlike = true;
    let r: i32 = 0;
    let g: i32 = 0;
    let b: i32 = 0;
    let count = 0;
    for (let row = top; row < end; row += width) {
      for (let pixel = row + left; pixel < row + right; pixel++, count++) {
        const own = load<i32>(at4(words, pixel));
        if (own !== word) isAlike = false;
        r += own & 255;
        g += (own >> 8) & 255;
        b += (own >> 16) & 255;
      }
    }
    const mean = lumaOf(<f64>r, <f64>g, <f64>b) / <f64>count;
    store<f32>(at4(light, sample), <f32>mean);
    store<f32>(at4(red, sample), <f32>(<f64>r / <f64>count - mean));
    store<f32>(at4(blue, sample), <f32>(<f64>b / <f64>count - mean));
    store<u8>(even + <usize>sample, isAlike ? 1 : 0);
  }
}

function halveRow(j: i32): void {
  const row = j * across;
  const above = j > 0 ? row - across : row;
  const below = j + 1 < down ? row + across : row;
  const vertical: f64 = downMode === CHROMA_SMOOTH ? OF_NEXT : 0;
  const horizontal: f64 = acrossMode === CHROMA_SMOOTH ? OF_NEXT : 0;
  let before: f64 = 0;
  let here: f64 = 0;
  for (let i = 0; i <= across; i++) {
    const behind =
      i < across
        ? (1 - 2 * vertical) * single(light, row + i) + vertical * (single(light, above + i) + single(light, below + i))
        : here;
    if (i === 0) before = behind;
    else {
      const mean = (1 - 2 * horizontal) * here + horizontal * (before + behind);
      store<f32>(at4(halved, row + i - 1), <f32>mean);
      before = here;
    }
    here = behind;
  }
}

/** Gives the pixels of a row, which is of a row of samples, what their colors lack. */
function restoreRow(y: i32, j: i32, out: usize): void {
  const row = j * across;
  const other = besideOf(j, y, downMode, downFirst, down) * across;
  for (let i = 0; i < across; i++)
    store<f64>(at8(rowLight, i), NEARER * single(light, row + i) + FARTHER * single(light, other + i));
  const smooth = acrossMode === CHROMA_SMOOTH;
  for (let i = 0; i < across; i++) {
    if (load<u8>(plain + <usize>i) === 1) continue;
    const end = beginOf(i + 1, acrossMode, acrossFirst, width);
    for (let x = beginOf(i, acrossMode, acrossFirst, width); x < end; x++) {
      let mean = load<f64>(at8(rowLight, i));
      if (smooth) {
        const beside = besideOf(i, x, acrossMode, acrossFirst, across);
        mean = NEARER * mean + FARTHER * load<f64>(at8(rowLight, beside));
      }
      const word = load<i32>(at4(words, y * width + x));
      const ofRed = <f64>(word & 255);
      const ofBlue = <f64>((word >> 16) & 255);
      const own = lumaOf(ofRed, <f64>((word >> 8) & 255), ofBlue);
      const detail = own - mean;
      if (detail > -LEAST_DETAIL && detail < LEAST_DETAIL) continue;
      if (load<i32>(at4(lineRows, i)) !== j) follow(i, j);
      const line = lines + LINE * <usize>i;
      const r = clamp(ofRed - own + load<f64>(line) * detail, load<f64>(line, 8), load<f64>(line, 16));
      const b = clamp(ofBlue - own + load<f64>(line, 24) * detail, load<f64>(line, 32), load<f64>(line, 40));
      const to = at4(out, x);
      store<u8>(to, toLevel(own + r));
      store<u8>(to, toLevel(own - (RED_OF_LUMA * r + BLUE_OF_LUMA * b) / GREEN_OF_LUMA), 1);
      store<u8>(to, toLevel(own + b), 2);
    }
  }
}

/** Whether a sample and those around it are so alike that nothing can be missing. */
function isPlain(i: i32, j: i32): bool {
  const at = j * across + i;
  if (load<u8>(even + <usize>at) === 0) return false;
  const own = single(light, at);
  const left = i > 0 ? -1 : 0;
  const right = i + 1 < across ? 1 : 0;
  const above = j > 0 ? at - across : at;
  const below = j + 1 < down ? at + across : at;
  return (
    isNear(at + left, own) &&
    isNear(at + right, own) &&
    isNear(above, own) &&
    isNear(below, own) &&
    isNear(above + left, own) &&
    isNear(above + right, own) &&
    isNear(below + left, own) &&
    isNear(below + right, own)
  );
}

function isNear(sample: i32, own: f64): bool {
  return abs(single(light, sample) - own) < PLAIN_LEVELS;
}

/** Fits the line of colors over lightness around a sample. */
function follow(i: i32, j: i32): void {
  let count: f64 = 0;
  let sumL: f64 = 0;
  let sumLL: f64 = 0;
  // Of red, and of blue.
  let sums = f64x2.splat(0);
  let products = f64x2.splat(0);
  let leasts = f64x2.splat(Infinity);
  let mosts = f64x2.splat(-Infinity);
  const right = min(across - 1, i + CHROMA_REACH);
  for (let u = max(0, i - CHROMA_REACH); u <= right; u++) {
    if (load<i32>(at4(columnRows, u)) !== j) sumColumn(u, j);
    const at = columns + SUMS * <usize>u;
    count += load<f64>(at);
    sumL += load<f64>(at, 8);
    sumLL += load<f64>(at, 16);
    sums = f64x2.add(sums, v128.load(at, 24));
    products = f64x2.add(products, v128.load(at, 40));
    if (u < i - 1 || u > i + 1) continue;
    leasts = f64x2.pmin(leasts, v128.load(at, 56));
    mosts = f64x2.pmax(mosts, v128.load(at, 72));
  }
  const variance = sumLL - (sumL * sumL) / count + EVEN_SQ * count;
  const means = f64x2.div(f64x2.mul(f64x2.splat(sumL), sums), f64x2.splat(count));
  const slopes = f64x2.div(f64x2.sub(products, means), f64x2.splat(variance));
  const line = lines + LINE * <usize>i;
  store<f64>(line, f64x2.extract_lane(slopes, 0));
  store<f64>(line, f64x2.extract_lane(leasts, 0), 8);
  store<f64>(line, f64x2.extract_lane(mosts, 0), 16);
  store<f64>(line, f64x2.extract_lane(slopes, 1), 24);
  store<f64>(line, f64x2.extract_lane(leasts, 1), 32);
  store<f64>(line, f64x2.extract_lane(mosts, 1), 40);
  store<i32>(at4(lineRows, i), j);
}

/** Sums up what the samples above and below one have: those that are followed over, and of colors the ends of those next to it. */
function sumColumn(u: i32, j: i32): void {
  let count: f64 = 0;
  let sumL: f64 = 0;
  let sumLL: f64 = 0;
  let sums = f64x2.splat(0);
  let products = f64x2.splat(0);
  let leasts = f64x2.splat(Infinity);
  let mosts = f64x2.splat(-Infinity);
  const bottom = min(down - 1, j + CHROMA_REACH);
  for (let v = max(0, j - CHROMA_REACH); v <= bottom; v++) {
    const at = v * across + u;
    const l = single(halved, at);
    const both = f64x2.replace_lane(f64x2.splat(single(red, at)), 1, single(blue, at));
    count += 1;
    sumL += l;
    sumLL += l * l;
    sums = f64x2.add(sums, both);
    products = f64x2.add(products, f64x2.mul(f64x2.splat(l), both));
    if (v < j - 1 || v > j + 1) continue;
    leasts = f64x2.pmin(leasts, both);
    mosts = f64x2.pmax(mosts, both);
  }
  const to = columns + SUMS * <usize>u;
  store<f64>(to, count);
  store<f64>(to, sumL, 8);
  store<f64>(to, sumLL, 16);
  v128.store(to, sums, 24);
  v128.store(to, products, 40);
  v128.store(to, leasts, 56);
  v128.store(to, mosts, 72);
  store<i32>(at4(columnRows, u), j);
}

function clamp(value: f64, low: f64, high: f64): f64 {
  return value < low ? low : value > high ? high : value;
}

function toLevel(value: f64): u8 {
  return <u8>(<i32>(clamp(value, 0, 255) + 0.5));
}
