import type { WorkingPixels } from '../intake/working-pixels.js';
import { LeastSquares } from '../math/least-squares.js';
import type { FlatLabels } from './label-flat.js';

/** How far around a pixel its ground is looked for, px. */
const REACH = 2;
/** Pixels nearer to their ground than this (four channels, squared) tell no direction. */
const PLAIN_SQ = 24 * 24;
/** So many pixels tell that of a ground. */
const LEAST_PIXELS = 12;
/** More than so many tell no more: one ground does not outweigh the others. */
const MOST_PIXELS = 64;
/** Rays that are nearly one do not meet anywhere: the least that an equation must still tell, as a share of the whole. */
const LEAST_TOLD = 0.02;
const ROUNDS = 16;
/** So many rays and planes there are at least, of which this share comes so near to the color (four channels, squared). */
const LEAST_BUNDLES = 5;
const NEAR_SHARE = 0.85;
const NEAR_SQ = 4 * 4;
/** One so far off counts half. */
const DOUBTFUL_SQ = 3 * 3;
const FITS = 8;

/**
 * The color in which the rays meet that lead from each ground through what lines of one color leave over it (least squares): a line thinner than
 * a pixel covers more or less of each, but all of them are on the way from the ground to its color; and along the edge of two grounds, in the
 * plane of these and its color. `isLeft` tells the labels of such pixels; only those with one or two grounds around them count. Four premultiplied
 * channels; undefined where there are too few of them, or they lead to no one color.
 */
export function meetingColor(
  { rgba, width, height }: WorkingPixels,
  { labels, mixed }: FlatLabels,
  channels: Float64Array,
  grounds: readonly number[],
  isLeft: (label: number) => boolean,
): Float64Array | undefined {
  const size = channels.length / 4;
  const isGround = new Uint8Array(size);
  for (const k of grounds) isGround[k] = 1;
  const finder = new GroundFinder(labels, width, height, isGround);
  const bundles = new Map<number, Bundle>();
  for (const i of mixed) {
    if (!isLeft(labels[i]) || !finder.find(i)) continue;
    const { first, second } = finder;
    const key = first * size + second;
    let bundle = bundles.get(key);
    if (bundle === undefined) {
      bundle = new Bundle(channels, first, second);
      bundles.set(key, bundle);
    }
    bundle.add(rgba, i);
  }
  const told = [...bundles.values()].filter((bundle) => bundle.findWay());
  if (told.length < LEAST_BUNDLES) return undefined;
  let met: Float64Array | undefined;
  const equations = new LeastSquares(4);
  for (let round = 0; round < FITS; round++) {
    equations.clear();
    for (const bundle of told) bundle.addTo(equations, met);
    if (!equations.solve(LEAST_TOLD)) return undefined;
    met = equations.x.map((level) => Math.max(0, Math.min(255, level)));
  }
  let [all, near] = [0, 0];
  for (const bundle of told) {
    all += bundle.weight;
    if (bundle.distanceSq(met as Float64Array) < NEAR_SQ) near += bundle.weight;
  }
  return near >= NEAR_SHARE * all ? met : undefined;
}

/** Finds the grounds that are seen around pixels. */
class GroundFinder {
  /** Those found last, the lower number first; they are the same where there is one. */
  first = 0;
  second = 0;
  private readonly labels: Int32Array;
  private readonly width: number;
  private readonly height: number;
  private readonly isGround: Uint8Array;

  constructor(labels: Int32Array, width: number, height: number, isGround: Uint8Array) {
    this.labels = labels;
    this.width = width;
    this.height = height;
    this.isGround = isGround;
  }

  /** Whether there are one or two of them around a pixel. */
  find(pixel: number): boolean {
    const { labels, width, height, isGround } = this;
    const y = Math.floor(pixel / width);
    const x = pixel - y * width;
    let first = -1;
    let second = -1;
    for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v++) {
      for (let u = Math.max(0, x - REACH); u <= Math.min(width - 1, x + REACH); u++) {
        const label = labels[v * width + u];
        if (isGround[label] === 0 || label === first || label === second) continue;
        if (second >= 0) return false;
        if (first < 0) first = label;
        else second = label;
      }
    }
    this.first = second < 0 ? first : Math.min(first, second);
    this.second = Math.max(first, second);
    return first >= 0;
  }
}

