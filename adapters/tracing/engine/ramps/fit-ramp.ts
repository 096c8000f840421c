import { fewer, ProfileFitter, type RampProfile, type RampSamples } from './ramp-profile.js';
import type { RampShape } from './ramp-shape.js';
import { ShapeDistance } from './shape-distance.js';

/** Knots of the profile while shapes are compared, at most, and px of the samples' box for each: fewer where the ramp is short. */
const MOST_KNOTS = 49;
const KNOT_PX = 2.5;
/** Samples that tell which kind of ramp it is, and about where; how exactly, all tell. */
const CHOOSING_SAMPLES = 256;
/** Directions tried for a linear ramp, over half a turn. */
const DIRECTIONS = 12;
/** The search stops halving its steps after so many rounds; a step is halved when no neighbor is better. */
const ROUNDS = 32;
/** A shape with more parameters must be nearer by this factor. */
const CIRCLE_FACTOR = 0.9;
const ELLIPSE_FACTOR = 0.8;
const LEAST_SQUEEZE = 0.1;
const LEAST_SQUEEZE_OF_BOX = 0.2;
/** Where the middle of an ellipse as wide and high as its samples is looked for first, as shares of their box. */
const CENTERS = [-0.25, 0, 0.25] as const;
/** First steps of the search: of the center, as a share of the ramp's size; of the angle, radians; of the squeeze, as a factor. */
const CENTER_STEP = 0.125;
const ANGLE_STEP = 0.13;
const SQUEEZE_STEP = 0.1;
const LEAST_SCALE = 1 / 2048;
/** Where the shape is known nearly, steps begin this much smaller. */
const NEAR_SCALE = 1 / 8;
/** A shape that is no further from more samples than it was from fewer, but for this factor, is still the right one. */
const STEADY = 1.02;

export interface FittedRamp {
  readonly shape: RampShape;
  readonly profile: RampProfile;
  /** Others that lie on it, back to front, and are seen through. */
  readonly over?: readonly FittedRamp[];
}

/**
 * Finds the linear, circular or elliptic ramp nearest to samples. A shape is judged by how well one profile of colors along it
 * explains all samples (variable projection: the profile is solved for every shape that is tried); shapes are searched for by
 * compass search (Hooke & Jeeves 1961) from what a quadratic surface through the samples suggests.
 */
export class RampFitter {
  private readonly profiles = new ProfileFitter();
  private readonly distance = new ShapeDistance();
  /** The samples at hand, and what they lie in. */
  private prepared: RampSamples | undefined;
  private box: Box = { cx: 0, cy: 0, width: 0, height: 0 };
  private readonly good: number;
  private readonly seeksFar: boolean;
  private knots = MOST_KNOTS;
  private rms = 0;

  /**
   * A shape as near to its samples as `goodRms` (levels) is taken as it is. `seeksFar`: ellipses are looked for from more places, for samples that compression has made
   * uneven, by which a search from few ends far off.
   */
  constructor(goodRms: number, seeksFar = false) {
    this.good = goodRms;
    this.seeksFar = seeksFar;
  }

  /** `near` is the ramp as it was when fewer samples were known. */
  fit(samples: RampSamples, near?: FittedRamp): FittedRamp {
    this.prepare(samples);
    if (near !== undefined) {
      const kept = this.search(near.shape, NEAR_SCALE);
      const isRight = this.rms <= Math.max(this.good, near.profile.rms * STEADY) || near.shape.kind === 'ellipse';
      if (isRight) return this.profiled(samples, kept);
    }
    const chosen = this.choose(fewer(samples, CHOOSING_SAMPLES), near?.shape);
    this.prepare(samples);
    return this.profiled(samples, this.search(chosen, NEAR_SCALE));
  }

