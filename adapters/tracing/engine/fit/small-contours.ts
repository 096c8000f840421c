import { LEAST_WEIGHT, MOST_GUESS_PLACES, MOST_SIDES, MOST_WEIGHT } from '../kernels/kernel-layout.js';
import { distance } from '../math/distance.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import { turnsClockwise } from '../planar-map/turns-clockwise.js';
import type { Regions } from '../segment/regions.js';
import { ContourPixels, contrastSqOf } from './contour-pixels.js';
import { at, contourNumbers } from './contour-shape.js';
import {
  type ChainCurves,
  CurveList,
  isRoundShape,
  SEGMENT_CIRCLE,
  SEGMENT_LINE,
  SEGMENT_RECT,
  SEGMENT_SIZE,
} from './curves.js';
import {
  areAlike,
  isLike,
  pentagram,
  placeTemplate,
  type ShapeTemplate,
  templateOf,
  turnsOf,
} from './shape-templates.js';
import { SideGuesses } from './side-guesses.js';
import { SidedContour } from './sided-contour.js';
import type { SplitCurves } from './split-segments.js';

/** Places on a segment: least, and one each so many px. */
const LEAST_ON_SEGMENT = 2;
const LEAST_ON_ROUND = 12;
const PX_APART = 0.6;
/** Contours are tried that are nearer to what was drawn than this (root mean square), px, those with arcs if they are nearer by this factor. */
const NEAR_PX = 0.17;
const NEARER_BY_ARCS = 0.8;
/** So many of those with arcs at most; and sides that are added to a polygon, more where curves miss by far. */
const MOST_TRIED = 3;
const MOST_GROWN = 6;
const MOST_GROWN_FAR = 10;
/** So many are added at least before it is given up as round. */
const LEAST_GROWN = 1;
/** Where so many times as much as may be is left, curves are no guide, and the pixels' own outline is tried. */
const FAR = 4;
/** So many may be tried in vain in a picture, and one more for so many px of edges. */
const FREE_TRIES = 16;
const PX_A_TRY = 6;
/**
 * What may be left of a pixel at most (root mean square): levels of rounding, and a share of the contrast. A contour that leaves so much of its
 * square is proven; one that leaves so much is likely, if it is better by this (the logarithm of the square).
 */
const ROUNDING = 1;
const CONTRAST_SHARE = 0.012;
const PROOF_SHARE = 1 / 16;
/** Curves that leave so much may miss corners still. */
const MISSED_SHARE = 1 / 32;
/** A circle or an ellipse that leaves less, which is four numbers, is as good as any: of 153 such chains two were something else. */
const MISSED_ROUND_SHARE = 0.4;
const LIKELY_SHARE = 0.25;
const LIKELY_GAIN = 2.5;
/** Px of a contour for each of its unknowns, at least: of less any will do. */
const LEAST_PX_EACH = 1.1;
/** What is gained at least, and for each number more than there was. */
const LEAST_GAIN = 1.2;
const NUMBER_PRICE = 0.2;
const ROUND_NUMBERS = 4;
/** A polygon that leaves less than this share of what curves do is a sketch of what is there. */
const SKETCH_SHARE = 0.8;
/** Where so many sides have been added that gained less than this share, all of them, more will not either. */
const MOST_SLOW = 3;
const SLOW_SHARE = 0.05;
/** Where so many times as much is left, steps that gain little are given up. */
const HOPELESS = 4;
/** What is left may be so many times as much where a side less is enough; and so far is an arc from its chord that may be that, px. */
const AS_WELL = 1.5;
const FLAT_PX = 0.1;
/** A side cuts off a corner from which both beside it turn by no more than this, radians, and an end by no more than this. */
const MOST_CUT_TURN = 1.2;
const MOST_END_TURN = 1.9;
/** A round end is one that leaves less than this share of what a square one does. */
const END_SHARE = 0.6;
/** The shape that is so often seen so small that nothing else tells it, down to so few px around; and shapes of other contours that are tried, at most. */
const STARS = [pentagram()];
const SHORT_STAR_PX = 6;
const MOST_TEMPLATES = 8;
/** Contours as long as this, along their pixels' sides, are not looked at, px. */
const LONG_PX = 160;
/** In fewer px there are not enough of them to tell. */
const SHORT_PX = 10;

/** A contour that is near a chain's pixels, and may be near what is there: the curves `isDrawn` there, or a polygon nearer than these. */
export interface Sketch {
  readonly contour: SidedContour;
  readonly isDrawn: boolean;
}

