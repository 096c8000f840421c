import { CONTRAST_SIZE, MOST_CHORDS } from '../kernels/kernel-layout.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { arena } from '../math/arena.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import { turnsClockwise } from '../planar-map/turns-clockwise.js';
import type { Regions } from '../segment/regions.js';
import { type ChainCurves, isRoundShape, isWholeShape, SEGMENT_CIRCLE, SEGMENT_LINE, SEGMENT_SIZE } from './curves.js';
import type { PaintedChains } from './painted-chains.js';
import type { PixelBand } from './pixel-band.js';
import { drawRect, type OutlinePen } from './rect-outline.js';

/** Pixels that chords enter beside those that they pass through to the side: where they begin, and where they cross a corner. */
const PIXELS_PER_CHORD = 3;
/** Chords squared that stand for a curve, for each px of its hull, at most: its height above them follows from what it bends. */
const CHORDS_SQ_PER_PX = 24;
/** Height of the chords that stand for a round shape, px: about that of the kernel's for curves. */
const CHORD_HEIGHT_PX = 0.03;
/** What a quarter of a round shape measures along x and y, in its radii: the chords, which enclose its area, reach beyond it a little. */
const PX_PER_RADIUS = 1.1;

/**
 * Paints the curves into the pixels along the boundaries by exact areas, compares these with the picture, and says how the
 * differences change with every curve. What is done for every pixel is done by the kernel, in the painter's memory: a painter is good
 * until another one is made.
 */
export class CurvePainter {
  private readonly map: PlanarMap;
  private readonly curves: ChainCurves;
  private readonly clockwise: Int8Array;
  /** Per chain its entries, as it was painted last while all were tracked, and what chains at rest painted. */
  private readonly entriesFrom: Int32Array;
  private readonly entriesTo: Int32Array;
  private readonly kept: PaintedChains;
  /** Which chains rest. */
  private readonly atRest: Uint8Array;
  private entryCount = 0;
  // What the pen draws.
  private chain = 0;
  private isTracked = false;
  private readonly pen: OutlinePen = {
    line: (x0, y0, x1, y1) => {
      const { piece } = kernelMemory;
      piece[0] = x0;
      piece[1] = y0;
      piece[6] = x1;
      piece[7] = y1;
      this.paintPiece(true);
    },
    cubic: (points) => {
      kernelMemory.piece.set(points);
      this.paintPiece(false);
    },
  };

  constructor(map: PlanarMap, { colors }: Regions, band: PixelBand, curves: ChainCurves) {
    this.map = map;
    this.curves = curves;
    this.kept = band.kept;
    const { chainCount, starts, kinds } = curves;
    kernelMemory.layPainter(chainCount, kinds.length, colors.length / 4);
    kernelMemory.colors.set(colors);
    kernelMemory.kinds.set(kinds);
    kernelMemory.starts.set(starts);
    kernelMemory.costs.fill(0);
    kernelMemory.still.fill(0);
    kernelMemory.kernel.clear();
    this.atRest = arena.uint8(chainCount);
    this.clockwise = new Int8Array(chainCount);
    this.entriesFrom = arena.int32(chainCount).fill(-1);
    this.entriesTo = arena.int32(chainCount);
    const { contrast, chainOf, isBorder } = kernelMemory;
    for (let c = 0; c < chainCount; c++) {
      for (let k = starts[c]; k < starts[c + 1]; k++) chainOf[k] = c;
      const l = map.left[c];
      const r = map.right[c];
      const at = c * CONTRAST_SIZE;
      contrast[at + 4] = 0;
      for (let i = 0; i < 4; i++) {
        // Outside the picture there is nothing.
        const d = (l < 0 ? 0 : colors[l * 4 + i]) - (r < 0 ? 0 : colors[r * 4 + i]);
        contrast[at + i] = d;
        contrast[at + 4] += d * d;
      }
      isBorder[c] = l < 0 || r < 0 ? 1 : 0;
      if (isBorder[c] === 0 && isWholeShape(kinds[starts[c]])) this.clockwise[c] = turnsClockwise(map, c) ? 1 : -1;
    }
  }

  /**
   * Per segment: sums of the products of its derivatives (8 x 8, lower triangle), and of derivative and difference. Those of a round shape, a
   * circle or an ellipse, are by the plane that it lies in: moved along x and y, and stretched from the center by what takes x to x, x to y, y to x
   * and y to y.
   */
  get normal(): Float64Array {
    return kernelMemory.normal;
  }

  get gradient(): Float64Array {
    return kernelMemory.gradient;
  }

  /** Per chain the squared differences in the pixels along it, summed. */
  get costs(): Float64Array {
    return kernelMemory.costs;
  }

