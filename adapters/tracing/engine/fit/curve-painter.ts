import { arena } from '../math/arena.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { type ChainCurves, isWholeShape, SEGMENT_LINE } from './curves.js';
import type { PaintedChains } from './painted-chains.js';
import { addCubicEntry, addLineEntry, type PainterEntries, ROW } from './painter-entries.js';
import { type PixelBand, RUN_SIZE } from './pixel-band.js';
import { drawOutline, type OutlinePen } from './whole-shape-outline.js';

/** Height of the chords that stand for a curve, px. */
const CHORD_ERROR_PX = 0.032;
const MOST_CHORDS = 64;
/** Where the sums hold what is no derivative. */
const AREA = 8;
const RISE = 9;
const PARAMETER = 10;

/**
 * Paints the curves into the pixels along the boundaries by exact areas, compares these with the picture, and says how the
 * differences change with every curve.
 */
export class CurvePainter {
  /** Per segment: sums of the products of its derivatives (8 x 8, lower triangle), and of derivative and difference. */
  readonly normal: Float64Array;
  readonly gradient: Float64Array;
  /** Per chain the squared differences in the pixels along it, summed. */
  readonly costs: Float64Array;
  private readonly map: PlanarMap;
  private readonly curves: ChainCurves;
  private readonly band: PixelBand;
  /** What is painted, then what the picture has more. Four channels per slot. */
  private readonly values: Float64Array;
  private readonly colors: Float64Array;
  private readonly contrast: Float64Array;
  /** Per segment its chain. */
  private readonly chainOf: Int32Array;
  private readonly clockwise: Int8Array;
  private readonly entries: PainterEntries;
  /** Per chain its entries, as it was painted last while all were tracked, and what chains at rest painted. */
  private readonly entriesFrom: Int32Array;
  private readonly entriesTo: Int32Array;
  private readonly kept: PaintedChains;
  /** Per slot the weights of its entries, summed. */
  private readonly slotWeight: Float64Array;
  /** What chains at rest change in each slot, and which chains these are. */
  private readonly still: Float64Array;
  private readonly atRest: Uint8Array;
  /** Chains whose derivatives are left as they are. */
  private readonly isLeft: Uint8Array;
  private tracked = false;
  // The entry at hand.
  private segment = -1;
  private target: Float64Array;
  private chain = 0;
  /** The eight derivatives of its area, the area, how far it goes down, and where on its segment it is. */
  private readonly sums = new Float64Array(11);
  /** What an entry counts, and its difference: numbers handed to a function would be boxed. */
  private readonly share = new Float64Array(2);
  /** The points of the curve at hand, x and y in turn. */
  private readonly way = new Float64Array(2 * MOST_CHORDS + 2);
  private readonly pen: OutlinePen = {
    line: (x0, y0, x1, y1) => this.paintLine(x0, y0, x1, y1),
    cubic: (points) => this.paintCubic(points, 0),
  };
  /** Of the segment at hand: from either vertex to its handle, and one over the handles' lengths. */
  private readonly handles = new Float64Array(6);

  constructor(map: PlanarMap, regions: Regions, band: PixelBand, curves: ChainCurves) {
    this.map = map;
    this.curves = curves;
    this.band = band;
    this.colors = regions.colors;
    const segments = curves.kinds.length;
    this.normal = arena.rawFloat64(segments * 64);
    this.gradient = arena.rawFloat64(segments * 8);
    this.contrast = arena.float64(curves.chainCount * 5);
    this.chainOf = arena.int32(segments);
    this.costs = arena.float64(curves.chainCount);
    this.atRest = arena.uint8(curves.chainCount);
    this.isLeft = arena.uint8(curves.chainCount);
    this.clockwise = new Int8Array(curves.chainCount);
    const { colors, contrast } = this;
    for (let c = 0; c < curves.chainCount; c++) {
      for (let k = curves.starts[c]; k < curves.starts[c + 1]; k++) this.chainOf[k] = c;
      const l = map.left[c];
      const r = map.right[c];
      for (let i = 0; i < 4; i++) {
        // Outside the picture there is nothing.
        const d = (l < 0 ? 0 : colors[l * 4 + i]) - (r < 0 ? 0 : colors[r * 4 + i]);
        contrast[c * 5 + i] = d;
        contrast[c * 5 + 4] += d * d;
      }
      if (l < 0 || r < 0) continue;
      if (isWholeShape(curves.kinds[curves.starts[c]])) this.clockwise[c] = turnsClockwise(map, c) ? 1 : -1;
    }
    this.entries = band.entries;
    this.kept = band.kept;
    this.entriesFrom = arena.int32(curves.chainCount).fill(-1);
    this.entriesTo = arena.int32(curves.chainCount);
    this.values = band.values;
    this.target = this.values;
    this.still = band.still.fill(0);
    this.slotWeight = band.slotWeight;
  }

