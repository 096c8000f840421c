import { at } from './contour-shape.js';
import { type ChainCurves, SEGMENT_LINE, SEGMENT_SIZE } from './curves.js';

/** Chords that stand for a curve. */
const CHORDS = 6;

/** How often each of some chains (1 in `marked`) crosses itself or one of others (1 in `beside`), as chords; those that only touch do not cross. */
export function countCrossings(curves: ChainCurves, marked: Uint8Array, beside: Uint8Array): Int32Array {
  const ways = new Map<number, Float64Array>();
  for (let c = 0; c < curves.chainCount; c++) if (marked[c] === 1 || beside[c] === 1) ways.set(c, chordsOf(curves, c));
  const counts = new Int32Array(curves.chainCount);
  for (const [c, way] of ways) {
    if (marked[c] === 0) continue;
    for (const [other, beyond] of ways) if (mayTouch(way, beyond)) counts[c] += crossings(way, beyond, other === c);
  }
  return counts;
}

/** The places along a chain (x, y in turn), behind the box around them (left, top, right, bottom). */
function chordsOf({ starts, kinds, points }: ChainCurves, chain: number): Float64Array {
  const way: number[] = [Infinity, Infinity, -Infinity, -Infinity];
  const add = (x: number, y: number) => {
    way.push(x, y);
    way[0] = Math.min(way[0], x);
    way[1] = Math.min(way[1], y);
    way[2] = Math.max(way[2], x);
    way[3] = Math.max(way[3], y);
  };
  for (let k = starts[chain]; k < starts[chain + 1]; k++) {
    const p = k * SEGMENT_SIZE;
    if (k === starts[chain]) add(points[p], points[p + 1]);
    if (kinds[k] !== SEGMENT_LINE)
      for (let i = 1; i < CHORDS; i++) add(at(points, p, i / CHORDS), at(points, p + 1, i / CHORDS));
    add(points[p + 6], points[p + 7]);
  }
  return Float64Array.from(way);
}

function mayTouch(a: Float64Array, b: Float64Array): boolean {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

function crossings(a: Float64Array, b: Float64Array, isSame: boolean): number {
  let count = 0;
  for (let i = 4; i + 3 < a.length; i += 2) {
    for (let j = isSame ? i + 4 : 4; j + 3 < b.length; j += 2) {
      if (sideOf(a, i, b, j) * sideOf(a, i, b, j + 2) < 0 && sideOf(b, j, a, i) * sideOf(b, j, a, i + 2) < 0) count++;
    }
  }
  return count;
}

/** On which side of the chord at `i` a place lies: the sign. */
function sideOf(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return (a[i + 2] - a[i]) * (b[j + 1] - a[i + 1]) - (a[i + 3] - a[i + 1]) * (b[j] - a[i]);
}
