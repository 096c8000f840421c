import { PlaceGrid } from './place-grid.js';
import { lengthOf, type SideRun, type Sides } from './side-runs.js';

/** How a piece of a line ends: where its outline runs around it, where another piece goes on, or where no edge shows it any more. */
export type PieceEnd = 'tip' | 'covered' | 'hidden';

/** A stretch of a line's middle. */
export interface LinePiece {
  readonly x: number[];
  readonly y: number[];
  /** 1 where it has a corner. */
  readonly corner: number[];
  readonly closed: boolean;
  readonly start: PieceEnd;
  readonly end: PieceEnd;
  /** Whether only its round end is seen, so that its direction is hardly known. */
  readonly stub: boolean;
}

/** Two sides show one line where they are within this share of its width, or so many px, and run along each other to this cosine. */
const SAME_SHARE = 0.015;
const SAME_PX = 0.4;
const ALONG_COSINE = 0.94;
/** What differs by less than so many times that is no line of its own. */
const DOUBTFUL = 2.5;
/** Both sides together are the line where they differ by less than this share of the width, or so many px. */
const OPPOSITE_SHARE = 0.035;
const OPPOSITE_PX = 0.7;
const LEAST_LENGTH_PX = 1.5;
const LEAST_LENGTH_SHARE = 0.06;
const CELL_PX = 3;
const STUB_STEP_PX = 0.25;

/** One line where two sides show the same, the longest first. */
export function piecesOf({ runs, stubs }: Sides, width: number): LinePiece[] {
  const same = Math.max(SAME_PX, SAME_SHARE * width);
  const least = Math.max(LEAST_LENGTH_PX, LEAST_LENGTH_SHARE * width);
  const order = runs.map((_, k) => k).sort((a, b) => lengthOf(runs[b]) - lengthOf(runs[a]) || a - b);
  const taken = new PlaceGrid(Math.max(CELL_PX, DOUBTFUL * same));
  const all = new PlaceGrid(Math.max(CELL_PX, OPPOSITE_SHARE * width + 1));
  const pieces: LinePiece[] = [];
  for (const number of order) {
    const run = runs[number];
    const count = run.x.length;
    const ux = new Float64Array(count);
    const uy = new Float64Array(count);
    for (let k = 0; k < count; k++) directionAt(run, k, ux, uy);
    for (let k = 0; k < count; k++) if (run.corner[k] === 0) all.add(run.x[k], run.y[k], ux[k], uy[k]);
    const along = (k: number) => (place: number) =>
      run.corner[k] === 1 || Math.abs(taken.ux[place] * ux[k] + taken.uy[place] * uy[k]) > ALONG_COSINE;
    const isCovered = (k: number) =>
      taken.nearest(run.x[k], run.y[k], same + 0.5, (place) => {
        if (!along(k)(place)) return false;
        // Places are a px apart: only how far aside counts.
        const dx = run.x[k] - taken.x[place];
        const dy = run.y[k] - taken.y[place];
        return (
          Math.abs(dx * taken.uy[place] - dy * taken.ux[place]) <= same ||
          (run.corner[k] === 1 && Math.hypot(dx, dy) <= same + 0.5)
        );
      }) >= 0;
    const covered = new Uint8Array(count);
    for (let k = 0; k < count; k++) covered[k] = isCovered(k) ? 1 : 0;
    let first = 0;
    if (run.closed) while (first < count && covered[first] === 0) first++;
    if (run.closed && first === count) {
      pieces.push({
        x: [...run.x],
        y: [...run.y],
        corner: [...run.corner],
        closed: true,
        stub: false,
        start: 'covered',
        end: 'covered',
      });
    } else {
      const from = run.closed ? first : 0;
      for (let n = 0; n < count; ) {
        if (covered[(from + n) % count] === 1) {
          n++;
          continue;
        }
        let to = n;
        while (to + 1 < count && covered[(from + to + 1) % count] === 0) to++;
        const members: number[] = [];
        for (let k = n; k <= to; k++) members.push((from + k) % count);
        const isFirst = !run.closed && n === 0;
        const isLast = !run.closed && to === count - 1;
        n = to + 1;
        const piece: LinePiece = {
          x: members.map((k) => run.x[k]),
          y: members.map((k) => run.y[k]),
          corner: members.map((k, at) => (at === 0 || at === members.length - 1 ? 0 : run.corner[k])),
          closed: false,
          stub: false,
          start: isFirst ? (run.startsAtTip ? 'tip' : 'hidden') : 'covered',
          end: isLast ? (run.endsAtTip ? 'tip' : 'hidden') : 'covered',
        };
        if (members.length < 2 || lengthOf(piece) < least) continue;
        if (piece.start === 'covered' || piece.end === 'covered') {
          const isNew = members.some((k) => taken.nearest(run.x[k], run.y[k], DOUBTFUL * same, along(k)) < 0);
          if (!isNew) continue;
        }
        pieces.push(piece);
      }
    }
    for (let k = 0; k < count; k++) if (covered[k] === 0) taken.add(run.x[k], run.y[k], ux[k], uy[k]);
  }
  const apart = Math.max(OPPOSITE_PX, OPPOSITE_SHARE * width);
  for (const piece of pieces) toMiddle(piece, all, apart);
  for (const { x, y, ux, uy } of stubs) {
    const ways = [0, 1, 2, 3].map((k) => k * STUB_STEP_PX);
    pieces.push({
      x: ways.map((way) => x - ux * way),
      y: ways.map((way) => y - uy * way),
      corner: ways.map(() => 0),
      closed: false,
      start: 'tip',
      end: 'hidden',
      stub: true,
    });
  }
  return pieces;
}

