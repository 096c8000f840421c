import type { EnginePicture } from '../types.js';
import { fitElasticLines } from './elastic-lines.js';
import { addStep, findSteps } from './find-steps.js';
import { type AxisFit, type AxisLines, fitAxis, refineFit, tryModel, wrapOffset } from './fit-axis.js';
import { looksLikePixelArt, measurePixelArt } from './pixel-art-features.js';
import { polishColors } from './polish-colors.js';
import { AxisSolver, modelAxis, RESAMPLINGS, type Resampling } from './resampling.js';
import { settleColors } from './settle-colors.js';

/** A picture as the cells it was enlarged from. */
export interface RecoveredGrid {
  /** Where the grid lines lie, px: one more than there are columns (rows); the first and the last are the picture's borders. */
  readonly xLines: Float64Array;
  readonly yLines: Float64Array;
  /** Mean width and height of a cell, px. */
  readonly stepX: number;
  readonly stepY: number;
  readonly resampling: Resampling;
  /** Whether cells differ in size. */
  readonly uneven: boolean;
  /** One color per cell, 0xRRGGBBAA, 0 where fully transparent. */
  readonly cells: Uint32Array;
}

export interface GridSearch {
  readonly grid: RecoveredGrid | undefined;
  /** In words: what was found, or why nothing was. */
  readonly finding: string;
}

/** Lines looked at to find the grid, and in all to place it. */
const ROUGH_LINES = 12;
const FINE_LINES = 48;
/** Longer lines say more: fewer of them are looked at. */
const LONG_LINE = 300;
/** Shares of red, green, blue and opacity in the mean that is looked at first: no two colors that are met have the same. */
const PLANE_WEIGHTS = [0.4, 0.5, 0.3, 0.35] as const;
/** Larger pictures are no sprites that anybody enlarged. */
const MOST_PIXELS = 6_000_000;
/** A model half a cell off must leave at least so many times the error. */
const LEAST_CONTRAST = 2.2;
/** A grid must explain all but this share of the picture's differences. */
const MOST_UNEXPLAINED = 0.3;
/** Cells with neighbors of their own color only: what was drawn on a grid by ruler has more. */
const MOST_FLAT = 0.66;
/** Of two grids that explain the picture nearly as well, the coarser one is it. */
const NEARLY = 1.3;
const NEARLY_LEVELS_SQ = 0.6;
/** Steps of the two axes are the same up to this share; steps of their own must leave so many times less. */
const SAME_STEP = 0.03;
const EVEN_HANDED = 4;
const PLAIN_CONTRAST = 6;
const PLAIN_UNEXPLAINED = 0.05;
/** Cells smaller than this cannot be told from noise when they may be uneven. */
const LEAST_ELASTIC_STEP = 3;
/** Cuts that move by themselves must leave this share of the even grid's error or less. */
const ELASTIC_GAIN = 0.4;
const EVEN_ENOUGH = 0.015;
/** How exactly an interpolated grid is placed in the end, px. */
const PLACING_PX = 0.0005;
/** What rounding leaves of interpolated cells' colors, levels. */
const ROUNDING_LEVELS = 1.3;
/** A cell at the border is a sliver up to this size (px, or share of a cell), with so few cells of its own color. */
const SLIVER_PX = 1.3;
const SLIVER_SHARE = 0.16;
/** Less than this much of a cell is rounding, whatever its colors seem to be. */
const BARE_PX = 0.65;
const SLIVER_DIFFERENCE = 0.04;
const NOISY_SLIVER_DIFFERENCE = 0.35;
const UNCLIP_ROUNDS = 14;
const REPLACING_ROUNDS = 3;
/** Cells of at most so many px show too few of them to be told to the last level one by one. */
const SMALL_STEP = 4;
/** From this error on (levels) colors are brought together again. */
const NOISY_LEVELS = 1.2;

/**
 * The grid of pixel art that was enlarged by any factor from about 2 on, with hard cells or by linear, cubic or Lanczos
 * interpolation, cropped, compressed or unevenly spaced: the model of an enlargement that explains the picture best. Each axis is
 * an enlargement of its own; the cells are solved for by least squares.
 */
