import { within } from '../math/within.js';
import type { PlanarMap } from '../planar-map/planar-map.js';
import { type ChainCurves, isWholeShape, SEGMENT_CUBIC, SEGMENT_LINE } from './curves.js';

/** A line is level or upright whose ends are no further apart across it than this, px, nor than this share of its length. */
const MOST_PX = 0.05;
const MOST_SHARE = 0.004;
/** Ends of long lines may be further apart: junctions are less certain than what lies between them. */
const MOST_PX_WHEN_LONG = 0.1;
const MOST_SHARE_WHEN_LONG = 0.001;
/** Such lines stand on whole pixels where they are this near to one, px. */
const WHOLE_PX = 0.004;
/** A handle that is no further off the line it goes on from, px, is in line with it. */
const SMOOTH_PX = 0.05;

/**
 * Makes lines that are level or upright but for what cannot be told from the pixels exactly so, and all those that meet end to end
 * at one height: their vertices, and with them the curves that end there, move by a tenth of a pixel at most. The curves and
 * the node positions (x, y in turn) are changed in place.
 */
export function snapAxes(map: PlanarMap, curves: ChainCurves, nodePositions: Float64Array): void {
  const vertices = numberVertices(map, curves);
  for (const axis of [0, 1] as const) snapAxis(map, curves, nodePositions, vertices, axis);
}

/** Per segment the vertex it begins at and the one it ends at: the map's nodes first. */
interface Vertices {
  readonly begin: Int32Array;
  readonly end: Int32Array;
  readonly count: number;
}

function numberVertices(map: PlanarMap, { chainCount, starts, kinds }: ChainCurves): Vertices {
  const begin = new Int32Array(kinds.length).fill(-1);
  const end = new Int32Array(kinds.length).fill(-1);
  let count = map.nodes.length;
  for (let c = 0; c < chainCount; c++) {
    const to = starts[c + 1];
    if (starts[c] === to || isWholeShape(kinds[starts[c]])) continue;
    const closed = map.startNode[c] < 0;
    for (let k = starts[c]; k < to; k++) {
      begin[k] = k > starts[c] ? end[k - 1] : closed ? count++ : map.startNode[c];
      end[k] = k + 1 < to ? count++ : closed ? begin[starts[c]] : map.endNode[c];
    }
  }
  return { begin, end, count };
}

function snapAxis(
  map: PlanarMap,
  { kinds, points }: ChainCurves,
  nodePositions: Float64Array,
  { begin, end, count }: Vertices,
  axis: 0 | 1,
): void {
  const along = 1 - axis;
  const size = axis === 0 ? map.width : map.height;
  const group = new Int32Array(count).fill(-1);
  const find = (v: number): number => {
    while (group[v] >= 0) v = group[v];
    return v;
  };
  const least = new Float64Array(count).fill(Infinity);
  const most = new Float64Array(count).fill(-Infinity);
  const sum = new Float64Array(count);
  const weight = new Float64Array(count);
  let any = false;
  for (let k = 0; k < kinds.length; k++) {
    if (kinds[k] !== SEGMENT_LINE || begin[k] < 0) continue;
    const p = k * 8;
    const a = points[p + axis];
    const b = points[p + 6 + axis];
    const length = Math.abs(points[p + 6 + along] - points[p + along]);
    const off = Math.abs(b - a);
    if (
      off > Math.max(Math.min(MOST_PX, MOST_SHARE * length), Math.min(MOST_PX_WHEN_LONG, MOST_SHARE_WHEN_LONG * length))
    )
      continue;
    const u = find(begin[k]);
    const v = find(end[k]);
    const from = Math.min(a, b, least[u], least[v]);
    const to = Math.max(a, b, most[u], most[v]);
    // A flight of lines each a little off is no line.
    if (to - from > MOST_PX_WHEN_LONG) continue;
    if (u !== v) {
      group[v] = u;
      sum[u] += sum[v];
      weight[u] += weight[v];
    }
    least[u] = from;
    most[u] = to;
    sum[u] += ((a + b) / 2) * length;
    weight[u] += length;
    any = true;
  }
  if (!any) return;
  const place = new Float64Array(count).fill(Number.NaN);
  for (let v = 0; v < count; v++) {
    const root = find(v);
    if (weight[root] === 0) continue;
    const mean = sum[root] / weight[root];
    const whole = Math.round(mean);
    // The picture's own border stays where it is.
    if (least[root] <= 0) place[v] = 0;
    else if (most[root] >= size) place[v] = size;
    else place[v] = within(Math.abs(mean - whole) < WHOLE_PX ? whole : mean, size);
  }
  for (let k = 0; k < kinds.length; k++) {
    if (begin[k] < 0) continue;
    const p = k * 8;
    moveEnd(points, p, p + 2, axis, place[begin[k]], kinds[k] === SEGMENT_CUBIC);
    moveEnd(points, p + 6, p + 4, axis, place[end[k]], kinds[k] === SEGMENT_CUBIC);
  }
  for (let n = 0; n < map.nodes.length; n++) {
    if (!Number.isNaN(place[n])) nodePositions[2 * n + axis] = place[n];
  }
}

/** Moves a segment's end, and its handle with it; a handle that goes on from a level or upright line is in line with it. */
function moveEnd(points: Float64Array, end: number, handle: number, axis: 0 | 1, place: number, cubic: boolean): void {
  if (Number.isNaN(place)) return;
  const across = points[handle + axis] - points[end + axis];
  const along = points[handle + 1 - axis] - points[end + 1 - axis];
  points[end + axis] = place;
  const isSmooth = Math.abs(across) < SMOOTH_PX && Math.abs(along) > SMOOTH_PX;
  points[handle + axis] = place + (cubic && !isSmooth ? across : 0);
}
