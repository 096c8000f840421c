import { at } from './contour-shape.js';
import { type ChainCurves, SEGMENT_LINE, SEGMENT_SIZE } from './curves.js';

/** Chords that stand for a curve. */
const CHORDS = 6;
/** Numbers of a box: left, top, right, bottom. */
const BOX = 4;

/** How often each of some chains (1 in `marked`) crosses itself or one of others (1 in `beside`), as chords; those that only touch do not cross. */
export function countCrossings(curves: ChainCurves, marked: Uint8Array, beside: Uint8Array): Int32Array {
  const counts = new Int32Array(curves.chainCount);
  const chains: number[] = [];
  for (let c = 0; c < curves.chainCount; c++) if (marked[c] === 1 || beside[c] === 1) chains.push(c);
  const ways = chains.map((c) => chordsOf(curves, c));
  const boxes = new Float64Array(BOX * ways.length);
  for (let n = 0; n < ways.length; n++) box(ways[n], boxes, BOX * n);
  for (let n = 0; n < ways.length; n++) {
    if (marked[chains[n]] === 0) continue;
    for (let other = 0; other < ways.length; other++) {
      if (mayTouch(boxes, BOX * n, BOX * other))
        counts[chains[n]] += crossings(ways[n], ways[other], boxes, BOX * other);
    }
  }
  return counts;
}

/** The places along a chain, x and y in turn. */
function chordsOf({ starts, kinds, points }: ChainCurves, chain: number): Float64Array {
  const way: number[] = [];
  for (let k = starts[chain]; k < starts[chain + 1]; k++) {
    const p = k * SEGMENT_SIZE;
    if (k === starts[chain]) way.push(points[p], points[p + 1]);
    if (kinds[k] !== SEGMENT_LINE)
      for (let i = 1; i < CHORDS; i++) way.push(at(points, p, i / CHORDS), at(points, p + 1, i / CHORDS));
    way.push(points[p + 6], points[p + 7]);
  }
  return Float64Array.from(way);
}

function box(way: Float64Array, boxes: Float64Array, to: number): void {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < way.length; i += 2) {
    left = Math.min(left, way[i]);
    top = Math.min(top, way[i + 1]);
    right = Math.max(right, way[i]);
    bottom = Math.max(bottom, way[i + 1]);
  }
  boxes[to] = left;
  boxes[to + 1] = top;
  boxes[to + 2] = right;
  boxes[to + 3] = bottom;
}

function mayTouch(boxes: Float64Array, a: number, b: number): boolean {
  return (
    boxes[a] <= boxes[b + 2] && boxes[b] <= boxes[a + 2] && boxes[a + 1] <= boxes[b + 3] && boxes[b + 1] <= boxes[a + 3]
  );
}

/** How often the chords of one way cross those of another, whose box is given; of its own each pair counts once. */
function crossings(a: Float64Array, b: Float64Array, boxes: Float64Array, ofB: number): number {
  const isSame = a === b;
  let count = 0;
  for (let i = 0; i + 3 < a.length; i += 2) {
    const left = Math.min(a[i], a[i + 2]);
    const right = Math.max(a[i], a[i + 2]);
    const top = Math.min(a[i + 1], a[i + 3]);
    const bottom = Math.max(a[i + 1], a[i + 3]);
    if (left > boxes[ofB + 2] || right < boxes[ofB] || top > boxes[ofB + 3] || bottom < boxes[ofB + 1]) continue;
    for (let j = isSame ? i + 4 : 0; j + 3 < b.length; j += 2) {
      if ((b[j] < left && b[j + 2] < left) || (b[j] > right && b[j + 2] > right)) continue;
      if ((b[j + 1] < top && b[j + 3] < top) || (b[j + 1] > bottom && b[j + 3] > bottom)) continue;
      if (sideOf(a, i, b, j) * sideOf(a, i, b, j + 2) < 0 && sideOf(b, j, a, i) * sideOf(b, j, a, i + 2) < 0) count++;
    }
  }
  return count;
}

/** On which side of the chord at `i` a place lies: the sign. */
function sideOf(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return (a[i + 2] - a[i]) * (b[j + 1] - a[i + 1]) - (a[i + 3] - a[i + 1]) * (b[j] - a[i]);
}
