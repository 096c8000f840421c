import { opaqueStops } from '#domain/drawing/blend.js';
import type { GradientStop, LinearGradientPaint, Matrix, RadialGradientPaint } from '#domain/drawing/drawing.js';
import { IDENTITY, multiply } from '#domain/drawing/matrix.js';
import { Content, type PdfRef } from './content.js';

export type Gradient = LinearGradientPaint | RadialGradientPaint;

/** Makes an object of the document; the same key gives the same object. */
export type DefineObject = (key: string, make: () => PdfRef) => PdfRef;
export type NewObject = (data: Readonly<Record<string, unknown>>, stream?: string) => PdfRef;

/** Two stops at one offset are a hard edge; a function needs room between them. */
const LEAST_STEP = 1e-5;
/** The focus must lie within the circle, or the ramp becomes a cone. */
const MAX_FOCUS = 0.999;

/** The ramp as a function of 0..1 with `channels` results: a straight piece between each two stops. */
function rampOf(stops: readonly GradientStop[], channels: 1 | 3): Readonly<Record<string, unknown>> {
  const values = opaqueStops(stops, 0).map(({ offset, channels: all }) => ({
    offset,
    color: all.slice(0, channels).map((value) => value / 255),
  }));
  const pieces: { from: readonly number[]; to: readonly number[]; end: number }[] = [];
  let start = values[0]!;
  for (const stop of values.slice(1)) {
    if (stop.offset - start.offset >= LEAST_STEP) pieces.push({ from: start.color, to: stop.color, end: stop.offset });
    start = stop;
  }
  const functions = pieces.map(({ from, to }) => ({ FunctionType: 2, Domain: [0, 1], N: 1, C0: from, C1: to }));
  if (functions.length === 1) return functions[0]!;
  return {
    FunctionType: 3,
    Domain: [0, 1],
    Functions: functions,
    Bounds: pieces.slice(0, -1).map(({ end }) => end),
    Encode: pieces.flatMap(() => [0, 1]),
  };
}

function focusOf({ cx, cy, r, fx, fy }: RadialGradientPaint): readonly [number, number] {
  const distance = Math.hypot(fx - cx, fy - cy);
  const reach = distance > MAX_FOCUS * r ? (MAX_FOCUS * r) / distance : 1;
  return [cx + (fx - cx) * reach, cy + (fy - cy) * reach];
}

/** A pattern that paints the gradient; `base` leads from user units to the space of the stream that uses it. */
function patternOf(
  newObject: NewObject,
  paint: Gradient,
  stops: readonly GradientStop[],
  channels: 1 | 3,
  base: Matrix,
) {
  const own = paint.kind === 'radial' ? (paint.matrix ?? IDENTITY) : IDENTITY;
  return newObject({
    Type: 'Pattern',
    PatternType: 2,
    Matrix: [...multiply(base, own)],
    Shading: {
      ShadingType: paint.kind === 'linear' ? 2 : 3,
      ColorSpace: channels === 1 ? 'DeviceGray' : 'DeviceRGB',
      Coords:
        paint.kind === 'linear'
          ? [paint.x1, paint.y1, paint.x2, paint.y2]
          : [...focusOf(paint), 0, paint.cx, paint.cy, paint.r],
      Function: rampOf(stops, channels),
      Extend: [true, true],
    },
  });
}

/** The colors of a gradient, opaque. */
export function colorPattern(newObject: NewObject, paint: Gradient, base: Matrix): PdfRef {
  const stops = paint.stops.map((stop) => ({ ...stop, opacity: 1 }));
  return patternOf(newObject, paint, stops, 3, base);
}

/** A graphics state in which as much shows as the gradient is opaque; `box` holds all that is painted, in user units. */
export function opacityState(newObject: NewObject, paint: Gradient, box: readonly number[], decimals: number): PdfRef {
  const stops = paint.stops.map(({ offset, opacity }) => ({ offset, color: 0xffffff, opacity }));
  const content = new Content(decimals);
  const pattern = content.use('Pattern', patternOf(newObject, paint, stops, 1, IDENTITY));
  const [left, top, right, bottom] = box as [number, number, number, number];
  content.text(`/Pattern cs ${pattern} scn`);
  content.put('re', left, top, right - left, bottom - top);
  content.text('f');
  const form = newObject(
    {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [...box],
      Group: { S: 'Transparency', CS: 'DeviceGray', I: true },
      Resources: content.resources(),
    },
    content.stream(),
  );
  return newObject({ Type: 'ExtGState', SMask: { Type: 'Mask', S: 'Luminosity', G: form } });
}
