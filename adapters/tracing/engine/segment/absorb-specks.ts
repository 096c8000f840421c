import { fillRun } from '../math/lists.js';
import { changeRegions, type Regions } from './regions.js';

/** How far (four channels, 0..255, squared) a dot is from its ground, or the color that it is of, which it must have half of then. */
const DOT_SQ = 120 * 120;
const HALF_SQ = 0.25;

/** Share of all regions from which those that are tiny are dust, or dithering. */
const MOST_TINY = 0.5;

/** Which regions are dots, and no specks. */
export interface DotLimits {
  readonly minAreaPx: number;
  /** Those on one ground, as letters have them: on two it may be what an edge leaves. Where most regions are smaller than `minAreaPx`, they are dust or dithering. */
  readonly minAloneAreaPx: number;
  /** Whether half of a color that is far from the ground is enough: noise makes dots of paler ones. */
  readonly isClean: boolean;
  /** The picture's pixels, premultiplied. */
  readonly rgba: Uint8Array;
}

/**
 * Gives regions smaller than `minAreaPx` to the neighbor whose color is nearest, smallest first, until none is left but dots: those
 * within `dots` that have one neighbor or two, and whose pixels are plainly of another color than these and their mixtures. What edges leave
 * lies between two, and what their junctions do between three at least. A speck is never deleted: its pixels go to somebody.
 */
export function absorbSpecks(regions: Regions, minAreaPx: number, dots?: DotLimits): Regions {
  const { count, areaPx } = regions;
  let small = 0;
  let tiny = 0;
  for (let r = 0; r < count; r++) {
    if (areaPx[r] < minAreaPx) small++;
    if (dots !== undefined && areaPx[r] < dots.minAreaPx) tiny++;
  }
  if (small === 0 || small === count) return regions;
  const limits = dots && tiny > MOST_TINY * count ? { ...dots, minAloneAreaPx: dots.minAreaPx } : dots;
  const absorber = new SpeckAbsorber(regions, minAreaPx, limits);
  absorber.measure();
  const queue = new Int32Array(small);
  for (let r = 0, k = 0; r < count; r++) if (areaPx[r] < minAreaPx) queue[k++] = r;
  queue.sort((a, b) => areaPx[a] - areaPx[b] || a - b);
  // A speck absorbed by a speck may still be small; it is met again as the larger one, later in the queue or by a new round.
  for (let again = true; again; ) {
    again = false;
    for (let k = 0; k < small; k++) if (absorber.absorb(queue[k])) again = true;
  }
  const finals = new Int32Array(count).fill(-1);
  let kept = 0;
  for (let r = 0; r < count; r++) {
    const root = absorber.rootOf(r);
    if (finals[root] < 0) finals[root] = kept++;
    finals[r] = finals[root];
  }
  renumber(regions, finals);
  return changeRegions(regions, keptValues(regions, absorber, finals, kept));
}

function renumber({ of, runs }: Regions, finals: Int32Array): void {
  for (let k = 0; k + 1 < runs.length; k++) fillRun(of, finals[of[runs[k]]], runs[k], runs[k + 1]);
}

function keptValues(regions: Regions, absorber: SpeckAbsorber, finals: Int32Array, kept: number): Partial<Regions> {
  const { areaPx: areas, colors: oldColors } = regions;
  const colors = new Float64Array(kept * 4);
  const areaPx = new Int32Array(kept);
  const colorOf = new Int32Array(kept);
  for (let r = 0; r < regions.count; r++) {
    const to = finals[r];
    areaPx[to] += areas[r];
    if (absorber.rootOf(r) !== r) continue;
    colorOf[to] = regions.colorOf[r];
    for (let c = 0; c < 4; c++) colors[to * 4 + c] = oldColors[r * 4 + c];
  }
  return { count: kept, areaPx, colors, colorOf };
}

class SpeckAbsorber {
  private readonly regions: Regions;
  private readonly minAreaPx: number;
  private readonly dots: DotLimits | undefined;
  /** Boxes of the small ones: the only pixels that are looked at. */
  private readonly left: Int32Array;
  private readonly right: Int32Array;
  private readonly top: Int32Array;
  private readonly bottom: Int32Array;
  private readonly isSmall: Uint8Array;
  private readonly areas: Int32Array;
  /** Per region the one it has become part of; itself at first. */
  private readonly into: Int32Array;
  /** Of the one whose neighbor was looked for last the other neighbor, -1 where it has none, and whether it has more. */
  private second = -1;
  private hasThird = false;

  constructor(regions: Regions, minAreaPx: number, dots: DotLimits | undefined) {
    const { width, height, count, areaPx } = regions;
    this.regions = regions;
    this.minAreaPx = minAreaPx;
    this.dots = dots;
    this.left = new Int32Array(count).fill(width);
    this.right = new Int32Array(count).fill(-1);
    this.top = new Int32Array(count).fill(height);
    this.bottom = new Int32Array(count).fill(-1);
    this.isSmall = new Uint8Array(count);
    this.areas = areaPx.slice();
    this.into = new Int32Array(count);
    for (let r = 0; r < count; r++) {
      this.into[r] = r;
      if (areaPx[r] < minAreaPx) this.isSmall[r] = 1;
    }
  }