  contrastSq(c: number): number {
    return kernelMemory.contrast[c * CONTRAST_SIZE + 4];
  }

  /**
   * Paints the curves and returns the squared difference from the picture, summed. `linearize` and `misfits` need it `tracked`:
   * which segment changes what is then kept.
   */
  compare(tracked: boolean): number {
    const { curves, atRest, entriesFrom } = this;
    if (tracked) {
      let most = 0;
      for (let c = 0; c < curves.chainCount; c++) if (atRest[c] === 0) most += this.mostEntries(c);
      kernelMemory.makeRoom(most);
    }
    const { kernel, points } = kernelMemory;
    points.set(curves.points);
    kernel.clear();
    this.entryCount = 0;
    entriesFrom.fill(-1);
    for (let c = 0; c < curves.chainCount; c++) if (atRest[c] === 0) this.paintChain(c, tracked);
    return kernel.subtract();
  }

  /** Leaves a chain where it was when it was painted last: from now on it changes no longer, and is not painted again. */
  rest(c: number): void {
    this.keep(c);
    const { kept } = this;
    const { slot, area, beyond } = kept;
    const { still, contrast } = kernelMemory;
    const d = c * CONTRAST_SIZE;
    const red = contrast[d];
    const green = contrast[d + 1];
    const blue = contrast[d + 2];
    const alpha = contrast[d + 3];
    const to = kept.to[c];
    for (let e = kept.from[c]; e < to; e++) {
      const v = slot[e] * 4;
      const own = area[e];
      const rest = beyond[e];
      still[v] += red * own;
      still[v + 1] += green * own;
      still[v + 2] += blue * own;
      still[v + 3] += alpha * own;
      still[v + 4] += red * rest;
      still[v + 5] += green * rest;
      still[v + 6] += blue * rest;
      still[v + 7] += alpha * rest;
    }
    this.atRest[c] = 1;
  }

  /** A chain that is to move: what it painted for an earlier painter of this band is no longer so. */
  release(c: number): void {
    this.kept.drop(c);
  }

  /** Keeps what a chain painted last; where nobody knows, it is painted for this alone. */
  private keep(c: number): void {
    const { kept, entriesFrom, entriesTo, curves } = this;
    if (kept.has(c)) return;
    if (entriesFrom[c] < 0) {
      kernelMemory.makeRoom(this.entryCount + this.mostEntries(c));
      const from = curves.starts[c] * SEGMENT_SIZE;
      kernelMemory.points.set(curves.points.subarray(from, curves.starts[c + 1] * SEGMENT_SIZE), from);
      this.paintChain(c, true);
    }
    kept.keep(c, entriesFrom[c], entriesTo[c], curves.starts[c]);
  }

  /** Sums the derivatives of what was compared last, of chains that are not at rest; those of chains that are `kept` (1) stay as they were. */
  linearize(kept?: Uint8Array): void {
    const { atRest } = this;
    const { isLeft, kernel } = kernelMemory;
    for (let c = 0; c < isLeft.length; c++) isLeft[c] = atRest[c] === 1 || kept?.[c] === 1 ? 1 : 0;
    kernel.linearize();
  }

  /**
   * Per segment: the squared differences in its pixels, as far as moving the edge could help, shared with the other segments there,
   * the number of its pixels, and about where on it the largest is. To be called after a `compare` that was tracked, and of curves
   * as they are now; the last of this painter.
   */
  misfits(misfit: Float64Array, pixels: Int32Array, place: Float64Array): void {
    const { curves, map, kept } = this;
    for (let c = 0; c < curves.chainCount; c++) if (map.left[c] >= 0 && map.right[c] >= 0) this.keep(c);
    const { slotWeight, values, contrast } = kernelMemory;
    const { slot: entrySlot, segment: entrySegment, weight: entryWeight, parameter } = kept;
    slotWeight.fill(0);
    for (let c = 0; c < curves.chainCount; c++) {
      if (!kept.has(c)) continue;
      for (let e = kept.from[c]; e < kept.to[c]; e++) slotWeight[entrySlot[e]] += entryWeight[e];
    }
    const largest = arena.float64(misfit.length);
    misfit.fill(0);
    pixels.fill(0);
    for (let c = 0; c < curves.chainCount; c++) {
      if (!kept.has(c)) continue;
      const d = c * CONTRAST_SIZE;
      for (let e = kept.from[c]; e < kept.to[c]; e++) {
        if (entryWeight[e] <= 0) continue;
        const k = curves.starts[c] + entrySegment[e];
        const slot = entrySlot[e];
        const v = slot * 4;
        const along =
          contrast[d] * values[v] +
          contrast[d + 1] * values[v + 1] +
          contrast[d + 2] * values[v + 2] +
          contrast[d + 3] * values[v + 3];
        const own = (along * along * entryWeight[e]) / (contrast[d + 4] * slotWeight[slot]);
        misfit[k] += own;
        pixels[k]++;
        if (own <= largest[k]) continue;
        largest[k] = own;
        place[k] = parameter[e];
      }
    }
  }