  /** The shape nearest to samples. Leaves its distance in `rms`. */
  private choose(samples: RampSamples, near: RampShape | undefined): RampShape {
    const box = this.prepare(samples);
    const size = Math.max(box.width, box.height, 2);
    const base: RampShape = { kind: 'linear', cx: box.cx, cy: box.cy, angle: 0, squeeze: 1, size };
    let best = base;
    let least = Infinity;
    for (let k = 0; k < DIRECTIONS; k++) {
      const tried = { ...base, angle: (k * Math.PI) / DIRECTIONS };
      const rms = this.distance.rms(tried, this.knots);
      if (rms < least) {
        least = rms;
        best = tried;
      }
    }
    best = this.search(best, 1);
    least = this.rms;
    if (least <= this.good) return best;

    const surface = quadraticSurface(samples, box);
    const circle = this.searchFrom([
      { ...base, kind: 'circle' },
      ...(surface === undefined ? [] : [{ ...surface, kind: 'circle' as const }]),
      ...(near?.kind === 'circle' ? [near] : []),
    ]);
    if (this.rms < least * CIRCLE_FACTOR) {
      least = this.rms;
      best = circle;
    }
    if (least <= this.good) {
      this.rms = least;
      return best;
    }

    const ellipse = this.searchFrom([
      { ...circle, kind: 'ellipse', squeeze: 1.25 },
      { ...circle, kind: 'ellipse', squeeze: 0.8 },
      { ...base, kind: 'ellipse', squeeze: squeezeOf(box) },
      ...(surface === undefined ? [] : [surface]),
      ...(this.seeksFar ? ellipsesIn(base, box) : []),
    ]);
    if (this.rms < least * ELLIPSE_FACTOR) return ellipse;
    this.rms = least;
    return best;
  }

  /** The profile of a given shape over samples that may reach farther than those it was found by. */
  refit(samples: RampSamples, shape: RampShape): FittedRamp {
    this.prepare(samples);
    return this.profiled(samples, shape);
  }

  /** How near a given shape comes to samples with the best profile, root mean square, levels. */
  rmsOf(samples: RampSamples, shape: RampShape): number {
    this.prepare(samples);
    return this.distance.rms(shape, this.knots);
  }

  private prepare(samples: RampSamples): Box {
    if (samples === this.prepared) return this.box;
    this.prepared = samples;
    this.distance.begin(samples);
    const box = boxOf(samples);
    this.box = box;
    this.knots = Math.min(MOST_KNOTS, Math.round(Math.max(box.width, box.height) / KNOT_PX));
    return box;
  }

  private profiled(samples: RampSamples, shape: RampShape): FittedRamp {
    const { distance } = this;
    distance.measure(shape);
    return { shape, profile: this.profiles.fitEvenly(samples, distance.positions, distance.knots(this.knots)) };
  }

  /** From the best of some shapes. */
  private searchFrom(starts: readonly RampShape[]): RampShape {
    let best = starts[0];
    let least = Infinity;
    for (const start of starts) {
      const rms = this.distance.rms(start, this.knots);
      if (rms < least) {
        least = rms;
        best = start;
      }
    }
    return this.search(best, 1);
  }

  /** Leaves the distance of what it returns in `rms`. `scale` is that of the first steps. */
  private search(from: RampShape, scale: number): RampShape {
    let best = from;
    let least = this.distance.rms(from, this.knots);
    const first = from.kind === 'linear' ? 2 : 0;
    const end = from.kind === 'linear' ? 3 : from.kind === 'ellipse' ? 4 : 2;
    for (let round = 0; round < ROUNDS && scale > LEAST_SCALE; round++) {
      const before = least;
      for (let parameter = first; parameter < end; parameter++) {
        for (let sign = 1; sign >= -1; sign -= 2) {
          const tried = stepped(best, parameter, sign * scale);
          const rms = this.distance.rms(tried, this.knots);
          if (rms >= least - 1e-9) continue;
          least = rms;
          best = tried;
          break;
        }
      }
      if (least > before * 0.98) scale /= 2;
    }
    this.rms = least;
    return best;
  }
}

/** A shape with one of its parameters (center x and y, angle, squeeze) so many steps further. */
function stepped(shape: RampShape, parameter: number, steps: number): RampShape {
  const { kind, cx, cy, angle, squeeze, size } = shape;
  const away = steps * CENTER_STEP * size;
  return {
    kind,
    cx: parameter === 0 ? cx + away : cx,
    cy: parameter === 1 ? cy + away : cy,
    angle: parameter === 2 ? angle + steps * ANGLE_STEP : angle,
    squeeze: Math.max(LEAST_SQUEEZE, parameter === 3 ? squeeze * (1 + steps * SQUEEZE_STEP) : squeeze),
    size,
  };
}

/** Of an ellipse that is as wide and as high as a box, as gradients are that are given by the box of a shape. */
const squeezeOf = ({ width, height }: Box): number => Math.max(LEAST_SQUEEZE_OF_BOX, width / Math.max(1, height));

