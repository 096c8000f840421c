import type { ChainCurves } from '../fit/curves.js';
import type { Loops } from '../planar-map/loops.js';
import type { Regions } from '../segment/regions.js';
import { DepthField } from './depth-field.js';
import { joinBranches, type Stroke, type Tip } from './join-branches.js';
import { type MeasuredBranch, measureBranch } from './measure-branch.js';
import { patchesBeside } from './patches.js';
import { RegionEdge } from './region-edge.js';
import { boxesOf, cutOut, distancesIn, type RegionMask } from './region-mask.js';
import { evenWidth } from './side-runs.js';
import { type Branch, graphOf } from './skeleton-graph.js';
import { strokesBySides } from './strokes-by-sides.js';
import { thin } from './thin.js';
import { unexplained } from './unexplained.js';

/** The strokes of the regions that are made of nothing else. */
export interface FoundStrokes {
  readonly strokes: readonly Stroke[];
  /** Per stroke its region. */
  readonly regionOf: readonly number[];
  /** Areas beside them, as stretches of outlines to be closed (x, y in turn), and the region of each. */
  readonly patches: readonly (readonly number[])[];
  readonly patchOf: readonly number[];
  /** Per region 1 where its strokes stand for it. */
  readonly isDrawn: Uint8Array;
}

/** Strokes wider than this share of the picture's shorter side, and than so many px, are areas. */
const WIDEST_SHARE = 0.15;
const WIDEST_LEAST_PX = 6;
/** A region is at least so many times as long as it is wide. */
const LEAST_ASPECT = 1.25;
/** Share of a region that its strokes may leave uncovered; besides, px around them that count as covered. */
const MOST_UNCOVERED = 0.2;
const COVER_SLACK_PX = 0.75;
/** Between two crossings, what is shorter than so many widths, and so many times as wide as any longer line, is none. */
const LEAST_MIDDLE = 0.8;
const WIDER = 1.12;
/** And of what they cover, as a share of the region, that is not in it. */
const MOST_SPILLED = 0.02;
/** A patch beside the strokes is an area of its own above so many px, and this share of a square on the widest of them. */
const LEAST_PATCH_PX = 12;
const PATCH_SHARE = 0.25;
/** Strokes that leave less than this of the outline without a line beside it are the region's. */
const WELL_EXPLAINED = 0.006;
/** As a share of their radius, how far the discs lie apart that a stroke is painted with. */
const DISC_SPACING = 0.25;
/** Widths within this share are one pen's; what it drew that shows no sides is at most so many times as wide or high as it. */
const LIKE_PEN = 0.04;
const MOST_PENS = 10;
/** All boxes looked at together hold at most so many times the picture's pixels. */
const MOST_WORK = 40;

/** Looks in every region, but for those of the ground's color, for lines of even width. */
export function findStrokes(regions: Regions, loops: Loops, curves: ChainCurves, hidden: Uint8Array): FoundStrokes {
  const { width, height, count, areaPx, colors } = regions;
  const ground = groundOf(regions);
  const widest = Math.max(WIDEST_LEAST_PX, WIDEST_SHARE * Math.min(width, height));
  const boxes = boxesOf(regions);
  const found = new Map<number, RegionStrokes>();
  const doubtful: number[] = [];
  let work = MOST_WORK * width * height;
  for (let r = 0; r < count; r++) {
    if (regions.colorOf[r] === ground || colors[r * 4 + 3] < 0.5 || hidden[r] === 1) continue;
    const boxWidth = boxes[r * 4 + 2] - boxes[r * 4] + 2;
    const boxHeight = boxes[r * 4 + 3] - boxes[r * 4 + 1] + 2;
    const longest = boxWidth + boxHeight;
    // Nothing in this box can be that thin and have this area.
    if (areaPx[r] > longest * longest || areaPx[r] < 2) continue;
    work -= boxWidth * boxHeight;
    if (work < 0) break;
    const lines = strokesOf(cutOut(regions, r, boxes), new LazyEdge(loops, curves, r), widest);
    if (lines !== undefined) found.set(r, lines);
    if (lines === undefined || lines.left >= WELL_EXPLAINED) doubtful.push(r);
  }
  // What shows too little of its sides may be told by the pen that drew the rest.
  const pens = new Map<number, number>();
  for (const r of doubtful) {
    const color = regions.colorOf[r];
    const isLike = (of: number) => regions.colorOf[of] === color;
    const pen = pens.get(color) ?? (commonWidth(found, isLike, WELL_EXPLAINED) || commonWidth(found, isLike, Infinity));
    pens.set(color, pen);
    if (Math.max(boxes[r * 4 + 2] - boxes[r * 4], boxes[r * 4 + 3] - boxes[r * 4 + 1]) > MOST_PENS * pen) continue;
    const mask = cutOut(regions, r, boxes);
    const depths = new DepthField(mask, distancesIn(mask));
    const edge = new RegionEdge(mask, loops, curves, r);
    const lines = usable(mask, strokesBySides(depths, edge, pen), edge, depths);
    if (lines !== undefined && lines.left < Math.min(WELL_EXPLAINED, found.get(r)?.left ?? Infinity))
      found.set(r, lines);
  }
  const strokes: Stroke[] = [];
  const regionOf: number[] = [];
  const patches: (readonly number[])[] = [];
  const patchOf: number[] = [];
  const isDrawn = new Uint8Array(count);
  for (const [region, lines] of [...found].sort(([a], [b]) => a - b)) {
    isDrawn[region] = 1;
    for (const stroke of lines.strokes) {
      strokes.push(stroke);
      regionOf.push(region);
    }
    for (const patch of lines.patches) {
      patches.push(patch);
      patchOf.push(region);
    }
  }
  return { strokes, regionOf, patches, patchOf, isDrawn };
}

