import { LeastSquares } from '../math/least-squares.js';
import { type FittedRamp, RampFitter } from './fit-ramp.js';
import {
  BASE_SIZE,
  COLORS_SIZE,
  type LayerKind,
  LayerModel,
  layerStart,
  OVER_SIZE,
  OVER_STOPS,
  SHAPE_SIZE,
} from './layer-model.js';
import { type Frame, layerOf, rampsOf } from './layer-shapes.js';
import { knotBefore, partOf, type RampSamples } from './ramp-profile.js';
import type { RampShape } from './ramp-shape.js';

/** Layers on the one beneath, at most. */
const MOST_OVER = 5;
/** Rounds of a first guess alone, over what lies beneath; of the best of these, so many, with all layers; and rounds from the better one. */
const GUESS_ROUNDS = 8;
const TRIALS = 3;
const TRIAL_ROUNDS = 5;
const ROUNDS = 40;
/** Damping at first, and by how much it grows and falls (Levenberg 1944, Marquardt 1963). */
const FIRST_DAMPING = 1e-2;
const LEAST_DAMPING = 1e-7;
const MOST_DAMPING = 1e6;
const DAMPING_STEP = 5;
/** Places around an area that the layer beneath may go out from, and how far they are from its middle, in shares of half its longer side. So many of all that it may be get a layer more. */
const BENEATH_AROUND = 8;
const BENEATH_AWAY = 1.2;
const BENEATHS = 3;
/** Unknowns that nothing depends on stay where they are. */
const IDLE = 1e-6;
/** What brings less than this share is the end. */
const LEAST_GAIN = 0.01;
const LEAST_TRIAL_GAIN = 0.01;
/** A layer more must leave no more than this share of what there was, root mean square. */
const WORTH_FACTOR = 0.9;
/** And one layer after the other at best leaves about so much. */
const HOPED_FACTOR = 0.6;
/** Layers this near to their samples are right, levels. */
const RIGHT_RMS = 0.9;
/** How much farther than the colors they lead to those of layers are, at first: they are seldom opaque. */
const COLOR_TIMES = 3;
/** First guesses, in the area's frame: spots of these radii, so many of each, the best of those around places so many to each side of the middle, as far out. */
const SPOT_RADII = [0.4, 0.9] as const;
const SPOTS_EACH = 2;
const SPOT_STEPS = 5;
const SPOT_REACH = 1.1;
/** How opaque what is guessed is at most. */
const MOST_OPACITY = 0.33;
/** Sides that a layer may come from, and of these as many guesses; it begins so far from the middle, and reaches over so much. */
const SIDES = 8;
const SIDES_TRIED = 2;
const SIDE_FROM = 0.3;
const SIDE_SPAN = 0.8;
/** And a rim so far out. */
const RIM_FROM = 0.5;
const RIM_SPAN = 0.7;
/** A guess must have so much to go by. */
const LEAST_WEIGHT = 2;

/** Gradients that lie on each other, back to front, and what they leave, root mean square, levels. */
export interface FittedLayers {
  readonly layers: readonly FittedRamp[];
  readonly rms: number;
}

/**
 * Finds gradients that lie on each other and together are near to samples: one that is opaque, and on it others that fade out, each from one color evenly to another. They
 * are added one by one, each begun in several ways from what those before it leave, and all are then moved together by damped least squares.
 */
export class LayerFitter {
  private readonly fitter: RampFitter;
  private readonly samples: RampSamples;
  private readonly frame: Frame;
  private readonly u: Float64Array;
  private readonly v: Float64Array;
  /** What the model at hand gives. */
  private colors: Float64Array;
  private others: Float64Array;

  /** Of opaque samples. */
  constructor(samples: RampSamples) {
    const { count, x, y } = samples;
    this.samples = samples;
    this.fitter = new RampFitter(RIGHT_RMS);
    const frame = frameOf(samples);
    this.frame = frame;
    this.u = Float64Array.from(x, (value) => (value - frame.x) / frame.scale);
    this.v = Float64Array.from(y, (value) => (value - frame.y) / frame.scale);
    this.colors = new Float64Array(3 * count);
    this.others = new Float64Array(3 * count);
  }

  /** As many layers as are worth it; undefined where these are not, or hardly will be, as near as `most`, root mean square, levels. */
  fit(most: number): FittedLayers | undefined {
    const beneath = this.beneath();
    const alone = nearestOf(beneath);
    let at = alone.rms <= RIGHT_RMS ? alone : nearestOf(beneath.map((one) => this.withOneMore(one)));
    while (at.kinds.length <= MOST_OVER && at.rms > RIGHT_RMS) {
      const next = this.withOneMore(at);
      if (next.rms > at.rms * WORTH_FACTOR) break;
      at = next;
      if (at.rms * HOPED_FACTOR ** (MOST_OVER + 1 - at.kinds.length) > most) return undefined;
    }
    return at.rms > most ? undefined : { layers: rampsOf(at.kinds, at.x, this.frame), rms: at.rms };
  }