/** Ellipses as wide and high as a box, from several places in it. */
const ellipsesIn = (base: RampShape, box: Box): readonly RampShape[] =>
  CENTERS.flatMap((x) =>
    CENTERS.map((y) => ({
      ...base,
      kind: 'ellipse' as const,
      cx: box.cx + x * box.width,
      cy: box.cy + y * box.height,
      squeeze: squeezeOf(box),
    })),
  );

interface Box {
  readonly cx: number;
  readonly cy: number;
  readonly width: number;
  readonly height: number;
}

function boxOf({ x, y, count }: RampSamples): Box {
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  for (let i = 0; i < count; i++) {
    left = Math.min(left, x[i]);
    right = Math.max(right, x[i]);
    top = Math.min(top, y[i]);
    bottom = Math.max(bottom, y[i]);
  }
  return { cx: (left + right) / 2, cy: (top + bottom) / 2, width: right - left, height: bottom - top };
}

/**
 * The center and axes of the quadratic surface nearest to the samples' most varied channel; undefined where it has none near
 * enough to matter.
 */
function quadraticSurface(samples: RampSamples, box: Box): RampShape | undefined {
  const channel = mostVaried(samples);
  const scale = 2 / Math.max(1, box.width, box.height);
  const rows = Array.from({ length: 6 }, () => new Float64Array(7));
  const term = new Float64Array(6);
  for (let i = 0; i < samples.count; i++) {
    const u = (samples.x[i] - box.cx) * scale;
    const v = (samples.y[i] - box.cy) * scale;
    term[0] = 1;
    term[1] = u;
    term[2] = v;
    term[3] = u * u;
    term[4] = u * v;
    term[5] = v * v;
    const value = samples.channels[i * 4 + channel];
    for (let a = 0; a < 6; a++) {
      for (let b = a; b < 6; b++) rows[a][b] += term[a] * term[b];
      rows[a][6] += term[a] * value;
    }
  }
  const c = solveSymmetric(rows);
  if (c === undefined) return undefined;
  const determinant = 4 * c[3] * c[5] - c[4] * c[4];
  if (Math.abs(determinant) < 1e-9) return undefined;
  const u = (c[4] * c[2] - 2 * c[5] * c[1]) / determinant;
  const v = (c[4] * c[1] - 2 * c[3] * c[2]) / determinant;
  if (Math.abs(u) > 3 || Math.abs(v) > 3) return undefined;
  const angle = 0.5 * Math.atan2(c[4], c[3] - c[5]);
  const middle = (c[3] + c[5]) / 2;
  const spread = Math.hypot(c[4], c[3] - c[5]) / 2;
  const along = Math.abs(middle + spread);
  const acrossAxis = Math.abs(middle - spread);
  const squeeze = Math.sqrt(acrossAxis / Math.max(1e-9, along));
  return {
    kind: 'ellipse',
    cx: box.cx + u / scale,
    cy: box.cy + v / scale,
    angle,
    squeeze: Math.min(5, Math.max(0.2, squeeze)),
    size: Math.max(box.width, box.height, 2),
  };
}

function mostVaried({ channels, count }: RampSamples): number {
  let best = 0;
  let most = -1;
  for (let c = 0; c < 4; c++) {
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < count; i++) {
      const v = channels[i * 4 + c];
      sum += v;
      squares += v * v;
    }
    const variance = squares - (sum * sum) / count;
    if (variance > most) {
      most = variance;
      best = c;
    }
  }
  return best;
}

/** Gaussian elimination with the upper triangle given, the right side in the last column; undefined where singular. */
function solveSymmetric(rows: Float64Array[]): Float64Array | undefined {
  const n = rows.length;
  for (let a = 0; a < n; a++) for (let b = 0; b < a; b++) rows[a][b] = rows[b][a];
  for (let a = 0; a < n; a++) {
    let pivot = a;
    for (let b = a + 1; b < n; b++) if (Math.abs(rows[b][a]) > Math.abs(rows[pivot][a])) pivot = b;
    if (Math.abs(rows[pivot][a]) < 1e-9) return undefined;
    [rows[a], rows[pivot]] = [rows[pivot], rows[a]];
    for (let b = a + 1; b < n; b++) {
      const m = rows[b][a] / rows[a][a];
      for (let k = a; k <= n; k++) rows[b][k] -= m * rows[a][k];
    }
  }
  const out = new Float64Array(n);
  for (let a = n - 1; a >= 0; a--) {
    let v = rows[a][n];
    for (let b = a + 1; b < n; b++) v -= rows[a][b] * out[b];
    out[a] = v / rows[a][a];
  }
  return out;
}
