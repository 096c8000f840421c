import { type AxisModel, AxisSolver, type Enlarging, modelAxis } from '../pixel/resampling.js';
import type { EnginePicture } from '../types.js';

/**
 * Ways in which pictures are enlarged. What one has made, others may explain as well, of a small picture that is softer, or has halos: the one
 * is it by which least changes there.
 */
const KERNELS: readonly Enlarging[] = ['linear', 'cubic', 'steep-cubic', 'mitchell', 'lanczos'];
/** Factors looked for, coarsest first. */
const FACTORS = [8, 6, 5, 4, 3.5, 3, 2.5, 2, 1.75, 1.5, 1.25];
/** The small picture has so many pixels along either side at least. */
const LEAST_SIDE = 16;
/** Larger pictures take too long to solve for: some two microseconds a pixel. */
const MOST_PIXELS = 1 << 20;
/** Rows, about, that tell whether edges are soft; an edge takes so many pixels at most there, a steep one this many, and so large a share is none. */
const ROWS = 48;
const WIDEST_PX = 32;
const STEEP_PX = 1;
const MOST_STEEP = 0.13;
/** Of even neighbors so many differ, at most: enlarging leaves few rings, and compression more. */
const MOST_RIPPLES = 0.22;
/** Neighbors within so many levels are even, so that compression's ripples hide no edge; and colors so near have no edge between them. */
const EVEN_LEVELS = 6;
const NEAR_EDGE = 30;
/** Lines along either axis by which factors are judged. */
const LINES = 6;
/**
 * Squared levels a pixel that a factor may leave unexplained on such lines, before what was cut off at black and white is put back, and then: of
 * rounding it is a twelfth.
 */
const MOST_CUT = 20;
const MOST_VARIANCE = 0.3;
/** And that linear enlarging by it leaves, whatever enlarged it: up to 39 in 180 pictures, by the factor that it was enlarged by. */
const MOST_BY_LINEAR = 45;
/** Levels from cell to cell beyond which a change counts no more: edges are as they are. */
const EDGE_LEVELS = 8;
/** Kernels that a factor is tried with. */
const MOST_TRIED = 2;
/** Of what is left because it was cut off, every round leaves less than one part in so many. */
const HOPELESS = 1.6;
/** How often what was cut off at black and white is put back, as the small picture has it. */
const ROUNDS = 12;
const UNCLIPPED_LEVELS = 0.25;
/** By how much more than the last round has it, which comes nearer in fewer rounds (successive over-relaxation). */
const RELAXATION = 1.7;
/** Levels that pixels may be off the small picture enlarged again, and the share of them that is to be so near. */
const NEAR_LEVELS = 2;
const NEAR_SHARE = 0.997;
/** Cells of a model that stand for what is beyond the border. */
const GHOSTS = 2;
const CHANNELS = 4;
const COLORS = 3;

/**
 * The small picture that an opaque one was enlarged from as a whole, linearly, by a cubic kernel (Catmull-Rom's, the steeper one of OpenCV and others,
 * Mitchell's) or by Lanczos's: solved for by least squares, and undefined unless it gives the picture back when it is enlarged again. Edges that
 * enlarging has drawn out over many pixels, in stairs as high as the small ones were, are in it as they were before.
 */
export function findEnlarged(picture: EnginePicture): EnginePicture | undefined {
  const { width, height } = picture;
  if (width * height > MOST_PIXELS || Math.min(width, height) < LEAST_SIDE) return undefined;
  if (!isSoft(picture) || !isOpaque(picture)) return undefined;
  const across = pickLines(picture, width, height, 1, width);
  const down = pickLines(picture, height, width, width, 1);
  for (const factor of FACTORS) {
    const columns = Math.round(width / factor);
    const rows = Math.round(height / factor);
    if (Math.min(columns, rows) < LEAST_SIDE) continue;
    if (leftBy(new AxisSolver(modelAxis('linear', width, width / columns, 0)), across, MOST_BY_LINEAR) > MOST_BY_LINEAR)
      continue;
    const changes = KERNELS.map((kernel) => {
      const own = changesBy(across, kernel, columns);
      return own === Infinity ? own : own + changesBy(down, kernel, rows);
    });
    for (let tried = 0; tried < MOST_TRIED; tried++) {
      const least = changes.indexOf(Math.min(...changes));
      if (changes[least] === Infinity) break;
      const small = new Reducer(picture, { columns, rows, kernel: KERNELS[least] }).reduced();
      if (small !== undefined) return small;
      changes[least] = Infinity;
    }
  }
  return undefined;
}