  /** Lays the boxes around the small ones. */
  measure(): void {
    const { left, right, top, bottom, isSmall } = this;
    const { width, of, runs } = this.regions;
    for (let k = 0; k + 1 < runs.length; k++) {
      const r = of[runs[k]];
      if (isSmall[r] === 0) continue;
      const y = Math.floor(runs[k] / width);
      const x = runs[k] - y * width;
      const last = runs[k + 1] - 1 - y * width;
      if (x < left[r]) left[r] = x;
      if (last > right[r]) right[r] = last;
      if (y < top[r]) top[r] = y;
      bottom[r] = y;
    }
  }

  /** The region that `r` is part of by now. */
  rootOf(r: number): number {
    const { into } = this;
    while (into[r] !== r) {
      into[r] = into[into[r]];
      r = into[r];
    }
    return r;
  }

  /** Gives one to its neighbor where it is still small, and no dot; returns whether that one is small as well. */
  absorb(r: number): boolean {
    const { left, right, top, bottom, areas, minAreaPx } = this;
    if (this.into[r] !== r || areas[r] >= minAreaPx) return false;
    const host = this.nearestNeighbor(r);
    if (host < 0) return false;
    if (!this.hasThird && this.isDot(r, host)) return false;
    this.into[r] = host;
    areas[host] += areas[r];
    const isSmall = areas[host] < minAreaPx;
    if (right[host] >= 0 || isSmall) {
      left[host] = Math.min(left[host], left[r]);
      right[host] = Math.max(right[host], right[r]);
      top[host] = Math.min(top[host], top[r]);
      bottom[host] = Math.max(bottom[host], bottom[r]);
    }
    return isSmall;
  }

  /** The region touching region `r` (as merged so far) whose color is nearest; -1 if `r` fills the picture. */
  private nearestNeighbor(r: number): number {
    const { left, right, top, bottom } = this;
    const { width, height, of, colors } = this.regions;
    let best = -1;
    let least = Infinity;
    this.second = -1;
    this.hasThird = false;
    for (let y = top[r]; y <= bottom[r]; y++) {
      for (let x = left[r]; x <= right[r]; x++) {
        const i = y * width + x;
        if (this.rootOf(of[i]) !== r) continue;
        for (let d = 0; d < 4; d++) {
          const u = x + (d === 0 ? 1 : d === 1 ? -1 : 0);
          const v = y + (d === 2 ? 1 : d === 3 ? -1 : 0);
          if (u < 0 || v < 0 || u >= width || v >= height) continue;
          const other = this.rootOf(of[v * width + u]);
          if (other === r || other === best || other === this.second) continue;
          if (this.second >= 0) this.hasThird = true;
          let distance = 0;
          for (let c = 0; c < 4; c++) distance += (colors[r * 4 + c] - colors[other * 4 + c]) ** 2;
          if (distance < least || (distance === least && other < best)) {
            if (best >= 0) this.second = best;
            least = distance;
            best = other;
          } else this.second = other;
        }
      }
    }
    return best;
  }

  /**
   * Whether the mean of a region's pixels is far from the colors of its ground, and of what else it lies on, and from mixtures of both: of a pale one its label
   * may be of a color that is far off.
   */
  private isDot(r: number, ground: number): boolean {
    const { dots, left, right, top, bottom, areas, second } = this;
    if (dots === undefined || areas[r] < (second < 0 ? dots.minAloneAreaPx : dots.minAreaPx)) return false;
    const { width, of, colors } = this.regions;
    const sums = [0, 0, 0, 0];
    for (let y = top[r]; y <= bottom[r]; y++) {
      for (let x = left[r]; x <= right[r]; x++) {
        const i = y * width + x;
        if (this.rootOf(of[i]) === r) for (let c = 0; c < 4; c++) sums[c] += dots.rgba[i * 4 + c];
      }
    }
    const other = second < 0 ? ground : second;
    let dot = 0;
    let lengthSq = 0;
    for (let c = 0; c < 4; c++) {
      const d = colors[other * 4 + c] - colors[ground * 4 + c];
      dot += (sums[c] / areas[r] - colors[ground * 4 + c]) * d;
      lengthSq += d * d;
    }
    let ownSq = 0;
    for (let c = 0; c < 4; c++) ownSq += (colors[r * 4 + c] - colors[ground * 4 + c]) ** 2;
    const share = lengthSq > 0 ? Math.max(0, Math.min(1, dot / lengthSq)) : 0;
    let distanceSq = 0;
    for (let c = 0; c < 4; c++) {
      const mixed = colors[ground * 4 + c] + share * (colors[other * 4 + c] - colors[ground * 4 + c]);
      distanceSq += (sums[c] / areas[r] - mixed) ** 2;
    }
    return distanceSq > (dots.isClean && ownSq > DOT_SQ ? Math.min(DOT_SQ, HALF_SQ * ownSq) : DOT_SQ);
  }
}
