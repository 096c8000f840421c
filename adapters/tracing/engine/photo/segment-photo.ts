import { toPremultiplied } from './color-space.js';
import { absorbSmallRegions, mergeRegions } from './merge-regions.js';
import { overSegment } from './over-segment.js';
import { RegionGraph } from './region-graph.js';

/** What the price of a boundary is multiplied by until there are few enough regions, and how often. */
const RAISE = 2;
const MOST_RAISES = 30;

export interface PhotoOptions {
  /** Squared error (0..255 scale, summed over red, green, blue) that one px of boundary is worth; 0 keeps every edge. */
  readonly lambda: number;
  /** Smaller regions join the neighbor that this costs least; up to 1 keeps all. */
  readonly minAreaPx: number;
  /** More regions than this are no drawing any more: boundaries have to be worth more then. */
  readonly mostRegions?: number;
}

/** A partition of the picture into 4-connected regions of one color each. */
export interface PhotoSegmentation {
  /** Region of each pixel, 0..count-1, numbered by first pixel in scan order. */
  readonly labels: Int32Array;
  readonly count: number;
  /** Four per region: mean premultiplied red, green, blue and mean alpha, each 0..255. */
  readonly colors: Float64Array;
  readonly areaPx: Int32Array;
}

/**
 * Splits a picture into regions of nearly one color (Mumford–Shah: squared error + λ · boundary length, by greedy merging).
 *
 * Fully transparent pixels form regions of their own, which never join others and are exempt from `minAreaPx`, as is a region
 * that has only such neighbors. Deterministic; time is near-linear in the pixel count whatever the picture.
 * @param rgba four bytes per pixel, not premultiplied, width x height of them
 * @throws RangeError for a size that does not match, or a negative or missing number
 */
export function segmentPhoto(
  rgba: Uint8Array,
  width: number,
  height: number,
  options: PhotoOptions,
): PhotoSegmentation {
  const pixelCount = width * height;
  if (!(width >= 1 && height >= 1) || rgba.length !== pixelCount * 4) {
    throw new RangeError(`a picture of ${width} x ${height} does not have ${rgba.length} bytes of RGBA`);
  }
  if (!(options.lambda >= 0)) throw new RangeError(`lambda must be 0 or more, not ${options.lambda}`);
  if (!(options.minAreaPx >= 0)) throw new RangeError(`minAreaPx must be 0 or more, not ${options.minAreaPx}`);

  const { labels, owners } = mergeAll(rgba, width, height, options);
  const count = numberByFirstPixel(labels, owners);
  return { labels, count, ...measureRegions(rgba, labels, count) };
}

/** In a function of its own, so that the graph is garbage before the result is measured. */
function mergeAll(
  rgba: Uint8Array,
  width: number,
  height: number,
  options: PhotoOptions,
): { labels: Int32Array; owners: Int32Array } {
  const segmentation = overSegment(toPremultiplied(rgba, width * height), width, height, options.lambda);
  const graph = new RegionGraph(segmentation, width, height);
  mergeRegions(graph, options.lambda);
  absorbSmallRegions(graph, options.minAreaPx);
  const { mostRegions = Infinity } = options;
  for (let raise = 1, price = options.lambda; graph.living > mostRegions && raise <= MOST_RAISES; raise++) {
    price = RAISE * Math.max(1, price);
    mergeRegions(graph, price);
  }
  return { labels: segmentation.labels, owners: graph.owners };
}

/** Replaces the labels by those of the regions that took theirs in, renumbered; in place. Returns how many there are. */
function numberByFirstPixel(labels: Int32Array, owners: Int32Array): number {
  for (let region = 0; region < owners.length; region++) {
    let root = region;
    while (owners[root] !== root) root = owners[root];
    for (let at = region; owners[at] !== root; ) {
      const above = owners[at];
      owners[at] = root;
      at = above;
    }
  }
  const numbers = new Int32Array(owners.length).fill(-1);
  let count = 0;
  for (let i = 0; i < labels.length; i++) {
    const root = owners[labels[i]];
    if (numbers[root] < 0) numbers[root] = count++;
    labels[i] = numbers[root];
  }
  return count;
}

/** Exact means from the picture itself: the merging worked on rounded premultiplied bytes. */
function measureRegions(
  rgba: Uint8Array,
  labels: Int32Array,
  count: number,
): { colors: Float64Array; areaPx: Int32Array } {
  const colors = new Float64Array(count * 4);
  const areaPx = new Int32Array(count);
  for (let i = 0; i < labels.length; i++) {
    const at = labels[i] * 4;
    const alpha = rgba[4 * i + 3];
    // Sums of products of bytes stay whole numbers, so that their order cannot matter.
    colors[at] += rgba[4 * i] * alpha;
    colors[at + 1] += rgba[4 * i + 1] * alpha;
    colors[at + 2] += rgba[4 * i + 2] * alpha;
    colors[at + 3] += alpha;
    areaPx[labels[i]]++;
  }
  for (let region = 0; region < count; region++) {
    const area = areaPx[region];
    for (let channel = 0; channel < 3; channel++) colors[region * 4 + channel] /= 255 * area;
    colors[region * 4 + 3] /= area;
  }
  return { colors, areaPx };
}
