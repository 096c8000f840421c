import { lumaOf } from '../math/luma.js';
import { AxisSolver, type Enlarging, modelAxis } from '../pixel/resampling.js';
import type { EnginePicture } from '../types.js';
import { Enlarger, MOST_ROUNDS, putBack, UNCLIPPED_LEVELS } from './enlarger.js';
import type { LineChanges } from './line-changes.js';

/** How a picture may have been enlarged: by which kernel, and how far right and down of where it belongs, px of the enlargement. */
export interface EnlargingWay {
  readonly kernel: Enlarging;
  readonly shiftPx: number;
}

/**
 * Ways in which pictures are enlarged; libvips does it linearly or by Catmull and Rom's kernel, and leaves them half a pixel aside. What one has
 * made, others may explain as well, of a small picture that is softer, or has halos: the one is it by which least changes there.
 */
export const ENLARGING_WAYS: readonly EnlargingWay[] = [
  { kernel: 'linear', shiftPx: 0 },
  { kernel: 'cubic', shiftPx: 0 },
  { kernel: 'steep-cubic', shiftPx: 0 },
  { kernel: 'mitchell', shiftPx: 0 },
  { kernel: 'lanczos', shiftPx: 0 },
  { kernel: 'linear', shiftPx: 0.5 },
  { kernel: 'cubic', shiftPx: 0.5 },
];

/** Factors looked for, coarsest first. */
export const ENLARGING_FACTORS: readonly number[] = [8, 6, 5, 4, 3.5, 3, 2.5, 2, 1.75, 1.5, 1.25];

/** Lines along either axis by which factors are judged. */
const LINES = 6;
/** Levels from cell to cell beyond which a change counts no more: edges are as they are. */
const EDGE_LEVELS = 8;
/** Of what is left because it was cut off, every round leaves less than one part in so many. */
const HOPELESS = 1.6;
/** A line changes at a place where it does by more levels than these from the pixel before. */
const CHANGE_LEVELS = 8;
/** Cells of a model that stand for what is beyond the border. */
const GHOSTS = 2;
const CHANNELS = 4;
const COLORS = 3;

/** Lines of one axis, so many pixels each, and the sum of the squares of each. */
export interface Lines {
  readonly size: number;
  readonly values: Float32Array;
  readonly squares: Float64Array;
}

/** Which way lines run: along rows, or along columns. */
export type Axis = 'rows' | 'columns';

/**
 * Of evenly spread stretches of lines the one each in which most changes, in one channel, or `inGray`, by the changes of these: compression leaves that sharpest. Of what changes most
 * there is least that rounding hides.
 */
export function pickLines(picture: EnginePicture, axis: Axis, changes: LineChanges, inGray: boolean): Lines {
  const { data, width, height } = picture;
  const [size, lines] = axis === 'rows' ? [width, height] : [height, width];
  const [stride, lineStride] = axis === 'rows' ? [CHANNELS, CHANNELS * width] : [CHANNELS * width, CHANNELS];
  const values = new Float32Array(LINES * size);
  const squares = new Float64Array(LINES);
  const channels = inGray ? 1 : COLORS;
  const ofLines = changes[axis];
  for (let k = 0; k < LINES; k++) {
    const chosen = values.subarray(k * size, (k + 1) * size);
    const from = Math.floor((k * lines) / LINES) * channels;
    const to = Math.floor(((k + 1) * lines) / LINES) * channels;
    if (from === to) continue;
    let most = from;
    for (let i = from + 1; i < to; i++) if (ofLines[i] > ofLines[most]) most = i;
    const line = Math.floor(most / channels);
    if (inGray) grayOf(picture, axis, line, chosen);
    else for (let x = 0, i = line * lineStride + (most % channels); x < size; x++, i += stride) chosen[x] = data[i];
    for (const value of chosen) squares[k] += value * value;
  }
  return { size, values, squares };
}

/** Lines that are evenly spread, each in one of the channels. */
export function spreadLines({ data, width, height }: EnginePicture, axis: Axis): Lines {
  const [size, lines] = axis === 'rows' ? [width, height] : [height, width];
  const [stride, lineStride] = axis === 'rows' ? [CHANNELS, CHANNELS * width] : [CHANNELS * width, CHANNELS];
  const values = new Float32Array(LINES * size);
  const squares = new Float64Array(LINES);
  for (let k = 0; k < LINES; k++) {
    let at = Math.floor(((k + 0.5) * lines) / LINES) * lineStride + (k % COLORS);
    for (let x = k * size; x < (k + 1) * size; x++, at += stride) {
      values[x] = data[at];
      squares[k] += data[at] ** 2;
    }
  }
  return { size, values, squares };
}

