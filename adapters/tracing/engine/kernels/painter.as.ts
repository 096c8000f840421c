/** Paints curves into pixels, compares these with the picture, and sums how the differences change with every curve. */
import { CHANNELS, firstTwo, lastTwo, sumOf } from './channels.as';
import {
  CAPACITY,
  CHAIN_OF,
  CHAINS,
  COLORS,
  CONTRAST,
  CONTRAST_SIZE,
  COSTS,
  ENTRIES,
  ENTRY_AREA,
  ENTRY_BEYOND,
  ENTRY_PARAMETER,
  ENTRY_ROW,
  ENTRY_SIZE,
  ENTRY_WEIGHT,
  GRADIENT,
  HEIGHT,
  IS_BORDER,
  IS_LEFT,
  KINDS,
  MOST_CHORDS,
  NORMAL,
  OBSERVED,
  OWNER,
  PIECE,
  POINTS,
  RUN_NUMBERS,
  RUN_SIZE,
  RUNS,
  SLOT_OF,
  SLOT_WEIGHT,
  SLOTS,
  STARTS,
  STILL,
  VALUES,
  WAY,
  WIDTH,
} from './kernel-layout';

/** Height of the chords that stand for a curve, px. */
const CHORD_ERROR_PX: f64 = 0.032;
/** Bytes of a segment's points, of its sums, and of an entry. */
const SEGMENT: usize = 64;
const PRODUCTS: usize = 512;
const ENTRY: usize = ENTRY_SIZE * 8;
const CHAIN_CONTRAST: usize = CONTRAST_SIZE * 8;

let slotOf: usize = 0;
let runs: usize = 0;
let observed: usize = 0;
let owner: usize = 0;
let values: usize = 0;
let still: usize = 0;
let slotWeight: usize = 0;
let colors: usize = 0;
let points: usize = 0;
let kinds: usize = 0;
let starts: usize = 0;
let chainOf: usize = 0;
let normal: usize = 0;
let gradient: usize = 0;
let contrast: usize = 0;
let costs: usize = 0;
let isBorder: usize = 0;
let isLeft: usize = 0;
let way: usize = 0;
let piece: usize = 0;
let entries: usize = 0;
let width: i32 = 0;
let height: i32 = 0;
let slots: i32 = 0;
let runNumbers: i32 = 0;
let chains: i32 = 0;
let capacity: i32 = 0;

/** Entries so far, and whether there are to be any. */
let count: i32 = 0;
let isTracked: bool = false;
// What is painted: the chain, its segment (-1 for one that is not of the drawing), whether it is a line, whether it is part of a rectangle,
// whether it is a round shape, and around what, and of a curve the ways from either vertex to its handle and one over their lengths.
let chain: i32 = 0;
let segment: i32 = 0;
let isLine: bool = false;
let isRectangle: bool = false;
let isRound: bool = false;
let centerX: f64 = 0;
let centerY: f64 = 0;
let ax: f64 = 0;
let ay: f64 = 0;
let bx: f64 = 0;
let by: f64 = 0;
let perA: f64 = 0;
let perB: f64 = 0;

function at(layout: usize, place: i32): i32 {
  return load<i32>(layout + ((<usize>place) << 2));
}

/** Takes over where everything is. */
export function begin(layout: usize): void {
  slotOf = at(layout, SLOT_OF);
  runs = at(layout, RUNS);
  observed = at(layout, OBSERVED);
  owner = at(layout, OWNER);
  values = at(layout, VALUES);
  still = at(layout, STILL);
  slotWeight = at(layout, SLOT_WEIGHT);
  colors = at(layout, COLORS);
  points = at(layout, POINTS);
  kinds = at(layout, KINDS);
  starts = at(layout, STARTS);
  chainOf = at(layout, CHAIN_OF);
  normal = at(layout, NORMAL);
  gradient = at(layout, GRADIENT);
  contrast = at(layout, CONTRAST);
  costs = at(layout, COSTS);
  isBorder = at(layout, IS_BORDER);
  isLeft = at(layout, IS_LEFT);
  way = at(layout, WAY);
  piece = at(layout, PIECE);
  entries = at(layout, ENTRIES);
  width = at(layout, WIDTH);
  height = at(layout, HEIGHT);
  slots = at(layout, SLOTS);
  runNumbers = at(layout, RUN_NUMBERS);
  chains = at(layout, CHAINS);
  capacity = at(layout, CAPACITY);
}