/**
 * Small closed contours whose curves do not follow the pixels: where one of few lines and arcs does, it takes their place. Between sides of two and
 * three px no sample lies on one side alone, and corners cannot be told from samples; the pixels tell. `before` are the curves as they have been
 * settled, `costs` the squared differences that are left along each chain, `split` what they are to become. Returns `split` itself where there is no
 * such contour. Polygons that come nearer than the curves, but not near enough, and such as may be facets of curves are left in `sketches`, by chain. Chains
 * that none was found for are put into `inVain`; those that are there are not looked at again: of 1000 others, all drawn from other curves, none was found.
 */
export function drawContours(
  map: PlanarMap,
  regions: Regions,
  rgba: Uint8Array,
  before: ChainCurves,
  split: SplitCurves,
  costs: Float64Array,
  sketches: Map<number, Sketch>,
  inVain: Set<number>,
): SplitCurves {
  const contours = findContours(map, regions, rgba, before, costs, sketches, inVain);
  if (contours.size === 0) return split;
  const { starts, chainCount } = split.curves;
  const list = new CurveList();
  const corners: number[] = [];
  const mirrored: number[] = [];
  const fresh: number[] = [];
  const changed = split.changed.slice();
  for (let c = 0; c < chainCount; c++) {
    list.beginChain();
    const contour = contours.get(c);
    if (contour !== undefined) {
      const from = list.kinds.length;
      contour.draw(list);
      for (let k = from; k < list.kinds.length; k++) {
        corners.push(0);
        mirrored.push(0);
        fresh.push(1);
      }
      changed[c] = 1;
      continue;
    }
    for (let k = starts[c]; k < starts[c + 1]; k++) {
      list.copy(split.curves, k);
      corners.push(split.corners[k]);
      mirrored.push(split.mirrored[k]);
      fresh.push(split.fresh[k]);
    }
  }
  return {
    curves: list.finish(),
    changed,
    corners: Uint8Array.from(corners),
    mirrored: Uint8Array.from(mirrored),
    fresh: Uint8Array.from(fresh),
  };
}

/**
 * The contours that chains are, by their numbers: what curves miss most is looked at first, as long as not too much has been tried
 * in vain.
 */
function findContours(
  map: PlanarMap,
  regions: Regions,
  rgba: Uint8Array,
  curves: ChainCurves,
  costs: Float64Array,
  sketches: Map<number, Sketch>,
  inVain: Set<number>,
): ReadonlyMap<number, SidedContour> {
  const missed: number[] = [];
  for (let c = 0; c < map.chainCount; c++) if (isMissed(map, regions, curves, c, costs[c])) missed.push(c);
  const found = new Map<number, SidedContour>();
  if (missed.length === 0) return found;
  missed.sort((a, b) => costs[b] - costs[a] || a - b);
  const finder = new SmallContours(map, regions, rgba, curves);
  const templates: ShapeTemplate[] = [];
  let vain = FREE_TRIES + map.vertices.length / PX_A_TRY;
  for (const c of missed) {
    if (inVain.has(c)) continue;
    const contour = finder.find(c, costs[c]);
    if (contour !== undefined) {
      found.set(c, contour.copy());
      if (templates.length < MOST_TEMPLATES) addTemplate(templates, contour, turnsClockwise(map, c));
    } else {
      vain -= finder.tries;
      inVain.add(c);
    }
    const sketch = contour ?? finder.sketch;
    if (sketch !== undefined && (contour === undefined || sketch.hasFacets))
      sketches.set(c, { contour: sketch.copy(), isDrawn: contour !== undefined });
    if (vain < 0) break;
  }
  // What is found in one place is likely elsewhere, where pixels tell less of it.
  for (const c of missed) {
    if (vain < 0 || templates.length === 0) break;
    if (found.has(c)) continue;
    const contour = finder.findAlike(c, costs[c], templates);
    if (contour === undefined) vain -= finder.tries;
    else {
      found.set(c, contour.copy());
      sketches.delete(c);
    }
  }
  return found;
}

/** Adds a contour's shape where it is a new one, and no polygon that something round may be: one such would make many. */
function addTemplate(templates: ShapeTemplate[], contour: SidedContour, isClockwise: boolean): void {
  if (contour.hasFacets) return;
  const template = templateOf(contour, isClockwise);
  if (!templates.some((known) => areAlike(known, template))) templates.push(template);
}

