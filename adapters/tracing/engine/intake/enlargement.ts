import { AxisSolver, modelAxis } from '../pixel/resampling.js';
import type { EnginePicture } from '../types.js';
import type { Blur } from './blur-width.js';
import { findChromaSampling } from './chroma-sampling.js';
import { Enlarger, MOST_ROUNDS, putBack, UNCLIPPED_LEVELS } from './enlarger.js';
import {
  changesBy,
  ENLARGING_FACTORS,
  ENLARGING_WAYS,
  type EnlargingWay,
  type Lines,
  leftBy,
  pickLines,
  solverOf,
  spreadLines,
} from './enlarging-lines.js';
import { gridFactors } from './grid-spectrum.js';
import { colorChanges, grayChanges } from './line-changes.js';
import { findCleanEnlarging, findNoisyEnlarging, type NoisyEnlarging } from './noisy-enlarging.js';
import { isRippled } from './ripples.js';
import { scanGrids } from './scan-grids.js';
import { type EdgeLook, lookAtEdges } from './soft-edges.js';
import { toWorkingPixels } from './working-pixels.js';

/** The small picture has so many pixels along either side at least. */
const LEAST_SIDE = 16;
/** And where it was compressed since: in fewer blocks of eight it is too easily explained. */
const LEAST_NOISY_SIDE = 64;
/** Larger pictures take too long to solve for to the level: some two microseconds a pixel. */
const MOST_PIXELS = 1 << 20;
/** And these to solve for at all. */
const MOST_NOISY_PIXELS = 1 << 22;
/**
 * Along so many pixels there may be too little to tell a grid by: there all factors are tried that may give the picture back. Of 184 larger ones that were enlarged and
 * not compressed since the grid was told of 177, and the others have edges at a few places.
 */
const FEW_PX = 128;
/**
 * Factors that are tried of all other pictures, too: what half the pixels along either axis give back to the level is no accident. And those tried where lines of one or two pixels, enlarged,
 * are too steep for a grid that is told by how little sharp kernels leave: wide blurs, which smaller factors explain as well, are never too steep.
 */
const COARSE_FACTORS = ENLARGING_FACTORS.filter((factor) => factor >= 2);
const STEEP_FACTORS = ENLARGING_FACTORS.filter((factor) => factor >= 1.5);
/** Squared levels a pixel that a factor may leave unexplained on a few lines, before what was cut off at black and white is put back. */
const MOST_CUT = 20;
/** And that linear enlarging by it leaves, whatever enlarged it: up to 39 in 180 pictures, by the factor that it was enlarged by. */
const MOST_BY_LINEAR = 45;
/** Where no grid explains what compression has rippled, edges as sharp as this, px, are enough to say that there is none: of 736 pictures that were found to be enlarged, clean and compressed since, none is lost by it. */
const SHARP_PX = 0.35;
/** Ways that a factor is tried in. */
const MOST_TRIED = 2;
/** How near the small picture must come, enlarged again: pixels that are off by more than so many levels are no larger a share than this. */
interface Tolerance {
  /** Squared levels a pixel that it may leave unexplained on a few lines: of rounding it is a twelfth. */
  readonly variance: number;
  /** How often what was cut off at black and white is put back. */
  readonly rounds: number;
  readonly levels: number;
  readonly share: number;
}
const CLEAN: Tolerance = { variance: 0.3, rounds: MOST_ROUNDS, levels: 2, share: 0.003 };
/** Where some lines prove a factor, and only what was cut off between the two axes, too, may be lost: by Lanczos's kernel up to .015. */
const PROVEN: Tolerance = { ...CLEAN, variance: 2, share: 0.02 };
/**
 * And where it was compressed since: of 167 such pictures it was .00004 at most, and more rounds come no nearer. What was laid on a picture after it was enlarged is as
 * sharp as it is.
 */