/** Begins with what chains at rest have painted, and no entries. */
export function clear(): void {
  memory.copy(values, still, <usize>slots * CHANNELS);
  memory.fill(slotWeight, 0, (<usize>slots) << 3);
  count = 0;
}

/**
 * Adds what a chain changes in each slot: its own change and that of all pixels to the right, in turn; where it is `tracked`, an entry for
 * every pixel that each of its segments enters. Returns the number of entries there are then.
 */
export function paintChain(c: i32, tracked: bool): i32 {
  chain = c;
  isTracked = tracked;
  isRectangle = false;
  isRound = false;
  const border = load<u8>(isBorder + c) !== 0;
  const to = load<i32>(starts + ((<usize>(c + 1)) << 2));
  for (let k = load<i32>(starts + ((<usize>c) << 2)); k < to; k++) {
    const p = points + <usize>k * SEGMENT;
    // Of the picture's border only the left side has pixels to its right.
    if (border && (load<f64>(p) > 0 || load<f64>(p, 48) > 0)) continue;
    segment = border ? -1 : k;
    if (load<i32>(kinds + ((<usize>k) << 2)) === 0) paintLine(p);
    else paintCubic(p);
  }
  return count;
}

/** As paintChain, what lies in the room for a piece: part of the rectangle that segment `k` of chain `c` is, which never moves. */
export function paintPiece(c: i32, k: i32, line: bool, tracked: bool): i32 {
  chain = c;
  segment = k;
  isTracked = tracked;
  isRectangle = true;
  isRound = false;
  if (line) paintLine(piece);
  else paintCubic(piece);
  return count;
}

/**
 * As paintChain, the circle or ellipse that segment `k` of chain `c` is, in four times so many chords. Entries say how areas change as its plane
 * does: moved along x and y, and stretched from the center by what takes x to x, x to y, y to x and y to y.
 */
export function paintRound(c: i32, k: i32, chords: i32, tracked: bool): i32 {
  chain = c;
  segment = k;
  isTracked = tracked;
  isRectangle = false;
  isRound = true;
  isLine = false;
  centerX = load<f64>(piece);
  centerY = load<f64>(piece, 8);
  const center = v128.load(piece);
  const first = v128.load(piece, 16);
  const second = v128.load(piece, 32);
  const stepCos = load<f64>(piece, 48);
  const stepSin = load<f64>(piece, 56);
  // Quarters begin where they end, to the bit, however many steps there are between.
  let cos: f64 = 1;
  let sin: f64 = 0;
  for (let quarter = 0; quarter < 4; quarter++) {
    const nextCos = -sin;
    const nextSin = cos;
    for (let i = 0; i <= chords; i++) {
      if (i === chords) {
        cos = nextCos;
        sin = nextSin;
      }
      const out = f64x2.add(f64x2.mul(f64x2.splat(cos), first), f64x2.mul(f64x2.splat(sin), second));
      v128.store(way + ((<usize>i) << 4), f64x2.add(center, out));
      const turned = cos * stepCos - sin * stepSin;
      sin = sin * stepCos + cos * stepSin;
      cos = turned;
    }
    cos = nextCos;
    sin = nextSin;
    paintWay(chords);
  }
  return count;
}

function paintLine(p: usize): void {
  isLine = true;
  v128.store(way, v128.load(p));
  v128.store(way, v128.load(p, 48), 16);
  paintWay(1);
}