/** Moves the places of a piece halfway to what the other side of the line shows. */
function toMiddle(piece: LinePiece, all: PlaceGrid, apart: number): void {
  const { x, y, corner } = piece;
  const count = x.length;
  const ux = new Float64Array(count);
  const uy = new Float64Array(count);
  for (let k = 0; k < count; k++) directionAt(piece, k, ux, uy);
  const shift = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    if (corner[k] === 1) continue;
    const place = all.nearest(
      x[k],
      y[k],
      Math.hypot(apart, 0.8),
      (i) => all.ux[i] * ux[k] + all.uy[i] * uy[k] < -ALONG_COSINE,
    );
    if (place < 0) continue;
    // How far aside the other side's line runs, seen square to this one.
    const dx = all.x[place] - x[k];
    const dy = all.y[place] - y[k];
    const ahead = dx * ux[k] + dy * uy[k];
    const slope = (all.ux[place] * -uy[k] + all.uy[place] * ux[k]) / (all.ux[place] * ux[k] + all.uy[place] * uy[k]);
    const aside = dy * ux[k] - dx * uy[k] - slope * ahead;
    if (Math.abs(aside) <= apart) shift[k] = aside / 2;
  }
  for (let k = 0; k < count; k++) {
    x[k] -= uy[k] * shift[k];
    y[k] += ux[k] * shift[k];
  }
}

/** The direction of a line at a place, over its neighbors on either side but for corners. */
export function directionAt(
  { x, y, corner, closed }: Pick<LinePiece, 'x' | 'y' | 'corner' | 'closed'> | SideRun,
  k: number,
  ux: Float64Array,
  uy: Float64Array,
): void {
  const count = x.length;
  const step = (from: number, sign: 1 | -1) => {
    let at = from;
    for (let n = 0; n < 2; n++) {
      const next = closed ? (at + sign + count) % count : at + sign;
      if (next < 0 || next >= count || (at !== from && corner[at] === 1)) break;
      at = next;
    }
    return at;
  };
  const a = step(k, -1);
  const b = step(k, 1);
  const norm = Math.hypot(x[b] - x[a], y[b] - y[a]) || 1;
  ux[k] = (x[b] - x[a]) / norm;
  uy[k] = (y[b] - y[a]) / norm;
}
