import { type ArcRuns, findArcs, noArcs } from '../emit/arc-runs.js';
import type { OutlineBuffer } from '../emit/outline-buffer.js';
import { wholeShape } from '../emit/whole-shapes.js';
import { type ChainCurves, CurveList, isWholeShape, SEGMENT_LINE } from '../fit/curves.js';
import { type FitSettings, fitChains } from '../fit/fit-chains.js';
import { FloatList, IntList } from '../math/lists.js';
import { within } from '../math/within.js';
import type { EngineGeometry, EngineShape, EngineSolidPaint, EngineStroke } from '../types.js';
import type { Stroke } from './join-branches.js';
import { addLinesAndArcs, costOfCurves, linesAndArcs } from './lines-and-arcs.js';

/** How far outside the picture a stroke may end, px. */
const MARGIN_PX = 1;
/** Widths that differ by less than this share, or so many px, are one. */
const LIKE_SHARE = 0.08;
const LIKE_PX = 0.3;
/** A round end reaches this much less beside its middle, in half widths, at the place where that is measured; half of it decides. */
const ROUND_DROP = 0.286;
/** Pointed corners stand out by more than this share of the way from round to pointed. */
const POINTED_SHARE = 0.5;
const MITER_LIMIT = 4;
const LEAST_ROUND_PX = 2.25;

/** How strokes of one width are drawn. */
export interface Pen {
  readonly width: number;
  readonly cap: EngineStroke['cap'];
  readonly join: EngineStroke['join'];
}

/** One pen for all strokes of about one width: what most of their ends and corners look like. Answers in the strokes' order. */
export function choosePens(strokes: readonly Stroke[]): Pen[] {
  const order = strokes.map((_, k) => k).sort((a, b) => strokes[a].width - strokes[b].width || a - b);
  const pens = new Array<Pen>(strokes.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    let lengths = 0;
    let weighted = 0;
    const first = strokes[order[from]].width;
    // As wide as the widths so far on average, so that one stray line does not begin a group of its own.
    for (; to < order.length; to++) {
      const { width, points } = strokes[order[to]];
      const mean = lengths > 0 ? weighted / lengths : first;
      if (width - mean > Math.max(LIKE_SHARE * mean, LIKE_PX)) break;
      lengths += points.length;
      weighted += points.length * width;
    }
    const group = order.slice(from, to).map((k) => strokes[k]);
    const width = weighted / lengths;
    const pen: Pen = { width, cap: capOf(group, width), join: joinOf(group) };
    for (let k = from; k < to; k++) pens[order[k]] = pen;
    from = to;
  }
  return pens;
}

function capOf(strokes: readonly Stroke[], width: number): EngineStroke['cap'] {
  // Whether so fine a line ends round nobody sees.
  if (width < LEAST_ROUND_PX) return 'butt';
  let drop = 0;
  let count = 0;
  for (const { start, end } of strokes) {
    for (const tip of [start, end]) {
      if (tip === undefined) continue;
      drop += Math.max(-0.1, Math.min(ROUND_DROP, (tip.middle - tip.beside) / (width / 2)));
      count++;
    }
  }
  // Ends that only meet other lines are hidden best where they are round.
  if (count === 0) return strokes.some(({ closed }) => !closed) ? 'round' : 'butt';
  return drop > (count * ROUND_DROP) / 2 ? 'round' : 'butt';
}

function joinOf(strokes: readonly Stroke[]): EngineStroke['join'] {
  let round = 0;
  let pointed = 0;
  for (const { tips } of strokes) {
    for (const tip of tips) {
      if (tip.pointed < 1.1 || tip.pointed > MITER_LIMIT) continue;
      if (tip.reach - 1 > POINTED_SHARE * (tip.pointed - 1)) pointed++;
      else round++;
    }
  }
  return pointed > round ? 'miter' : 'round';
}

/** The places of all strokes as chains to be fitted, cut at corners, and where each chain's ends are. */
class StrokeChains {
  readonly starts = new IntList();
  readonly startNode = new IntList();
  readonly endNode = new IntList();
  readonly x = new FloatList();
  readonly y = new FloatList();
  readonly nodes = new FloatList();
  /** Per stroke, and one more at the end: where its chains begin. */
  readonly ofStroke = new IntList();