/** The cubic of the eight numbers at `p`, as chords. */
function paintCubic(p: usize): void {
  isLine = false;
  const x0 = load<f64>(p);
  const y0 = load<f64>(p, 8);
  const x1 = load<f64>(p, 16);
  const y1 = load<f64>(p, 24);
  const x2 = load<f64>(p, 32);
  const y2 = load<f64>(p, 40);
  const x3 = load<f64>(p, 48);
  const y3 = load<f64>(p, 56);
  if (isTracked) {
    ax = x1 - x0;
    ay = y1 - y0;
    bx = x3 - x2;
    by = y3 - y2;
    const lengthA = sqrt(ax * ax + ay * ay);
    const lengthB = sqrt(bx * bx + by * by);
    perA = 1 / (lengthA > 0 ? lengthA : 1e-9);
    perB = 1 / (lengthB > 0 ? lengthB : 1e-9);
  }
  const ux = x0 - 2 * x1 + x2;
  const uy = y0 - 2 * y1 + y2;
  const vx = x1 - 2 * x2 + x3;
  const vy = y1 - 2 * y2 + y3;
  const bend = sqrt(max(ux * ux + uy * uy, vx * vx + vy * vy)) * 6;
  const chords = max(1, min(MOST_CHORDS, <i32>ceil(sqrt(bend / (8 * CHORD_ERROR_PX)))));
  // Joints lie a third of a chord's height outside the curve, so that chords are not all on its inner side. Two thirds would
  // enclose the curve's own area, but those who show the drawing use chords inside it too.
  const lift = 0.25 / <f64>(chords * chords);
  store<f64>(way, x0);
  store<f64>(way, y0, 8);
  let to = way + 16;
  for (let i = 1; i < chords; i++, to += 16) {
    const t = <f64>i / <f64>chords;
    const u = 1 - t;
    const b0 = u * u * u;
    const b1 = 3 * u * u * t;
    const b2 = 3 * u * t * t;
    const b3 = t * t * t;
    store<f64>(to, b0 * x0 + b1 * x1 + b2 * x2 + b3 * x3 - lift * (u * ux + t * vx));
    store<f64>(to, b0 * y0 + b1 * y1 + b2 * y2 + b3 * y3 - lift * (u * uy + t * vy), 8);
  }
  store<f64>(to, x3);
  store<f64>(to, y3, 8);
  paintWay(chords);
}

/** The chords in `way`, which share a segment's parameter evenly, each cut at the pixels' sides. One entry for every pixel entered. */
function paintWay(chords: i32): void {
  const line = isLine;
  const round = isRound;
  const share = 1 / <f64>chords;
  let pixelX = -1;
  let pixelY = -1;
  let area: f64 = 0;
  let rise: f64 = 0;
  let t: f64 = 0;
  // How the area changes with the start's x and y, the end's, the first handle's and the second's.
  let atStart = f64x2.splat(0);
  let atEnd = f64x2.splat(0);
  let atFirst = f64x2.splat(0);
  let atSecond = f64x2.splat(0);
  for (let c = 0; c < chords; c++) {
    const w = way + ((<usize>c) << 4);
    const x0 = load<f64>(w);
    const y0 = load<f64>(w, 8);
    const dx = load<f64>(w, 16) - x0;
    const dy = load<f64>(w, 24) - y0;
    if (dx === 0 && dy === 0) continue;
    let ix = dx < 0 ? <i32>ceil(x0) - 1 : <i32>floor(x0);
    let iy = dy < 0 ? <i32>ceil(y0) - 1 : <i32>floor(y0);
    const stepX = dx < 0 ? -1 : 1;
    const stepY = dy < 0 ? -1 : 1;
    const perX: f64 = dx === 0 ? Infinity : abs(1 / dx);
    const perY: f64 = dy === 0 ? Infinity : abs(1 / dy);
    let nextX: f64 = dx === 0 ? Infinity : (dx < 0 ? x0 - <f64>ix : <f64>(ix + 1) - x0) * perX;
    let nextY: f64 = dy === 0 ? Infinity : (dy < 0 ? y0 - <f64>iy : <f64>(iy + 1) - y0) * perY;
    let s: f64 = 0;
    while (s < 1) {
      const crossX = nextX < nextY;
      let end = crossX ? nextX : nextY;
      if (end > 1) end = 1;
      const part = end - s;
      if (part > 0) {
        if (ix !== pixelX || iy !== pixelY) {
          leave(pixelX, pixelY, area, rise, t, atStart, atEnd, atFirst, atSecond);
          pixelX = ix;
          pixelY = iy;
          area = 0;
          rise = 0;
          atStart = f64x2.splat(0);
          atEnd = f64x2.splat(0);
          atFirst = f64x2.splat(0);
          atSecond = f64x2.splat(0);
        }
        const middle = s + part / 2;
        const ex = dx * part;
        const ey = dy * part;
        rise += ey;
        area += ey * (<f64>(ix + 1) - (x0 + dx * middle));
        t = (<f64>c + middle) * share;
        const u = 1 - t;
        const across = f64x2.replace_lane(f64x2.splat(-ey), 1, ex);
        if (round) {
          atStart = f64x2.add(atStart, across);
          atEnd = f64x2.add(atEnd, f64x2.mul(f64x2.splat(x0 + dx * middle - centerX), across));
          atFirst = f64x2.add(atFirst, f64x2.mul(f64x2.splat(y0 + dy * middle - centerY), across));
        } else if (line) {
          atStart = f64x2.add(atStart, f64x2.mul(f64x2.splat(u), across));
          atEnd = f64x2.add(atEnd, f64x2.mul(f64x2.splat(t), across));
        } else {
          const b1 = 3 * u * u * t;
          const b2 = 3 * u * t * t;
          atStart = f64x2.add(atStart, f64x2.mul(f64x2.splat(u * u * u + b1), across));
          atEnd = f64x2.add(atEnd, f64x2.mul(f64x2.splat(t * t * t + b2), across));
          atFirst = f64x2.add(atFirst, f64x2.mul(f64x2.splat(b1), across));
          atSecond = f64x2.add(atSecond, f64x2.mul(f64x2.splat(b2), across));
        }
      }
      s = end;
      if (crossX) {
        ix += stepX;
        nextX += perX;
      } else {
        iy += stepY;
        nextY += perY;
      }
    }
  }
  leave(pixelX, pixelY, area, rise, t, atStart, atEnd, atFirst, atSecond);
}