/** Whether edges between even colors take several pixels along most of the rows looked at, as no sharp picture's do. */
function isSoft({ width, height, data }: EnginePicture): boolean {
  const rowStep = Math.max(1, Math.floor(height / ROWS));
  let steep = 0;
  let wide = 0;
  let seen = 0;
  let ripples = 0;
  for (let y = rowStep >> 1; y < height; y += rowStep) {
    // Where the even stretch ends that an edge begins behind, -1 where there is none yet.
    let even = -1;
    for (let x = 1, at = (y * width + 1) * CHANNELS; x < width; x++, at += CHANNELS) {
      if (!isEven(data, at, at - CHANNELS)) continue;
      if (data[at + 1] !== data[at + 1 - CHANNELS]) ripples++;
      seen++;
      const between = x - 2 - even;
      if (even >= 0 && between > 0 && between <= WIDEST_PX && !isNear(data, (y * width + even) * CHANNELS, at)) {
        if (between <= STEEP_PX) steep++;
        else wide++;
      } else if (even >= 0 && between === 0 && !isNear(data, (y * width + even) * CHANNELS, at)) steep++;
      even = x;
    }
  }
  return wide > 0 && steep <= MOST_STEEP * (steep + wide) && ripples <= MOST_RIPPLES * seen;
}

function isEven(data: EnginePicture['data'], a: number, b: number): boolean {
  for (let c = 0; c < COLORS; c++) if (Math.abs(data[a + c] - data[b + c]) > EVEN_LEVELS) return false;
  return true;
}

function isNear(data: EnginePicture['data'], a: number, b: number): boolean {
  for (let c = 0; c < COLORS; c++) if (Math.abs(data[a + c] - data[b + c]) > NEAR_EDGE) return false;
  return true;
}

function isOpaque({ data }: EnginePicture): boolean {
  for (let i = CHANNELS - 1; i < data.length; i += CHANNELS) if (data[i] !== 255) return false;
  return true;
}

/** The size of a small picture, and how it was enlarged. */
interface Candidate {
  readonly columns: number;
  readonly rows: number;
  readonly kernel: Enlarging;
}

/** Lines of one axis, a channel each, and the sum of the squares of each. */
interface Lines {
  readonly size: number;
  readonly values: Float32Array;
  readonly squares: Float64Array;
}

/** Of evenly spread stretches of lines the one each, and its channel, in which most changes. */
function pickLines({ data }: EnginePicture, size: number, lines: number, stride: number, lineStride: number): Lines {
  const values = new Float32Array(LINES * size);
  const squares = new Float64Array(LINES);
  for (let k = 0; k < LINES; k++) {
    let most = -1;
    let best = 0;
    const to = Math.floor(((k + 1) * lines) / LINES);
    for (let line = Math.floor((k * lines) / LINES); line < to; line++) {
      for (let c = 0; c < COLORS; c++) {
        const first = CHANNELS * line * lineStride + c;
        let changes = 0;
        for (let x = 1, at = first; x < size; x++, at += CHANNELS * stride)
          changes += Math.abs(data[at + CHANNELS * stride] - data[at]);
        if (changes <= most) continue;
        most = changes;
        best = first;
      }
    }
    for (let x = 0, at = best; x < size; x++, at += CHANNELS * stride) {
      values[k * size + x] = data[at];
      squares[k] += data[at] * data[at];
    }
  }
  return { size, values, squares };
}

/** Squared levels a pixel that a solver leaves unexplained of the lines; some number above `most`, where it is more than that. */
function leftBy(solver: AxisSolver, { size, values, squares }: Lines, most: number): number {
  const pixels = LINES * Math.max(1, size - (solver.cells - GHOSTS));
  let left = 0;
  for (let k = 0; k < LINES && left <= most * pixels; k++) left += solver.errorSq(values, k * size, squares[k]);
  return left / pixels;
}

