import { LeastSquares } from '../math/least-squares.js';
import { medianOf } from '../math/median.js';
import { picked, type RampSamples } from './ramp-profile.js';

/** An upright rectangle that a Gaussian blurs. */
export interface BlurredBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Standard deviation of the blur, px. */
  readonly sigma: number;
  /** Of its corners, px. */
  readonly radius: number;
  /** The samples that it explains. */
  readonly near: RampSamples;
}

/** Samples that the box is fitted to; how many it explains, all tell. */
const FITTED_SAMPLES = 160;
/** Fewer tell nothing. */
const LEAST_SAMPLES = 40;
/** What is off the way from the ground to the shadow's color by more is of something else, levels and share of how far it goes. */
const ASIDE_LEVELS = 2.5;
const ASIDE_SHARE = 0.06;
/** What differs by less from the ground does not tell which way that is, levels. */
const LEAST_DIFFERENCE = 3;
const WAY_ROUNDS = 3;
/** And what agrees less with that, as the cosine between them, is of something else. */
const LEAST_AGREEMENT = 0.95;
/** A shadow is seen from beside what casts it: it is darkest where it is not. */
const HIDDEN_FACTOR = 1.5;
/** Share of the darkest that is seen from which on samples lie about in the box, and the share of them that is beyond it on every side. */
const INSIDE_SHARE = 0.35;
const OUTSIDE_SHARE = 0.03;
/** Share of the samples that are off the ground by less than such a share of the darkest. */
const FAINT_SHARE = 0.15;
const FAINT_DEPTH = 0.2;
/** What differs by less from the ground at its darkest is not worth its pieces, levels. */
const LEAST_DARKEST = 8;
/** The blurs that are tried, px, and what any may be. */
const FIRST_SIGMAS: readonly number[] = [4, 8, 14];
const LEAST_SIGMA = 1.5;
const MOST_SIGMA = 48;
const LEAST_SIDE_PX = 16;
const ROUNDS = 20;
/** After so many of them a box must explain such a share, or it is given up. */
const ROUNDS_TO_TELL = 4;
const LEAST_TOLD = 0.4;
/** The longest steps: of sides, px, of the blur's logarithm, of the strength (as a share), and of the radius, px. Steps that are no more than such a share of these change nothing. */
const LONGEST_STEP = [8, 8, 8, 8, 0.4, 0.3, 4] as const;
const STILL_SHARE = 1e-3;
/** Residuals that count a quarter are so many of their median at first, and in the end. */
const FIRST_SCALES = 6;
const LAST_SCALES = 2.5;
const LEAST_SCALE = 0.5;
/** A sample is explained that is this near, levels, or as a share of the strength. */
const NEAR_LEVELS = 2;
const NEAR_SHARE = 0.05;
/** Share of the samples that a box must explain. */
const LEAST_EXPLAINED = 0.55;
/** A box this near to samples, root mean square, is the one; and more than so many levels, all that is further is as far. */
const GOOD_LEVELS = 0.6;
const FARTHEST_LEVELS = 4;
/** How many strips a round corner is taken for. */
const CORNER_STRIPS = 3;
const PARAMETERS = 7;
/** The place of the strength among them. */
const STRENGTH = 5;

/**
 * The blurred, maybe rounded rectangle, of one color over an even ground (premultiplied channels), that explains most of some samples; undefined where none does. By
 * Gauss-Newton with weights that leave outliers aside (Geman & McClure 1985), as letters and icons upon a shadow make them: from the sides that samples suggest, and a few blurs.
 */
export function locateBlurredBox(samples: RampSamples, ground: ArrayLike<number>): BlurredBox | undefined {
  const shades = new Shades(samples, ground);
  const few = shades.few();
  if (few === undefined || !fadesOut(few)) return undefined;
  let best: Float64Array | undefined;
  let least = Infinity;
  for (const sigma of FIRST_SIGMAS) {
    if (least < GOOD_LEVELS ** 2 * few.count) break;
    const fitted = refine(few, startOf(few, sigma));
    const off = fitted === undefined ? Infinity : offBy(few, fitted);
    if (off >= least) continue;
    least = off;
    best = fitted;
  }
  if (best === undefined) return undefined;
  const kept = explainedBy(shades, best);
  if (kept.length < samples.count * LEAST_EXPLAINED) return undefined;
  const [left, right, top, bottom, logSigma, , radius] = best;
  return {
    left,
    top,
    right,
    bottom,
    sigma: Math.exp(logSigma),
    radius,
    near: picked(samples, kept.length, (k) => kept[k]),
  };
}