export function recoverGrid(picture: EnginePicture): GridSearch {
  const { width, height, data } = picture;
  if (width * height > MOST_PIXELS) return nothing('the picture is too large for one');
  const planes = toPlanes(data, width * height);
  const across = pickLines(planes, width, height, 1, width);
  const down = pickLines(planes, height, width, width, 1);
  if (across === undefined || down === undefined) return nothing('nothing changes in it');
  const steps: number[] = [];
  for (const { rough } of [across, down]) {
    for (const step of findSteps(rough.values, rough.count, rough.size)) addStep(steps, step, Math.min(width, height));
  }
  const kinds = RESAMPLINGS.map((kind) => fitGrid(across, down, kind, steps)).filter((fit) => fit !== undefined);
  const chosen = coarsest(kinds);
  if (chosen === undefined) return nothing('its changes follow no step');
  // Of kinds that find the same step, the first that explains as much as any.
  const alike = kinds.filter((fit) => isNear(fit, chosen));
  const least = Math.min(...alike.map(({ variance }) => variance));
  const first = alike.find(({ variance }) => variance <= least * 1.15 + 0.1) ?? chosen;
  let best = settle(across, down, first);
  const contrast = Math.min(best.x.contrast, best.y.contrast);
  const unexplained = Math.max(best.x.unexplained, best.y.unexplained);
  if (contrast < LEAST_CONTRAST || unexplained > MOST_UNEXPLAINED) {
    return nothing(`the likeliest, of ${inWords(best.x.step, best.y.step)} px cells, does not explain it`);
  }
  if (overshoots(best.x.resampling)) {
    // What was cut off at black and white pulls the grid off its place; put back, it does not.
    const whole = { ...planes, values: planes.values.slice() };
    for (let round = 0; round < REPLACING_ROUNDS; round++) {
      solveCells(planes, width, height, best.x, best.y, whole.values);
      const [x, y] = [pickLines(whole, width, height, 1, width), pickLines(whole, height, width, width, 1)];
      if (x !== undefined && y !== undefined) best = settle(x, y, best);
    }
  }
  const grid = readGrid(planes, width, height, best.x, best.y, across.fine, down.fine);
  const [columns, rows] = [grid.xLines.length - 1, grid.yLines.length - 1];
  const cell = Math.max(2, Math.round(Math.min(grid.stepX, grid.stepY)));
  const features = measurePixelArt(grid.cells, columns, rows, cell);
  if (!looksLikePixelArt(features) || features.flatShare > MOST_FLAT) {
    return nothing('what an even grid would leave is no pixel art');
  }
  return {
    grid,
    finding: describe(grid),
  };
}

const nothing = (why: string): GridSearch => ({ grid: undefined, finding: `no pixel grid was found: ${why}` });

const inWords = (stepX: number, stepY: number): string => {
  const [a, b] = [stepX.toFixed(2).replace(/\.?0+$/, ''), stepY.toFixed(2).replace(/\.?0+$/, '')];
  return a === b ? a : `${a} x ${b}`;
};

const HOW: Readonly<Record<Resampling, string>> = {
  cells: 'with hard edges',
  linear: 'blurred by linear enlargement',
  cubic: 'blurred by cubic enlargement',
  lanczos: 'blurred by Lanczos enlargement',
};

function describe({ stepX, stepY, xLines, yLines, resampling, uneven }: RecoveredGrid): string {
  const size = `${xLines.length - 1} x ${yLines.length - 1} cells of ${inWords(stepX, stepY)} px`;
  return `a grid of ${size} was found, ${HOW[resampling]}${uneven ? ' and unevenly spaced' : ''}`;
}

/** Premultiplied red, green, blue and opacity, one plane after the other; three planes where all is opaque. */
interface Planes {
  readonly values: Float32Array;
  readonly count: number;
  readonly size: number;
}

function toPlanes(data: EnginePicture['data'], size: number): Planes {
  let opaque = true;
  for (let i = 3; i < size * 4 && opaque; i += 4) opaque = data[i] === 255;
  const count = opaque ? 3 : 4;
  const values = new Float32Array(size * count);
  for (let i = 0; i < size; i++) {
    const alpha = data[i * 4 + 3];
    for (let c = 0; c < 3; c++) values[c * size + i] = (data[i * 4 + c] * alpha) / 255;
    if (!opaque) values[3 * size + i] = alpha;
  }
  return { values, count, size };
}

interface PickedLines {
  readonly rough: AxisLines;
  readonly fine: AxisLines;
  /** Mean squared difference of the fine lines from their means. */
  readonly variance: number;
}