/**
 * What changes from cell to cell where so many explain the lines, each change counting up to a few levels; Infinity where they do not explain
 * them.
 */
function changesBy(lines: Lines, kernel: Enlarging, cells: number): number {
  const { size, values } = lines;
  const model = modelAxis(kernel, size, size / cells, 0);
  const solver = new AxisSolver(model);
  const before = leftBy(solver, lines, MOST_CUT);
  if (before > MOST_CUT) return Infinity;
  const rounds = before <= MOST_VARIANCE ? 1 : ROUNDS;
  const most = MOST_VARIANCE * LINES * Math.max(1, size - cells);
  const line = new Float32Array(size);
  const found = new Float64Array(solver.cells);
  const again = new Float64Array(size);
  const enlarger = new Enlarger(model, solver.cells, 0);
  let left = 0;
  let changes = 0;
  for (let k = 0; k < LINES && left <= most; k++) {
    const seen = values.subarray(k * size, (k + 1) * size);
    line.set(seen);
    let own = 0;
    for (let round = 0; round < rounds; round++) {
      solver.solve(line, 0, 1, found, 0, 1);
      own = solver.leftOf(line);
      if (rounds === 1) break;
      enlarger.enlarge(found, 0, again, 0);
      if (putBack(line, seen, 0, 1, again) < UNCLIPPED_LEVELS || own > HOPELESS ** -round * MOST_CUT * size) break;
    }
    left += own;
    for (let i = 1; i < found.length; i++) changes += Math.min(EDGE_LEVELS, Math.abs(found[i] - found[i - 1]));
  }
  return left <= most ? changes : Infinity;
}

/** Puts back what was cut off at black and white of levels seen, as what they were enlarged from has it; returns by how many levels at most. */
function putBack(
  levels: Float32Array,
  seen: ArrayLike<number>,
  from: number,
  stride: number,
  again: Float64Array,
): number {
  let moved = 0;
  for (let i = 0, at = from; i < levels.length; i++, at += stride) {
    const level = seen[at];
    if (level > 0 && level < 255) continue;
    const meant = level === 0 ? Math.min(0, again[i]) : Math.max(255, again[i]);
    const step = meant - levels[i];
    if (step === 0) continue;
    moved = Math.max(moved, Math.abs(step));
    const next = levels[i] + RELAXATION * step;
    levels[i] = level === 0 ? Math.min(0, next) : Math.max(255, next);
  }
  return moved;
}

/** Solves for the small picture of a size, and enlarges it again. */
class Reducer {
  private readonly picture: EnginePicture;
  private readonly size: Candidate;
  private readonly across: AxisSolver;
  private readonly down: AxisSolver;
  private readonly enlargeAcross: Enlarger;
  private readonly enlargeDown: Enlarger;
  /** Between the two axes, on the way to the small picture and back: cells across by rows, column by column, and pixels across by cells down. */
  private readonly narrow: Float64Array;
  private readonly flat: Float64Array;
  private readonly column: Float64Array;

  constructor(picture: EnginePicture, size: Candidate) {
    const { width, height } = picture;
    const { kernel, columns, rows } = size;
    this.picture = picture;
    this.size = size;
    const modelX = modelAxis(kernel, width, width / columns, 0);
    const modelY = modelAxis(kernel, height, height / rows, 0);
    this.across = new AxisSolver(modelX);
    this.down = new AxisSolver(modelY);
    this.enlargeAcross = new Enlarger(modelX, columns, 1);
    this.enlargeDown = new Enlarger(modelY, rows, 1);
    this.narrow = new Float64Array(this.across.cells * height);
    this.flat = new Float64Array(width * rows);
    this.column = new Float64Array(this.down.cells);
  }

  /** The small picture; undefined where it does not explain the large one. */
  reduced(): EnginePicture | undefined {
    const { columns, rows } = this.size;
    const data = new Uint8Array(columns * rows * CHANNELS).fill(255);
    for (let c = 0; c < COLORS; c++) {
      if (c > 0 && this.isAsBefore(c)) for (let i = c; i < data.length; i += CHANNELS) data[i] = data[i - 1];
      else if (!this.reduce(c, data)) return undefined;
    }
    return { width: columns, height: rows, data };
  }