  /** What the layer beneath all others may be: what is nearest alone, and what goes out from some places around, of which the nearest are taken. */
  private beneath(): readonly Layers[] {
    const { samples, frame, fitter } = this;
    const size = 2 * frame.scale;
    const away = BENEATH_AWAY * frame.scale;
    const around = Array.from({ length: BENEATH_AROUND }, (_, k): RampShape => {
      const angle = (2 * Math.PI * k) / BENEATH_AROUND;
      const [cx, cy] = [frame.x + away * Math.cos(angle), frame.y + away * Math.sin(angle)];
      return { kind: 'circle', cx, cy, angle: 0, squeeze: 1, size };
    });
    const ramps = [fitter.fit(samples), ...around.map((shape) => fitter.refit(samples, shape))];
    const tried = ramps.map((ramp): Layers => {
      const { kind, unknowns } = layerOf(ramp, frame);
      return { kinds: [kind], x: unknowns, rms: this.improve([kind], unknowns, TRIAL_ROUNDS, LEAST_TRIAL_GAIN) };
    });
    return tried.sort((a, b) => a.rms - b.rms).slice(0, BENEATHS);
  }

  /** The best of some first guesses of one layer more. */
  private withOneMore({ kinds, x }: Layers): Layers {
    this.evaluate(new LayerModel(kinds), x, this.colors);
    const tried = this.guesses().map(({ kind, unknowns }) => {
      const more = { kinds: [...kinds, kind], x: Float64Array.from([...x, ...unknowns]) };
      return { ...more, rms: this.improve(more.kinds, more.x, GUESS_ROUNDS, LEAST_TRIAL_GAIN, kinds.length) };
    });
    tried.sort((a, b) => a.rms - b.rms);
    const trials = tried.slice(0, TRIALS);
    for (const trial of trials) trial.rms = this.improve(trial.kinds, trial.x, TRIAL_ROUNDS, LEAST_TRIAL_GAIN);
    const nearest = nearestOf(trials);
    return { ...nearest, rms: this.improve(nearest.kinds, nearest.x, ROUNDS, LEAST_GAIN) };
  }

