import { blendedOn } from '#domain/drawing/blend.js';
import type { Drawing, DrawingItem, Geometry, Group, Paint, Rgb, Shape, Stroke } from '#domain/drawing/drawing.js';
import { toCurves, visitGeometry } from '#domain/drawing/outline-visitors.js';
import { formatNumber } from '#domain/drawing/path-data.js';
import { isRepaint } from '#domain/drawing/repaints.js';
import { clipRegionOf } from '#domain/exports/open-groups.js';
import { type Placement, placementOf, unitsPerInch } from '#domain/exports/output-size.js';
import { colorTokens, putBands, putShading } from './gradients.js';
import { type EpsImages, epsImagesOf, putImage } from './images.js';
import { putLayers } from './layers.js';
import type { EpsOptions } from './options.js';
import { TokenWriter } from './token-writer.js';

const POINTS_PER_INCH = 72;
const SIZE_DECIMALS = 4;
const WHITE = 0xffffff;
/** Outlines of a clip that are united follow their curves this closely, in user units. */
const CLIP_TOLERANCE = 0.01;

const PROLOG = [
  '/BurinDict 24 dict def BurinDict begin',
  '/m/moveto load def/l/lineto load def/c/curveto load def/h/closepath load def',
  '/f/fill load def/F/eofill load def/S/stroke load def',
  '/W{clip newpath}bind def/V{eoclip newpath}bind def/Y{strokepath clip newpath}bind def',
  '/q/gsave load def/Q/grestore load def/rg/setrgbcolor load def',
  '/w/setlinewidth load def/J/setlinecap load def/j/setlinejoin load def/M/setmiterlimit load def/d/setdash load def',
  '/disc{0 360 newpath arc fill}bind def',
  'end',
];

/** Text of a DSC comment: one line of printable ASCII. */
const commentText = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);

interface Writer {
  readonly drawing: Drawing;
  readonly out: TokenWriter;
  readonly level: number;
  /** What shows through where something is translucent. */
  readonly beneath: Rgb;
  readonly number: (value: number) => string;
  readonly images: EpsImages;
  translucent: number;
}

const CAPS = { butt: 0, round: 1, square: 2 } as const;
const JOINS = { miter: 0, round: 1, bevel: 2 } as const;

function putOutline(geometry: Geometry, { drawing, out }: Writer): void {
  visitGeometry(
    geometry,
    drawing,
    toCurves({
      move: (x, y) => out.put('m', x, y),
      line: (x, y) => out.put('l', x, y),
      cubic: (x1, y1, x2, y2, x, y) => out.put('c', x1, y1, x2, y2, x, y),
      close: () => out.token('h'),
    }),
  );
}

const isEvenOdd = (geometry: Geometry) => geometry.kind === 'path' && geometry.evenOdd;

function countTranslucent(paint: Paint, writer: Writer): void {
  const solid = paint.kind === 'solid' ? paint.opacity === 1 : paint.stops.every(({ opacity }) => opacity === 1);
  if (!solid) writer.translucent++;
}

function putColor(paint: Paint & { kind: 'solid' }, { out, beneath }: Writer): void {
  out.token(`${colorTokens(blendedOn(paint.color, paint.opacity, beneath))} rg`);
}

/** Fills what the clip leaves. */
function putGradient(paint: Exclude<Paint, { kind: 'solid' }>, { drawing, out, level, beneath, number }: Writer): void {
  if (level === 2) putBands(out, paint, beneath, drawing, number);
  else putShading(out, paint, beneath, number);
}

function putFill(fill: Paint, geometry: Geometry, writer: Writer): void {
  const { out } = writer;
  countTranslucent(fill, writer);
  if (fill.kind === 'solid') {
    putColor(fill, writer);
    putOutline(geometry, writer);
    out.token(isEvenOdd(geometry) ? 'F' : 'f');
    return;
  }
  out.token('q');
  putOutline(geometry, writer);
  out.token(isEvenOdd(geometry) ? 'V' : 'W');
  putGradient(fill, writer);
  out.token('Q');
}

function putStroke(stroke: Stroke, geometry: Geometry, writer: Writer): void {
  const { out, number } = writer;
  if (stroke.width <= 0) return;
  countTranslucent(stroke.paint, writer);
  const dashed = stroke.dashes.some((length) => length > 0);
  out.token('q');
  out.put('w', stroke.width);
  if (stroke.cap !== 'butt') out.token(`${CAPS[stroke.cap]} J`);
  if (stroke.join !== 'miter') out.token(`${JOINS[stroke.join]} j`);
  else out.put('M', Math.max(1, stroke.miterLimit));
  if (dashed) out.token(`[${stroke.dashes.map(number).join(' ')}] ${number(stroke.dashOffset)} d`);
  if (stroke.paint.kind === 'solid') {
    putColor(stroke.paint, writer);
    putOutline(geometry, writer);
    out.token('S');
  } else {
    putOutline(geometry, writer);
    out.token('Y');
    putGradient(stroke.paint, writer);
  }
  out.token('Q');
}

const isVisible = (paint: Paint) =>
  paint.kind === 'solid' ? paint.opacity > 0 : paint.stops.some(({ opacity }) => opacity > 0);

function putShape({ geometry, fill, stroke }: Shape, writer: Writer): void {
  if (fill !== null && isVisible(fill)) putFill(fill, geometry, writer);
  if (stroke !== null && isVisible(stroke.paint)) putStroke(stroke, geometry, writer);
}

