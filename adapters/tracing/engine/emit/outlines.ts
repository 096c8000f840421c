import type { StrokeWriter } from '../centerline/stroke-writer.js';
import { type ChainCurves, isWholeShape, SEGMENT_LINE } from '../fit/curves.js';
import { FloatList, IntList } from '../math/lists.js';
import type { Loops } from '../planar-map/loops.js';
import { type PlanarMap, regionLeftOf, regionRightOf } from '../planar-map/planar-map.js';
import type { Regions } from '../segment/regions.js';
import type { EngineDrawing, EngineGeometry, EnginePaint, EngineSettings, EngineShape } from '../types.js';
import { agreeArcs } from './agree-arcs.js';
import { type ArcRuns, findArcs, noArcs } from './arc-runs.js';
import { Covers } from './covers.js';
import { DirectWay } from './direct-way.js';
import { drawGapStrokes } from './gap-strokes.js';
import { OutlineBuffer, solidPaint } from './outline-buffer.js';
import { WayShortener } from './shorten-way.js';
import type { Stacking } from './stacking.js';
import { tangentArcs } from './tangent-arcs.js';
import { Underlap } from './underlap.js';
import { uprightBox } from './upright-box.js';
import { drawWholeShape, wholeShape } from './whole-shapes.js';

/** How far a simplified outline is led beneath what covers it, px. */
const BESIDE_PX = 0.6;
/** In pictures of so many regions several meet, and places may be too narrow for an underlap; something must lie beneath them. */
const LEAST_FOR_BACKING = 3;

/** The drawing's outlines: shared path arrays and the shapes that hold ranges of them. */
export interface Outlines {
  readonly commands: Uint8Array;
  readonly coords: Float64Array;
  readonly items: EngineShape[];
}

/** The gradients a region is painted with, back to front, by its premultiplied color; undefined for one color. */
export type GradientsOf = (colors: Float64Array, region: number) => readonly EnginePaint[] | undefined;

export interface OutlineOptions {
  readonly gradientsOf?: GradientsOf | undefined;
  /** The curves have left the pixels' boundaries. */
  readonly simplified?: boolean;
  readonly gapCleanup?: EngineSettings['gapCleanup'];
  /** What is a circular arc is drawn as one, so far off the curves at most, px; undefined where none is to be. */
  readonly arcPx?: number | undefined;
  /** The regions are the tones of a photograph. */
  readonly areTones?: boolean;
  /** Draws the regions that are lines, in front of all others. */
  readonly strokes?: StrokeWriter | undefined;
}

/** Turns regions into shapes, back to front. */
export function drawOutlines(
  map: PlanarMap,
  loops: Loops,
  regions: Regions,
  stacking: Stacking,
  curves: ChainCurves,
  stacked: boolean,
  { gradientsOf, simplified = false, gapCleanup = 'off', strokes, arcPx, areTones = false }: OutlineOptions = {},
): Outlines {
  const paintsOf = (region: number) => gradientsOf?.(regions.colors, region) ?? [solidPaint(regions.colors, region)];
  // What is cut out has no more.
  const paintOf = (region: number) => paintsOf(region)[0];
  const writer = new OutlineWriter(map, regions, stacking, curves, stacked, simplified, arcPx, areTones);
  const items: EngineShape[] = [];
  if (!stacked && gapCleanup !== 'off')
    items.push(
      ...drawGapStrokes(writer.out, map, curves, stacking, regions.areaPx, gapCleanup === 'underlap', paintOf),
    );
  for (const region of stacking.order) {
    if (strokes?.isDrawn(region)) continue;
    const from = loops.regionStarts[region];
    const to = loops.regionStarts[region + 1];
    let geometry: EngineGeometry | undefined;
    let kept = 0;
    for (let l = from; l < to; l++) kept += stacking.kept[loops.byRegion[l]];
    if (kept === 1) geometry = writer.primitive(loops, loops.byRegion[from]);
    if (geometry === undefined) {
      const firstCommand = writer.out.commands.length;
      const firstCoord = writer.out.coords.length;
      for (let l = from; l < to; l++) {
        if (stacking.kept[loops.byRegion[l]] === 1) writer.loop(loops, loops.byRegion[l]);
      }
      geometry = kept === 1 ? uprightBox(writer.out, firstCommand, firstCoord) : undefined;
      if (geometry !== undefined) writer.out.dropFrom(firstCommand, firstCoord);
      geometry ??= {
        kind: 'path',
        firstCommand,
        commandCount: writer.out.commands.length - firstCommand,
        firstCoord,
        evenOdd: kept > 1,
      };
    }
    items.push(...filled(geometry, paintsOf(region), regions.areaPx[region]));
  }
  const fills = items.length;
  if (strokes !== undefined) items.push(...strokes.draw(writer.out));
  const isGround = stacking.ground.indexOf(1) >= 0;
  const closed = stacked || gapCleanup !== 'off';
  const layered = closed && fills >= (simplified ? 2 : LEAST_FOR_BACKING) && isAllSolid(stacking);
  if (isGround) items.unshift(...ground(regions, stacking, paintsOf));
  else if (layered && !fillsFrame(items[0].geometry, regions))
    items.unshift(...backing(regions, paintsOf(stacking.order[0]), 0));
  return { ...writer.out.finish(), items };
}