/** Ends what is painted in a pixel. */
function leave(
  x: i32,
  y: i32,
  area: f64,
  rise: f64,
  t: f64,
  atStart: v128,
  atEnd: v128,
  atFirst: v128,
  atSecond: v128,
): void {
  if (x < 0 || y < 0 || x >= width || y >= height) return;
  const slot = load<i32>(slotOf + ((<usize>(y * width + x)) << 2));
  if (slot === 0) {
    leaveBeside(x, y, rise);
    return;
  }
  const d = contrast + <usize>chain * CHAIN_CONTRAST;
  const v = values + <usize>slot * CHANNELS;
  const rest = rise - area;
  const redGreen = v128.load(d);
  const blueAlpha = v128.load(d, 16);
  const here = f64x2.splat(area);
  const beyond = f64x2.splat(rest);
  v128.store(v, f64x2.add(v128.load(v), f64x2.mul(redGreen, here)));
  v128.store(v, f64x2.add(v128.load(v, 16), f64x2.mul(blueAlpha, here)), 16);
  v128.store(v, f64x2.add(v128.load(v, 32), f64x2.mul(redGreen, beyond)), 32);
  v128.store(v, f64x2.add(v128.load(v, 48), f64x2.mul(blueAlpha, beyond)), 48);
  if (!isTracked || segment < 0) return;
  if (isRectangle) {
    addStill(slot, area, rest);
    return;
  }
  const e = addEntry(slot, area, rest);
  const both = isRound ? atStart : f64x2.add(atStart, atEnd);
  const squares = f64x2.mul(both, both);
  const lengthSq = f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1);
  const weight = sqrt(load<f64>(d, 32) * lengthSq);
  store<f64>(e, weight, ENTRY_WEIGHT * 8);
  store<f64>(e, t, ENTRY_PARAMETER * 8);
  const sum = slotWeight + ((<usize>slot) << 3);
  store<f64>(sum, load<f64>(sum) + weight);
  v128.store(e, atStart, ENTRY_ROW * 8);
  v128.store(e, atEnd, ENTRY_ROW * 8 + 16);
  if (isRound) {
    v128.store(e, atFirst, ENTRY_ROW * 8 + 32);
    v128.store(e, f64x2.splat(0), ENTRY_ROW * 8 + 48);
    return;
  }
  if (isLine) return;
  // From the handles' ends to their lengths and angles.
  const fx = f64x2.extract_lane(atFirst, 0);
  const fy = f64x2.extract_lane(atFirst, 1);
  const sx = f64x2.extract_lane(atSecond, 0);
  const sy = f64x2.extract_lane(atSecond, 1);
  store<f64>(e, (fx * ax + fy * ay) * perA, ENTRY_ROW * 8 + 32);
  store<f64>(e, -(sx * bx + sy * by) * perB, ENTRY_ROW * 8 + 40);
  store<f64>(e, fy * ax - fx * ay, ENTRY_ROW * 8 + 48);
  store<f64>(e, -(sy * bx - sx * by), ENTRY_ROW * 8 + 56);
}