  contrastSq(c: number): number {
    return this.contrast[c * 5 + 4];
  }

  /**
   * Paints the curves and returns the squared difference from the picture, summed. `linearize` and `misfits` need it `tracked`:
   * which segment changes what is then kept.
   */
  compare(tracked: boolean): number {
    const { curves, values, still, slotWeight, atRest, entriesFrom } = this;
    this.tracked = tracked;
    values.set(still);
    slotWeight.fill(0);
    this.entries.count = 0;
    entriesFrom.fill(-1);
    for (let c = 0; c < curves.chainCount; c++) if (atRest[c] === 0) this.paintChain(c, values);
    return this.subtract();
  }

  /** Leaves a chain where it was when it was painted last: from now on it changes no longer, and is not painted again. */
  rest(c: number): void {
    this.keep(c);
    const { kept, still } = this;
    const { slot, area, beyond } = kept;
    const d = c * 5;
    const red = this.contrast[d];
    const green = this.contrast[d + 1];
    const blue = this.contrast[d + 2];
    const alpha = this.contrast[d + 3];
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
    const { kept, entries, entriesFrom, entriesTo, curves } = this;
    if (kept.has(c)) return;
    if (entriesFrom[c] < 0) {
      this.tracked = true;
      this.paintChain(c, this.values);
    }
    kept.keep(c, entries, entriesFrom[c], entriesTo[c], curves.starts[c]);
  }

  /** Sums the derivatives of what was compared last, of chains that are not at rest; those of chains that are `kept` (1) stay as they were. */
  linearize(kept?: Uint8Array): void {
    const { normal, gradient, slotWeight, contrast, chainOf, values, atRest, curves } = this;
    const { count, slot: entrySlot, segment: entrySegment, row: entryRow, weight: entryWeight } = this.entries;
    const { share } = this;
    const { isLeft } = this;
    for (let c = 0; c < isLeft.length; c++) {
      isLeft[c] = atRest[c] === 1 || kept?.[c] === 1 ? 1 : 0;
      if (isLeft[c] === 1) continue;
      normal.fill(0, curves.starts[c] * 64, curves.starts[c + 1] * 64);
      gradient.fill(0, curves.starts[c] * 8, curves.starts[c + 1] * 8);
    }
    for (let e = 0; e < count; e++) {
      const k = entrySegment[e];
      const own = entryWeight[e];
      if (own <= 0 || isLeft[chainOf[k]] === 1) continue;
      const slot = entrySlot[e];
      const d = chainOf[k] * 5;
      const v = slot * 4;
      // Several segments in one pixel share its difference: together they must not do much more than is needed. To hold each back as
      // if all others pulled the same way would be too much, since mostly they do not.
      share[0] = contrast[d + 4] * Math.sqrt(slotWeight[slot] / own);
      share[1] =
        contrast[d] * values[v] +
        contrast[d + 1] * values[v + 1] +
        contrast[d + 2] * values[v + 2] +
        contrast[d + 3] * values[v + 3];
      const row = e * ROW;
      const toG = k * 8;
      const toN = k * 64;
      if (curves.kinds[k] === SEGMENT_LINE) addLineEntry(normal, gradient, toN, toG, entryRow, row, share);
      else addCubicEntry(normal, gradient, toN, toG, entryRow, row, share);
    }
  }