  private paintChain(c: number, tracked: boolean): void {
    const { curves, entriesFrom, entriesTo } = this;
    const { kinds, points, starts } = curves;
    const from = this.entryCount;
    const first = starts[c];
    if (first < starts[c + 1] && isRoundShape(kinds[first])) this.paintRound(c, tracked);
    else if (first < starts[c + 1] && isWholeShape(kinds[first])) {
      this.chain = c;
      this.isTracked = tracked;
      drawRect(points, first * SEGMENT_SIZE, this.clockwise[c], this.pen);
    } else this.entryCount = kernelMemory.kernel.paintChain(c, tracked ? 1 : 0);
    if (!tracked) return;
    entriesFrom[c] = from;
    entriesTo[c] = this.entryCount;
  }

  private paintPiece(isLine: boolean): void {
    const { chain, isTracked, curves } = this;
    const { kernel } = kernelMemory;
    this.entryCount = kernel.paintPiece(chain, curves.starts[chain], isLine ? 1 : 0, isTracked ? 1 : 0);
  }

  /** A circle or an ellipse as chords that enclose its own area. */
  private paintRound(c: number, tracked: boolean): void {
    const { curves, clockwise } = this;
    const { kernel, piece } = kernelMemory;
    const k = curves.starts[c];
    const p = k * SEGMENT_SIZE;
    const { points } = curves;
    const isCircle = curves.kinds[k] === SEGMENT_CIRCLE;
    const first = points[p + 2];
    const second = isCircle ? first : points[p + 3];
    const angle = isCircle ? 0 : points[p + 4];
    const chords = chordsPerQuarter(Math.max(first, second));
    const step = Math.PI / 2 / chords;
    const larger = Math.sqrt(step / Math.sin(step));
    const cos = Math.cos(angle) * larger;
    const sin = Math.sin(angle) * larger;
    piece[0] = points[p];
    piece[1] = points[p + 1];
    piece[2] = first * cos;
    piece[3] = first * sin;
    piece[4] = -second * sin * clockwise[c];
    piece[5] = second * cos * clockwise[c];
    piece[6] = Math.cos(step);
    piece[7] = Math.sin(step);
    this.entryCount = kernel.paintRound(c, k, chords, tracked ? 1 : 0);
  }

  /** More entries than a chain can make: a curve enters no more pixels than the sides of its hull do. */
  private mostEntries(c: number): number {
    const { kinds, points, starts } = this.curves;
    let sum = 0;
    for (let k = starts[c]; k < starts[c + 1]; k++) {
      const p = k * SEGMENT_SIZE;
      if (isRoundShape(kinds[k])) {
        const second = kinds[k] === SEGMENT_CIRCLE ? points[p + 2] : points[p + 3];
        const most = Math.max(points[p + 2], second);
        sum += 4 * (PX_PER_RADIUS * (points[p + 2] + second) + PIXELS_PER_CHORD * chordsPerQuarter(most));
      } else if (isWholeShape(kinds[k])) {
        const radius = points[p + 4];
        sum += 2 * (points[p + 2] + points[p + 3]) + 4 * PIXELS_PER_CHORD;
        if (radius > 0) sum += 4 * (2 * radius + PIXELS_PER_CHORD * mostChords(2 * radius));
      } else {
        let px = 0;
        for (let i = 2; i < SEGMENT_SIZE; i++) px += Math.abs(points[p + i] - points[p + i - 2]);
        sum += px + PIXELS_PER_CHORD * (kinds[k] === SEGMENT_LINE ? 1 : mostChords(px)) + 1;
      }
    }
    return Math.ceil(sum);
  }
}

/** More chords than stand for a cubic whose hull's sides, along x and y, measure so many px. */
function mostChords(px: number): number {
  return 1 + Math.min(MOST_CHORDS, Math.sqrt(CHORDS_SQ_PER_PX * px));
}

/** Chords for a quarter of a round shape of that larger radius, px. A chord's height is the radius times its angle squared over eight. */
function chordsPerQuarter(radius: number): number {
  const angleSq = (8 * CHORD_HEIGHT_PX) / radius;
  return Math.max(2, Math.min(MOST_CHORDS, Math.ceil(Math.PI / 2 / Math.sqrt(angleSq))));
}
