import type { WorkingPixels } from '../intake/working-pixels.js';
import { type FlatLabels, Unmixer } from './label-flat.js';

/** Levels (in four channels, squared) from its mixture beyond which a pixel of a clean picture is not fully explained: more than rounding leaves. */
const HALF_EXPLAINED_SQ = 4 * 4;
/** How near another explanation must be, and how many times as near as the first (both squared). */
const WELL_SQ = 2 * 2;
const NEARER_SQ = 2 * 2;
/** A pixel of a color that is nowhere near must have so much of it: by chance it would rather have a little. */
const MOSTLY = 0.9;
/** What is left of it is at most so far (squared) from the color: the share of the distance between opposite colors. */
const MOST_BESIDE_SQ = 4 * (255 * (1 - MOSTLY)) ** 2;
/** Levels (squared) from a color within which a pixel shows it pure. */
const PURE_SQ = 4 * 4;
/** So many pixels must be mixtures of a found color and the same other one: fewer are so by chance. */
const LEAST_BESIDE = 8;
/** With more colors than these some would explain anything. */
const MOST_COLORS = 48;
/** How far around a pixel the colors it may be a mixture of are looked for. */
const REACH = 2;
/** With a larger share of such pixels among those that are mixed, details are finer than pixels, and any other mixture as good a guess. */
const MOST_SHARE = 0.2;

/**
 * Explains anew what the first look at a clean picture has explained by halves. That look takes pure pixels only for a hint of what is near;
 * where a shape is so narrow that no pixel is its own, its pixels pass for mixtures of others around it, if not quite. Here a pixel may be
 * of any color that the picture has, if nearly all of it is, and then of what its neighbors turned out to be. `flat` changes in place.
 */
export function explainAgain(
  pixels: WorkingPixels,
  channels: Float64Array,
  flat: FlatLabels,
  known = channels.length / 4,
): void {
  const { labels, mixed, errors, others } = flat;
  const size = channels.length / 4;
  if (others === undefined || size < 3 || size > MOST_COLORS) return;
  const open: number[] = [];
  for (let k = 0; k < mixed.length; k++) if (errors[k] > HALF_EXPLAINED_SQ) open.push(k);
  if (open.length > MOST_SHARE * mixed.length) return;
  const unmixer = new Unmixer(pixels.rgba, channels);
  const around = new ColorsAround(pixels, labels, size);
  /** Takes what `attempt` finds for the open pixels, once it has looked at all of them; returns whether there is any. */
  const explain = (attempt: (pixel: number, count: number) => void): boolean => {
    const found: [number, number, number, number][] = [];
    for (const k of open) {
      if (errors[k] <= HALF_EXPLAINED_SQ) continue;
      const limit = Math.min(WELL_SQ, errors[k] / NEARER_SQ);
      unmixer.error = limit;
      attempt(mixed[k], around.find(mixed[k]));
      if (unmixer.error < limit) found.push([k, unmixer.label, unmixer.other, unmixer.error]);
    }
    for (const [k, label, other, error] of found) {
      labels[mixed[k]] = label;
      others[k] = other;
      errors[k] = error;
    }
    return found.length > 0;
  };
  const { colors } = around;
  explain((pixel, count) => {
    for (let color = 0; color < size; color++) {
      if (around.has(color) || unmixer.distanceSq(pixel, color) > MOST_BESIDE_SQ) continue;
      for (let n = 0; n < count; n++) unmixer.tryMostly(pixel, color, colors[n], MOSTLY);
    }
  });
  const byNeighbors = (pixel: number, count: number) => {
    for (let p = 0; p < count; p++) for (let q = p + 1; q < count; q++) unmixer.tryPair(pixel, colors[p], colors[q]);
  };
  // Those explained explain their neighbors in turn.
  while (explain(byNeighbors));
  explainBesideFound(pixels, channels, flat, others, known);
}

/**
 * Explains anew the mixed pixels beside those of a color that was found since (from number `known` on): along a strip so narrow that it has no flat interior these
 * were taken for mixtures of what lies beyond it. They are such of the colors that are seen pure right beside them, where these leave as much.
 */
function explainBesideFound(
  pixels: WorkingPixels,
  channels: Float64Array,
  { labels, mixed, errors }: FlatLabels,
  others: Int32Array,
  known: number,
): void {
  const size = channels.length / 4;
  if (known === size) return;
  const { width, height, rgba } = pixels;
  const unmixer = new Unmixer(rgba, channels);
  const isPure = (pixel: number) => unmixer.distanceSq(pixel, labels[pixel]) <= PURE_SQ;
  const found: [number, number, number, number][] = [];
  const beside: number[] = [];
  for (let k = 0; k < mixed.length; k++) {
    const pixel = mixed[k];
    if (others[k] < 0 || isPure(pixel)) continue;
    const y = (pixel / width) | 0;
    const x = pixel - y * width;
    beside.length = 0;
    let hasFound = false;
    for (let v = y > 0 ? y - 1 : 0; v <= y + 1 && v < height; v++)
      for (let u = x > 0 ? x - 1 : 0; u <= x + 1 && u < width; u++) {
        const near = v * width + u;
        const label = labels[near];
        if (beside.includes(label) || !isPure(near)) continue;
        beside.push(label);
        if (label >= known) hasFound = true;
      }
    if (!hasFound || beside.includes(labels[pixel])) continue;
    unmixer.error = WELL_SQ;
    for (let p = 0; p < beside.length; p++)
      for (let q = p + 1; q < beside.length; q++) unmixer.tryPair(pixel, beside[p], beside[q]);
    if (unmixer.error < WELL_SQ) found.push([k, unmixer.label, unmixer.other, unmixer.error]);
  }
  const pairOf = (label: number, other: number) => Math.min(label, other) * size + Math.max(label, other);
  const counts = new Map<number, number>();
  for (const [, label, other] of found) {
    const pair = pairOf(label, other);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  for (const [k, label, other, error] of found) {
    if ((counts.get(pairOf(label, other)) as number) < LEAST_BESIDE) continue;
    labels[mixed[k]] = label;
    others[k] = other;
    errors[k] = error;
  }
}

/** The colors of the pixels around one. */
export class ColorsAround {
  /** Those last found, each once. */
  readonly colors: Int32Array;
  private readonly width: number;
  private readonly height: number;
  private readonly labels: Int32Array;
  /** Per color the search that met it last. */
  private readonly seen: Int32Array;
  private search = 0;

  constructor({ width, height }: WorkingPixels, labels: Int32Array, size: number) {
    this.width = width;
    this.height = height;
    this.labels = labels;
    this.colors = new Int32Array(size);
    this.seen = new Int32Array(size);
  }

  /** Finds those around a pixel; returns how many there are. */
  find(pixel: number): number {
    const { width, height, labels, seen, colors } = this;
    const y = Math.floor(pixel / width);
    const x = pixel - y * width;
    this.search++;
    let count = 0;
    for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v++) {
      for (let u = Math.max(0, x - REACH); u <= Math.min(width - 1, x + REACH); u++) {
        const label = labels[v * width + u];
        if (seen[label] === this.search) continue;
        seen[label] = this.search;
        colors[count++] = label;
      }
    }
    return count;
  }

  has(color: number): boolean {
    return this.seen[color] === this.search;
  }
}
