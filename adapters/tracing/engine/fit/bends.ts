import { distance } from '../math/distance.js';
import { FloatList } from '../math/lists.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import { contrastSqOf } from './contour-pixels.js';
import { CurveWay } from './curve-way.js';
import { type ChainCurves, isWholeShape } from './curves.js';
import type { PixelBand } from './pixel-band.js';
import type { SettledCurves } from './second-start.js';

/** A bend is looked at where so much is missed along it and its chain: a share of the contrast, squared, and along the chain squared levels for every px. */
const LEAST_SHARE = 0.002;
const LEAST_MISSED = 1;
/** And so much of the contrast, squared, for every px of the chain, all of which will be settled anew for it. */
const LEAST_SHARE_A_PX = 0.00012;
/** How long a way is at least for every px of the pixels' sides that it runs along, which it cuts across. */
const WAY_SHARE = 0.7;
/** How far around a place it is asked how much the way turns there, px, and by how much it does in a bend, radians. */
const AROUND_PX = 1.2;
const LEAST_TURN = 0.35;
const MOST_TURN = 2.4;
/** Shorter chains have no two sides that a corner could be between, px. */
const LEAST_LENGTH_PX = 12;
/** Segments that a bend may be drawn with, each of which misses its share. */
const FEW_SEGMENTS = 3;
/** Turning at one place that is this share of all of it is a corner already. */
const CORNER_SHARE = 0.8;
/** A bend ends where the way turns less than this share of what it does at most, so far from there at most, px. */
const BEND_SHARE = 0.3;
const MOST_BEND_PX = 3;
/** How far the corner may be from the bend's ends, and how far it is from the way, at least, px. */
const MOST_TIP_PX = 4;
const LEAST_TIP_PX = 0.08;
/** Chains that are looked at at most, those first that miss most. */
const MOST_CHAINS = 64;

/** A narrow bend of a chain: its first and last place on the chain's way, the corner that its sides meet in, and what is missed along it. */
export interface Bend {
  readonly chain: number;
  readonly first: number;
  readonly last: number;
  readonly x: number;
  readonly y: number;
  readonly misfit: number;
}

/**
 * Narrow bends where the curves miss the pixels, by chain and along each. A blunt corner between a line and a curve looks to samples, which are taken
 * from several pixels each, as a bend does, and no small step makes one out of the other.
 */
export function findBends(
  map: PlanarMap,
  regions: Regions,
  { curves, costs }: SettledCurves,
  misfit: Float64Array,
  band: PixelBand,
  shaded?: Uint8Array,
): readonly Bend[] {
  const missed: number[] = [];
  for (let c = 0; c < map.chainCount; c++) if (isMissed(map, regions, curves, c, costs[c], shaded)) missed.push(c);
  missed.sort((a, b) => costs[b] - costs[a] || a - b);
  const finder = new BendFinder(map, regions, curves, misfit, band);
  const chains = missed.slice(0, MOST_CHAINS).sort((a, b) => a - b);
  return chains.flatMap((c) => finder.find(c));
}

function isMissed(
  map: PlanarMap,
  regions: Regions,
  { kinds, starts }: ChainCurves,
  chain: number,
  cost: number,
  shaded: Uint8Array | undefined,
): boolean {
  const [left, right] = [map.left[chain], map.right[chain]];
  if (left < 0 || right < 0 || isWholeShape(kinds[starts[chain]])) return false;
  if (shaded !== undefined && (shaded[left] === 1 || shaded[right] === 1)) return false;
  const steps = map.starts[chain + 1] - map.starts[chain] - 1;
  const contrastSq = contrastSqOf(regions, left, right);
  return (
    cost > LEAST_SHARE * contrastSq + LEAST_MISSED * steps && cost > WAY_SHARE * LEAST_SHARE_A_PX * contrastSq * steps
  );
}

/** The ways of chains, for a close look at what is missed. */
export function missedWay(map: PlanarMap, regions: Regions, curves: ChainCurves, misfit: Float64Array): CurveWay {
  return new CurveWay(
    map,
    curves,
    (k, c) => misfit[k] >= leastOfSegment(contrastSqOf(regions, map.left[c], map.right[c])),
  );
}

/** What a bend misses may be shared among the few segments it is drawn with. */
function leastOfSegment(contrastSq: number): number {
  return (LEAST_SHARE / FEW_SEGMENTS) * contrastSq;
}

class BendFinder {
  private readonly way: CurveWay;
  private readonly misfit: Float64Array;
  private readonly band: PixelBand;
  private readonly map: PlanarMap;
  private readonly regions: Regions;
  private readonly around = new FloatList(256);
  private bends: Bend[] = [];
  private chain = 0;
  private leastMisfit = 0;

  constructor(map: PlanarMap, regions: Regions, curves: ChainCurves, misfit: Float64Array, band: PixelBand) {
    this.band = band;
    this.map = map;
    this.regions = regions;
    this.misfit = misfit;
    this.way = missedWay(map, regions, curves, misfit);
  }