function putClip(clip: readonly Geometry[], writer: Writer): void {
  const { out, drawing } = writer;
  const [only] = clip;
  if (clip.length === 1) {
    putOutline(only!, writer);
    out.token(isEvenOdd(only!) ? 'V' : 'W');
    return;
  }
  for (const points of clipRegionOf(clip, drawing, CLIP_TOLERANCE).contours) {
    for (let i = 0; i < points.length; i += 2) out.put(i === 0 ? 'm' : 'l', points[i]!, points[i + 1]!);
    out.token('h');
  }
  out.token('W');
}

function putGroup({ clip, items }: Group, writer: Writer): void {
  writer.out.token('q');
  if (clip !== null) putClip(clip, writer);
  putItems(items, writer);
  writer.out.token('Q');
}

/** How many shapes from one on do no more than change its colors. */
function repaintsOf(items: readonly DrawingItem[], first: number, { drawing }: Writer): number {
  let end = first + 1;
  for (; end < items.length; end++) {
    const [before, item] = [items[end - 1]!, items[end]!];
    if (item.kind !== 'shape' || before.kind !== 'shape' || !isRepaint(item, before, drawing)) break;
  }
  return end - first - 1;
}

/** A shape in paints that lie on each other. */
function putRepainted(shapes: readonly Shape[], writer: Writer): void {
  const { out, drawing, beneath, level } = writer;
  const [{ geometry }] = shapes as readonly [Shape];
  const paints = shapes.flatMap(({ fill }) => (fill === null ? [] : [fill]));
  // What shows through all of them is mixed with the background.
  countTranslucent(paints[0]!, writer);
  out.token('q');
  putOutline(geometry, writer);
  out.token(isEvenOdd(geometry) ? 'V' : 'W');
  putLayers(out, paints, geometry, drawing, beneath, level);
  out.token('Q');
}

function putItems(items: readonly DrawingItem[], writer: Writer): void {
  for (let k = 0; k < items.length; k++) {
    const item = items[k]!;
    const repaints = item.kind === 'shape' ? repaintsOf(items, k, writer) : 0;
    if (repaints > 0) {
      putRepainted(items.slice(k, k + repaints + 1) as readonly Shape[], writer);
      k += repaints;
    } else if (item.kind === 'shape') putShape(item, writer);
    else if (item.kind === 'group') putGroup(item, writer);
    else {
      const image = writer.images.get(item)!;
      if (image.mixed) writer.translucent++;
      putImage(writer.out, item, image);
    }
  }
}

/** The placement in points, which is what PostScript measures in. */
function inPoints(placement: Placement, dpi: number): Omit<Placement, 'unit'> {
  const points = POINTS_PER_INCH / unitsPerInch(placement.unit, dpi);
  const { width, height, scaleX, scaleY, offsetX, offsetY } = placement;
  return {
    width: width * points,
    height: height * points,
    scaleX: scaleX * points,
    scaleY: scaleY * points,
    offsetX: offsetX * points,
    offsetY: offsetY * points,
  };
}

export interface WrittenEps {
  readonly text: string;
  /** Paints whose opacity was mixed with the background. */
  readonly translucent: number;
}

/**
 * A drawing as an EPS document after the DSC, its page exactly the size asked for. Groups must have no opacity left
 * (`openGroups`). The same drawing and options give the same bytes. Throws RangeError on numbers that are not finite.
 */
export async function writeEps(drawing: Drawing, options: EpsOptions): Promise<WrittenEps> {
  const { level, precision, background, title } = options;
  const { width, height, scaleX, scaleY, offsetX, offsetY } = inPoints(placementOf(drawing, options), options.dpi);
  const out = new TokenWriter(precision);
  const size = (value: number) => formatNumber(value, SIZE_DECIMALS);
  out.line('%!PS-Adobe-3.0 EPSF-3.0');
  out.line('%%Creator: Burin');
  if (title !== null) out.line(`%%Title: ${commentText(title)}`);
  out.line(`%%BoundingBox: 0 0 ${Math.ceil(width - 1e-6)} ${Math.ceil(height - 1e-6)}`);
  out.line(`%%HiResBoundingBox: 0 0 ${size(width)} ${size(height)}`);
  out.line(`%%LanguageLevel: ${level}`);
  out.line('%%DocumentData: Clean7Bit');
  out.line('%%Pages: 1');
  out.line('%%EndComments');
  out.line('%%BeginProlog');
  for (const line of PROLOG) out.line(line);
  out.line('%%EndProlog');
  out.line('%%Page: 1 1');
  out.line('BurinDict begin gsave false setstrokeadjust');
  out.line(`0 0 ${size(width)} ${size(height)} rectclip`);
  const matrix = [scaleX, 0, 0, -scaleY, offsetX, height - offsetY].map((value) => formatNumber(value, 8)).join(' ');
  out.line(`[${matrix}] concat`);
  const number = (value: number) => formatNumber(value, precision);
  const beneath = background ?? WHITE;
  const images = await epsImagesOf(drawing.items, level, beneath);
  const writer: Writer = { drawing, out, level, beneath, number, images, translucent: 0 };
  putItems(drawing.items, writer);
  out.line('grestore end');
  out.line('showpage');
  out.line('%%Trailer');
  out.line('%%EOF');
  return { text: out.text(), translucent: writer.translucent };
}
