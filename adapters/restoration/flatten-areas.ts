import { CHANNELS, type Planes } from './planes.js';

// What is left in an area after restoring are a few levels of unrest. A tracer takes them for detail; to an eye they are one
// color. Areas that are one become one exactly, and what lies beside them and differs no more joins them.

/** Levels between the darkest and lightest of a pixel's neighborhood inside an area. */
const EVEN = 12 / 255;
/** Levels between neighbors of one area. */
const STEP = 4 / 255;
/** Standard deviation, in levels, above which an area is a gradient and stays as it is. */
const MOST_DEVIATION = 5 / 255;
const LEAST_PIXELS = 12;
/** Areas whose colors are nearer than this, in levels, are one color; small ones, which bleed, may be farther. */
const SAME_COLOR = 8 / 255;
const SAME_COLOR_SMALL = 14 / 255;
const SMALL_PIXELS = 120;
/** What lies beside an area and is no farther from its color than this belongs to it. */
const JOINS = 12 / 255;
/** Nearer than this to black or white is black or white. */
const NEAR_END = 4 / 255;

/** Of each pixel: nobody's, of an area or a gradient, or of an area too small to be one, which others may have. */
const FREE = 0;
const TAKEN = 1;
const TOO_SMALL = 2;

interface Area {
  readonly first: number;
  readonly count: number;
  readonly mean: readonly [number, number, number];
}

/** 1 where a pixel and its neighbors, the diagonal ones included, are alike. */
export function evenPixels({ width, height, values }: Planes, levels: number): Uint8Array {
  const size = width * height;
  const even = new Uint8Array(size).fill(1);
  const low = new Float32Array(size);
  const high = new Float32Array(size);
  for (let channel = 0; channel < CHANNELS; channel++) {
    const base = channel * size;
    // Rows first, then columns: the extremes of three by three.
    for (let y = 0; y < height; y++) {
      for (let x = 0, i = y * width; x < width; x++, i++) {
        const left = values[base + i - (x > 0 ? 1 : 0)] as number;
        const middle = values[base + i] as number;
        const right = values[base + i + (x < width - 1 ? 1 : 0)] as number;
        low[i] = Math.min(left, middle, right);
        high[i] = Math.max(left, middle, right);
      }
    }
    for (let i = 0; i < size; i++) {
      const above = i >= width ? i - width : i;
      const below = i < size - width ? i + width : i;
      const lowest = Math.min(low[above] as number, low[i] as number, low[below] as number);
      const highest = Math.max(high[above] as number, high[i] as number, high[below] as number);
      if (highest - lowest > levels) even[i] = 0;
    }
  }
  return even;
}

const differBy = (values: Float32Array, size: number, a: number, b: number): number =>
  Math.max(
    Math.abs((values[a] as number) - (values[b] as number)),
    Math.abs((values[a + size] as number) - (values[b + size] as number)),
    Math.abs((values[a + 2 * size] as number) - (values[b + 2 * size] as number)),
  );

/** Areas of even pixels; `order` holds their pixels one after the other, and `taken` knows the pixels of gradients too. */
function findAreas(planes: Planes): { areas: Area[]; order: Int32Array; taken: Uint8Array } {
  const { width, height, values } = planes;
  const size = width * height;
  const even = evenPixels(planes, EVEN);
  const taken = new Uint8Array(size);
  const order = new Int32Array(size);
  const areas: Area[] = [];
  let end = 0;
  for (let seed = 0; seed < size; seed++) {
    if (even[seed] === 0 || taken[seed] !== FREE) continue;
    const first = end;
    order[end++] = seed;
    taken[seed] = TAKEN;
    for (let next = first; next < end; next++) {
      const i = order[next] as number;
      const x = i % width;
      for (let side = 0; side < 4; side++) {
        if ((side === 0 && x === 0) || (side === 1 && x === width - 1)) continue;
        const neighbor = side === 0 ? i - 1 : side === 1 ? i + 1 : side === 2 ? i - width : i + width;
        if (neighbor < 0 || neighbor >= size || even[neighbor] === 0 || taken[neighbor] !== FREE) continue;
        if (differBy(values, size, i, neighbor) > STEP) continue;
        taken[neighbor] = TAKEN;
        order[end++] = neighbor;
      }
    }
    const count = end - first;
    const { mean, deviation } = spreadOf(values, size, order.subarray(first, end));
    if (deviation > MOST_DEVIATION) continue;
    if (count >= LEAST_PIXELS) {
      areas.push({ first, count, mean });
      continue;
    }
    for (let next = first; next < end; next++) taken[order[next] as number] = TOO_SMALL;
    end = first;
  }
  return { areas, order, taken };
}

