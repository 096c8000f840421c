import { toChannels } from '#domain/color.js';
import type { GradientStop, LinearGradientPaint, Paint, RadialGradientPaint } from './drawing.js';

/** Red, green, blue, 0..255, and opacity, 0..1. */
export type PaintColor = readonly [number, number, number, number];

const IDENTITY = [1, 0, 0, 1, 0, 0] as const;

/** The color of a paint at a point, in user units; beyond a gradient's ends that of its first and last stop. */
export function paintAt(paint: Paint, x: number, y: number): PaintColor {
  if (paint.kind === 'solid') return [...toChannels(paint.color), paint.opacity];
  return colorAt(paint.stops, paint.kind === 'linear' ? alongLine(paint, x, y) : fromFocus(paint, x, y));
}

function alongLine({ x1, y1, x2, y2 }: LinearGradientPaint, x: number, y: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const lengthSq = dx * dx + dy * dy;
  return lengthSq === 0 ? 1 : ((x - x1) * dx + (y - y1) * dy) / lengthSq;
}

/** How far a point is from the focus to the circle: where the line through it meets that is 1. */
function fromFocus({ cx, cy, r, fx, fy, matrix = IDENTITY }: RadialGradientPaint, x: number, y: number): number {
  const [a, b, c, d, e, f] = matrix;
  const determinant = a * d - b * c;
  if (determinant === 0 || r === 0) return 1;
  const u = (d * (x - e) - c * (y - f)) / determinant - fx;
  const v = (a * (y - f) - b * (x - e)) / determinant - fy;
  // |focus + (point - focus) / t - center| = r, solved for 1 / t.
  const [px, py] = [fx - cx, fy - cy];
  const lengthSq = u * u + v * v;
  if (lengthSq === 0) return 0;
  const half = u * px + v * py;
  const reach = (-half + Math.sqrt(Math.max(0, half * half - lengthSq * (px * px + py * py - r * r)))) / lengthSq;
  return reach > 0 ? 1 / reach : 1;
}

function colorAt(stops: readonly GradientStop[], offset: number): PaintColor {
  const next = stops.findIndex((stop) => stop.offset > offset);
  const to = next < 0 ? stops[stops.length - 1] : stops[next];
  if (to === undefined) return [0, 0, 0, 0];
  const from = next <= 0 ? to : stops[next - 1]!;
  const share = to.offset > from.offset ? (offset - from.offset) / (to.offset - from.offset) : 0;
  const [a, b] = [toChannels(from.color), toChannels(to.color)];
  const mix = (p: number, q: number) => p + (q - p) * share;
  return [mix(a[0], b[0]), mix(a[1], b[1]), mix(a[2], b[2]), mix(from.opacity, to.opacity)];
}