/** A shape in each of some paints, on each other; the first is what is seen, however much of it shows. */
function filled(geometry: EngineGeometry, paints: readonly EnginePaint[], visibleAreaPx: number): EngineShape[] {
  return paints.map((fill, k) => ({
    kind: 'shape',
    geometry,
    fill,
    stroke: null,
    visibleAreaPx: k === 0 ? visibleAreaPx : 0,
  }));
}

/** The whole frame in the color of the ground, of which its regions are what is seen. */
function ground(
  regions: Regions,
  stacking: Stacking,
  paintsOf: (region: number) => readonly EnginePaint[],
): EngineShape[] {
  let visibleAreaPx = 0;
  for (let r = 0; r < regions.count; r++) if (stacking.ground[r] === 1) visibleAreaPx += regions.areaPx[r];
  return backing(regions, paintsOf(stacking.ground.indexOf(1)), visibleAreaPx);
}

function fillsFrame(geometry: EngineGeometry, { width, height }: Regions): boolean {
  return geometry.kind === 'rect' && geometry.width >= width && geometry.height >= height;
}

function isAllSolid(stacking: Stacking): boolean {
  for (const solid of stacking.solid) if (solid === 0) return false;
  return true;
}

/** The whole frame in the color of the rearmost region, beneath everything. */
function backing({ width, height }: Regions, paints: readonly EnginePaint[], visibleAreaPx: number): EngineShape[] {
  return filled({ kind: 'rect', x: 0, y: 0, width, height, radius: 0 }, paints, visibleAreaPx);
}

/** A drawing of nothing but the frame, in the color of the largest region that can be seen. */
export function drawFrame(regions: Regions): EngineDrawing {
  let largest = 0;
  for (let r = 1; r < regions.count; r++) if (regions.areaPx[r] > regions.areaPx[largest]) largest = r;
  return {
    width: regions.width,
    height: regions.height,
    commands: new Uint8Array(0),
    coords: new Float64Array(0),
    items: backing(regions, [solidPaint(regions.colors, largest)], regions.width * regions.height),
    crispEdges: false,
  };
}

class OutlineWriter {
  readonly out = new OutlineBuffer();
  private readonly map: PlanarMap;
  private readonly curves: ChainCurves;
  private readonly underlap: Underlap | undefined;
  /** None between the tones of a photograph, where the time it takes is worth more than the numbers it spares. */
  private readonly direct: DirectWay | undefined;
  private readonly shortener: WayShortener | undefined;
  private readonly way = new FloatList(64);
  private readonly run = new IntList(16);
  private fresh = true;
  private readonly arcs: ArcRuns;
  /** Curves have left the pixels' boundaries, and ways beneath cannot be found by the pixels. */
  private readonly simplified: boolean;

  constructor(
    map: PlanarMap,
    regions: Regions,
    stacking: Stacking,
    curves: ChainCurves,
    stacked: boolean,
    simplified: boolean,
    arcPx: number | undefined,
    areTones: boolean,
  ) {
    const drawsArcs = arcPx !== undefined;
    if (drawsArcs) curves = tangentArcs(map, curves, arcPx);
    this.arcs = drawsArcs ? findArcs(curves, map.width + map.height, arcPx) : noArcs(curves);
    this.simplified = simplified;
    this.map = map;
    if (drawsArcs) curves = agreeArcs(map, curves, this.arcs);
    this.curves = curves;
    if (!stacked) return;
    const covers = new Covers(regions, stacking);
    this.underlap = new Underlap(map, regions, stacking, covers, curves, areTones);
    this.direct = areTones ? undefined : new DirectWay(covers, curves, map.width, map.height);
    this.shortener = new WayShortener(covers, map.width, map.height);
  }

  /** A native shape where the loop is one. */
  primitive(loops: Loops, loop: number): EngineGeometry | undefined {
    const from = loops.starts[loop];
    const { starts, kinds, points } = this.curves;
    if (loops.starts[loop + 1] - from > 1) return undefined;
    const chain = loops.halfEdges[from] >> 1;
    const s = starts[chain];
    if (starts[chain + 1] - s > 1 || !isWholeShape(kinds[s])) return undefined;
    return wholeShape(kinds[s], points, s * 8);
  }