  find(chain: number): readonly Bend[] {
    const { way, misfit, around, map } = this;
    const contrastSq = contrastSqOf(this.regions, map.left[chain], map.right[chain]);
    this.chain = chain;
    this.leastMisfit = LEAST_SHARE * contrastSq;
    this.bends = [];
    // What is no number has no length.
    if (!way.load(chain) || !(way.length >= LEAST_LENGTH_PX)) return [];
    const least = leastOfSegment(contrastSq);
    around.reserve(way.places);
    const sizes = around.data;
    for (let i = 0; i < way.places; i++) sizes[i] = misfit[way.segment(i)] >= least ? way.turnAround(i, AROUND_PX) : 0;
    for (let i = 0; i < way.places; i++) {
      const size = Math.abs(sizes[i]);
      if (size < LEAST_TURN) continue;
      const before = way.placeAt(i - 1);
      const after = way.placeAt(i + 1);
      if (before < 0 || after < 0 || Math.abs(sizes[before]) >= size || Math.abs(sizes[after]) > size) continue;
      this.add(i, Math.sign(sizes[i]));
    }
    const bends = this.withoutOverlaps();
    const missed = bends.reduce((sum, { misfit }) => sum + misfit, 0);
    return missed < LEAST_SHARE_A_PX * contrastSq * way.length ? [] : bends;
  }

  /** Bends that overlap are none to be told apart: the first stays. */
  private withoutOverlaps(): readonly Bend[] {
    const { bends, way } = this;
    bends.sort((a, b) => a.first - b.first);
    const kept: Bend[] = [];
    for (const bend of bends) if (kept.length === 0 || bend.first > kept[kept.length - 1].last) kept.push(bend);
    while (way.isClosed && kept.length > 1 && kept[kept.length - 1].last >= kept[0].first + way.places) kept.pop();
    return kept;
  }

  private add(peak: number, sign: number): void {
    const { way } = this;
    const density = (i: number) => (sign * way.turn(i)) / (0.5 * (way.chord(i, -1) + way.chord(i, 1)) || 1);
    // Where the way turns most, near the peak.
    let top = peak;
    for (let step = -1; step <= 1; step += 2)
      for (let j = peak + step, px = way.chord(peak, step); px <= AROUND_PX && way.placeAt(j) >= 0; j += step) {
        if (density(j) > density(top)) top = j;
        px += way.chord(j, step);
      }
    const least = BEND_SHARE * density(top);
    const end = (step: number) => {
      let i = top;
      for (let px = 0; way.placeAt(i + step) >= 0 && density(i) > least && px < MOST_BEND_PX; i += step)
        px += way.chord(i, step);
      return i;
    };
    const first = end(-1);
    const last = end(1);
    if (way.placeAt(first - 1) < 0 || way.placeAt(last + 1) < 0) return;
    let all = 0;
    let most = 0;
    for (let i = first + 1; i < last; i++) {
      all += way.turn(i);
      most = Math.max(most, Math.abs(way.turn(i)));
    }
    const turn = Math.abs(all);
    if (turn < LEAST_TURN || turn > MOST_TURN || most > CORNER_SHARE * turn) return;
    const misfit = this.misfitOf(first, last);
    if (misfit < this.leastMisfit) return;
    const [bx, by, cx, cy] = [way.x(first), way.y(first), way.x(last), way.y(last)];
    const [ux, uy, vx, vy] = [bx - way.x(first - 1), by - way.y(first - 1), way.x(last + 1) - cx, way.y(last + 1) - cy];
    const cross = ux * vy - uy * vx;
    const s = ((cx - bx) * vy - (cy - by) * vx) / cross;
    const r = ((cx - bx) * uy - (cy - by) * ux) / cross;
    if (!(s > 0 && r < 0)) return;
    const x = bx + s * ux;
    const y = by + s * uy;
    if (!this.isLookedAt(x, y)) return;
    if (Math.max(distance(x - bx, y - by), distance(x - cx, y - cy)) > MOST_TIP_PX) return;
    for (let i = first; i <= last; i++) if (distance(x - way.x(i), y - way.y(i)) < LEAST_TIP_PX) return;
    // Numbered from where the way begins on.
    const shift = first < 0 ? way.places : 0;
    this.bends.push({ chain: this.chain, first: first + shift, last: last + shift, x, y, misfit });
  }

  /** Whether a place is on one of the pixels along the boundaries: others are compared with nothing. */
  private isLookedAt(x: number, y: number): boolean {
    const { width, height } = this.map;
    return x >= 0 && y >= 0 && x < width && y < height && this.band.slotOf[Math.floor(y) * width + Math.floor(x)] > 0;
  }

  /** What is missed by the segments between two places. */
  private misfitOf(first: number, last: number): number {
    let sum = 0;
    let before = -1;
    for (let i = first; i <= last; i++) {
      const k = this.way.segment(i);
      if (k !== before) sum += this.misfit[k];
      before = k;
    }
    return sum;
  }
}