function spreadOf(values: Float32Array, size: number, pixels: Int32Array) {
  const mean: [number, number, number] = [0, 0, 0];
  let deviation = 0;
  for (let channel = 0; channel < CHANNELS; channel++) {
    let sum = 0;
    let squares = 0;
    for (const i of pixels) {
      const value = values[channel * size + i] as number;
      sum += value;
      squares += value * value;
    }
    mean[channel] = sum / pixels.length;
    const variance = squares / pixels.length - (sum / pixels.length) ** 2;
    deviation = Math.max(deviation, Math.sqrt(Math.max(0, variance)));
  }
  return { mean, deviation };
}

/** The color of each area, shared by those that are nearly the same: the largest areas decide. */
function shareColors(areas: readonly Area[]): Map<Area, readonly number[]> {
  const palette: { sum: number[]; weight: number }[] = [];
  const chosen = new Map<Area, { sum: number[]; weight: number }>();
  for (const area of [...areas].sort((a, b) => b.count - a.count || a.first - b.first)) {
    const reach = area.count < SMALL_PIXELS ? SAME_COLOR_SMALL : SAME_COLOR;
    let best: { sum: number[]; weight: number } | undefined;
    let bestDistance = reach;
    for (const color of palette) {
      const distance = Math.max(
        ...area.mean.map((value, c) => Math.abs(value - (color.sum[c] as number) / color.weight)),
      );
      if (distance > bestDistance) continue;
      best = color;
      bestDistance = distance;
    }
    if (best === undefined) {
      best = { sum: [0, 0, 0], weight: 0 };
      palette.push(best);
    }
    for (let c = 0; c < CHANNELS; c++) best.sum[c] = (best.sum[c] as number) + (area.mean[c] as number) * area.count;
    best.weight += area.count;
    chosen.set(area, best);
  }
  return new Map([...chosen].map(([area, { sum, weight }]) => [area, toEnds(sum.map((total) => total / weight))]));
}

/** Black and white where the color is all but that. */
function toEnds(color: readonly number[]): readonly number[] {
  if (color.every((value) => value < NEAR_END)) return [0, 0, 0];
  if (color.every((value) => value > 1 - NEAR_END)) return [1, 1, 1];
  return color.map((value) => Math.round(value * 255) / 255);
}

/** The planes with every area that is one color in exactly that color. Gradients and edges stay as they are. */
export function flattenAreas(planes: Planes): Planes {
  const { width, height } = planes;
  const size = width * height;
  const values = planes.values.slice();
  const { areas, order, taken } = findAreas(planes);
  const colors = shareColors(areas);
  const queue = new Int32Array(size);
  let end = 0;
  const paint = (i: number, color: readonly number[]) => {
    for (let channel = 0; channel < CHANNELS; channel++) values[channel * size + i] = color[channel] as number;
    taken[i] = TAKEN;
    queue[end++] = i;
  };
  for (const area of areas) {
    const color = colors.get(area) as readonly number[];
    for (let next = area.first; next < area.first + area.count; next++) paint(order[next] as number, color);
  }
  // Outwards in rings, all areas at once.
  for (let next = 0; next < end; next++) {
    const i = queue[next] as number;
    const x = i % width;
    for (let side = 0; side < 4; side++) {
      if ((side === 0 && x === 0) || (side === 1 && x === width - 1)) continue;
      const neighbor = side === 0 ? i - 1 : side === 1 ? i + 1 : side === 2 ? i - width : i + width;
      if (neighbor < 0 || neighbor >= size || taken[neighbor] === TAKEN) continue;
      if (differBy(values, size, i, neighbor) > JOINS) continue;
      paint(neighbor, [values[i] as number, values[i + size] as number, values[i + 2 * size] as number]);
    }
  }
  return { width, height, values };
}
