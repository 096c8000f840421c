import type { LinearGradientPaint, RadialGradientPaint } from '#domain/drawing/drawing.js';

/** Colors along the ramp; half a step is less than a 255th of the whole. */
const RAMP_SIZE = 1024;

/** A gradient made ready for reading by pixel. */
export interface GradientRamp {
  /** RAMP_SIZE colors of four premultiplied bytes' worth, 0..255, not rounded. */
  readonly colors: Float32Array;
  /** Writes the ramp's indices (times four) of the pixels from..to of a row into `into`. */
  indexRow(row: number, from: number, to: number, into: Int32Array): void;
}

function rampColors({ stops }: LinearGradientPaint | RadialGradientPaint): Float32Array {
  const colors = new Float32Array(4 * RAMP_SIZE);
  let next = 0;
  for (let i = 0; i < RAMP_SIZE; i++) {
    const t = i / (RAMP_SIZE - 1);
    while (next < stops.length && stops[next]!.offset <= t) next++;
    const before = stops[Math.max(0, next - 1)];
    const after = stops[Math.min(stops.length - 1, next)];
    if (before === undefined || after === undefined) break;
    const span = after.offset - before.offset;
    const mix = span > 0 ? Math.min(1, Math.max(0, (t - before.offset) / span)) : 0;
    const alpha = before.opacity + (after.opacity - before.opacity) * mix;
    for (let c = 0; c < 3; c++) {
      const shift = 16 - 8 * c;
      const a = (before.color >> shift) & 0xff;
      const b = (after.color >> shift) & 0xff;
      colors[4 * i + c] = (a + (b - a) * mix) * alpha;
    }
    colors[4 * i + 3] = 255 * alpha;
  }
  return colors;
}

const LAST = RAMP_SIZE - 1;

/** Padded outside the ramp; NaN counts as its end. */
const toIndex = (t: number): number => 4 * (t <= 0 ? 0 : t < 1 ? (t * LAST + 0.5) | 0 : LAST);

function linear({ x1, y1, x2, y2 }: LinearGradientPaint, scaleX: number, scaleY: number): GradientRamp['indexRow'] {
  const lengthSq = (x2 - x1) ** 2 + (y2 - y1) ** 2;
  // A gradient without length shows its last color.
  const stepX = lengthSq > 0 ? (x2 - x1) / lengthSq : 0;
  const stepY = lengthSq > 0 ? (y2 - y1) / lengthSq : 0;
  return (row, from, to, into) => {
    const start = lengthSq > 0 ? ((row + 0.5) / scaleY - y1) * stepY - x1 * stepX : 1;
    for (let x = from; x < to; x++) into[x - from] = toIndex(start + ((x + 0.5) / scaleX) * stepX);
  };
}

/** The focus is kept within the circle, as SVG 1.1 asks. */
const FOCUS_LIMIT = 0.999;

function radial(paint: RadialGradientPaint, scaleX: number, scaleY: number): GradientRamp['indexRow'] {
  const [a, b, c, d, e, f] = paint.matrix ?? [1, 0, 0, 1, 0, 0];
  const determinant = a * d - b * c;
  const { cx, cy, r } = paint;
  let towardX = cx - paint.fx;
  let towardY = cy - paint.fy;
  const away = Math.hypot(towardX, towardY);
  if (away > r * FOCUS_LIMIT && away > 0) {
    towardX *= (r * FOCUS_LIMIT) / away;
    towardY *= (r * FOCUS_LIMIT) / away;
  }
  const focusX = cx - towardX;
  const focusY = cy - towardY;
  const q = r * r - towardX * towardX - towardY * towardY;
  const visible = determinant !== 0 && r > 0;
  return (row, from, to, into) => {
    for (let x = from; x < to; x++) {
      // Back through the matrix, then the t for which the pixel lies on the circle between focus and rim.
      const u = (x + 0.5) / scaleX - e;
      const v = (row + 0.5) / scaleY - f;
      const px = (d * u - c * v) / determinant - focusX;
      const py = (a * v - b * u) / determinant - focusY;
      const along = px * towardX + py * towardY;
      const t = (Math.sqrt(along * along + q * (px * px + py * py)) - along) / q;
      into[x - from] = visible ? toIndex(t) : 4 * LAST;
    }
  };
}

/** `scaleX` and `scaleY` are pixels per user unit. */
export const createGradientRamp = (
  paint: LinearGradientPaint | RadialGradientPaint,
  scaleX: number,
  scaleY: number,
): GradientRamp => ({
  colors: rampColors(paint),
  indexRow: paint.kind === 'linear' ? linear(paint, scaleX, scaleY) : radial(paint, scaleX, scaleY),
});