  /** What a layer more may be, by what the colors at hand leave. */
  private guesses(): readonly Guess[] {
    const { samples, colors, frame } = this;
    const { count, x, y, channels } = samples;
    const left = new Float64Array(4 * count);
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < 3; c++) left[4 * i + c] = channels[4 * i + c] - colors[3 * i + c];
      left[4 * i + 3] = 255;
    }
    const mean = meanOf(samples);
    const ramp = this.fitter.fit({ count, x, y, channels: left });
    return [guessOf(ramp, mean, frame), ...this.spots(left, mean), ...this.sides(left, mean), ...this.rim(left, mean)];
  }

  /** Round spots where most is left. */
  private spots(left: Float64Array, mean: Float64Array): readonly Guess[] {
    return SPOT_RADII.flatMap((radius) => {
      const found: Gain[] = [];
      for (let a = -SPOT_STEPS; a <= SPOT_STEPS; a++) {
        for (let b = -SPOT_STEPS; b <= SPOT_STEPS; b++) {
          const cu = (b / SPOT_STEPS) * SPOT_REACH;
          const cv = (a / SPOT_STEPS) * SPOT_REACH;
          const guess = { kind: 'radial', shape: [cu, cv, 1 / radius, 0, 1 / radius, 0], fades: true } as const;
          found.push(this.gainOf(guess, (u, v) => 1 - Math.hypot(u - cu, v - cv) / radius, left));
        }
      }
      return best(found, SPOTS_EACH).map((gain) => guessFrom(gain, mean));
    });
  }

  /** What comes in from a side. */
  private sides(left: Float64Array, mean: Float64Array): readonly Guess[] {
    const found = Array.from({ length: SIDES }, (_, k) => {
      const [du, dv] = [Math.cos((2 * Math.PI * k) / SIDES), Math.sin((2 * Math.PI * k) / SIDES)];
      const shape = [du / SIDE_SPAN, dv / SIDE_SPAN, -SIDE_FROM / SIDE_SPAN, 0, 0, 0];
      return this.gainOf({ kind: 'linear', shape, fades: false }, (u, v) => du * u + dv * v - SIDE_FROM, left);
    });
    return best(found, SIDES_TRIED).map((gain) => guessFrom(gain, mean));
  }

  /** What comes in from all sides. */
  private rim(left: Float64Array, mean: Float64Array): readonly Guess[] {
    const shape = [0, 0, 1 / RIM_SPAN, 0, 1 / RIM_SPAN, RIM_FROM / RIM_SPAN];
    const gain = this.gainOf({ kind: 'radial', shape, fades: false }, (u, v) => Math.hypot(u, v) - RIM_FROM, left);
    return best([gain], 1).map((one) => guessFrom(one, mean));
  }

  /** How much of what is left a layer takes whose opacity is as `shareAt` has it, where that is above zero. */
  private gainOf(layer: FirstLayer, shareAt: (u: number, v: number) => number, left: Float64Array): Gain {
    const { u, v, samples } = this;
    const step = new Float64Array(3);
    let weight = 0;
    for (let i = 0; i < samples.count; i++) {
      const share = shareAt(u[i], v[i]);
      if (share <= 0) continue;
      weight += share * share;
      for (let c = 0; c < 3; c++) step[c] += share * left[4 * i + c];
    }
    if (weight < LEAST_WEIGHT) return { layer, step, gain: 0 };
    const gain = (step[0] ** 2 + step[1] ** 2 + step[2] ** 2) / weight;
    return { layer, step: step.map((sum) => sum / weight), gain };
  }

  /** Moves all unknowns of the layers from one on nearer to the samples, in place; returns what is left, root mean square. */
  private improve(kinds: readonly LayerKind[], x: Float64Array, rounds: number, leastGain: number, first = 0): number {
    const model = new LayerModel(kinds);
    const start = layerStart(first);
    const size = model.size - start;
    const system = new LeastSquares(size);
    const matrix = new Float64Array(size * size);
    const right = new Float64Array(size);
    const tried = Float64Array.from(x);
    let error = this.evaluate(model, x, this.colors);
    let damping = FIRST_DAMPING;
    for (let round = 0; round < rounds; round++) {
      this.collect(model, x, first, matrix, right);
      const before = error;
      while (error === before && damping < MOST_DAMPING) {
        system.clear();
        for (let a = 0; a < size; a++) {
          for (let b = 0; b <= a; b++) system.put(b, a, matrix[a * size + b]);
          system.put(a, a, matrix[a * size + a] * (1 + damping) + damping * IDLE + IDLE);
          system.put(a, size, right[a]);
        }
        if (system.solve()) {
          for (let a = 0; a < size; a++) tried[start + a] = x[start + a] + system.x[a];
          keepPossible(tried);
          const now = this.evaluate(model, tried, this.others);
          if (now < error) {
            error = now;
            x.set(tried);
            [this.colors, this.others] = [this.others, this.colors];
            damping = Math.max(LEAST_DAMPING, damping / DAMPING_STEP);
            break;
          }
        }
        damping *= DAMPING_STEP;
      }
      if (before - error < leastGain * before) break;
    }
    return Math.sqrt(error / (3 * this.samples.count));
  }

  /** The colors that some layers have at the samples; returns the squared distance from these. */
  private evaluate(model: LayerModel, x: Float64Array, colors: Float64Array): number {
    const { u, v, samples } = this;
    const { channels, count } = samples;
    let error = 0;
    for (let i = 0; i < count; i++) {
      model.read(x, u[i], v[i]);
      for (let c = 0; c < 3; c++) {
        colors[3 * i + c] = model.color[c];
        error += (channels[4 * i + c] - model.color[c]) ** 2;
      }
    }
    return error;
  }

  /** The normal equations, lower half. */
  private collect(model: LayerModel, x: Float64Array, first: number, matrix: Float64Array, right: Float64Array): void {
    const { u, v, samples } = this;
    const { channels, count } = samples;
    const { rowSize, unknowns, row, color } = model;
    const start = layerStart(first);
    const size = model.size - start;
    const length = model.rowSizeFrom(first);
    // Many layers are even where a place is: of these nothing is summed.
    const places = new Int32Array(length);
    const values = new Float64Array(length);
    matrix.fill(0);
    right.fill(0);
    for (let i = 0; i < count; i++) {
      model.readWithSlopes(x, u[i], v[i], first);
      for (let c = 0; c < 3; c++) {
        let some = 0;
        for (let k = c * rowSize, end = k + length; k < end; k++) {
          if (row[k] === 0) continue;
          places[some] = unknowns[k] - start;
          values[some++] = row[k];
        }
        const off = channels[4 * i + c] - color[c];
        for (let a = 0; a < some; a++) {
          const value = values[a];
          right[places[a]] += value * off;
          const at = places[a] * size;
          for (let b = 0; b <= a; b++) matrix[at + places[b]] += value * values[b];
        }
      }
    }
  }
}