/**
 * Ends what is painted beside the band: no pixel tells of it, but how far it goes down counts for all of the row that follows. Not so the
 * picture's own border, since every run begins with the region that it begins in.
 */
function leaveBeside(x: i32, y: i32, rise: f64): void {
  if (rise === 0 || load<u8>(isBorder + chain) !== 0) return;
  let slot = 0;
  for (let u = x + 1; u < width && slot === 0; u++) slot = load<i32>(slotOf + ((<usize>(y * width + u)) << 2));
  if (slot === 0) return;
  const d = contrast + <usize>chain * CHAIN_CONTRAST;
  const v = values + <usize>slot * CHANNELS;
  const all = f64x2.splat(rise);
  v128.store(v, f64x2.add(v128.load(v), f64x2.mul(v128.load(d), all)));
  v128.store(v, f64x2.add(v128.load(v, 16), f64x2.mul(v128.load(d, 16), all)), 16);
  if (isTracked && segment >= 0) addStill(slot, rise, 0);
}

/** An entry that moves with nothing. */
function addStill(slot: i32, area: f64, beyond: f64): void {
  store<f64>(addEntry(slot, area, beyond), 0, ENTRY_WEIGHT * 8);
}

function addEntry(slot: i32, area: f64, beyond: f64): usize {
  // The caller has seen to it that there is room.
  if (count >= capacity) unreachable();
  const e = entries + <usize>count * ENTRY;
  count++;
  store<i32>(e, slot);
  store<i32>(e, segment, 4);
  store<f64>(e, area, ENTRY_AREA * 8);
  store<f64>(e, beyond, ENTRY_BEYOND * 8);
  return e;
}

/** From what changes in each pixel to what the picture has more; per chain the squares of that, and returned the sum of all. */
export function subtract(): f64 {
  memory.fill(costs, 0, (<usize>chains) << 3);
  let cost: f64 = 0;
  // Neighbors mostly have one owner: summed here, since to add to memory each time would wait for the time before.
  let last = 0;
  let sum: f64 = 0;
  for (let r = 0; r < runNumbers; r += RUN_SIZE) {
    const run = runs + ((<usize>r) << 2);
    const region = load<i32>(run, 4);
    const slot = <usize>load<i32>(run);
    const end = values + <usize>load<i32>(run, 12) * CHANNELS;
    let redGreen = f64x2.splat(0);
    let blueAlpha = f64x2.splat(0);
    if (region >= 0) {
      redGreen = v128.load(colors + <usize>region * CHANNELS);
      blueAlpha = v128.load(colors + <usize>region * CHANNELS, 16);
    }
    let seen = observed + (slot << 2);
    let own = owner + (slot << 2);
    for (let v = values + slot * CHANNELS; v < end; v += CHANNELS, seen += 4, own += 4) {
      redGreen = f64x2.add(redGreen, v128.load(v));
      blueAlpha = f64x2.add(blueAlpha, v128.load(v, 16));
      const levels = v128.load32_zero(seen);
      const moreRedGreen = f64x2.sub(firstTwo(levels), redGreen);
      const moreBlueAlpha = f64x2.sub(lastTwo(levels), blueAlpha);
      v128.store(v, moreRedGreen);
      v128.store(v, moreBlueAlpha, 16);
      const chainHere = load<i32>(own);
      if (chainHere !== last) {
        addCost(last, sum);
        cost += sum;
        last = chainHere;
        sum = 0;
      }
      sum += sumOf(f64x2.mul(moreRedGreen, moreRedGreen), f64x2.mul(moreBlueAlpha, moreBlueAlpha));
    }
  }
  addCost(last, sum);
  return cost + sum;
}