/** The busiest lines of evenly spread stretches, all planes of each; undefined where nothing changes along the axis. */
function pickLines(
  planes: Planes,
  size: number,
  lines: number,
  lineStride: number,
  stride: number,
): PickedLines | undefined {
  // Along an axis, pixels are `alongStride` apart and lines `acrossStride`.
  const alongStride = lineStride === 1 ? 1 : lineStride;
  const acrossStride = stride;
  const busy = new Float64Array(lines);
  for (let line = 0; line < lines; line++) {
    for (let c = 0; c < planes.count; c++) {
      let at = c * planes.size + line * acrossStride;
      for (let x = 1; x < size; x++) {
        const next = at + alongStride;
        busy[line] += Math.min(64, Math.abs(planes.values[next] - planes.values[at]));
        at = next;
      }
    }
  }
  const take = (wanted: number, plane: 'each' | 'mean'): AxisLines => {
    const count = Math.min(lines, Math.ceil(wanted * Math.min(1, LONG_LINE / size)));
    const each = plane === 'each' ? planes.count : 1;
    const values = new Float32Array(count * each * size);
    for (let k = 0; k < count; k++) {
      const from = Math.floor((k * lines) / count);
      const to = Math.floor(((k + 1) * lines) / count);
      let best = from;
      for (let line = from; line < to; line++) if (busy[line] > busy[best]) best = line;
      for (let c = 0; c < planes.count; c++) {
        let at = c * planes.size + best * acrossStride;
        const out = (k * each + (each === 1 ? 0 : c)) * size;
        const weight = each === 1 ? PLANE_WEIGHTS[c] : 1;
        for (let x = 0; x < size; x++, at += alongStride) values[out + x] += weight * planes.values[at];
      }
    }
    const squares = new Float64Array(count * each);
    for (let i = 0; i < values.length; i++) squares[Math.floor(i / size)] += values[i] * values[i];
    return { values, count: count * each, size, squares };
  };
  const fine = take(FINE_LINES, 'each');
  let variance = 0;
  for (let line = 0; line < fine.count; line++) {
    let sum = 0;
    for (let x = 0; x < size; x++) sum += fine.values[line * size + x];
    variance += Math.max(0, fine.squares[line] / size - (sum / size) ** 2);
  }
  variance /= fine.count;
  return variance < 1 ? undefined : { rough: take(ROUGH_LINES, 'mean'), fine, variance };
}

/** A fit, and what speaks for it. */
interface JudgedFit extends AxisFit {
  /** How many times the error is left by the same grid half a cell off. */
  readonly contrast: number;
  /** Share of the spread of the lines that is left. */
  readonly unexplained: number;
}

interface GridFit {
  readonly x: JudgedFit;
  readonly y: JudgedFit;
  /** Of both axes together. */
  readonly variance: number;
}

/**
 * The grid of one kind of enlargement that explains both axes best, of steps that are the same on both if there is one that does
 * nearly as well as two of their own.
 */
function fitGrid(
  across: PickedLines,
  down: PickedLines,
  resampling: Resampling,
  steps: readonly number[],
): GridFit | undefined {
  const x = fitsOf(across, resampling, steps);
  const y = fitsOf(down, resampling, steps);
  const [alone, beside] = [coarsest(x.map((fit) => pair(fit, fit))), coarsest(y.map((fit) => pair(fit, fit)))];
  if (alone === undefined || beside === undefined) return undefined;
  const apart = pair(alone.x, beside.y);
  const pairs = x.flatMap((a) => y.filter((b) => Math.abs(a.step / b.step - 1) < SAME_STEP).map((b) => pair(a, b)));
  const same = coarsest(pairs);
  if (same === undefined) return apart;
  const better = same.variance <= apart.variance * EVEN_HANDED + NEARLY_LEVELS_SQ;
  return better || (isPlain(same) && !isPlain(apart)) ? same : apart;
}

const pair = (x: JudgedFit, y: JudgedFit): GridFit => ({ x, y, variance: x.variance + y.variance });

function fitsOf(picked: PickedLines, resampling: Resampling, steps: readonly number[]): JudgedFit[] {
  const { rough, fine, variance } = picked;
  return fitAxis(rough, resampling, steps, variance).flatMap((found) => {
    let fit = tryModel(fine, resampling, found.step, found.offset);
    if (fit === undefined) return [];
    if (resampling === 'cells' && found.step >= LEAST_ELASTIC_STEP) {
      // Where edges really lie tells more of the step than walking downhill in a stepped landscape.
      const line = straighten(fitElasticLines(rough, found.step).cuts);
      const straight = tryModel(fine, resampling, line.step, wrapOffset(line.offset, line.step));
      if (straight !== undefined && straight.variance < fit.variance) fit = straight;
    }
    const judged = judge(fine, variance, fit);
    return judged.unexplained > MOST_UNEXPLAINED ? [] : [judged];
  });
}

