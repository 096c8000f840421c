import type { ChainCurves } from '../fit/curves.js';
import type { Loops } from '../planar-map/loops.js';
import type { Regions } from '../segment/regions.js';
import { joinBranches, type Stroke, type Tip } from './join-branches.js';
import { type MeasuredBranch, measureBranch } from './measure-branch.js';
import { patchesBeside } from './patches.js';
import { RegionEdge } from './region-edge.js';
import { boxesOf, cutOut, distancesIn, type RegionMask } from './region-mask.js';
import { type Branch, graphOf } from './skeleton-graph.js';
import { thin } from './thin.js';

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
/** All boxes looked at together hold at most so many times the picture's pixels. */
const MOST_WORK = 40;

/** Looks in every region, but for those of the ground's color, for lines of even width. */
export function findStrokes(regions: Regions, loops: Loops, curves: ChainCurves, hidden: Uint8Array): FoundStrokes {
  const { width, height, count, areaPx, colors } = regions;
  const ground = groundOf(regions);
  const widest = Math.max(WIDEST_LEAST_PX, WIDEST_SHARE * Math.min(width, height));
  const boxes = boxesOf(regions);
  const strokes: Stroke[] = [];
  const regionOf: number[] = [];
  const patches: (readonly number[])[] = [];
  const patchOf: number[] = [];
  const isDrawn = new Uint8Array(count);
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
    const found = strokesOf(cutOut(regions, r, boxes), new LazyEdge(loops, curves, r), widest);
    if (found === undefined) continue;
    isDrawn[r] = 1;
    for (const stroke of found.strokes) {
      strokes.push(stroke);
      regionOf.push(r);
    }
    for (const patch of found.patches) {
      patches.push(patch);
      patchOf.push(r);
    }
  }
  return { strokes, regionOf, patches, patchOf, isDrawn };
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
}

function strokesOf(mask: RegionMask, lazy: LazyEdge, widest: number): RegionStrokes | undefined {
  const distances = distancesIn(mask);
  let deepest = 0;
  for (const distance of distances) if (distance > deepest) deepest = distance;
  if (2 * deepest - 1 > 2 * widest) return undefined;
  const graph = graphOf(mask, thin(mask, distances), distances);
  const edge = lazy.of(mask);
  const measured = new Map<Branch, MeasuredBranch>();
  for (const branch of graph.branches) {
    const found = measureBranch(branch, mask, distances, edge);
    if (found !== undefined && found.width <= widest) measured.set(branch, found);
  }
  withoutMiddles(measured);
  if (measured.size === 0) return undefined;
  const strokes = joinBranches(graph, mask, measured, edge);
  if (!isLong(strokes)) return undefined;
  const patches = patchesLeft(mask, strokes, edge);
  return patches && { strokes, patches };
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
    const isEnd = (x: number, y: number, tip: Tip | undefined) =>
      tip !== undefined && Math.hypot(tip.x + tip.ux * tip.middle - x, tip.y + tip.uy * tip.middle - y) < width / 2 + 1;
    for (let k = 0; k < count; k++) {
      const [x, y] = [points[k * 2], points[k * 2 + 1]];
      if (more < 0 && (isEnd(x, y, start) || isEnd(x, y, end))) continue;
      cover(x, y, radius);
      const next = closed ? (k + 1) % count : Math.min(count - 1, k + 1);
      const dx = points[next * 2] - points[k * 2];
      const dy = points[next * 2 + 1] - points[k * 2 + 1];
      const steps = Math.floor(Math.hypot(dx, dy));
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
