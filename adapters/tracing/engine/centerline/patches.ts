import type { RegionEdge } from './region-edge.js';
import type { RegionMask } from './region-mask.js';

/** How far inwards of the outline it is looked whether a patch is there, px. */
const INWARD_PX = 0.9;
/** Pieces of the outline without a patch that do not yet part two stretches of it, and by which each stretch goes on under its line. */
const SHORT_HOLE = 4;
const UNDER_PIECES = 2;

/**
 * The areas beside lines, such as arrowheads on theirs: the stretch of the region's outline around each patch that lines leave
 * uncovered, as places in turn; closing it leads along the line. Undefined where one is no such area.
 * @param left 1 where nothing covers the mask; patches of up to `leastPx` are cleared
 */
export function patchesBeside(
  left: Uint8Array,
  mask: RegionMask,
  edge: RegionEdge,
  leastPx: number,
): readonly (readonly number[])[] | undefined {
  const { width } = mask;
  const patchOf = new Int32Array(left.length);
  let count = 0;
  const open: number[] = [];
  for (let i = 0; i < left.length; i++) {
    if (left[i] === 0 || patchOf[i] !== 0) continue;
    const members: number[] = [i];
    patchOf[i] = -1;
    open.push(i);
    while (open.length > 0) {
      const at = open.pop() as number;
      for (const next of [at + 1, at - 1, at + width, at - width]) {
        if (left[next] !== 1 || patchOf[next] !== 0) continue;
        patchOf[next] = -1;
        members.push(next);
        open.push(next);
      }
    }
    if (members.length <= leastPx) continue;
    count++;
    for (const at of members) patchOf[at] = count;
  }
  if (count === 0) return [];
  const found: number[][] = [];
  const seen = new Uint8Array(count + 1);
  for (let from = 0; from < edge.pieces; from = edge.loopTo[from]) {
    const size = edge.loopTo[from] - from;
    const at = (k: number) => from + (((k % size) + size) % size);
    const patchAt = (k: number) => {
      const piece = at(k);
      const x = (edge.x0[piece] + edge.x1[piece]) / 2 + edge.inwardX[piece] * INWARD_PX - mask.left;
      const y = (edge.y0[piece] + edge.y1[piece]) / 2 + edge.inwardY[piece] * INWARD_PX - mask.top;
      return Math.max(0, patchOf[Math.floor(y) * width + Math.floor(x)] ?? 0);
    };
    // Begin where no patch is, and no short hole of one.
    let start = 0;
    for (let clear = 0, k = -SHORT_HOLE; k < size && clear <= SHORT_HOLE; k++) {
      clear = patchAt(k) === 0 ? clear + 1 : 0;
      start = k;
    }
    if (patchAt(start) !== 0) return undefined;
    if (start < 0) start += size;
    for (let k = start; k < start + size; k++) {
      const patch = patchAt(k);
      if (patch === 0) continue;
      let last = k;
      for (let next = k + 1; next < start + size && next - last <= SHORT_HOLE; next++) {
        if (patchAt(next) === patch) last = next;
      }
      if (seen[patch] === 1) return undefined;
      seen[patch] = 1;
      const points: number[] = [];
      for (let n = k - UNDER_PIECES; n <= last + UNDER_PIECES; n++) points.push(edge.x0[at(n)], edge.y0[at(n)]);
      points.push(edge.x1[at(last + UNDER_PIECES)], edge.y1[at(last + UNDER_PIECES)]);
      found.push(points);
      k = last;
    }
  }
  return found.length === count ? found : undefined;
}