function judge(lines: AxisLines, spread: number, fit: AxisFit): JudgedFit {
  const off = tryModel(lines, fit.resampling, fit.step, wrapOffset(fit.offset + fit.step / 2, fit.step));
  const contrast = off === undefined ? 0 : (off.variance + 0.1) / (fit.variance + 0.1);
  return { ...fit, contrast, unexplained: fit.variance / spread };
}

/** The evenly spaced grid nearest to these cuts; the first and the last may have been moved by the picture's border. */
function straighten(cuts: Int32Array): { readonly step: number; readonly offset: number } {
  const count = cuts.length - 2;
  if (count < 2) return { step: cuts[cuts.length - 1], offset: 0 };
  let [sum, sumK, sumKK, sumKCut] = [0, 0, 0, 0];
  for (let k = 1; k <= count; k++) {
    sum += cuts[k];
    sumK += k;
    sumKK += k * k;
    sumKCut += k * cuts[k];
  }
  const step = (count * sumKCut - sumK * sum) / (count * sumKK - sumK * sumK);
  return { step, offset: (sum - step * sumK) / count };
}

/** Whether the grid is plain to see: it explains nearly all, and half a cell off hardly anything. */
const isPlain = ({ x, y }: GridFit): boolean =>
  Math.min(x.contrast, y.contrast) >= PLAIN_CONTRAST && Math.max(x.unexplained, y.unexplained) <= PLAIN_UNEXPLAINED;

/** The coarsest grid that is plain to see, or does not leave much more than the others: a finer one always leaves less. */
function coarsest(fits: readonly GridFit[]): GridFit | undefined {
  const ordered = [...fits].sort((a, b) => b.x.step - a.x.step || a.variance - b.variance);
  const first = ordered.find(
    (fit) =>
      isPlain(fit) ||
      ordered.every(
        (other) =>
          fit.variance <= other.variance * NEARLY * Math.max(1, fit.x.step / other.x.step) ** 1.5 + NEARLY_LEVELS_SQ,
      ),
  );
  if (first === undefined) return undefined;
  // Of grids with nearly its step, the one that is placed best.
  const alike = ordered.filter((fit) => isNear(fit, first));
  return alike.reduce((least, fit) => (fit.variance < least.variance ? fit : least), first);
}

const isNear = (fit: GridFit, coarse: GridFit): boolean =>
  fit.x.step > coarse.x.step * (1 - SAME_STEP) && fit.y.step > coarse.y.step * (1 - SAME_STEP);

/** The grid placed as well as all lines and planes can place it. */
function settle(across: PickedLines, down: PickedLines, fit: GridFit): GridFit {
  if (fit.x.resampling === 'cells') return fit;
  const place = ({ fine, variance }: PickedLines, axis: AxisFit) =>
    judge(fine, variance, refineFit(fine, axis, PLACING_PX));
  return pair(place(across, fit.x), place(down, fit.y));
}