/** The pixels over one ground, or between two: what leads from there to the line's color. */
class Bundle {
  private readonly from: Float64Array;
  /** From the one ground to the other, of length 1; nothing where there is one. */
  private readonly along = new Float64Array(4);
  private readonly off = new Float64Array(4);
  /** Second moments of the pixels around the ground, or the line through both. */
  private readonly moments = new Float64Array(16);
  private readonly toward = new Float64Array(4);
  private count = 0;

  constructor(channels: Float64Array, first: number, second: number) {
    this.from = channels.subarray(first * 4, first * 4 + 4);
    if (first === second) return;
    let sq = 0;
    for (let c = 0; c < 4; c++) sq += (channels[second * 4 + c] - this.from[c]) ** 2;
    for (let c = 0; c < 4; c++) this.along[c] = (channels[second * 4 + c] - this.from[c]) / Math.sqrt(sq);
  }

  add(rgba: Uint8Array, pixel: number): void {
    const { from, along, off, moments } = this;
    let part = 0;
    for (let c = 0; c < 4; c++) {
      off[c] = rgba[pixel * 4 + c] - from[c];
      part += off[c] * along[c];
    }
    let sq = 0;
    for (let c = 0; c < 4; c++) {
      off[c] -= part * along[c];
      sq += off[c] * off[c];
    }
    if (sq < PLAIN_SQ) return;
    this.count++;
    for (let a = 0; a < 4; a++) for (let b = 0; b < 4; b++) moments[a * 4 + b] += off[a] * off[b];
  }

  get weight(): number {
    return Math.min(this.count, MOST_PIXELS);
  }

  /** Finds where the pixels lead; whether there are enough to tell. */
  findWay(): boolean {
    if (this.count < LEAST_PIXELS) return false;
    this.toward.set(mainDirection(this.moments));
    return true;
  }

  /** How far a color is off the ray or the plane, squared. */
  distanceSq(color: Float64Array): number {
    const { from, along, toward } = this;
    let sq = 0;
    let across = 0;
    let way = 0;
    for (let c = 0; c < 4; c++) {
      const off = color[c] - from[c];
      sq += off * off;
      across += off * along[c];
      way += off * toward[c];
    }
    return sq - across * across - way * way;
  }

  /** Adds its equations: the color is on the ray, or in the plane. The farther off it `met` was, the less they count (Cauchy's weights). */
  addTo(equations: LeastSquares, met: Float64Array | undefined): void {
    const { from, along, toward, off: row } = this;
    const weight = this.weight / (met === undefined ? 1 : 1 + this.distanceSq(met) / DOUBTFUL_SQ);
    // Rows of the projection onto what is across the ray or the plane.
    for (let a = 0; a < 4; a++) {
      let value = 0;
      for (let b = 0; b < 4; b++) {
        row[b] = (a === b ? 1 : 0) - toward[a] * toward[b] - along[a] * along[b];
        value += row[b] * from[b];
      }
      equations.add(row, value, weight);
    }
  }
}

/** The direction in which moments are largest (power iteration). */
function mainDirection(moments: Float64Array): Float64Array {
  let most = 0;
  for (let a = 1; a < 4; a++) if (moments[a * 5] > moments[most * 5]) most = a;
  const direction = Float64Array.from(moments.subarray(most * 4, most * 4 + 4));
  const next = new Float64Array(4);
  for (let round = 0; round < ROUNDS; round++) {
    let sq = 0;
    for (let a = 0; a < 4; a++) {
      next[a] = 0;
      for (let b = 0; b < 4; b++) next[a] += moments[a * 4 + b] * direction[b];
      sq += next[a] * next[a];
    }
    const scale = 1 / Math.sqrt(sq);
    for (let a = 0; a < 4; a++) direction[a] = next[a] * scale;
  }
  return direction;
}