/** The gray levels of a row or a column. */
export function grayOf({ data, width }: EnginePicture, axis: Axis, at: number, line: Float32Array): void {
  const stride = axis === 'rows' ? CHANNELS : CHANNELS * width;
  for (let x = 0, i = at * (axis === 'rows' ? CHANNELS * width : CHANNELS); x < line.length; x++, i += stride)
    line[x] = lumaOf(data[i], data[i + 1], data[i + 2]);
}

/** How many of the lines change at each of their places. */
export function changesAlong({ size, values }: Lines): Uint32Array {
  const changes = new Uint32Array(size);
  for (let i = 1; i < values.length; i++)
    if (i % size > 0 && Math.abs(values[i] - values[i - 1]) > CHANGE_LEVELS) changes[i % size]++;
  return changes;
}

/** A solver and its inverse. */
interface Solver {
  readonly solver: AxisSolver;
  enlarger?: Enlarger;
}

/**
 * Solvers asked for last, the latest at the end: those of a picture's two axes are often the same, a picture's are asked for twice, and pictures are often as large
 * as the one before. Of so many pixels in all, some 100 bytes each.
 */
const solvers = new Map<string, Solver>();
const MOST_KEPT_PX = 1 << 16;
let keptPx = 0;

/** The solver for a line of so many pixels that so many cells were enlarged to. */
export const solverOf = (way: EnlargingWay, size: number, cells: number): AxisSolver =>
  solverFor(way, size, cells).solver;

function solverFor({ kernel, shiftPx }: EnlargingWay, size: number, cells: number): Solver {
  const key = `${kernel} ${shiftPx} ${size} ${cells}`;
  const known = solvers.get(key);
  const solver = known ?? { solver: new AxisSolver(modelAxis(kernel, size, size / cells, shiftPx)) };
  if (known === undefined) keptPx += size;
  solvers.delete(key);
  solvers.set(key, solver);
  for (const [oldest, { solver: its }] of solvers) {
    if (keptPx <= MOST_KEPT_PX) break;
    solvers.delete(oldest);
    keptPx -= its.size;
  }
  return solver;
}

/** Squared levels a pixel that a solver leaves unexplained of lines; some number above `most`, where it is more than that. */
export function leftBy(solver: AxisSolver, { size, values, squares }: Lines, most: number): number {
  const pixels = LINES * Math.max(1, size - (solver.cells - GHOSTS));
  let left = 0;
  for (let k = 0; k < LINES && left <= most * pixels; k++) left += solver.errorSq(values, k * size, squares[k]);
  return left / pixels;
}

/**
 * What changes from cell to cell where so many explain lines, each change counting up to a few levels; Infinity where they leave more squared levels
 * a pixel unexplained than `mostCut`, or than `most` once what was cut off at black and white is put back.
 */
export function changesBy(lines: Lines, way: EnlargingWay, cells: number, mostCut: number, most: number): number {
  const { size, values } = lines;
  const pair = solverFor(way, size, cells);
  const { solver } = pair;
  const before = leftBy(solver, lines, mostCut);
  if (before > mostCut) return Infinity;
  const rounds = before <= most ? 1 : MOST_ROUNDS;
  const mostLeft = most * LINES * Math.max(1, size - cells);
  const line = new Float32Array(size);
  const found = new Float64Array(solver.cells);
  const again = new Float64Array(size);
  pair.enlarger ??= new Enlarger(solver.model, solver.cells, 0);
  const { enlarger } = pair;
  let left = 0;
  let changes = 0;
  for (let k = 0; k < LINES && left <= mostLeft; k++) {
    const seen = values.subarray(k * size, (k + 1) * size);
    line.set(seen);
    let own = 0;
    for (let round = 0; round < rounds; round++) {
      solver.solve(line, 0, 1, found, 0, 1);
      own = solver.leftOf(line);
      if (rounds === 1) break;
      enlarger.enlarge(found, 0, again, 0);
      if (putBack(line, seen, 0, 1, again) < UNCLIPPED_LEVELS || own > HOPELESS ** -round * mostCut * size) break;
    }
    left += own;
    for (let i = 1; i < found.length; i++) changes += Math.min(EDGE_LEVELS, Math.abs(found[i] - found[i - 1]));
  }
  return left <= mostLeft ? changes : Infinity;
}