/** Layers, as numbers that can be solved for, and what they leave. */
interface Layers {
  readonly kinds: readonly LayerKind[];
  readonly x: Float64Array;
  readonly rms: number;
}

const nearestOf = (layers: readonly Layers[]): Layers =>
  layers.reduce((nearest, one) => (one.rms < nearest.rms ? one : nearest));

/** A layer more, as it is first tried. */
interface Guess {
  readonly kind: LayerKind;
  readonly unknowns: Float64Array;
}

/** Where a layer is, and whether it is most opaque at its first stop or at its last. */
interface FirstLayer {
  readonly kind: LayerKind;
  readonly shape: readonly number[];
  readonly fades: boolean;
}

/** By how many levels a layer would change colors at most, and how much it would take of what is left. */
interface Gain {
  readonly layer: FirstLayer;
  readonly step: Float64Array;
  readonly gain: number;
}

const best = (found: readonly Gain[], count: number): readonly Gain[] =>
  found
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, count);

/** A layer that changes colors that are `mean` on average by about as much. */
function guessFrom({ layer: { kind, shape, fades }, step }: Gain, mean: Float64Array): Guess {
  const color = step.map((value, c) => levelOf(mean[c] + COLOR_TIMES * value));
  const opacity = Float64Array.from({ length: OVER_STOPS }, (_, n) => (MOST_OPACITY * n) / (OVER_STOPS - 1));
  return {
    kind,
    unknowns: Float64Array.from([...shape, ...color, ...color, ...(fades ? opacity.reverse() : opacity)]),
  };
}

/** A layer that does about what a ramp adds to colors that are so on average. */
function guessOf(ramp: FittedRamp, mean: Float64Array, frame: Frame): Guess {
  const { knots, values } = ramp.profile;
  const lengthSqAt = (k: number) => values[4 * k] ** 2 + values[4 * k + 1] ** 2 + values[4 * k + 2] ** 2;
  let most = 0;
  for (let k = 1; k < knots.length; k++) if (lengthSqAt(k) > lengthSqAt(most)) most = k;
  const color = [0, 1, 2].map((c) => levelOf(mean[c] + COLOR_TIMES * values[4 * most + c]));
  const step = color.map((value, c) => value - mean[c]);
  const stepSq = Math.max(1, step[0] ** 2 + step[1] ** 2 + step[2] ** 2);
  const last = knots[knots.length - 1];
  const opacity = Array.from({ length: OVER_STOPS }, (_, n) => {
    const position = knots[0] + ((last - knots[0]) * n) / (OVER_STOPS - 1);
    const k = knotBefore(knots, position);
    const part = partOf(knots, k, position);
    let along = 0;
    for (let c = 0; c < 3; c++)
      along += step[c] * (values[4 * k + c] + part * (values[4 * k + 4 + c] - values[4 * k + c]));
    return Math.max(0, Math.min(1, along / stepSq));
  });
  const { kind, unknowns } = layerOf(ramp, frame);
  return { kind, unknowns: Float64Array.from([...unknowns.subarray(0, SHAPE_SIZE), ...color, ...color, ...opacity]) };
}

/** Keeps colors and opacity of layers within what there is. */
function keepPossible(x: Float64Array): void {
  for (let at = SHAPE_SIZE; at < BASE_SIZE; at++) x[at] = levelOf(x[at]);
  for (let at = BASE_SIZE; at < x.length; at += OVER_SIZE) {
    for (let c = 0; c < COLORS_SIZE; c++) x[at + SHAPE_SIZE + c] = levelOf(x[at + SHAPE_SIZE + c]);
    for (let k = 0; k < OVER_STOPS; k++) {
      const to = at + SHAPE_SIZE + COLORS_SIZE + k;
      x[to] = Math.max(0, Math.min(1, x[to]));
    }
  }
}

const levelOf = (value: number): number => Math.max(0, Math.min(255, value));

function meanOf({ count, channels }: RampSamples): Float64Array {
  const mean = new Float64Array(3);
  for (let i = 0; i < count; i++) for (let c = 0; c < 3; c++) mean[c] += channels[4 * i + c] / count;
  return mean;
}

/** The frame in which the samples lie within -1..1. */
function frameOf({ x, y }: RampSamples): Frame {
  const [left, right] = [Math.min(...x), Math.max(...x)];
  const [top, bottom] = [Math.min(...y), Math.max(...y)];
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.max(1, right - left, bottom - top) / 2 };
}