/** Whether many samples are hardly off the ground, some are by much, and hardly any on its other side: most gradients end at an edge. */
function fadesOut({ depth, count }: Shaded): boolean {
  const sorted = Float64Array.from(depth).sort();
  const darkest = sorted[Math.floor((count - 1) * (1 - OUTSIDE_SHARE))];
  return (
    darkest >= LEAST_DARKEST &&
    sorted[Math.floor(count * FAINT_SHARE)] < FAINT_DEPTH * darkest &&
    sorted[Math.floor(count * OUTSIDE_SHARE)] > -LEAST_DIFFERENCE
  );
}

/** How far samples are from a ground, on the way that most of them go. */
class Shades {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly count: number;
  /** Levels; NaN for those that are of something else. */
  readonly depth: Float64Array;

  constructor(samples: RampSamples, ground: ArrayLike<number>) {
    const { x, y, channels, count } = samples;
    this.x = x;
    this.y = y;
    this.count = count;
    const off = new Float64Array(4 * count);
    for (let i = 0; i < count; i++) {
      const alpha = channels[4 * i + 3];
      for (let c = 0; c < 4; c++) {
        const value = c === 3 ? alpha : (channels[4 * i + c] * alpha) / 255;
        off[4 * i + c] = value - ground[c];
      }
    }
    const way = wayOf(off, count);
    this.depth = new Float64Array(count).fill(Number.NaN);
    if (way === undefined) return;
    for (let i = 0; i < count; i++) {
      let [along, sq] = [0, 0];
      for (let c = 0; c < 4; c++) {
        along += off[4 * i + c] * way[c];
        sq += off[4 * i + c] ** 2;
      }
      const aside = Math.sqrt(Math.max(0, sq - along * along));
      if (aside <= ASIDE_LEVELS + ASIDE_SHARE * Math.abs(along)) this.depth[i] = along;
    }
  }

  /** Some of those that may be of a shadow; undefined where there are too few. */
  few(): Shaded | undefined {
    const kept: number[] = [];
    for (let i = 0; i < this.count; i++) if (!Number.isNaN(this.depth[i])) kept.push(i);
    if (kept.length < Math.max(LEAST_SAMPLES, LEAST_EXPLAINED * this.count)) return undefined;
    const count = Math.min(FITTED_SAMPLES, kept.length);
    const some = Array.from({ length: count }, (_, k) => kept[Math.floor((k * kept.length) / count)]);
    const of = (values: Float64Array) => Float64Array.from(some, (i) => values[i]);
    return { x: of(this.x), y: of(this.y), depth: of(this.depth), count };
  }
}

type Shaded = Pick<Shades, 'x' | 'y' | 'depth' | 'count'>;

/** The direction in which most differ from the ground, one long; undefined where none does. */
function wayOf(off: Float64Array, count: number): Float64Array | undefined {
  let way: Float64Array | undefined;
  for (let round = 0; round < WAY_ROUNDS; round++) {
    const sum = new Float64Array(4);
    for (let i = 0; i < count; i++) {
      let [along, sq] = [0, 0];
      for (let c = 0; c < 4; c++) {
        if (way !== undefined) along += off[4 * i + c] * way[c];
        sq += off[4 * i + c] ** 2;
      }
      const length = Math.sqrt(sq);
      if (length < LEAST_DIFFERENCE || (way !== undefined && along < LEAST_AGREEMENT * length)) continue;
      for (let c = 0; c < 4; c++) sum[c] += off[4 * i + c] / length;
    }
    const length = Math.hypot(...sum);
    if (length === 0) return way;
    way = sum.map((v) => v / length);
  }
  return way;
}