  add(stroke: Stroke, pen: Pen): void {
    this.ofStroke.push(this.starts.length);
    let { points, corners } = stroke;
    if (stroke.closed) {
      if (corners.length === 0) {
        this.chain(points, 0, points.length / 2, -1, -1);
        return;
      }
      // Begin at a corner.
      const first = corners[0];
      points = [...points.slice(first * 2), ...points.slice(0, first * 2)];
      corners = corners.map((k) => k - first);
      const nodes = corners.map((k) => this.node(points[k * 2], points[k * 2 + 1]));
      for (let k = 0; k < corners.length; k++) {
        const to = k + 1 < corners.length ? corners[k + 1] : points.length / 2;
        this.chain(points, corners[k] + 1, to, nodes[k], nodes[(k + 1) % nodes.length]);
      }
      return;
    }
    let from = 0;
    let to = points.length / 2;
    const start = stroke.start && tipPoint(stroke.start, pen);
    const end = stroke.end && tipPoint(stroke.end, pen);
    // What lies beyond a tip is left out.
    const beyond = (k: number, tip: { x: number; y: number }, ux: number, uy: number) =>
      (points[k * 2] - tip.x) * ux + (points[k * 2 + 1] - tip.y) * uy > -0.5;
    if (stroke.start && start)
      while (from < to - 1 && beyond(from, start, stroke.start.ux, stroke.start.uy) && !corners.includes(from)) from++;
    if (stroke.end && end)
      while (to > from + 1 && beyond(to - 1, end, stroke.end.ux, stroke.end.uy) && !corners.includes(to - 1)) to--;
    let node = start ? this.node(start.x, start.y) : this.node(points[from * 2], points[from * 2 + 1]);
    let at = start ? from : from + 1;
    for (const corner of corners) {
      const next = this.node(points[corner * 2], points[corner * 2 + 1]);
      this.chain(points, at, corner, node, next);
      node = next;
      at = corner + 1;
    }
    const last = end ? this.node(end.x, end.y) : this.node(points[to * 2 - 2], points[to * 2 - 1]);
    this.chain(points, at, end ? to : to - 1, node, last);
  }

  /** An area: its outline is open, and closed by a straight line. */
  addPatch(points: readonly number[]): void {
    this.ofStroke.push(this.starts.length);
    const last = points.length / 2 - 1;
    const start = this.node(points[0], points[1]);
    this.chain(points, 1, last, start, this.node(points[last * 2], points[last * 2 + 1]));
  }

  private chain(points: readonly number[], from: number, to: number, startNode: number, endNode: number): void {
    this.starts.push(this.x.length);
    this.startNode.push(startNode);
    this.endNode.push(endNode);
    for (let k = from; k < to; k++) {
      this.x.push(points[k * 2]);
      this.y.push(points[k * 2 + 1]);
    }
  }

  /** Brings the ends of strokes back that were prolonged out of the picture: where there is next to nothing of it, a line's direction is a guess. */
  keepNear(width: number, height: number): void {
    const { data, length } = this.nodes;
    for (let k = 0; k < length; k += 2) {
      data[k] = within(data[k] + MARGIN_PX, width + 2 * MARGIN_PX) - MARGIN_PX;
      data[k + 1] = within(data[k + 1] + MARGIN_PX, height + 2 * MARGIN_PX) - MARGIN_PX;
    }
  }

  private node(x: number, y: number): number {
    this.nodes.push(x);
    this.nodes.push(y);
    return this.nodes.length / 2 - 1;
  }
}

/** Where a stroke ends for its outline to reach as far as the region does. */
function tipPoint(tip: NonNullable<Stroke['start']>, { width, cap }: Pen): { readonly x: number; readonly y: number } {
  const reach = cap === 'round' ? tip.middle - width / 2 : (tip.middle + 2 * tip.beside) / 3;
  return { x: tip.x + tip.ux * reach, y: tip.y + tip.uy * reach };
}