const NOISY: Tolerance = { variance: Infinity, rounds: 2, levels: 24, share: 0.0003 };
const CHANNELS = 4;
const COLORS = 3;

/**
 * The small picture that an opaque one was enlarged from as a whole, linearly, by a cubic kernel (Catmull-Rom's, the steeper one of OpenCV and others,
 * Mitchell's) or by Lanczos's: solved for by least squares, and undefined unless it gives the picture back when it is enlarged again, but for what
 * compression may have added. Edges that enlarging has drawn out over many pixels, in stairs as high as the small ones were, are in it as they were before. What is known by now of its edges
 * and its blur need not be looked for again; where the blur is left out, sharp edges are no reason to look no further.
 */
export function findEnlarged(
  picture: EnginePicture,
  { isSoft, isNearlySoft, isRippled: isPlainlyRippled, isCalm }: EdgeLook = lookAtEdges(picture),
  blur?: Blur,
): EnginePicture | undefined {
  const { width, height } = picture;
  if (!isNearlySoft || width * height > MOST_NOISY_PIXELS || Math.min(width, height) < LEAST_SIDE) return undefined;
  const mayBeClean = !isPlainlyRippled && width * height <= MOST_PIXELS;
  if (!isSoft && !mayBeClean) return undefined;
  const changes = grayChanges(picture);
  const [across, down] = [pickLines(picture, 'rows', changes, true), pickLines(picture, 'columns', changes, true)];
  if (!isSoft) return provenEnlarged(picture, across, down, false);
  const found = findNoisyEnlarging(across, down, () => gridFactors(picture));
  const isSharp = blur !== undefined && blur.px < SHARP_PX && blur.unevenness < Infinity;
  const isHopeless = found === 'hopeless' && !isPlainlyRippled;
  if (isHopeless && isSharp && isRippled(toWorkingPixels(picture))) return undefined;
  const isTold = typeof found === 'object';
  if (mayBeClean) {
    const mayBeAny = found === 'untold' || (found === undefined && Math.min(width, height) <= FEW_PX);
    const others = mayBeAny ? ENLARGING_FACTORS : found === 'hopeless' ? STEEP_FACTORS : COARSE_FACTORS;
    const told = isTold ? cleanlyEnlarged(picture, [found.factor], false) : undefined;
    const clean = told ?? cleanlyEnlarged(picture, others, true);
    if (clean !== undefined) return clean;
    // Lossy compression, which halves the resolution of colors, leaves too much for small changes of a grid to be told by.
    const isCompressed = findChromaSampling(toWorkingPixels(picture)) !== undefined;
    const proven = isCompressed ? undefined : provenEnlarged(picture, across, down, isCalm);
    if (proven !== undefined) return proven;
  }
  return isTold ? noisilyEnlarged(picture, found) : undefined;
}

/**
 * The small picture that gives a picture back, but for what rounding and cutting off between its axes leave: `byAny` factor, or by usual fine ones alone, as where edges are steep still, which
 * those of many pictures are that were reduced.
 */
function provenEnlarged(picture: EnginePicture, across: Lines, down: Lines, byAny: boolean): EnginePicture | undefined {
  const found = findCleanEnlarging(across, down, () => (byAny ? scanGrids(across) : []));
  if (found === undefined) return undefined;
  const clean = cleanlyEnlarged(picture, [found.factor], false, PROVEN);
  return clean ?? (isRippled(toWorkingPixels(picture)) ? undefined : noisilyEnlarged(picture, found));
}

/** The small picture that gives a picture back but for noise. */
function noisilyEnlarged(picture: EnginePicture, { factor, way }: NoisyEnlarging): EnginePicture | undefined {
  const size = sizeBefore(picture, factor);
  if (size === undefined || Math.min(size.columns, size.rows) < LEAST_NOISY_SIDE) return undefined;
  return new Reducer(picture, { ...size, way }, NOISY).reduced();
}

