import { type OpaqueStop, opaqueStops } from '#domain/drawing/blend.js';
import type { LinearGradientPaint, RadialGradientPaint, Rgb } from '#domain/drawing/drawing.js';
import { formatNumber } from '#domain/drawing/path-data.js';
import type { TokenWriter } from './token-writer.js';

type Gradient = LinearGradientPaint | RadialGradientPaint;

const COLOR_DECIMALS = 5;
const OFFSET_DECIMALS = 6;
/** A matrix multiplies coordinates, so it needs the digits that those have before the point. */
const MATRIX_DECIMALS = 8;

export const colorTokens = (channels: OpaqueStop['channels']) =>
  channels.map((value) => formatNumber(value / 255, COLOR_DECIMALS)).join(' ');

const matrixTokens = (matrix: readonly number[]) =>
  `[${matrix.map((value) => formatNumber(value, MATRIX_DECIMALS)).join(' ')}]`;

/** Two stops at one offset are a hard edge; a function needs room between them. */
const LEAST_STEP = 1e-6;

/** The ramp as a PostScript function of 0..1: a straight piece between each two stops. Lines may end at each line break. */
function functionTokens(stops: readonly OpaqueStop[]): string {
  const piece = (a: OpaqueStop, b: OpaqueStop) =>
    `<</FunctionType 2/Domain[0 1]/N 1/C0[${colorTokens(a.channels)}]/C1[${colorTokens(b.channels)}]>>`;
  const steps = stops.filter((stop, i) => i === 0 || stop.offset - stops[i - 1]!.offset >= LEAST_STEP);
  if (steps.length === 1) return piece(steps[0]!, steps[0]!);
  const pieces = steps.slice(1).map((stop, i) => piece(steps[i]!, stop));
  if (pieces.length === 1) return pieces[0]!;
  const bounds = steps.slice(1, -1).map(({ offset }) => formatNumber(offset, OFFSET_DECIMALS));
  const encode = pieces.map(() => '0 1').join('\n');
  return `<</FunctionType 3/Domain[0 1]/Functions[${pieces.join('\n')}]/Bounds[${bounds.join('\n')}]/Encode[${encode}]>>`;
}

/** The focus must lie within the circle, or PostScript paints a cone. */
const MAX_FOCUS = 0.999;

function focusOf({ cx, cy, r, fx, fy }: RadialGradientPaint): readonly [number, number] {
  const distance = Math.hypot(fx - cx, fy - cy);
  const reach = distance > MAX_FOCUS * r ? (MAX_FOCUS * r) / distance : 1;
  return [cx + (fx - cx) * reach, cy + (fy - cy) * reach];
}

/** Level 3: fills the clip with a true gradient. */
export function putShading(out: TokenWriter, paint: Gradient, beneath: Rgb, number: (value: number) => string): void {
  const stops = opaqueStops(paint.stops, beneath);
  const coords =
    paint.kind === 'linear'
      ? [paint.x1, paint.y1, paint.x2, paint.y2]
      : [...focusOf(paint), 0, paint.cx, paint.cy, paint.r];
  if (paint.kind === 'radial' && paint.matrix !== undefined) out.token(`${matrixTokens(paint.matrix)} concat`);
  out.line(`<</ShadingType ${paint.kind === 'linear' ? 2 : 3}/ColorSpace/DeviceRGB/Extend[true true]`);
  out.line(`/Coords[${coords.map(number).join(' ')}]/Function`);
  for (const token of functionTokens(stops).split('\n')) out.token(token);
  out.token('>>shfill');
}

/** Bands that are each at most one step of 255 from the next, from offset 0 on; the color is that of the middle. */
function bandsOf(stops: readonly OpaqueStop[]): readonly OpaqueStop[] {
  const bands: OpaqueStop[] = [{ offset: 0, channels: stops[0]!.channels }];
  for (const [i, to] of stops.entries()) {
    const from = stops[i - 1];
    if (from === undefined) continue;
    const steps = Math.ceil(Math.max(...to.channels.map((value, c) => Math.abs(value - from.channels[c]!))));
    for (let k = 0; k < steps; k++) {
      const at = (k + 0.5) / steps;
      const channel = (c: 0 | 1 | 2) => from.channels[c] + (to.channels[c] - from.channels[c]) * at;
      bands.push({
        offset: from.offset + ((to.offset - from.offset) * k) / steps,
        channels: [channel(0), channel(1), channel(2)],
      });
    }
    if (i === stops.length - 1) bands.push(to);
  }
  return bands;
}

/** The canvas, which everything is clipped to. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
}

/** From (x, y) to the farthest corner of the canvas. */
const reachOver = ({ width, height }: Canvas, x: number, y: number) =>
  Math.hypot(Math.max(Math.abs(x), Math.abs(width - x)), Math.max(Math.abs(y), Math.abs(height - y)));

/** How much a matrix shrinks what it shrinks most. */
function leastScale([a, b, c, d]: readonly number[]): number {
  const sum = a! * a! + b! * b! + c! * c! + d! * d!;
  const determinant = Math.abs(a! * d! - b! * c!);
  const greatest = Math.sqrt((sum + Math.sqrt(Math.max(0, sum * sum - 4 * determinant * determinant))) / 2);
  return greatest === 0 ? 0 : determinant / greatest;
}

/** Level 2: fills the clip with bands that lie over one another, so that no seam can show between them. */
export function putBands(
  out: TokenWriter,
  paint: Gradient,
  beneath: Rgb,
  canvas: Canvas,
  number: (value: number) => string,
): void {
  const bands = bandsOf(opaqueStops(paint.stops, beneath));
  const offsetToken = (offset: number) => formatNumber(offset, OFFSET_DECIMALS);
  if (paint.kind === 'linear') {
    const dx = paint.x2 - paint.x1;
    const dy = paint.y2 - paint.y1;
    const far = Math.ceil(reachOver(canvas, paint.x1, paint.y1) / Math.max(1e-6, Math.hypot(dx, dy))) + 1;
    // From here on x is the offset along the ramp.
    out.token(`${matrixTokens([dx, dy, -dy, dx, paint.x1, paint.y1])} concat`);
    for (const [i, { offset, channels }] of bands.entries()) {
      const from = i === 0 ? String(-far) : offsetToken(offset);
      out.token(`${colorTokens(channels)} rg ${from} ${-far} ${2 * far + 1} ${2 * far} rectfill`);
    }
    return;
  }
  const { matrix = [1, 0, 0, 1, 0, 0] } = paint;
  if (paint.matrix !== undefined) out.token(`${matrixTokens(matrix)} concat`);
  const [fx, fy] = focusOf(paint);
  const { cx, cy, r } = paint;
  // From the outside in: what lies within an offset is covered by the band before it.
  const outermost = bands[bands.length - 1]!;
  const centerX = matrix[0] * cx + matrix[2] * cy + matrix[4];
  const centerY = matrix[1] * cx + matrix[3] * cy + matrix[5];
  const far = Math.max(r, reachOver(canvas, centerX, centerY) / Math.max(1e-6, leastScale(matrix))) + 1;
  out.token(
    `${colorTokens(outermost.channels)} rg ${number(cx - far)} ${number(cy - far)} ${number(2 * far)} ${number(2 * far)} rectfill`,
  );
  for (let i = bands.length - 2; i >= 0; i--) {
    const outer = bands[i + 1]!.offset;
    if (outer <= 0) continue;
    const x = fx + (cx - fx) * outer;
    const y = fy + (cy - fy) * outer;
    out.token(`${colorTokens(bands[i]!.channels)} rg ${number(x)} ${number(y)} ${number(outer * r)} disc`);
  }
}
