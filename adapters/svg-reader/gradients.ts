import type { Bounds } from '#domain/drawing/bounds.js';
import type { GradientStop, LinearGradientPaint, Matrix, Paint, RadialGradientPaint } from '#domain/drawing/drawing.js';
import { applyX, applyY, invert, isSimilarity, multiply, scaleOf } from '#domain/drawing/matrix.js';
import { parseMatrix } from './parse-values.js';
import { elementsOf, type SvgNode } from './svg-node.js';

/** Repeats of a gradient beyond this are left out. */
const MAX_REPEATS = 100;
const MAX_STOPS = 1000;
/** Between stops that stand at one place, a step, so that they are strictly ordered. */
const LEAST_STEP = 1e-6;

const numberOf = (node: SvgNode, name: string, otherwise: number) => Number(node.attributes.get(name) ?? otherwise);

export const colorOf = (text: string): number => {
  const hex = /^#([0-9a-f]{6})$/i.exec(text.trim())?.[1];
  return hex === undefined ? 0 : Number.parseInt(hex, 16);
};

const clamp = (value: number) => Math.min(1, Math.max(0, value));

function stopsOf(gradient: SvgNode, opacity: number): GradientStop[] {
  const stops: GradientStop[] = [];
  for (const node of elementsOf(gradient)) {
    if (node.name !== 'stop') continue;
    const offset = clamp(numberOf(node, 'offset', 0));
    const before = stops.at(-1)?.offset ?? -1;
    stops.push({
      offset: Math.max(offset, before),
      color: colorOf(node.attributes.get('stop-color') ?? '#000000'),
      opacity: clamp(numberOf(node, 'stop-opacity', 1)) * opacity,
    });
  }
  return stops;
}

/** Stops of the ramp from `from` to `to` repeats, which become 0..1; every other one mirrored for `reflect`. */
function repeated(stops: readonly GradientStop[], from: number, to: number, reflect: boolean): GradientStop[] {
  const span = to - from;
  const all: GradientStop[] = [];
  for (let k = from; k < to; k++) {
    const mirrored = reflect && Math.abs(k) % 2 === 1;
    const own = mirrored ? [...stops].reverse().map((s) => ({ ...s, offset: 1 - s.offset })) : stops;
    const first = own[0]!;
    const last = own.at(-1)!;
    // Before its first and behind its last stop a ramp is even.
    for (const stop of [{ ...first, offset: 0 }, ...own, { ...last, offset: 1 }])
      all.push({ ...stop, offset: (k - from + stop.offset) / span });
  }
  return all;
}

/** Strictly ordered; of stops that stand at one place, the first and the last count. */
function ordered(stops: readonly GradientStop[]): GradientStop[] {
  const result: GradientStop[] = [];
  for (const [i, stop] of stops.entries()) {
    const before = result.at(-1);
    const next = stops[i + 1];
    if (before !== undefined && stop.offset <= before.offset) {
      // A hard edge lies just behind its place, and at the very end just before it.
      if (next !== undefined && next.offset <= stop.offset) continue;
      if (stop.color === before.color && stop.opacity === before.opacity) continue;
      if (before.offset + LEAST_STEP > 1) result[result.length - 1] = { ...before, offset: 1 - LEAST_STEP };
      result.push({ ...stop, offset: Math.min(1, before.offset + LEAST_STEP) });
    } else result.push(stop);
  }
  return result;
}

/** Corners of bounds, seen through a matrix. */
function corners({ minX, minY, maxX, maxY }: Bounds, matrix: Matrix): readonly (readonly [number, number])[] {
  return [
    [minX, minY],
    [maxX, minY],
    [maxX, maxY],
    [minX, maxY],
  ].map(([x, y]) => [applyX(matrix, x!, y!), applyY(matrix, x!, y!)]);
}

/** The normaliser has no more digits that can be trusted, and what it is given again must come back the same. */
export const inSixDigits = (matrix: Matrix) => matrix.map((value) => Number(value.toPrecision(6))) as unknown as Matrix;

interface GradientContext {
  /** Of the outline without its stroke, in its own units. */
  readonly bounds: Bounds | undefined;
  /** What the paint reaches, stroke included. */
  readonly reach: Bounds | undefined;
  /** From those units to user units. */
  readonly matrix: Matrix;
  readonly opacity: number;
  readonly onCutShort: () => void;
}

/** The box as the unit square's matrix. */
export const boxMatrix = ({ minX, minY, maxX, maxY }: Bounds): Matrix => [maxX - minX, 0, 0, maxY - minY, minX, minY];

