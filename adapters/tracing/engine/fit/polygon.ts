import type { LineSums } from './line-sums.js';

/** What one polygon side is worth, in units of squared error over the noise variance. */
const SIDE_PRICE = 5;
/** Standard deviation of an edge sample, px. */
export const SAMPLE_SIGMA_PX = 0.12;
/** A stretch whose samples lie farther (RMS) than this from a line is no side, px. */
const WORST_RMS_PX = 0.1;
/** Sides are at most this many samples long; a straight edge of more becomes several collinear ones. */
const LONGEST_SIDE = 160;
/** After so many starting points in a row that do not work, longer sides will not either. */
const GIVE_UP_AFTER = 3;

/** Finds the polygon of least cost through rows of samples, by dynamic programming over its vertices. */
export class PolygonFinder {
  /** The vertices found, as numbers of samples, first and last included. */
  vertices = new Int32Array(256);

  /** Returns the number of vertices; `sums` hold the `count` samples (at least 2). */
  find(sums: LineSums, count: number): number {
    const { costs: cost, previous } = sums;
    const perSquare = 1 / (SAMPLE_SIGMA_PX * SAMPLE_SIGMA_PX);
    const worstSq = WORST_RMS_PX * WORST_RMS_PX;
    cost[0] = 0;
    previous[0] = 0;
    for (let j = 1; j < count; j++) {
      const first = j > LONGEST_SIDE ? j - LONGEST_SIDE : 0;
      const from = sums.cheapestStart(j, first, previous[j - 1], cost, perSquare, worstSq, GIVE_UP_AFTER);
      cost[j] = sums.leastCost + SIDE_PRICE;
      previous[j] = from < 0 ? j - 1 : from;
    }
    let size = 1;
    for (let j = count - 1; j > 0; j = previous[j]) size++;
    if (this.vertices.length < size) this.vertices = new Int32Array(Math.max(size, this.vertices.length * 2));
    let at = size;
    for (let j = count - 1; j > 0; j = previous[j]) this.vertices[--at] = j;
    this.vertices[0] = 0;
    return size;
  }
}