/** Whether a closed chain is one that the curves so miss that it is worth a look. */
function isMissed(map: PlanarMap, regions: Regions, curves: ChainCurves, chain: number, cost: number): boolean {
  const [left, right] = [map.left[chain], map.right[chain]];
  if (map.startNode[chain] >= 0 || left < 0 || right < 0) return false;
  if (curves.kinds[curves.starts[chain]] === SEGMENT_RECT) return false;
  const steps = map.starts[chain + 1] - map.starts[chain] - 1;
  if (steps < SHORT_STAR_PX || steps >= LONG_PX) return false;
  const contrastSq = contrastSqOf(regions, left, right);
  return cost > MISSED_SHARE * limitOf(contrastSq) * contrastSq * steps;
}

/** What a contour may leave of a share of a pixel, squared, on average. */
function limitOf(contrastSq: number): number {
  return (ROUNDING + CONTRAST_SHARE * Math.sqrt(contrastSq)) ** 2 / contrastSq;
}

class SmallContours {
  /** Contours that were tried for the last chain. */
  tries = 0;
  private readonly contour = new SidedContour();
  private readonly map: PlanarMap;
  private readonly regions: Regions;
  private readonly rgba: Uint8Array;
  private readonly curves: ChainCurves;
  private readonly pixels = new ContourPixels();
  private readonly guesses = new SideGuesses();
  private readonly xs = new Float64Array(MOST_GUESS_PLACES);
  private readonly ys = new Float64Array(MOST_GUESS_PLACES);
  // Of the chain at hand: what curves leave of a share of a pixel, squared, on average, in how many numbers; and what a contour may.
  private now = 0;
  private numbersNow = 0;
  private limit = 0;
  /** Whether all but stars are told by too few pixels. */
  private isShort = false;
  /** What the contour tried last leaves. */
  private misfit = 0;
  /** The polygon that has grown so far, and what it leaves. */
  private readonly polygon = new SidedContour();
  private left = 0;
  /** The contour most was gained by. */
  private readonly best = new SidedContour();
  private mostGained = 0;
  private readonly kept = new SidedContour();
  /** The polygon that leaves least, and what it does. */
  private readonly nearest = new SidedContour();
  private nearestLeft = Infinity;

  constructor(map: PlanarMap, regions: Regions, rgba: Uint8Array, curves: ChainCurves) {
    this.map = map;
    this.regions = regions;
    this.rgba = rgba;
    this.curves = curves;
  }

  /** The polygon that came nearest to the last chain's pixels, where that is plainly nearer than its curves; good until the next call. */
  get sketch(): SidedContour | undefined {
    return this.nearestLeft < SKETCH_SHARE * this.now ? this.nearest : undefined;
  }

  /** The contour of few lines and arcs, as the pixels have it, that a chain is, which curves miss by `cost`; good until the next call. */
  find(chain: number, cost: number): SidedContour | undefined {
    const { contour } = this;
    if (!this.load(chain, cost)) return undefined;
    if (this.isAlike(STARS, 0)) return contour;
    if (this.isShort) return undefined;
    const isFound =
      this.isAlong(this.follow(chain)) || (this.now > FAR * this.limit && this.isAlong(this.cross(chain)));
    if (!isFound) {
      if (this.mostGained === 0) return undefined;
      contour.set(this.best);
    }
    this.simplify();
    if (contour.pxEach < LEAST_PX_EACH) return undefined;
    this.round();
    return contour;
  }

  /** The contour that a chain is of the shape of one of these; good until the next call. */
  findAlike(chain: number, cost: number, templates: readonly ShapeTemplate[]): SidedContour | undefined {
    return this.load(chain, cost) && !this.isShort && this.isAlike(templates, NUMBER_PRICE) ? this.contour : undefined;
  }

  /** Takes a chain that curves miss by `cost`; false where that is little, or its pixels do not tell. */
  private load(chain: number, cost: number): boolean {
    const { pixels } = this;
    this.tries = 0;
    this.nearestLeft = Infinity;
    this.mostGained = 0;
    if (!pixels.load(this.map, this.regions, this.rgba, chain)) return false;
    this.limit = limitOf(pixels.contrastSq);
    this.now = cost / (pixels.contrastSq * pixels.count);
    const { starts, kinds } = this.curves;
    const isRound = isRoundShape(kinds[starts[chain]]);
    if (this.now < this.limit * (isRound ? MISSED_ROUND_SHARE : MISSED_SHARE)) return false;
    this.isShort = this.map.starts[chain + 1] - this.map.starts[chain] - 1 < SHORT_PX;
    this.numbersNow = isRound ? ROUND_NUMBERS : contourNumbers(kinds.subarray(starts[chain], starts[chain + 1]));
    return true;
  }