  /** Appends a closed loop. */
  loop(loops: Loops, loop: number): void {
    const from = loops.starts[loop];
    const count = loops.starts[loop + 1] - from;
    const { halfEdges } = loops;
    const { underlap, simplified, run } = this;
    this.fresh = true;
    // Runs of hidden half-edges are led beneath their covers together: the loop begins where one ends.
    let first = 0;
    if (!simplified) while (first < count && !this.endsHidden(halfEdges, from, count, first)) first++;
    if (first === count) first = 0;
    for (let k = 0; k < count; ) {
      const halfEdge = halfEdges[from + ((first + k) % count)];
      if (underlap === undefined || !underlap.isCovered(halfEdge)) {
        this.visible(halfEdge);
        k++;
        continue;
      }
      if (simplified) {
        this.beside(halfEdge);
        k++;
        continue;
      }
      run.length = 0;
      const begin = k;
      for (; k < count; k++) {
        const covered = halfEdges[from + ((first + k) % count)];
        if (!underlap.isCovered(covered)) break;
        run.push(covered);
      }
      const whole = k - begin === count;
      const next = halfEdges[from + ((first + k) % count)];
      this.hidden(
        !whole && this.isBorder(halfEdges[from + ((first + begin + count - 1) % count)]),
        !whole && this.isBorder(next),
        whole ? -1 : next,
        k === count,
      );
    }
    if (this.fresh) return;
    this.out.close();
  }

  /** Whether half-edge `k` of a loop is seen, and the one before it is not. */
  private endsHidden(halfEdges: Int32Array, from: number, count: number, k: number): boolean {
    const { underlap } = this;
    if (underlap === undefined || underlap.isCovered(halfEdges[from + k])) return false;
    return underlap.isCovered(halfEdges[from + ((k + count - 1) % count)]);
  }

  /** Whether there is nothing but the picture's outside beyond a half-edge. */
  private isBorder(halfEdge: number): boolean {
    return regionLeftOf(this.map, halfEdge) < 0;
  }

  private visible(halfEdge: number): void {
    const { curves } = this;
    const chain = halfEdge >> 1;
    const backwards = (halfEdge & 1) === 1;
    const first = curves.starts[chain];
    const end = curves.starts[chain + 1];
    if (first === end) return;
    if (isWholeShape(curves.kinds[first])) {
      this.fresh = false;
      drawWholeShape(this.out, curves.kinds[first], curves.points, first * 8, backwards);
      return;
    }
    const { points, kinds } = curves;
    if (!backwards) {
      for (let s = first; s < end; s++) {
        const p = s * 8;
        this.begin(points[p], points[p + 1]);
        if (this.arc(s, false)) {
          s += this.arcs.counts[s] - 1;
          continue;
        }
        if (kinds[s] === SEGMENT_LINE) this.out.line(points[p + 6], points[p + 7]);
        else this.out.cubic(points[p + 2], points[p + 3], points[p + 4], points[p + 5], points[p + 6], points[p + 7]);
      }
      return;
    }
    for (let s = end - 1; s >= first; s--) {
      const p = s * 8;
      this.begin(points[p + 6], points[p + 7]);
      const run = this.arcs.firsts[s];
      if (run >= 0 && this.arc(run, true)) {
        s = run;
        continue;
      }
      if (kinds[s] === SEGMENT_LINE) this.out.line(points[p], points[p + 1]);
      else this.out.cubic(points[p + 4], points[p + 5], points[p + 2], points[p + 3], points[p], points[p + 1]);
    }
  }

  /** Draws the arc that begins at a segment, where one does. */
  private arc(segment: number, backwards: boolean): boolean {
    const { counts, radii, large } = this.arcs;
    const count = counts[segment];
    if (count === 0) return false;
    const end = backwards ? segment * 8 : (segment + count - 1) * 8 + 6;
    const radius = radii[segment];
    const { points } = this.curves;
    const r = Math.abs(radius);
    this.out.arc(r, r, 0, large[segment] === 1, radius > 0 !== backwards, points[end], points[end + 1]);
    return true;
  }