function addCost(c: i32, cost: f64): void {
  const to = costs + ((<usize>c) << 3);
  store<f64>(to, load<f64>(to) + cost);
}

/**
 * Sums per segment the products of its derivatives (8 x 8, lower triangle), and of derivative and difference; those of chains that are left
 * as they are, are left.
 */
export function linearize(): void {
  for (let c = 0; c < chains; c++) {
    if (load<u8>(isLeft + c) !== 0) continue;
    const from = <usize>load<i32>(starts + ((<usize>c) << 2));
    const segments = <usize>load<i32>(starts + ((<usize>(c + 1)) << 2)) - from;
    memory.fill(normal + from * PRODUCTS, 0, segments * PRODUCTS);
    memory.fill(gradient + from * SEGMENT, 0, segments * SEGMENT);
  }
  const end = entries + <usize>count * ENTRY;
  for (let e = entries; e < end; e += ENTRY) {
    const own = load<f64>(e, ENTRY_WEIGHT * 8);
    const k = load<i32>(e, 4);
    const c = load<i32>(chainOf + ((<usize>k) << 2));
    if (own <= 0 || load<u8>(isLeft + c) !== 0) continue;
    const slot = <usize>load<i32>(e);
    const d = contrast + <usize>c * CHAIN_CONTRAST;
    const v = values + slot * CHANNELS;
    // Several segments in one pixel share its difference: together they must not do much more than is needed. To hold each back as
    // if all others pulled the same way would be too much, since mostly they do not.
    const w = f64x2.splat(load<f64>(d, 32) * sqrt(load<f64>(slotWeight + (slot << 3)) / own));
    const along = sumOf(f64x2.mul(v128.load(d), v128.load(v)), f64x2.mul(v128.load(d, 16), v128.load(v, 16)));
    const g = f64x2.splat(along);
    const toG = gradient + <usize>k * SEGMENT;
    const toN = normal + <usize>k * PRODUCTS;
    const r01 = v128.load(e, ENTRY_ROW * 8);
    const r23 = v128.load(e, ENTRY_ROW * 8 + 16);
    add(toG, r01, g);
    add(toG + 16, r23, g);
    const w01 = f64x2.mul(r01, w);
    const w23 = f64x2.mul(r23, w);
    let one = f64x2.splat(f64x2.extract_lane(w01, 0));
    add(toN, r01, one);
    one = f64x2.splat(f64x2.extract_lane(w01, 1));
    add(toN + 64, r01, one);
    one = f64x2.splat(f64x2.extract_lane(w23, 0));
    add(toN + 128, r01, one);
    add(toN + 144, r23, one);
    one = f64x2.splat(f64x2.extract_lane(w23, 1));
    add(toN + 192, r01, one);
    add(toN + 208, r23, one);
    if (load<i32>(kinds + ((<usize>k) << 2)) === 0) continue;
    const r45 = v128.load(e, ENTRY_ROW * 8 + 32);
    const r67 = v128.load(e, ENTRY_ROW * 8 + 48);
    add(toG + 32, r45, g);
    add(toG + 48, r67, g);
    const w45 = f64x2.mul(r45, w);
    const w67 = f64x2.mul(r67, w);
    one = f64x2.splat(f64x2.extract_lane(w45, 0));
    add(toN + 256, r01, one);
    add(toN + 272, r23, one);
    add(toN + 288, r45, one);
    one = f64x2.splat(f64x2.extract_lane(w45, 1));
    add(toN + 320, r01, one);
    add(toN + 336, r23, one);
    add(toN + 352, r45, one);
    one = f64x2.splat(f64x2.extract_lane(w67, 0));
    add(toN + 384, r01, one);
    add(toN + 400, r23, one);
    add(toN + 416, r45, one);
    add(toN + 432, r67, one);
    one = f64x2.splat(f64x2.extract_lane(w67, 1));
    add(toN + 448, r01, one);
    add(toN + 464, r23, one);
    add(toN + 480, r45, one);
    add(toN + 496, r67, one);
  }
}

/** Adds the product of two pairs of numbers to a third. */
function add(to: usize, a: v128, b: v128): void {
  v128.store(to, f64x2.add(v128.load(to), f64x2.mul(a, b)));
}