function linearUnder(x1: number, y1: number, x2: number, y2: number, matrix: Matrix) {
  const fromX = applyX(matrix, x1, y1);
  const fromY = applyY(matrix, x1, y1);
  const toX = applyX(matrix, x2, y2);
  const toY = applyY(matrix, x2, y2);
  // Lines of one color run across the axis; they must still run across the new one.
  const [a, b, c, d] = matrix;
  const acrossX = a * -(y2 - y1) + c * (x2 - x1);
  const acrossY = b * -(y2 - y1) + d * (x2 - x1);
  const lengthSq = acrossX * acrossX + acrossY * acrossY;
  if (lengthSq === 0) return { x1: fromX, y1: fromY, x2: toX, y2: toY };
  const along = ((toX - fromX) * acrossX + (toY - fromY) * acrossY) / lengthSq;
  return { x1: fromX, y1: fromY, x2: toX - along * acrossX, y2: toY - along * acrossY };
}

/**
 * A gradient element as a paint in user units. Undefined where it paints nothing: no stops, or measured by the box of an outline
 * that has none.
 */
export function gradientPaint(gradient: SvgNode, context: GradientContext): Paint | undefined {
  const { bounds, reach, opacity, onCutShort } = context;
  const stops = stopsOf(gradient, opacity);
  const last = stops.at(-1);
  if (last === undefined) return undefined;
  const solid: Paint = { kind: 'solid', color: last.color, opacity: last.opacity };
  if (stops.length === 1) return solid;
  let own = parseMatrix(gradient.attributes.get('gradientTransform'));
  if (gradient.attributes.get('gradientUnits') !== 'userSpaceOnUse') {
    if (bounds === undefined || !(bounds.maxX > bounds.minX && bounds.maxY > bounds.minY)) return undefined;
    own = multiply(boxMatrix(bounds), own);
  }
  const inverse = invert(own);
  if (inverse === undefined) return solid;
  const matrix = multiply(context.matrix, own);
  const spread = gradient.attributes.get('spreadMethod') ?? 'pad';
  const seen = reach === undefined ? [] : corners(reach, inverse);
  /** Whole repeats that show, for positions from `least` to `most` along the ramp. */
  const repeatsFor = (least: number, most: number): readonly [number, number] => {
    const from = Math.floor(Math.min(0, least) + 1e-9);
    const to = Math.ceil(Math.max(1, most) - 1e-9);
    const limit = Math.min(MAX_REPEATS, Math.floor(MAX_STOPS / (stops.length + 2)));
    if (to - from <= limit) return [from, to];
    onCutShort();
    return [Math.max(from, -Math.floor(limit / 2)), Math.min(to, Math.ceil(limit / 2))];
  };

  if (gradient.name === 'linearGradient') {
    const [x1, y1, x2, y2] = [
      numberOf(gradient, 'x1', 0),
      numberOf(gradient, 'y1', 0),
      numberOf(gradient, 'x2', 1),
      numberOf(gradient, 'y2', 0),
    ];
    const lengthSq = (x2 - x1) ** 2 + (y2 - y1) ** 2;
    if (lengthSq === 0) return solid;
    if (spread === 'pad') return { kind: 'linear', ...linearUnder(x1, y1, x2, y2, matrix), stops: ordered(stops) };
    const positions = seen.map(([x, y]) => ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / lengthSq);
    const [from, to] = repeatsFor(Math.min(...positions, 0), Math.max(...positions, 1));
    const atX = (k: number) => x1 + k * (x2 - x1);
    const atY = (k: number) => y1 + k * (y2 - y1);
    const axis = linearUnder(atX(from), atY(from), atX(to), atY(to), matrix);
    return {
      kind: 'linear',
      ...axis,
      stops: ordered(repeated(stops, from, to, spread === 'reflect')),
    } satisfies LinearGradientPaint;
  }

  const cx = numberOf(gradient, 'cx', 0.5);
  const cy = numberOf(gradient, 'cy', 0.5);
  const r = numberOf(gradient, 'r', 0.5);
  if (!(r > 0)) return solid;
  const fx = numberOf(gradient, 'fx', cx);
  const fy = numberOf(gradient, 'fy', cy);
  let shown = stops;
  let grow = 1;
  if (spread !== 'pad') {
    // Circles grow around the focus; measured from there, the nearest side of the circle is the shortest ramp.
    const shortest = Math.max(r * 1e-3, r - Math.hypot(fx - cx, fy - cy));
    const farthest = Math.max(0, ...seen.map(([x, y]) => Math.hypot(x - fx, y - fy)));
    const [, to] = repeatsFor(0, farthest / shortest);
    shown = repeated(stops, 0, to, spread === 'reflect');
    grow = to;
  }
  const circle = { cx: fx + grow * (cx - fx), cy: fy + grow * (cy - fy), r: r * grow };
  const paint: RadialGradientPaint = { kind: 'radial', ...circle, fx, fy, stops: ordered(shown) };
  if (!isSimilarity(matrix)) return { ...paint, matrix: inSixDigits(matrix) };
  const at = (x: number, y: number) => [applyX(matrix, x, y), applyY(matrix, x, y)] as const;
  const [centerX, centerY] = at(circle.cx, circle.cy);
  const [focusX, focusY] = at(fx, fy);
  return { ...paint, cx: centerX, cy: centerY, r: circle.r * scaleOf(matrix), fx: focusX, fy: focusY };
}
