import { ALPHA_WEIGHT, BLUE_WEIGHT, GREEN_WEIGHT, RED_WEIGHT } from './color-space.js';

/** Edges whose ends differ by more are left to the region graph: they are contours, or noise that λ has to weigh. */
const MAX_EDGE_WEIGHT = 24;
/** Up to this difference (rounding and sensor noise) two pixels are let together a little more easily. */
const NOISE_EDGE_WEIGHT = 3;
/**
 * How much of λ a merge may cost here, where the length of the common boundary is not known yet. The square root of the smaller
 * area stands in for that length. Six photos at λ 800, against 0.25: 0.5 takes 0.7 of the time and loses 0.1 dB; 0.12 takes
 * 1.45 and gains 0.07 dB; 0.03 takes 2.7 and gains 0.15 dB.
 */
const COST_FRACTION = 0.25;
/**
 * Below this λ there is so much detail that joining more here costs no more than leaving out as many bytes would: at λ 225, 0.5 instead of
 * 0.25 takes 0.06 to 0.1 of all the time off, 2.3 % of the bytes and 0.09 dB.
 */
const FINE_LAMBDA = 400;
const FINE_FRACTION = 0.5;
/** In pictures of more pixels than this there are so many regions a pixel at most: noise is joined for more than λ would allow. */
const LARGE_PX = 1 << 20;
const MOST_SHARE = 1 / 8;
/** What the budget is multiplied by until there are few enough, and how often: then all is joined that may be. */
const RAISE = 2;
const MOST_RAISES = 16;
/** The weight of what must not be joined, and the largest of what may. */
const BARRED = 255;
const LARGEST_WEIGHT = 254;
/** Sums of bytes of so many pixels fit into 32 bits. */
const MOST_AREA = 1 << 24;
/** Fields of one region's record: area, sums of premultiplied red, green, blue, and of alpha. */
const STRIDE = 5;

/** Many small regions, each 4-connected, numbered by first pixel in scan order. */
export interface OverSegmentation {
  /** Region of each pixel, 0..count-1. */
  readonly labels: Int32Array;
  readonly count: number;
  /** Five per region: area in px, sums of premultiplied red, green, blue, and of alpha. */
  readonly sums: Float64Array;
}

/**
 * Joins neighboring pixels whose union costs less than a part of `lambda`, most similar pairs first (counting sort, ties by
 * position). Fully transparent pixels join only one another, and always do.
 * @param premultiplied four bytes per pixel
 */
export function overSegment(
  premultiplied: Uint8Array,
  width: number,
  height: number,
  lambda: number,
): OverSegmentation {
  const pixelCount = width * height;
  const { parents, records } = singlePixels(premultiplied, pixelCount);
  const weighed = weighEdges(premultiplied, width, height);
  let budget = lambda * (lambda < FINE_LAMBDA ? FINE_FRACTION : COST_FRACTION);
  let count = pixelCount - joinPixels(sortEdges(weighed, MAX_EDGE_WEIGHT), width, budget, parents, records);
  const most = pixelCount > LARGE_PX ? pixelCount * MOST_SHARE : Infinity;
  const all = count > most ? sortEdges(weighed, LARGEST_WEIGHT) : undefined;
  for (let raise = 0; all && count > most && raise < MOST_RAISES; raise++) {
    budget = RAISE * Math.max(1, budget);
    count -= joinPixels(all, width, budget, parents, records);
  }
  return numberRegions(parents, records, count);
}

/** Every pixel a region. */
function singlePixels(pixels: Uint8Array, count: number): { parents: Int32Array; records: Uint32Array } {
  const parents = new Int32Array(count);
  const records = new Uint32Array(count * STRIDE);
  for (let i = 0; i < count; i++) {
    const at = i * STRIDE;
    parents[i] = i;
    records[at] = 1;
    records[at + 1] = pixels[4 * i];
    records[at + 2] = pixels[4 * i + 1];
    records[at + 3] = pixels[4 * i + 2];
    records[at + 4] = pixels[4 * i + 3];
  }
  return { parents, records };
}

/** Difference of two neighboring pixels, 0..254; BARRED where just one of them is fully transparent. */
function edgeWeight(pixels: Uint8Array, a: number, b: number): number {
  const alphaA = pixels[a + 3];
  const alphaB = pixels[b + 3];
  const red = Math.abs(pixels[a] - pixels[b]);
  const green = Math.abs(pixels[a + 1] - pixels[b + 1]);
  const blue = Math.abs(pixels[a + 2] - pixels[b + 2]);
  const weight = (red + 2 * green + blue) >> 2;
  const largest = weight < LARGEST_WEIGHT ? weight : LARGEST_WEIGHT;
  if (alphaA === alphaB) return largest;
  if (alphaA === 0 || alphaB === 0) return BARRED;
  const alphaStep = Math.abs(alphaA - alphaB);
  if (alphaStep <= MAX_EDGE_WEIGHT || alphaStep < largest) return largest;
  return alphaStep < LARGEST_WEIGHT ? alphaStep : LARGEST_WEIGHT;
}