/** The width that more than half of all strokes' places have, about; 0 where there is none. */
function commonWidth(
  found: ReadonlyMap<number, RegionStrokes>,
  accepts: (region: number) => boolean,
  mostLeft: number,
): number {
  const order: Stroke[] = [];
  for (const [region, { strokes, left }] of found) {
    if (left < mostLeft && accepts(region)) order.push(...strokes);
  }
  order.sort((a, b) => a.width - b.width);
  const total = order.reduce((sum, { points }) => sum + points.length, 0);
  let middle = 0;
  let before = 0;
  for (const { width, points } of order) {
    middle = width;
    before += points.length;
    if (before >= total / 2) break;
  }
  let like = 0;
  let weighted = 0;
  for (const { width, points } of order) {
    if (Math.abs(width - middle) > LIKE_PEN * middle) continue;
    like += points.length;
    weighted += points.length * width;
  }
  return like > total / 2 ? weighted / like : 0;
}

/** Cutting a region's outline into pieces can wait until its middle is known to be thin. */
class LazyEdge {
  private readonly loops: Loops;
  private readonly curves: ChainCurves;
  private readonly region: number;

  constructor(loops: Loops, curves: ChainCurves, region: number) {
    this.loops = loops;
    this.curves = curves;
    this.region = region;
  }

  of(mask: RegionMask): RegionEdge {
    return new RegionEdge(mask, this.loops, this.curves, this.region);
  }
}

interface RegionStrokes {
  readonly strokes: readonly Stroke[];
  readonly patches: readonly (readonly number[])[];
  /** How much of the region they do not explain. */
  readonly left: number;
}

function strokesOf(mask: RegionMask, lazy: LazyEdge, widest: number): RegionStrokes | undefined {
  const distances = distancesIn(mask);
  let deepest = 0;
  for (const distance of distances) if (distance > deepest) deepest = distance;
  if (2 * deepest - 1 > 2 * widest) return undefined;
  const edge = lazy.of(mask);
  const depths = new DepthField(mask, distances);
  const bySides = usable(mask, strokesBySides(depths, edge, evenWidth(edge, widest)), edge, depths);
  if (bySides !== undefined && bySides.left < WELL_EXPLAINED) return bySides;
  const byMiddle = usable(mask, strokesBySkeleton(mask, distances, edge, widest), edge, depths);
  if (bySides === undefined || byMiddle === undefined) return byMiddle ?? bySides;
  return byMiddle.left < bySides.left ? byMiddle : bySides;
}

function strokesBySkeleton(
  mask: RegionMask,
  distances: Float32Array,
  edge: RegionEdge,
  widest: number,
): readonly Stroke[] | undefined {
  const graph = graphOf(mask, thin(mask, distances), distances);
  const measured = new Map<Branch, MeasuredBranch>();
  for (const branch of graph.branches) {
    const found = measureBranch(branch, mask, distances, edge);
    if (found !== undefined && found.width <= widest) measured.set(branch, found);
  }
  withoutMiddles(measured);
  if (measured.size === 0) return undefined;
  return joinBranches(graph, mask, measured, edge);
}

/** Strokes as those of their region, with the areas beside them; undefined where they are not. */
function usable(
  mask: RegionMask,
  strokes: readonly Stroke[] | undefined,
  edge: RegionEdge,
  depths: DepthField,
): RegionStrokes | undefined {
  if (strokes === undefined || !isLong(strokes)) return undefined;
  const patches = patchesLeft(mask, strokes, edge);
  return patches && { strokes, patches, left: unexplained(strokes, patches, edge, depths) };
}

/** Where several lines cross, what lies between their middles may look like a short line that is wider than they are. */
function withoutMiddles(measured: Map<Branch, MeasuredBranch>): void {
  const lengthOf = ({ runs }: MeasuredBranch) => runs.reduce((sum, run) => sum + run.length, 0);
  let widest = 0;
  for (const line of measured.values()) if (lengthOf(line) >= line.width) widest = Math.max(widest, line.width);
  for (const [branch, line] of measured) {
    if (branch.startNode < 0 || branch.endNode < 0 || lengthOf(line) >= LEAST_MIDDLE * line.width) continue;
    if (line.width > WIDER * widest) measured.delete(branch);
  }
}