/** Left, right, top, bottom, the blur's logarithm, the strength (levels) and the corners' radius of the box that samples suggest. */
function startOf({ x, y, depth, count }: Shaded, sigma: number): Float64Array {
  const sorted = Float64Array.from(depth).sort();
  const darkest = sorted[Math.floor((count - 1) * (1 - OUTSIDE_SHARE))];
  const inside: number[] = [];
  for (let i = 0; i < count; i++) if (depth[i] > INSIDE_SHARE * darkest) inside.push(i);
  const ends = (values: Float64Array): [number, number] => {
    const own = Float64Array.from(inside, (i) => values[i]).sort();
    const k = Math.floor(own.length * OUTSIDE_SHARE);
    return [own[k], own[own.length - 1 - k]];
  };
  return Float64Array.from([...ends(x), ...ends(y), Math.log(sigma), HIDDEN_FACTOR * darkest, sigma]);
}

/** The parameters nearest to samples; undefined where they lead nowhere. */
function refine(shaded: Shaded, start: Float64Array): Float64Array | undefined {
  const { x, y, depth, count } = shaded;
  const equations = new LeastSquares(PARAMETERS);
  const slopes = Array.from({ length: count }, () => new Float64Array(PARAMETERS));
  const row = new Float64Array(PARAMETERS);
  const residuals = new Float64Array(count);
  const parameters = start.slice();
  const model = new Model();
  for (let round = 0; round < ROUNDS; round++) {
    if (round === ROUNDS_TO_TELL && explainedBy(shaded, parameters).length < LEAST_TOLD * count) return undefined;
    model.use(parameters);
    for (let i = 0; i < count; i++) {
      model.slopes(x[i], y[i], slopes[i]);
      residuals[i] = depth[i] - slopes[i][STRENGTH];
    }
    const scale = Math.max(LEAST_SCALE, medianOf(residuals.map(Math.abs)));
    const halfSq = ((round < ROUNDS / 2 ? FIRST_SCALES : LAST_SCALES) * scale) ** 2;
    equations.clear();
    for (let i = 0; i < count; i++) equations.add(slopes[i], residuals[i], 1 / (1 + residuals[i] ** 2 / halfSq) ** 2);
    // A little of each parameter's own square keeps steps short that samples say little about.
    for (let k = 0; k < PARAMETERS; k++) {
      row.fill(0);
      row[k] = 1;
      equations.add(row, 0, 0.1 * (scale / LONGEST_STEP[k]) ** 2);
    }
    if (!equations.solve()) return undefined;
    let isStill = true;
    for (let k = 0; k < PARAMETERS; k++) {
      const step = Math.max(-LONGEST_STEP[k], Math.min(LONGEST_STEP[k], equations.x[k]));
      parameters[k] += k === STRENGTH ? step * parameters[STRENGTH] : step;
      if (Math.abs(step) > STILL_SHARE * LONGEST_STEP[k]) isStill = false;
    }
    parameters[4] = Math.max(Math.log(LEAST_SIGMA), Math.min(Math.log(MOST_SIGMA), parameters[4]));
    const [left, right, top, bottom, , strength] = parameters;
    if (right - left < LEAST_SIDE_PX || bottom - top < LEAST_SIDE_PX || !(strength > 0)) return undefined;
    parameters[6] = Math.max(0, Math.min(parameters[6], (right - left) / 2, (bottom - top) / 2));
    // At rest with the first weights, it goes on with the last.
    if (isStill && round + 1 >= ROUNDS / 2) break;
    if (isStill) round = ROUNDS / 2 - 1;
  }
  return parameters;
}

/** How far samples are from a box, squared; what is far is none of it, however far. */
function offBy({ x, y, depth, count }: Shaded, parameters: Float64Array): number {
  const model = new Model().use(parameters);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += Math.min(FARTHEST_LEVELS, Math.abs(depth[i] - model.at(x[i], y[i]))) ** 2;
  return sum;
}

/** The samples that a box explains. */
function explainedBy({ x, y, depth, count }: Shaded, parameters: Float64Array): readonly number[] {
  const model = new Model().use(parameters);
  const most = Math.max(NEAR_LEVELS, NEAR_SHARE * parameters[STRENGTH]);
  const kept: number[] = [];
  for (let i = 0; i < count; i++) if (Math.abs(depth[i] - model.at(x[i], y[i])) <= most) kept.push(i);
  return kept;
}

/** A rectangle under a Gaussian: of strips that are each as wide as it is there, so that every one is a product of two blurred intervals. */
class Model {
  private readonly edges = new Float64Array(2 * CORNER_STRIPS + 2);
  private readonly inset = new Float64Array(CORNER_STRIPS + 1);
  private readonly own = new Float64Array(PARAMETERS);
  private left = 0;
  private right = 0;
  private strength = 0;
  private scale = 1;