/** Fits curves to strokes and writes them. Answers in the strokes' order. */
export function drawFitted(
  strokes: readonly Stroke[],
  pens: readonly Pen[],
  paintOf: (stroke: number) => EngineSolidPaint,
  patches: readonly { readonly points: readonly number[]; readonly paint: EngineSolidPaint }[],
  out: OutlineBuffer,
  size: { readonly width: number; readonly height: number },
  settings: FitSettings,
): EngineShape[] {
  const chains = new StrokeChains();
  for (let k = 0; k < strokes.length; k++) chains.add(strokes[k], pens[k]);
  for (const { points } of patches) chains.addPatch(points);
  chains.keepNear(size.width, size.height);
  const count = chains.starts.length;
  chains.ofStroke.push(count);
  chains.starts.push(chains.x.length);
  const cut = (list: IntList) => list.data.slice(0, list.length);
  const inside = new Int32Array(count);
  const fitted = fitChains(
    { ...size, startNode: cut(chains.startNode), endNode: cut(chains.endNode), left: inside, right: inside },
    {
      starts: cut(chains.starts),
      x: chains.x.data.slice(0, chains.x.length),
      y: chains.y.data.slice(0, chains.x.length),
      weight: new Float32Array(chains.x.length).fill(1),
    },
    chains.nodes.data.slice(0, chains.nodes.length),
    settings,
    0,
    count,
  );
  const drawn = withArcs(fitted, chains, chains.ofStroke.data[strokes.length]);
  const arcs = settings.straightOnly ? noArcs(drawn) : findArcs(drawn, size.width + size.height);
  const lines = strokes.map((stroke, k): EngineShape => {
    const { width, cap, join } = pens[k];
    return {
      kind: 'shape',
      geometry: geometryOf(drawn, arcs, chains.ofStroke.data[k], chains.ofStroke.data[k + 1], stroke.closed, out),
      fill: null,
      stroke: { paint: paintOf(k), width, cap, join, miterLimit: MITER_LIMIT, dashes: [], dashOffset: 0 },
      visibleAreaPx: 0,
    };
  });
  const areas = patches.map(({ paint }, k): EngineShape => {
    const at = strokes.length + k;
    const geometry = geometryOf(drawn, arcs, chains.ofStroke.data[at], chains.ofStroke.data[at + 1], true, out);
    return { kind: 'shape', geometry, fill: paint, stroke: null, visibleAreaPx: 0 };
  });
  return [...lines, ...areas];
}

/** The curves of the first `count` chains, those as lines and arcs that are cheaper so. */
function withArcs(fitted: ChainCurves, chains: StrokeChains, count: number): ChainCurves {
  const curves = new CurveList();
  const { starts, x, y, nodes, startNode, endNode } = chains;
  for (let c = 0; c < fitted.chainCount; c++) {
    curves.beginChain();
    const closed = startNode.data[c] < 0;
    const from = starts.data[c];
    const to = starts.data[c + 1];
    const size = to - from + (closed ? 0 : 2);
    const xs = new Float64Array(size);
    const ys = new Float64Array(size);
    xs.set(x.data.subarray(from, to), closed ? 0 : 1);
    ys.set(y.data.subarray(from, to), closed ? 0 : 1);
    if (!closed) {
      xs[0] = nodes.data[startNode.data[c] * 2];
      ys[0] = nodes.data[startNode.data[c] * 2 + 1];
      xs[size - 1] = nodes.data[endNode.data[c] * 2];
      ys[size - 1] = nodes.data[endNode.data[c] * 2 + 1];
    }
    const found = c < count && size > 2 ? linesAndArcs(xs, ys, size, closed) : undefined;
    if (found !== undefined && found.cost < costOfCurves(fitted, c, xs, ys, size)) addLinesAndArcs(found, curves);
    else for (let s = fitted.starts[c]; s < fitted.starts[c + 1]; s++) curves.copy(fitted, s);
  }
  return curves.finish();
}

function geometryOf(
  curves: ChainCurves,
  arcs: ArcRuns,
  from: number,
  to: number,
  closed: boolean,
  out: OutlineBuffer,
): EngineGeometry {
  const { starts, kinds, points } = curves;
  const first = starts[from];
  const end = starts[to];
  if (end - first === 1 && isWholeShape(kinds[first])) return wholeShape(kinds[first], points, first * 8);
  const firstCommand = out.commands.length;
  const firstCoord = out.coords.length;
  out.move(points[first * 8], points[first * 8 + 1]);
  for (let s = first; s < end; s++) {
    if (arcs.counts[s] > 0) {
      const radius = arcs.radii[s];
      const large = arcs.large[s] === 1;
      s += arcs.counts[s] - 1;
      out.arc(Math.abs(radius), Math.abs(radius), 0, large, radius > 0, points[s * 8 + 6], points[s * 8 + 7]);
    } else if (kinds[s] !== SEGMENT_LINE) {
      const p = s * 8;
      out.cubic(points[p + 2], points[p + 3], points[p + 4], points[p + 5], points[p + 6], points[p + 7]);
    } else if (!(closed && s === end - 1)) out.line(points[s * 8 + 6], points[s * 8 + 7]);
  }
  if (closed) out.close();
  return {
    kind: 'path',
    firstCommand,
    commandCount: out.commands.length - firstCommand,
    firstCoord,
    evenOdd: false,
  };
}