/** The weights of all edges, each at twice its pixel, plus one for the lower instead of the right neighbor. */
interface WeighedEdges {
  readonly weights: Uint8Array;
  /** Per weight: edges of it. */
  readonly counts: Int32Array;
}

/** Edges, lightest first, and per weight where those of it end. */
interface SortedEdges {
  readonly edges: Int32Array;
  readonly ends: Int32Array;
}

function weighEdges(pixels: Uint8Array, width: number, height: number): WeighedEdges {
  const weights = new Uint8Array(width * height * 2).fill(BARRED);
  const counts = new Int32Array(BARRED + 1);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (x + 1 < width) {
        const weight = edgeWeight(pixels, i * 4, i * 4 + 4);
        weights[2 * i] = weight;
        counts[weight]++;
      }
      if (y + 1 < height) {
        const weight = edgeWeight(pixels, i * 4, (i + width) * 4);
        weights[2 * i + 1] = weight;
        counts[weight]++;
      }
    }
  }
  return { weights, counts };
}

/** The edges worth looking at. */
function sortEdges({ weights, counts }: WeighedEdges, heaviest: number): SortedEdges {
  const ends = new Int32Array(heaviest + 1);
  let total = 0;
  for (let weight = 0; weight <= heaviest; weight++) {
    ends[weight] = total;
    total += counts[weight];
  }
  const edges = new Int32Array(total);
  for (let edge = 0; edge < weights.length; edge++) {
    const weight = weights[edge];
    if (weight <= heaviest) edges[ends[weight]++] = edge;
  }
  // Each start has moved to its end by now.
  return { edges, ends };
}

/** Joins what lies side by side and costs no more than the budget; returns how often. */
function joinPixels(
  { edges, ends }: SortedEdges,
  width: number,
  budget: number,
  parents: Int32Array,
  records: Uint32Array,
): number {
  const noiseEnd = ends[NOISE_EDGE_WEIGHT];
  let joined = 0;
  for (let k = 0; k < edges.length; k++) {
    const edge = edges[k];
    let a = edge >> 1;
    let b = edge & 1 ? a + width : a + 1;
    while (parents[a] !== a) {
      parents[a] = parents[parents[a]];
      a = parents[a];
    }
    while (parents[b] !== b) {
      parents[b] = parents[parents[b]];
      b = parents[b];
    }
    if (a === b) continue;
    let into = a * STRIDE;
    let from = b * STRIDE;
    const areaA = records[into];
    const areaB = records[from];
    // The difference of the means times both areas: nothing has to be divided.
    const alpha = records[into + 4] * areaB - records[from + 4] * areaA;
    const red = records[into + 1] * areaB - records[from + 1] * areaA - 0.5 * alpha;
    const green = records[into + 2] * areaB - records[from + 2] * areaA - 0.5 * alpha;
    const blue = records[into + 3] * areaB - records[from + 3] * areaA - 0.5 * alpha;
    const distanceSq =
      RED_WEIGHT * red * red + GREEN_WEIGHT * green * green + BLUE_WEIGHT * blue * blue + ALPHA_WEIGHT * alpha * alpha;
    const smaller = areaA < areaB ? areaA : areaB;
    const limit = budget * (Math.sqrt(smaller) + (k < noiseEnd ? 1 : 0));
    const costsMore = distanceSq > limit * areaA * areaB * (areaA + areaB);
    if (costsMore && records[into + 4] + records[from + 4] > 0) continue;
    if (areaA + areaB > MOST_AREA) continue;
    joined++;
    if (areaA < areaB) {
      parents[a] = b;
      into = b * STRIDE;
      from = a * STRIDE;
    } else parents[b] = a;
    records[into] += records[from];
    records[into + 1] += records[from + 1];
    records[into + 2] += records[from + 2];
    records[into + 3] += records[from + 3];
    records[into + 4] += records[from + 4];
  }
  return joined;
}

/** Replaces the forest in `parents` by region numbers, in place, and packs the records of its roots. */
function numberRegions(parents: Int32Array, records: Uint32Array, count: number): OverSegmentation {
  const pixelCount = parents.length;
  const sums = new Float64Array(count * STRIDE);
  // A pixel that has its number holds the number's complement, so that one walk serves numbered and unnumbered trees.
  let next = 0;
  for (let i = 0; i < pixelCount; i++) {
    let root = i;
    while (parents[root] >= 0 && parents[root] !== root) root = parents[root];
    if (parents[root] === root) {
      for (let field = 0; field < STRIDE; field++) sums[next * STRIDE + field] = records[root * STRIDE + field];
      parents[root] = ~next++;
    }
    parents[i] = parents[root];
  }
  for (let i = 0; i < pixelCount; i++) parents[i] = ~parents[i];
  return { labels: parents, count, sums };
}