/** The cells of a grid: their borders and their colors. */
function readGrid(
  planes: Planes,
  width: number,
  height: number,
  x: JudgedFit,
  y: JudgedFit,
  across: AxisLines,
  down: AxisLines,
): RecoveredGrid {
  const noise = Math.sqrt((x.variance + y.variance) / 2);
  let xLines = evenLines(width, x);
  let yLines = evenLines(height, y);
  let uneven = false;
  if (x.resampling === 'cells' && Math.min(x.step, y.step) >= LEAST_ELASTIC_STEP) {
    const looseX = fitElasticLines(across, x.step);
    const looseY = fitElasticLines(down, y.step);
    if (isLooser(looseX, x)) {
      xLines = Float64Array.from(looseX.cuts);
      uneven = true;
    }
    if (isLooser(looseY, y)) {
      yLines = Float64Array.from(looseY.cuts);
      uneven = true;
    }
  }
  const values =
    x.resampling === 'cells' ? middlesOf(planes, width, xLines, yLines) : solveCells(planes, width, height, x, y);
  const reach = noise > NOISY_LEVELS ? noise : x.resampling === 'cells' ? 0 : ROUNDING_LEVELS;
  const columns = xLines.length - 1;
  const rows = yLines.length - 1;
  const all = settleColors(values, columns * rows, planes.count, reach);
  if (
    x.resampling !== 'cells' &&
    noise <= NOISY_LEVELS &&
    planes.count === 3 &&
    Math.max(x.step, y.step) <= SMALL_STEP
  ) {
    const modelX = modelAxis(x.resampling, width, x.step, x.offset);
    const modelY = modelAxis(y.resampling, height, y.step, y.offset);
    polishColors(all, planes.values, modelX, modelY);
  }
  const cells = withoutSlivers(all, xLines, yLines, reach > 0 ? NOISY_SLIVER_DIFFERENCE : SLIVER_DIFFERENCE);
  ({ xLines, yLines } = cells);
  const stepX = uneven ? width / (xLines.length - 1) : x.step;
  const stepY = uneven ? height / (yLines.length - 1) : y.step;
  return { xLines, yLines, stepX, stepY, resampling: x.resampling, uneven, cells: cells.cells };
}

/** Whether lines that move by themselves are the better answer: the even grid is bad, and they leave much less with as many cells. */
const isLooser = (loose: { readonly cuts: Int32Array; readonly variance: number }, even: JudgedFit): boolean =>
  even.unexplained > EVEN_ENOUGH &&
  loose.variance < even.variance * ELASTIC_GAIN &&
  Math.abs(loose.cuts.length - 1 - even.cells) <= 1 + even.cells * 0.1;

function evenLines(size: number, { step, offset, cells }: AxisFit): Float64Array {
  const lines = new Float64Array(cells + 1);
  for (let k = 1; k < cells; k++) lines[k] = offset + k * step;
  lines[cells] = size;
  return lines;
}

interface CellsAndLines {
  readonly cells: Uint32Array;
  readonly xLines: Float64Array;
  readonly yLines: Float64Array;
}

/**
 * Without a first or last column (row) of which hardly a pixel shows and that has the colors of the next: it is there because the
 * picture's size was rounded.
 */
function withoutSlivers(
  cells: Uint32Array,
  xLines: Float64Array,
  yLines: Float64Array,
  mostDifferent: number,
): CellsAndLines {
  const columns = xLines.length - 1;
  const rows = yLines.length - 1;
  const isSame = (from: number, to: number, stride: number, count: number): boolean => {
    let different = 0;
    for (let k = 0; k < count; k++) if (cells[from + k * stride] !== cells[to + k * stride]) different++;
    return different <= count * mostDifferent;
  };
  const isThin = (lines: Float64Array, k: number): boolean =>
    lines[k + 1] - lines[k] <= Math.max(SLIVER_PX, (SLIVER_SHARE * lines[lines.length - 1]) / lines.length);
  const isBare = (lines: Float64Array, k: number): boolean => lines[k + 1] - lines[k] < BARE_PX;
  const left = isBare(xLines, 0) || (isThin(xLines, 0) && isSame(0, 1, columns, rows)) ? 1 : 0;
  const right =
    isBare(xLines, columns - 1) || (isThin(xLines, columns - 1) && isSame(columns - 1, columns - 2, columns, rows))
      ? 1
      : 0;
  const top = isBare(yLines, 0) || (isThin(yLines, 0) && isSame(0, columns, 1, columns)) ? 1 : 0;
  const bottom =
    isBare(yLines, rows - 1) ||
    (isThin(yLines, rows - 1) && isSame((rows - 1) * columns, (rows - 2) * columns, 1, columns))
      ? 1
      : 0;
  if (left + right + top + bottom === 0) return { cells, xLines, yLines };
  const kept = new Uint32Array((columns - left - right) * (rows - top - bottom));
  for (let row = top, i = 0; row < rows - bottom; row++)
    for (let column = left; column < columns - right; column++) kept[i++] = cells[row * columns + column];
  return { cells: kept, xLines: cutLines(xLines, left, right), yLines: cutLines(yLines, top, bottom) };
}

function cutLines(lines: Float64Array, before: number, after: number): Float64Array {
  const kept = lines.slice(before, lines.length - after);
  kept[0] = 0;
  kept[kept.length - 1] = lines[lines.length - 1];
  return kept;
}