function isLong(strokes: readonly Stroke[]): boolean {
  return strokes.some(({ points, width, start, end, closed }) => {
    if (closed) return true;
    let length = (start?.middle ?? 0) + (end?.middle ?? 0);
    for (let k = 2; k < points.length; k += 2)
      length += Math.hypot(points[k] - points[k - 2], points[k + 1] - points[k - 1]);
    return length >= LEAST_ASPECT * width;
  });
}

/** What strokes leave of a region as areas beside them; undefined where that is much, or no such areas, or strokes show more than the region. */
function patchesLeft(
  mask: RegionMask,
  strokes: readonly Stroke[],
  edge: RegionEdge,
): readonly (readonly number[])[] | undefined {
  const left = Uint8Array.from(mask.inside);
  let uncovered = mask.areaPx;
  paintOver(mask, strokes, COVER_SLACK_PX, (at) => {
    uncovered -= left[at];
    left[at] = 0;
  });
  if (uncovered > MOST_UNCOVERED * mask.areaPx) return undefined;
  const spilled = Uint8Array.from(mask.inside);
  let astray = 0;
  paintOver(mask, strokes, -COVER_SLACK_PX, (at) => {
    astray += 1 - spilled[at];
    spilled[at] = 1;
  });
  if (astray > MOST_SPILLED * mask.areaPx) return undefined;
  const widest = strokes.reduce((most, { width }) => Math.max(most, width), 0);
  return patchesBeside(left, mask, edge, Math.max(LEAST_PATCH_PX, PATCH_SHARE * widest * widest));
}

/**
 * Visits the pixels of a mask that strokes cover, or such as are wider by twice `more` px. What lies around an end is left out where
 * they are narrower: its shape is not known yet.
 */
function paintOver(mask: RegionMask, strokes: readonly Stroke[], more: number, visit: (at: number) => void): void {
  const cover = (x: number, y: number, radius: number) => {
    const cx = x - mask.left;
    const cy = y - mask.top;
    for (let v = Math.max(0, Math.ceil(cy - radius - 0.5)); v + 0.5 <= cy + radius && v < mask.height; v++) {
      const half = Math.sqrt(Math.max(0, radius * radius - (v + 0.5 - cy) * (v + 0.5 - cy)));
      for (let u = Math.max(0, Math.ceil(cx - half - 0.5)); u + 0.5 <= cx + half && u < mask.width; u++)
        visit(v * mask.width + u);
    }
  };
  for (const { points, width, closed, start, end } of strokes) {
    const radius = width / 2 + more;
    if (radius <= 0) continue;
    const count = points.length / 2;
    // Discs so near to each other that what stays between them is no matter.
    const spacing = Math.max(1, radius * DISC_SPACING);
    let way = Infinity;
    const isEnd = (x: number, y: number, tip: Tip | undefined) =>
      tip !== undefined && Math.hypot(tip.x + tip.ux * tip.middle - x, tip.y + tip.uy * tip.middle - y) < width / 2 + 1;
    for (let k = 0; k < count; k++) {
      const [x, y] = [points[k * 2], points[k * 2 + 1]];
      if (more < 0 && (isEnd(x, y, start) || isEnd(x, y, end))) continue;
      if (way >= spacing || k === count - 1) {
        cover(x, y, radius);
        way = 0;
      }
      const next = closed ? (k + 1) % count : Math.min(count - 1, k + 1);
      const dx = points[next * 2] - points[k * 2];
      const dy = points[next * 2 + 1] - points[k * 2 + 1];
      const length = Math.hypot(dx, dy);
      way += length;
      const steps = way < spacing ? 0 : Math.floor(length / spacing);
      for (let s = 1; s <= steps; s++)
        cover(points[k * 2] + (dx * s) / (steps + 1), points[k * 2 + 1] + (dy * s) / (steps + 1), radius);
    }
    for (const tip of [start, end]) {
      if (tip === undefined || more < 0) continue;
      for (let t = 0; t <= tip.middle - width / 2; t++) cover(tip.x + tip.ux * t, tip.y + tip.uy * t, radius);
    }
  }
}

/** The color that most of the picture has: nobody draws with that. */
function groundOf({ count, areaPx, colorOf }: Regions): number {
  const areas = new Map<number, number>();
  let ground = -1;
  let most = 0;
  for (let r = 0; r < count; r++) {
    const area = (areas.get(colorOf[r]) ?? 0) + areaPx[r];
    areas.set(colorOf[r], area);
    if (area <= most) continue;
    most = area;
    ground = colorOf[r];
  }
  return ground;
}