  /** Whether a channel is the same as the one before, as all are in gray. */
  private isAsBefore(channel: number): boolean {
    const { data } = this.picture;
    for (let i = channel; i < data.length; i += CHANNELS) if (data[i] !== data[i - 1]) return false;
    return true;
  }

  private reduce(channel: number, out: Uint8Array): boolean {
    const { data, width, height } = this.picture;
    const { columns, rows } = this.size;
    const plane = new Float32Array(width * height);
    for (let i = 0; i < plane.length; i++) plane[i] = data[CHANNELS * i + channel];
    const cells = new Float64Array(columns * rows);
    const again = new Float64Array(width * height);
    for (let round = 0; round < ROUNDS; round++) {
      this.solve(plane, cells);
      this.enlarge(cells, again);
      if (putBack(plane, data, channel, CHANNELS, again) < UNCLIPPED_LEVELS) break;
    }
    for (let i = 0; i < cells.length; i++) {
      cells[i] = Math.max(0, Math.min(255, Math.round(cells[i])));
      out[CHANNELS * i + channel] = cells[i];
    }
    this.enlarge(cells, again);
    let far = 0;
    for (let i = 0; i < again.length; i++) {
      const value = Math.max(0, Math.min(255, again[i]));
      if (Math.abs(value - data[CHANNELS * i + channel]) > NEAR_LEVELS) far++;
    }
    return far <= (1 - NEAR_SHARE) * again.length;
  }

  /** Least squares along rows, and then along columns. The first and the last cell of a model stand for what is beyond the border. */
  private solve(plane: Float32Array, cells: Float64Array): void {
    const { width, height } = this.picture;
    const { columns, rows } = this.size;
    const { narrow, column } = this;
    for (let y = 0; y < height; y++) this.across.solve(plane, y * width, 1, narrow, y, height);
    for (let x = 0; x < columns; x++) {
      this.down.solve(narrow, (x + 1) * height, 1, column, 0, 1);
      for (let y = 0; y < rows; y++) cells[y * columns + x] = column[y + 1];
    }
  }

  private enlarge(cells: Float64Array, out: Float64Array): void {
    const { width } = this.picture;
    const { columns, rows } = this.size;
    for (let y = 0; y < rows; y++) this.enlargeAcross.enlarge(cells, y * columns, this.flat, y * width);
    this.enlargeDown.enlargeRows(this.flat, width, out);
  }
}

/** One axis of an enlargement of so many cells, the first of them being this one of the model; what is beyond the border is as within it. */
class Enlarger {
  private readonly taps: number;
  private readonly weights: Float64Array;
  /** Per tap of a pixel its cell. */
  private readonly cells: Int32Array;

  constructor({ taps, first, weights }: AxisModel, count: number, skipped: number) {
    this.taps = taps;
    this.weights = weights;
    this.cells = Int32Array.from(weights, (_, i) =>
      Math.max(0, Math.min(count - 1, first[Math.floor(i / taps)] + (i % taps) - skipped)),
    );
  }

  /** A line of cells from one on into one of pixels. */
  enlarge(from: Float64Array, start: number, to: Float64Array, toStart: number): void {
    const { taps, weights, cells } = this;
    for (let i = 0, out = toStart; i < weights.length; out++) {
      let sum = 0;
      for (let k = 0; k < taps; k++, i++) sum += weights[i] * from[start + cells[i]];
      to[out] = sum;
    }
  }

  /** Rows of cells, so wide, into more such rows. */
  enlargeRows(from: Float64Array, width: number, to: Float64Array): void {
    const { taps, weights, cells } = this;
    to.fill(0);
    for (let i = 0; i < weights.length; i++) {
      const weight = weights[i];
      if (weight === 0) continue;
      const out = Math.floor(i / taps) * width;
      const row = cells[i] * width;
      for (let x = 0; x < width; x++) to[out + x] += weight * from[row + x];
    }
  }
}