/**
 * Least squares along both axes, one after the other. One plane after the other. Where interpolation overshot, what was cut off at
 * black or white is put back as the cells found so far have it, and the cells are solved for again; `unclipped` is given the pixels
 * with it put back.
 */
function solveCells(
  planes: Planes,
  width: number,
  height: number,
  x: AxisFit,
  y: AxisFit,
  unclipped?: Float32Array,
): Float64Array {
  const modelX = modelAxis(x.resampling, width, x.step, x.offset);
  const modelY = modelAxis(y.resampling, height, y.step, y.offset);
  const solverX = new AxisSolver(modelX);
  const solverY = new AxisSolver(modelY);
  const across = solverX.cells;
  const halfway = new Float64Array(height * across);
  const full = new Float64Array(across * solverY.cells);
  const values = new Float64Array(planes.count * x.cells * y.cells);
  const plane = new Float32Array(planes.size);
  for (let c = 0; c < planes.count; c++) {
    plane.set(planes.values.subarray(c * planes.size, (c + 1) * planes.size));
    for (let round = 0; ; round++) {
      for (let row = 0; row < height; row++) solverX.solve(plane, row * width, 1, halfway, row * across, 1);
      for (let column = 0; column < across; column++) solverY.solve(halfway, column, across, full, column, across);
      if (round === UNCLIP_ROUNDS || !overshoots(x.resampling)) break;
      let changed = false;
      for (let row = 0, i = 0; row < height; row++) {
        for (let column = 0; column < width; column++, i++) {
          const seen = planes.values[c * planes.size + i];
          if (seen > 0 && seen < 255) continue;
          let value = 0;
          for (let j = 0; j < modelY.taps; j++) {
            const at = (modelY.first[row] + j) * across + modelX.first[column];
            let sum = 0;
            for (let k = 0; k < modelX.taps; k++) sum += modelX.weights[column * modelX.taps + k] * full[at + k];
            value += modelY.weights[row * modelY.taps + j] * sum;
          }
          const meant = seen <= 0 ? Math.min(0, value) : Math.max(255, value);
          if (Math.abs(meant - plane[i]) > 0.02) changed = true;
          plane[i] = meant;
        }
      }
      if (!changed) break;
    }
    unclipped?.set(plane, c * planes.size);
    // Ghosts are left behind.
    for (let row = 0; row < y.cells; row++) {
      for (let column = 0; column < x.cells; column++) {
        values[(c * y.cells + row) * x.cells + column] = full[(row + 1) * across + column + 1];
      }
    }
  }
  return values;
}

const overshoots = (resampling: Resampling): boolean => resampling === 'cubic' || resampling === 'lanczos';

/** How near the border of a cell its pixels may be mixtures, px. */
const MIXED_BORDER = 0.76;

/** The median of each cell's inner pixels: those at its border may be mixtures or have ringing. */
function middlesOf(planes: Planes, width: number, xLines: Float64Array, yLines: Float64Array): Float64Array {
  const columns = xLines.length - 1;
  const rows = yLines.length - 1;
  const [fromX, toX] = innerPixels(xLines);
  const [fromY, toY] = innerPixels(yLines);
  const values = new Float64Array(planes.count * columns * rows);
  for (let c = 0; c < planes.count; c++) {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const inner = new Float32Array((toX[column] - fromX[column]) * (toY[row] - fromY[row]));
        let count = 0;
        for (let y = fromY[row]; y < toY[row]; y++) {
          for (let x = fromX[column]; x < toX[column]; x++)
            inner[count++] = planes.values[c * planes.size + y * width + x];
        }
        inner.sort();
        values[(c * rows + row) * columns + column] = (inner[(count - 1) >> 1] + inner[count >> 1]) / 2;
      }
    }
  }
  return values;
}

function innerPixels(lines: Float64Array): readonly [Int32Array, Int32Array] {
  const from = new Int32Array(lines.length - 1);
  const to = new Int32Array(lines.length - 1);
  const size = lines[lines.length - 1];
  for (let k = 0; k + 1 < lines.length; k++) {
    from[k] = Math.max(0, Math.ceil(lines[k] + MIXED_BORDER - 0.5));
    to[k] = Math.min(size, Math.floor(lines[k + 1] - MIXED_BORDER - 0.5) + 1);
    if (to[k] > from[k]) continue;
    from[k] = Math.min(size - 1, Math.max(0, Math.floor((lines[k] + lines[k + 1]) / 2)));
    to[k] = from[k] + 1;
  }
  return [from, to];
}