  use([left, right, top, bottom, logSigma, strength, radius]: Float64Array): this {
    this.left = left;
    this.right = right;
    this.strength = strength;
    this.scale = Math.exp(-logSigma) * Math.SQRT1_2;
    const { edges, inset } = this;
    const last = edges.length - 1;
    for (let k = 0; k <= CORNER_STRIPS; k++) {
      edges[k] = top + (k * radius) / CORNER_STRIPS;
      edges[last - k] = bottom - (k * radius) / CORNER_STRIPS;
      inset[k] = INSETS[k] * radius;
    }
    return this;
  }

  /** How far from the ground a place is, levels. */
  at(x: number, y: number): number {
    this.slopes(x, y, this.own);
    return this.own[STRENGTH];
  }

  /** How that changes with every parameter, into `out`: with the strength, as a share of itself, by all of it. */
  slopes(x: number, y: number, out: Float64Array): void {
    const { edges, inset, left, right, scale, strength } = this;
    const last = edges.length - 1;
    out.fill(0);
    let outerTop = blurredAt(y - edges[0], scale);
    let outerBottom = blurredAt(y - edges[last], scale);
    for (let k = 0; k < inset.length; k++) {
      const isMiddle = k + 1 === inset.length;
      // Of the strip and its twin at the other end each edge counts once more or less; the middle one is its own twin.
      const fromLeft = blurredAt(x - left - inset[k], scale);
      const fromRight = blurredAt(x - right + inset[k], scale);
      const across = fromLeft.share - fromRight.share;
      const acrossByBlur = fromLeft.byBlur - fromRight.byBlur;
      const innerTop = isMiddle ? NOTHING : blurredAt(y - edges[k + 1], scale);
      const innerBottom = isMiddle ? NOTHING : blurredAt(y - edges[last - k - 1], scale);
      const down = outerTop.share - innerTop.share + innerBottom.share - outerBottom.share;
      const downByBlur = outerTop.byBlur - innerTop.byBlur + innerBottom.byBlur - outerBottom.byBlur;
      const [outer, inner] = [k / CORNER_STRIPS, (k + 1) / CORNER_STRIPS];
      const downByRadius = inner * (innerTop.slope + innerBottom.slope) - outer * (outerTop.slope + outerBottom.slope);
      out[0] -= down * fromLeft.slope;
      out[1] += down * fromRight.slope;
      out[2] += across * (innerTop.slope - outerTop.slope);
      out[3] += across * (outerBottom.slope - innerBottom.slope);
      out[4] += down * acrossByBlur + downByBlur * across;
      out[STRENGTH] += down * across;
      out[6] += downByRadius * across - down * INSETS[k] * (fromLeft.slope + fromRight.slope);
      outerTop = innerTop;
      outerBottom = innerBottom;
    }
    for (let k = 0; k < PARAMETERS; k++) out[k] *= strength / 4;
  }
}

/** How far strips are inset where a corner of radius 1 is, from its end on; none in the middle. */
const INSETS = Float64Array.from({ length: CORNER_STRIPS + 1 }, (_, k) => {
  const beyond = k < CORNER_STRIPS ? 1 - (k + 0.5) / CORNER_STRIPS : 0;
  return 1 - Math.sqrt(1 - beyond * beyond);
});

/** What an edge that is blurred shows at a place, -1 to 1; how that changes with the place, px, and with the blur's logarithm. */
interface BlurredEdge {
  readonly share: number;
  readonly slope: number;
  readonly byBlur: number;
}

const NOTHING: BlurredEdge = { share: 0, slope: 0, byBlur: 0 };

function blurredAt(distance: number, scale: number): BlurredEdge {
  const at = distance * scale;
  const gaussian = Math.exp(-at * at);
  const slope = scale * TWO_BY_ROOT_PI * gaussian;
  return { share: errorFunction(at, gaussian), slope, byBlur: -distance * slope };
}

const TWO_BY_ROOT_PI = 2 / Math.sqrt(Math.PI);

/** The Gaussian error function, to 2e-7 (Abramowitz & Stegun 7.1.26), where exp(-x²) is known. */
function errorFunction(x: number, gaussian: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const value = 1 - sum * gaussian;
  return x < 0 ? -value : value;
}