  /**
   * Whether the contour is of the shape of one of these, as a whole: four numbers, of which fewer pixels tell than of all its corners, so that it may
   * leave as much as is likely at all. Each number more than there was must gain `numberPrice`.
   */
  private isAlike(templates: readonly ShapeTemplate[], numberPrice: number): boolean {
    const { contour, best, kept, pixels } = this;
    const { moments, isClockwise } = pixels;
    let least = this.limit;
    let isFound = false;
    for (const template of templates) {
      if (!isLike(template, moments)) continue;
      let nearest = Infinity;
      for (const turn of turnsOf(template, moments)) {
        placeTemplate(template, moments, turn, isClockwise, contour);
        const missed = pixels.compare(contour);
        if (missed >= nearest) continue;
        nearest = missed;
        kept.set(contour);
      }
      this.tries++;
      const misfit = pixels.settle(kept, 0, true) / pixels.count;
      const more = Math.max(0, kept.written - this.numbersNow);
      if (!(misfit < least && Math.log(this.now / misfit) > LIKELY_GAIN + numberPrice * more)) continue;
      least = misfit;
      best.set(kept);
      isFound = true;
    }
    if (isFound) contour.set(best);
    return isFound;
  }

  /** Whether one is found along so many places. */
  private isAlong(count: number): boolean {
    if (count < LEAST_ON_ROUND) return false;
    this.guesses.load(this.xs, this.ys, count);
    return this.isPolygon() || this.hasArcs() || this.isGrown();
  }

  /** Takes places along a chain's pixels; returns how many, 0 where these are too many. */
  private cross(chain: number): number {
    const { starts } = this.map;
    if (starts[chain + 1] - starts[chain] - 1 > MOST_GUESS_PLACES) return 0;
    return this.pixels.crossings(this.map, chain, this.xs, this.ys);
  }

  /** Rounds corners that are cut off, where the pixels do not tell: facets are seen; and ends, where the pixels do tell. */
  private round(): void {
    const { contour, pixels, kept, limit } = this;
    kept.set(contour);
    const most = Math.max(PROOF_SHARE * limit, this.misfit * AS_WELL) * pixels.count;
    if (contour.roundCuts(MOST_CUT_TURN) && pixels.settle(contour, most) > most) contour.set(kept);
    kept.set(contour);
    if (!contour.roundCuts(MOST_END_TURN)) return;
    const square = pixels.settle(kept, 0);
    if (pixels.settle(contour, 0) < END_SHARE * square) return;
    contour.set(kept);
  }

  /** The polygon of fewest sides that is near. */
  private isPolygon(): boolean {
    const { guesses, contour } = this;
    let sides = LEAST_WEIGHT;
    while (sides < MOST_WEIGHT && guesses.rms(sides, 0) > NEAR_PX) sides++;
    guesses.place(sides, 0, contour);
    const isProven = this.isProven();
    this.polygon.set(contour);
    this.left = this.misfit;
    return isProven;
  }

  private hasArcs(): boolean {
    const { guesses, contour } = this;
    let tried = 0;
    for (let w = LEAST_WEIGHT; w <= MOST_WEIGHT && tried < MOST_TRIED; w++) {
      if (guesses.rms(w, 1) > Math.min(NEAR_PX, NEARER_BY_ARCS * guesses.rms(w, 0))) continue;
      if (!guesses.place(w, 1, contour)) continue;
      tried++;
      if (this.isProven()) return true;
    }
    return false;
  }

  /** The polygon, with corners added where it misses most until it does not, or with arcs for those that it cuts off. */
  private isGrown(): boolean {
    const { contour, pixels, polygon } = this;
    const most = this.now < FAR * this.limit ? MOST_GROWN : MOST_GROWN_FAR;
    let least = this.left;
    let slow = 0;
    for (let step = 0; ; step++) {
      contour.set(polygon);
      if (this.left < this.limit && contour.roundCuts(MOST_CUT_TURN) && this.isProven()) return true;
      contour.set(polygon);
      if (step === most || contour.count === MOST_SIDES) return false;
      contour.part(pixels.worstSide(contour));
      if (this.isProven()) return true;
      // More facets of what is round would be no better.
      if (step >= LEAST_GROWN && contour.isFaceted) return false;
      slow = this.misfit < (1 - SLOW_SHARE) * least ? 0 : slow + 1;
      if (slow === MOST_SLOW) return false;
      if (slow === 0) least = this.misfit;
      polygon.set(contour);
      this.left = this.misfit;
    }
  }