  /**
   * Per segment: the squared differences in its pixels, as far as moving the edge could help, shared with the other segments there,
   * the number of its pixels, and about where on it the largest is. To be called after a `compare` that was tracked, and of curves
   * as they are now; the last of this painter.
   */
  misfits(misfit: Float64Array, pixels: Int32Array, place: Float64Array): void {
    const { slotWeight, values, contrast, curves, map, kept } = this;
    slotWeight.fill(0);
    for (let c = 0; c < curves.chainCount; c++) {
      if (map.left[c] < 0 || map.right[c] < 0) continue;
      this.keep(c);
      for (let e = kept.from[c]; e < kept.to[c]; e++) slotWeight[kept.slot[e]] += kept.weight[e];
    }
    const { slot: entrySlot, segment: entrySegment, weight: entryWeight, parameter } = kept;
    const largest = arena.float64(misfit.length);
    misfit.fill(0);
    pixels.fill(0);
    for (let c = 0; c < curves.chainCount; c++) {
      if (!kept.has(c)) continue;
      const d = c * 5;
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

  /** From what changes in each pixel to what the picture has more. */
  private subtract(): number {
    const { values, colors, costs } = this;
    const { runs, observed, owner } = this.band;
    let cost = 0;
    costs.fill(0);
    // Neighbors mostly have one owner: summed here, since to add to memory each time would wait for the time before.
    let last = 0;
    let sum = 0;
    for (let r = 0; r < runs.length; r += RUN_SIZE) {
      const region = runs.data[r + 1] * 4;
      const end = runs.data[r + 3] * 4;
      let red = region < 0 ? 0 : colors[region];
      let green = region < 0 ? 0 : colors[region + 1];
      let blue = region < 0 ? 0 : colors[region + 2];
      let alpha = region < 0 ? 0 : colors[region + 3];
      for (let v = runs.data[r] * 4; v < end; v += 4) {
        red += values[v];
        green += values[v + 1];
        blue += values[v + 2];
        alpha += values[v + 3];
        const er = observed[v] - red;
        const eg = observed[v + 1] - green;
        const eb = observed[v + 2] - blue;
        const ea = observed[v + 3] - alpha;
        values[v] = er;
        values[v + 1] = eg;
        values[v + 2] = eb;
        values[v + 3] = ea;
        const own = owner[v >> 2];
        if (own !== last) {
          costs[last] += sum;
          cost += sum;
          last = own;
          sum = 0;
        }
        sum += er * er + eg * eg + eb * eb + ea * ea;
      }
    }
    costs[last] += sum;
    return cost + sum;
  }

  /** Adds to `to` what a chain changes in each slot: its own change and that of all pixels to the right, in turn. */
  private paintChain(c: number, to: Float64Array): void {
    const { curves, map } = this;
    this.chain = c;
    this.target = to;
    const border = map.left[c] < 0 || map.right[c] < 0;
    this.entriesFrom[c] = this.tracked ? this.entries.count : -1;
    for (let k = curves.starts[c]; k < curves.starts[c + 1]; k++) {
      // Of the picture's border only the left side has pixels to its right.
      if (border && (curves.points[k * 8] > 0 || curves.points[k * 8 + 6] > 0)) continue;
      this.segment = border ? -1 : k;
      this.paintSegment(k, c);
    }
    this.entriesTo[c] = this.entries.count;
  }

  private paintSegment(k: number, c: number): void {
    const { points, kinds } = this.curves;
    const p = k * 8;
    if (isWholeShape(kinds[k])) {
      drawOutline(kinds[k], points, p, this.clockwise[c], this.pen);
      return;
    }
    if (kinds[k] === SEGMENT_LINE) this.paintLine(points[p], points[p + 1], points[p + 6], points[p + 7]);
    else {
      if (this.tracked) this.measureHandles(points, p);
      this.paintCubic(points, p);
    }
  }

  private measureHandles(points: Float64Array, p: number): void {
    const { handles } = this;
    const ax = points[p + 2] - points[p];
    const ay = points[p + 3] - points[p + 1];
    const bx = points[p + 6] - points[p + 4];
    const by = points[p + 7] - points[p + 5];
    handles[0] = ax;
    handles[1] = ay;
    handles[2] = bx;
    handles[3] = by;
    handles[4] = 1 / (Math.sqrt(ax * ax + ay * ay) || 1e-9);
    handles[5] = 1 / (Math.sqrt(bx * bx + by * by) || 1e-9);
  }

  /** The cubic of the eight numbers at `p` of `points`, as chords. */
  private paintCubic(points: Float64Array, p: number): void {
    const x0 = points[p];
    const y0 = points[p + 1];
    const x1 = points[p + 2];
    const y1 = points[p + 3];
    const x2 = points[p + 4];
    const y2 = points[p + 5];
    const x3 = points[p + 6];
    const y3 = points[p + 7];
    const ax = x0 - 2 * x1 + x2;
    const ay = y0 - 2 * y1 + y2;
    const bx = x1 - 2 * x2 + x3;
    const by = y1 - 2 * y2 + y3;
    const bend = Math.sqrt(Math.max(ax * ax + ay * ay, bx * bx + by * by)) * 6;
    let chords = Math.ceil(Math.sqrt(bend / (8 * CHORD_ERROR_PX)));
    chords = chords < 1 ? 1 : chords > MOST_CHORDS ? MOST_CHORDS : chords;
    const { way } = this;
    // Joints lie a third of a chord's height outside the curve, so that chords are not all on its inner side. Two thirds would
    // enclose the curve's own area, but those who show the drawing use chords inside it too.
    const lift = 0.25 / (chords * chords);
    way[0] = x0;
    way[1] = y0;
    for (let i = 1; i < chords; i++) {
      const t = i / chords;
      const u = 1 - t;
      const b0 = u * u * u;
      const b1 = 3 * u * u * t;
      const b2 = 3 * u * t * t;
      const b3 = t * t * t;
      way[2 * i] = b0 * x0 + b1 * x1 + b2 * x2 + b3 * x3 - lift * (u * ax + t * bx);
      way[2 * i + 1] = b0 * y0 + b1 * y1 + b2 * y2 + b3 * y3 - lift * (u * ay + t * by);
    }
    way[2 * chords] = x3;
    way[2 * chords + 1] = y3;
    this.paintWay(chords, false);
  }

  private paintLine(x0: number, y0: number, x1: number, y1: number): void {
    const { way } = this;
    way[0] = x0;
    way[1] = y0;
    way[2] = x1;
    way[3] = y1;
    this.paintWay(1, true);
  }

  /** The chords in `way`, which share a segment's parameter evenly, each cut at the pixels' sides. One entry for every pixel entered. */
  private paintWay(chords: number, line: boolean): void {
    const { way, sums } = this;
    const share = 1 / chords;
    let pixelX = -1;
    let pixelY = -1;
    let area = 0;
    let rise = 0;
    let t = 0;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let s4 = 0;
    let s5 = 0;
    let s6 = 0;
    let s7 = 0;
    for (let c = 0; c < chords; c++) {
      const x0 = way[2 * c];
      const y0 = way[2 * c + 1];
      const dx = way[2 * c + 2] - x0;
      const dy = way[2 * c + 3] - y0;
      if (dx === 0 && dy === 0) continue;
      let ix = dx < 0 ? Math.ceil(x0) - 1 : Math.floor(x0);
      let iy = dy < 0 ? Math.ceil(y0) - 1 : Math.floor(y0);
      const stepX = dx < 0 ? -1 : 1;
      const stepY = dy < 0 ? -1 : 1;
      const perX = dx === 0 ? Infinity : Math.abs(1 / dx);
      const perY = dy === 0 ? Infinity : Math.abs(1 / dy);
      let nextX = dx === 0 ? Infinity : (dx < 0 ? x0 - ix : ix + 1 - x0) * perX;
      let nextY = dy === 0 ? Infinity : (dy < 0 ? y0 - iy : iy + 1 - y0) * perY;
      for (let s = 0; s < 1; ) {
        const crossX = nextX < nextY;
        let end = crossX ? nextX : nextY;
        if (end > 1) end = 1;
        const part = end - s;
        if (part > 0) {
          if (ix !== pixelX || iy !== pixelY) {
            // Here and at the end by hand: numbers that are handed to a function would be boxed, a dozen for every pixel.
            sums[0] = s0;
            sums[1] = s1;
            sums[2] = s2;
            sums[3] = s3;
            sums[4] = s4;
            sums[5] = s5;
            sums[6] = s6;
            sums[7] = s7;
            sums[AREA] = area;
            sums[RISE] = rise;
            sums[PARAMETER] = t;
            this.flush(pixelX, pixelY);
            pixelX = ix;
            pixelY = iy;
            area = rise = s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = 0;
          }
          const middle = s + part / 2;
          const ex = dx * part;
          const ey = dy * part;
          rise += ey;
          area += ey * (ix + 1 - (x0 + dx * middle));
          t = (c + middle) * share;
          const u = 1 - t;
          if (line) {
            s0 -= u * ey;
            s1 += u * ex;
            s2 -= t * ey;
            s3 += t * ex;
          } else {
            const b1 = 3 * u * u * t;
            const b2 = 3 * u * t * t;
            const start = u * u * u + b1;
            const finish = t * t * t + b2;
            s0 -= start * ey;
            s1 += start * ex;
            s2 -= finish * ey;
            s3 += finish * ex;
            s4 -= b1 * ey;
            s5 += b1 * ex;
            s6 -= b2 * ey;
            s7 += b2 * ex;
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
    sums[0] = s0;
    sums[1] = s1;
    sums[2] = s2;
    sums[3] = s3;
    sums[4] = s4;
    sums[5] = s5;
    sums[6] = s6;
    sums[7] = s7;
    sums[AREA] = area;
    sums[RISE] = rise;
    sums[PARAMETER] = t;
    this.flush(pixelX, pixelY);
  }

  /** Ends the entry at hand, whose numbers are in `sums`. */
  private flush(x: number, y: number): void {
    const { band, sums } = this;
    if (x < 0 || y < 0 || x >= band.width || y >= band.height) return;
    const slot = band.slotOf[y * band.width + x];
    if (slot === 0) {
      this.flushBeside(x, y);
      return;
    }
    const { contrast, target } = this;
    const d = this.chain * 5;
    const v = slot * 4;
    const area = sums[AREA];
    const rest = sums[RISE] - area;
    const red = contrast[d];
    const green = contrast[d + 1];
    const blue = contrast[d + 2];
    const alpha = contrast[d + 3];
    target[v] += red * area;
    target[v + 1] += green * area;
    target[v + 2] += blue * area;
    target[v + 3] += alpha * area;
    target[v + 4] += red * rest;
    target[v + 5] += green * rest;
    target[v + 6] += blue * rest;
    target[v + 7] += alpha * rest;
    if (this.tracked && this.segment >= 0) this.pushEntry(slot);
  }

  /**
   * An entry beside the band: no pixel tells of it, but how far it goes down counts for all of the row that follows. Not so the
   * picture's own border, since every run begins with the region that it begins in.
   */
  private flushBeside(x: number, y: number): void {
    const { band, target, contrast, map, chain } = this;
    const rise = this.sums[RISE];
    if (rise === 0 || map.left[chain] < 0 || map.right[chain] < 0) return;
    let slot = 0;
    for (let at = x + 1; at < band.width && slot === 0; at++) slot = band.slotOf[y * band.width + at];
    if (slot === 0) return;
    const d = this.chain * 5;
    for (let i = 0; i < 4; i++) target[slot * 4 + i] += contrast[d + i] * rise;
    if (this.tracked && this.segment >= 0) this.pushStill(slot, rise, 0);
  }

  /** An entry that moves with nothing. */
  private pushStill(slot: number, area: number, beyond: number): void {
    const { entries } = this;
    const e = entries.next();
    entries.slot[e] = slot;
    entries.segment[e] = this.segment;
    entries.area[e] = area;
    entries.beyond[e] = beyond;
    entries.weight[e] = 0;
  }

  private pushEntry(slot: number): void {
    const { sums, segment, entries } = this;
    const area = sums[AREA];
    const kind = this.curves.kinds[segment];
    // Whole shapes never move.
    if (isWholeShape(kind)) {
      this.pushStill(slot, area, sums[RISE] - area);
      return;
    }
    const e = entries.next();
    entries.slot[e] = slot;
    entries.segment[e] = segment;
    entries.area[e] = area;
    entries.beyond[e] = sums[RISE] - area;
    const { row: entryRow } = entries;
    const x = sums[0] + sums[2];
    const y = sums[1] + sums[3];
    const weight = Math.sqrt(this.contrast[this.chain * 5 + 4] * (x * x + y * y));
    entries.weight[e] = weight;
    entries.parameter[e] = sums[PARAMETER];
    this.slotWeight[slot] += weight;
    const row = e * ROW;
    entryRow[row] = sums[0];
    entryRow[row + 1] = sums[1];
    entryRow[row + 2] = sums[2];
    entryRow[row + 3] = sums[3];
    if (kind === SEGMENT_LINE) {
      entryRow[row + 4] = entryRow[row + 5] = entryRow[row + 6] = entryRow[row + 7] = 0;
      return;
    }
    const { handles } = this;
    const ax = handles[0];
    const ay = handles[1];
    const bx = handles[2];
    const by = handles[3];
    entryRow[row + 4] = (sums[4] * ax + sums[5] * ay) * handles[4];
    entryRow[row + 5] = -(sums[6] * bx + sums[7] * by) * handles[5];
    entryRow[row + 6] = sums[5] * ax - sums[4] * ay;
    entryRow[row + 7] = -(sums[7] * bx - sums[6] * by);
  }
}

/** Whether a closed chain runs clockwise as seen, y pointing down. */
function turnsClockwise(map: PlanarMap, c: number): boolean {
  const stride = map.width + 1;
  let twice = 0;
  for (let i = map.starts[c]; i + 1 < map.starts[c + 1]; i++) {
    const y0 = Math.floor(map.vertices[i] / stride);
    const x0 = map.vertices[i] - y0 * stride;
    const y1 = Math.floor(map.vertices[i + 1] / stride);
    const x1 = map.vertices[i + 1] - y1 * stride;
    twice += x0 * y1 - x1 * y0;
  }
  return twice > 0;
}