/** The small picture that gives a picture back to the level. Solving for all of it takes long: where `isGuess`, other lines are asked first. */
function cleanlyEnlarged(
  picture: EnginePicture,
  factors: readonly number[],
  isGuess: boolean,
  tolerance = CLEAN,
): EnginePicture | undefined {
  const inColor = colorChanges(picture);
  const across = pickLines(picture, 'rows', inColor, false);
  const down = pickLines(picture, 'columns', inColor, false);
  const others = isGuess ? { rows: spreadLines(picture, 'rows'), columns: spreadLines(picture, 'columns') } : undefined;
  const isLikely = (way: EnlargingWay, { rows, columns }: Size): boolean =>
    others === undefined ||
    (changesBy(others.rows, way, columns, MOST_CUT, tolerance.variance) < Infinity &&
      changesBy(others.columns, way, rows, MOST_CUT, tolerance.variance) < Infinity);
  for (const factor of factors) {
    const size = sizeBefore(picture, factor);
    if (size === undefined || !mayBeEnlarged(across, size.columns)) continue;
    const changes = ENLARGING_WAYS.map((way) => {
      const own = changesBy(across, way, size.columns, MOST_CUT, tolerance.variance);
      return own === Infinity ? own : own + changesBy(down, way, size.rows, MOST_CUT, tolerance.variance);
    });
    for (let tried = 0; tried < MOST_TRIED; tried++) {
      const least = changes.indexOf(Math.min(...changes));
      if (changes[least] === Infinity) break;
      const way = ENLARGING_WAYS[least];
      const small = isLikely(way, size) ? new Reducer(picture, { ...size, way }, tolerance).reduced() : undefined;
      if (small !== undefined) return small;
      changes[least] = Infinity;
    }
  }
  return undefined;
}

/** Whether so many cells enlarged linearly, here or half a pixel on, come near to some lines, as they do to what any kernel has made of them. */
const mayBeEnlarged = (lines: Lines, cells: number): boolean =>
  [0, 0.5].some(
    (shiftPx) =>
      leftBy(solverOf({ kernel: 'linear', shiftPx }, lines.size, cells), lines, MOST_BY_LINEAR) <= MOST_BY_LINEAR,
  );

/** How many pixels a picture had, undefined where these are too few. */
function sizeBefore({ width, height }: EnginePicture, factor: number): Size | undefined {
  const columns = Math.round(width / factor);
  const rows = Math.round(height / factor);
  return Math.min(columns, rows) < LEAST_SIDE ? undefined : { columns, rows };
}

/** The size of a small picture. */
interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** And how it was enlarged. */
interface Candidate extends Size {
  readonly way: EnlargingWay;
}

/** Solves for the small picture of a size, and enlarges it again. */
class Reducer {
  private readonly picture: EnginePicture;
  private readonly size: Candidate;
  private readonly tolerance: Tolerance;
  private readonly across: AxisSolver;
  private readonly down: AxisSolver;
  private readonly enlargeAcross: Enlarger;
  private readonly enlargeDown: Enlarger;
  /** Between the two axes, on the way to the small picture and back: cells across by rows, column by column, and pixels across by cells down. */
  private readonly narrow: Float64Array;
  private readonly flat: Float64Array;
  private readonly column: Float64Array;

  constructor(picture: EnginePicture, size: Candidate, tolerance: Tolerance) {
    const { width, height } = picture;
    const { way, columns, rows } = size;
    this.picture = picture;
    this.size = size;
    this.tolerance = tolerance;
    const modelX = modelAxis(way.kernel, width, width / columns, way.shiftPx);
    const modelY = modelAxis(way.kernel, height, height / rows, way.shiftPx);
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
    const { rounds, levels, share } = this.tolerance;
    for (let round = 0; round < rounds; round++) {
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
      if (Math.abs(value - data[CHANNELS * i + channel]) > levels) far++;
    }
    return far <= share * again.length;
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