  /** Moves the contour onto the pixels; whether it then leaves no more than their rounding, and is worth its numbers. */
  private isProven(): boolean {
    const { contour, pixels, limit } = this;
    this.tries++;
    this.misfit = pixels.settle(contour, HOPELESS * limit * pixels.count) / pixels.count;
    if (contour.isFaceted) return false;
    if (this.misfit < this.nearestLeft && !contour.hasArcs) {
      this.nearestLeft = this.misfit;
      this.nearest.set(contour);
    }
    const more = Math.max(0, contour.written - this.numbersNow);
    const gained = Math.log(this.now / this.misfit) - NUMBER_PRICE * more;
    if (this.misfit < limit * PROOF_SHARE) return gained > LEAST_GAIN;
    if (this.misfit < limit * LIKELY_SHARE && gained > Math.max(LIKELY_GAIN, this.mostGained)) {
      this.mostGained = gained;
      this.best.set(contour);
    }
    return false;
  }

  /** Leaves out of the contour what it does as well without. */
  private simplify(): void {
    const { contour, pixels, kept } = this;
    const most = Math.max(PROOF_SHARE * this.limit, this.misfit * AS_WELL) * pixels.count;
    for (let k = 0; k < contour.count; k++) {
      if (contour.isArc[k] === 0 || contour.height(k) > FLAT_PX) continue;
      kept.set(contour);
      contour.straighten(k);
      if (pixels.settle(contour, most) > most) contour.set(kept);
    }
    for (let k = 0; k < contour.count && contour.count > 2; ) {
      if (!contour.isWeak(k)) {
        k++;
        continue;
      }
      kept.set(contour);
      contour.leaveOut(k);
      if (pixels.settle(contour, most) < most) continue;
      contour.set(kept);
      k++;
    }
  }

  /** Takes places along a chain's curves, evenly; returns how many, 0 where it has too many segments. */
  private follow(chain: number): number {
    const { xs, ys } = this;
    const { starts, kinds, points } = this.curves;
    if (isRoundShape(kinds[starts[chain]])) return this.followRound(starts[chain]);
    let all = 0;
    for (let k = starts[chain]; k < starts[chain + 1]; k++) all += this.lengthOf(k);
    const apart = Math.max(
      PX_APART,
      all / (MOST_GUESS_PLACES - LEAST_ON_SEGMENT * (starts[chain + 1] - starts[chain])),
    );
    let n = 0;
    for (let k = starts[chain]; k < starts[chain + 1]; k++) {
      const p = k * SEGMENT_SIZE;
      const places = Math.max(LEAST_ON_SEGMENT, Math.round(this.lengthOf(k) / apart));
      if (!(apart > 0) || n + places > MOST_GUESS_PLACES) return 0;
      for (let i = 0; i < places; i++) {
        const t = i / places;
        xs[n] = kinds[k] === SEGMENT_LINE ? points[p] + t * (points[p + 6] - points[p]) : at(points, p, t);
        ys[n++] =
          kinds[k] === SEGMENT_LINE ? points[p + 1] + t * (points[p + 7] - points[p + 1]) : at(points, p + 1, t);
      }
    }
    return n;
  }

  /** Takes places along a circle or an ellipse. */
  private followRound(k: number): number {
    const { xs, ys } = this;
    const { kinds, points } = this.curves;
    const p = k * SEGMENT_SIZE;
    const [first, second] = [points[p + 2], kinds[k] === SEGMENT_CIRCLE ? points[p + 2] : points[p + 3]];
    const angle = kinds[k] === SEGMENT_CIRCLE ? 0 : points[p + 4];
    const count = Math.max(
      LEAST_ON_ROUND,
      Math.min(MOST_GUESS_PLACES, Math.round((Math.PI * (first + second)) / PX_APART)),
    );
    for (let i = 0; i < count; i++) {
      const [u, v] = [first * Math.cos((2 * Math.PI * i) / count), second * Math.sin((2 * Math.PI * i) / count)];
      xs[i] = points[p] + u * Math.cos(angle) - v * Math.sin(angle);
      ys[i] = points[p + 1] + u * Math.sin(angle) + v * Math.cos(angle);
    }
    return count;
  }

  /** The length of a segment's control polygon, px. */
  private lengthOf(k: number): number {
    const { points } = this.curves;
    let px = 0;
    for (let p = k * SEGMENT_SIZE; p < k * SEGMENT_SIZE + 6; p += 2)
      px += distance(points[p + 2] - points[p], points[p + 3] - points[p + 1]);
    return px;
  }
}
