import type { FittedRamp } from './fit-ramp.js';
import {
  BASE_SIZE,
  BASE_STOPS,
  COLORS_SIZE,
  type LayerKind,
  layerStart,
  OVER_STOPS,
  SHAPE_SIZE,
} from './layer-model.js';
import { knotBefore, partOf, type RampProfile } from './ramp-profile.js';
import type { RampShape } from './ramp-shape.js';

/** Where an area is: its middle, and half its longer side, px. */
export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Stops that are so near to the line between those on both sides, levels over all channels, are none. */
const STRAIGHT_LEVELS = 0.4;
const LEAST_SQUEEZE = 0.01;
const LEAST_SLOPE = 1e-6;

/** A ramp as the layer beneath all others. */
export function layerOf(
  { shape, profile }: FittedRamp,
  { x, y, scale }: Frame,
): { readonly kind: LayerKind; readonly unknowns: Float64Array } {
  const { knots, values } = profile;
  const first = knots[0];
  const span = Math.max(LEAST_SLOPE, knots[knots.length - 1] - first);
  const unknowns = new Float64Array(BASE_SIZE);
  const ux = Math.cos(shape.angle);
  const uy = Math.sin(shape.angle);
  const isLinear = shape.kind === 'linear';
  const slope = scale / span;
  if (isLinear) {
    unknowns[0] = slope * ux;
    unknowns[1] = slope * uy;
    unknowns[2] = ((x - shape.cx) * ux + (y - shape.cy) * uy - first) / span;
  } else {
    const squeeze = shape.kind === 'ellipse' ? shape.squeeze : 1;
    unknowns[0] = (shape.cx - x) / scale;
    unknowns[1] = (shape.cy - y) / scale;
    unknowns[2] = slope * (ux * ux + squeeze * uy * uy);
    unknowns[3] = slope * (1 - squeeze) * ux * uy;
    unknowns[4] = slope * (uy * uy + squeeze * ux * ux);
    unknowns[5] = first / span;
  }
  for (let n = 0; n < BASE_STOPS; n++) {
    const position = first + (span * n) / (BASE_STOPS - 1);
    const k = knotBefore(knots, position);
    const part = partOf(knots, k, position);
    for (let c = 0; c < 3; c++)
      unknowns[SHAPE_SIZE + 3 * n + c] = values[4 * k + c] + part * (values[4 * k + 4 + c] - values[4 * k + c]);
  }
  return { kind: isLinear ? 'linear' : 'radial', unknowns };
}

/** Layers as ramps, back to front. */
export function rampsOf(kinds: readonly LayerKind[], x: Float64Array, frame: Frame): readonly FittedRamp[] {
  return kinds.map((kind, layer) => {
    const at = layerStart(layer);
    const count = layer === 0 ? BASE_STOPS : OVER_STOPS;
    const { shape, first, span } =
      kind === 'linear' ? linearShape(x.subarray(at), frame) : radialShape(x.subarray(at), frame);
    const values = new Float64Array(4 * count);
    for (let n = 0; n < count; n++) {
      const own = at + SHAPE_SIZE;
      const along = n / (count - 1);
      for (let c = 0; c < 3; c++) {
        const value = layer === 0 ? x[own + 3 * n + c] : x[own + c] + along * (x[own + 3 + c] - x[own + c]);
        values[4 * n + c] = Math.max(0, Math.min(255, value));
      }
      values[4 * n + 3] = layer === 0 ? 255 : 255 * x[own + COLORS_SIZE + n];
    }
    const knots = Float64Array.from({ length: count }, (_, n) => first + (span * n) / (count - 1));
    return { shape, profile: withoutStraight(fromCenter(kind, { knots, values, rms: 0 })) };
  });
}

interface Along {
  readonly shape: RampShape;
  /** Where along it the first stop is, and how far from there to the last, px. */
  readonly first: number;
  readonly span: number;
}

function linearShape(x: Float64Array, frame: Frame): Along {
  const slope = Math.max(LEAST_SLOPE, Math.hypot(x[0], x[1]));
  const shape: RampShape = {
    kind: 'linear',
    cx: frame.x,
    cy: frame.y,
    angle: Math.atan2(x[1], x[0]),
    squeeze: 1,
    size: 2 * frame.scale,
  };
  return { shape, first: (-x[2] * frame.scale) / slope, span: frame.scale / slope };
}

/** By the eigenvectors of the symmetric matrix. */
function radialShape(x: Float64Array, frame: Frame): Along {
  const [xx, xy, yy] = [x[2], x[3], x[4]];
  const middle = (xx + yy) / 2;
  const spread = Math.hypot((xx - yy) / 2, xy);
  // What a place is mapped to has the same length whatever the signs of the eigenvalues.
  const [plus, minus] = [Math.abs(middle + spread), Math.abs(middle - spread)];
  const angle = 0.5 * Math.atan2(2 * xy, xx - yy) + (plus >= minus ? 0 : Math.PI / 2);
  const slope = Math.max(LEAST_SLOPE, plus, minus);
  const shape: RampShape = {
    kind: 'ellipse',
    cx: frame.x + x[0] * frame.scale,
    cy: frame.y + x[1] * frame.scale,
    angle,
    squeeze: Math.max(LEAST_SQUEEZE, Math.min(plus, minus) / slope),
    size: 2 * frame.scale,
  };
  return { shape, first: (x[5] * frame.scale) / slope, span: frame.scale / slope };
}

/** Of what goes on from a center no stop lies before that. */
function fromCenter(kind: LayerKind, { knots, values, rms }: RampProfile): RampProfile {
  if (kind === 'linear' || knots[0] >= 0) return { knots, values, rms };
  let k = 0;
  while (k + 2 < knots.length && knots[k + 1] <= 0) k++;
  const part = partOf(knots, k, 0);
  const kept = knots.slice(k);
  const keptValues = values.slice(4 * k);
  kept[0] = 0;
  for (let c = 0; c < 4; c++) keptValues[c] += part * (keptValues[4 + c] - keptValues[c]);
  return { knots: kept, values: keptValues, rms };
}

/** Without stops that say nothing which those on both sides do not. */
function withoutStraight({ knots, values, rms }: RampProfile): RampProfile {
  const kept = [0];
  const last = knots.length - 1;
  const isStraight = (from: number, to: number): boolean => {
    for (let k = from + 1; k < to; k++) {
      const part = (knots[k] - knots[from]) / (knots[to] - knots[from]);
      for (let c = 0; c < 4; c++) {
        const between = values[4 * from + c] + part * (values[4 * to + c] - values[4 * from + c]);
        if (Math.abs(values[4 * k + c] - between) > STRAIGHT_LEVELS) return false;
      }
    }
    return true;
  };
  for (let k = 1; k < last; k++) if (!isStraight(kept[kept.length - 1], k + 1)) kept.push(k);
  kept.push(last);
  return {
    knots: Float64Array.from(kept, (k) => knots[k]),
    values: Float64Array.from(kept.flatMap((k) => [0, 1, 2, 3].map((c) => values[4 * k + c]))),
    rms,
  };
}