  /**
   * The run of half-edges in `run`, beneath what covers them. `next` is the visible one behind it, -1 for none; with `isLast` it is
   * where the outline began.
   */
  private hidden(slideStart: boolean, slideEnd: boolean, next: number, isLast: boolean): void {
    const { run, out, way } = this;
    // An outline that is hidden all around has no ends to look from.
    const direct = next < 0 ? undefined : this.direct;
    const hasBefore = !this.fresh && out.endsInLine();
    const nextAt = next < 0 ? -1 : this.lineEnd(next);
    this.layBefore(hasBefore);
    if (direct?.find(regionRightOf(this.map, run.data[0]), run, way, nextAt)) {
      this.drawWay(hasBefore, nextAt >= 0, isLast);
      return;
    }
    const underlap = this.underlap as Underlap;
    underlap.find(run.data, 0, run.length, slideStart, slideEnd);
    const { data, length } = underlap.points;
    // The line along the border goes on to where the way begins; the next one will come from where it ends.
    if (slideStart && !this.fresh) out.extend(data[0], data[1]);
    const lineBefore = !slideStart && hasBefore;
    const after = slideEnd ? -1 : nextAt;
    this.layBefore(lineBefore);
    for (let k = 0; k < length; k++) way.push(data[k]);
    if (after >= 0) {
      way.push(this.curves.points[after]);
      way.push(this.curves.points[after + 1]);
    }
    (this.shortener as WayShortener).shorten(way, underlap.region, lineBefore, after >= 0);
    direct?.shorten(way, lineBefore ? 2 : 0, way.length - (after >= 0 ? 4 : 2));
    this.drawWay(lineBefore, after >= 0, isLast);
  }

  /** The way begins where the line drawn last does, if the way may go on with it. */
  private layBefore(hasBefore: boolean): void {
    const { way, out } = this;
    way.length = 0;
    if (!hasBefore) return;
    const { data, length } = out.coords;
    way.push(data[length - 4]);
    way.push(data[length - 3]);
  }

  /** Draws the way; `lineBefore` and `lineAfter` say that its first and last vertex are other ends of visible lines. */
  private drawWay(lineBefore: boolean, lineAfter: boolean, isLast: boolean): void {
    const { way, out } = this;
    const begin = lineBefore ? 2 : 0;
    const end = lineAfter ? way.length - 2 : way.length;
    if (begin === end) {
      // Both lines are one, which the line behind the way will draw.
      out.dropLine();
      if (isLast) out.moveStart(way.data[0], way.data[1]);
      return;
    }
    if (lineBefore) out.extend(way.data[begin], way.data[begin + 1]);
    this.begin(way.data[begin], way.data[begin + 1]);
    for (let k = begin + 2; k < end; k += 2) out.line(way.data[k], way.data[k + 1]);
    if (isLast && lineAfter) out.moveStart(way.data[end - 2], way.data[end - 1]);
  }

  /** Where in the curves' points the end of a half-edge's first segment is, if that is a straight line; -1 if not. */
  private lineEnd(halfEdge: number): number {
    const { starts, kinds } = this.curves;
    const chain = halfEdge >> 1;
    if (starts[chain] === starts[chain + 1]) return -1;
    const backwards = (halfEdge & 1) === 1;
    const s = backwards ? starts[chain + 1] - 1 : starts[chain];
    if (kinds[s] !== SEGMENT_LINE) return -1;
    return s * 8 + (backwards ? 0 : 6);
  }

  /** Draws a chain a little beneath the neighbor on its left, each segment moved along its normals. */
  private beside(halfEdge: number): void {
    const { points, kinds, starts } = this.curves;
    const backwards = (halfEdge & 1) === 1;
    const first = starts[halfEdge >> 1];
    const end = starts[(halfEdge >> 1) + 1];
    if (first === end) return;
    const a = backwards ? (end - 1) * 8 + 6 : first * 8;
    const b = backwards ? first * 8 : (end - 1) * 8 + 6;
    this.begin(points[a], points[a + 1]);
    for (let k = first; k < end; k++) {
      const s = backwards ? end - 1 - (k - first) : k;
      const p = (n: number) => s * 8 + 2 * (backwards ? 3 - n : n);
      const at = (n: number, c: number) => points[p(n) + c];
      // With y down, the left of a direction (dx, dy) is (dy, -dx).
      const move = (from: number, to: number) => {
        const dx = at(to, 0) - at(from, 0) || at(3, 0) - at(0, 0);
        const dy = at(to, 1) - at(from, 1) || at(3, 1) - at(0, 1);
        const scale = BESIDE_PX / (Math.hypot(dx, dy) || 1);
        return [dy * scale, -dx * scale] as const;
      };
      const [ux, uy] = move(0, 1);
      const [vx, vy] = move(2, 3);
      this.out.line(at(0, 0) + ux, at(0, 1) + uy);
      if (kinds[s] === SEGMENT_LINE) this.out.line(at(3, 0) + vx, at(3, 1) + vy);
      else this.out.cubic(at(1, 0) + ux, at(1, 1) + uy, at(2, 0) + vx, at(2, 1) + vy, at(3, 0) + vx, at(3, 1) + vy);
    }
    this.out.line(points[b], points[b + 1]);
  }

  private begin(x: number, y: number): void {
    if (!this.fresh) return;
    this.fresh = false;
    this.out.move(x, y);
  }
}
