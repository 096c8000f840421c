import { toChannels } from '#domain/color.js';
import type {
  Drawing,
  DrawingItem,
  Geometry,
  Group,
  Matrix,
  Paint,
  Rgb,
  Shape,
  Stroke,
} from '#domain/drawing/drawing.js';
import { IDENTITY } from '#domain/drawing/matrix.js';
import { toCurves, visitGeometry } from '#domain/drawing/outline-visitors.js';
import { formatNumber } from '#domain/drawing/path-data.js';
import { clipRegionOf } from '#domain/exports/open-groups.js';
import { Content, type PdfRef } from './content.js';
import { makeDocument, pageOf } from './document.js';
import { createLayers, type Layers, layerOf } from './layers.js';
import type { PdfOptions } from './options.js';
import { colorPattern, type DefineObject, type Gradient, type NewObject, opacityState } from './paints.js';

const COLOR_DECIMALS = 4;
const OPACITY_DECIMALS = 4;
const MATRIX_DECIMALS = 8;
/** Outlines of a clip that are united follow their curves this closely, in user units. */
const CLIP_TOLERANCE = 0.01;

const CAPS = { butt: 0, round: 1, square: 2 } as const;
const JOINS = { miter: 0, round: 1, bevel: 2 } as const;

interface Writer {
  readonly drawing: Drawing;
  readonly decimals: number;
  readonly newObject: NewObject;
  readonly define: DefineObject;
  /** left, top, right and bottom of the canvas in user units. */
  readonly box: readonly number[];
  readonly content: Content;
  /** From user units to the space of the stream, before the stream's own operators. */
  readonly base: Matrix;
  /** Undefined where nothing stands on layers. */
  readonly layers: Layers | undefined;
}

function putOutline(geometry: Geometry, { drawing, content }: Writer): void {
  if (geometry.kind === 'rect' && geometry.radius === 0) {
    content.put('re', geometry.x, geometry.y, geometry.width, geometry.height);
    return;
  }
  visitGeometry(
    geometry,
    drawing,
    toCurves({
      move: (x, y) => content.put('m', x, y),
      line: (x, y) => content.put('l', x, y),
      cubic: (x1, y1, x2, y2, x, y) => content.put('c', x1, y1, x2, y2, x, y),
      close: () => content.text('h'),
    }),
  );
}

const isEvenOdd = (geometry: Geometry) => geometry.kind === 'path' && geometry.evenOdd;

const colorText = (color: Rgb) =>
  toChannels(color)
    .map((value) => formatNumber(value / 255, COLOR_DECIMALS))
    .join(' ');

/** The opacity of a paint where it is the same all over. */
function evenOpacity(paint: Paint): number | undefined {
  if (paint.kind === 'solid') return paint.opacity;
  const [first] = paint.stops;
  return paint.stops.every(({ opacity }) => opacity === first?.opacity) ? (first?.opacity ?? 0) : undefined;
}

const isVisible = (paint: Paint) => evenOpacity(paint) !== 0;

const gradientKey = (paint: Gradient) => JSON.stringify(paint);

/** Sets the color of fills (`ca`) or strokes (`CA`) and says whether a state must be taken back after painting. */
function putPaint(paint: Paint, kind: 'ca' | 'CA', writer: Writer): void {
  const { content, newObject, define, base, box, decimals } = writer;
  const stroke = kind === 'CA';
  const opacity = evenOpacity(paint);
  if (paint.kind === 'solid') content.text(`${colorText(paint.color)} ${stroke ? 'RG' : 'rg'}`);
  else {
    const key = `pattern ${base.join(' ')} ${gradientKey(paint)}`;
    const pattern = content.use(
      'Pattern',
      define(key, () => colorPattern(newObject, paint, base)),
    );
    content.text(stroke ? `/Pattern CS ${pattern} SCN` : `/Pattern cs ${pattern} scn`);
  }
  if (opacity === 1) return;
  const state =
    opacity !== undefined
      ? define(`${kind} ${formatNumber(opacity, OPACITY_DECIMALS)}`, () =>
          newObject({ Type: 'ExtGState', [kind]: Number(formatNumber(opacity, OPACITY_DECIMALS)) }),
        )
      : define(`opacity ${gradientKey(paint as Gradient)}`, () =>
          opacityState(newObject, paint as Gradient, box, decimals),
        );
  content.text(`${content.use('ExtGState', state)} gs`);
}

/** Opacity and patterns belong to a state that ends with the shape; plain colors are simply set anew. */
function within(isPlain: boolean, { content }: Writer, paint: () => void): void {
  if (!isPlain) content.text('q');
  paint();
  if (!isPlain) content.text('Q');
}

function putFill(fill: Paint, geometry: Geometry, writer: Writer): void {
  within(fill.kind === 'solid' && fill.opacity === 1, writer, () => {
    putPaint(fill, 'ca', writer);
    putOutline(geometry, writer);
    writer.content.text(isEvenOdd(geometry) ? 'f*' : 'f');
  });
}

function putStroke(stroke: Stroke, geometry: Geometry, writer: Writer): void {
  const { content, decimals } = writer;
  if (stroke.width <= 0) return;
  within(false, writer, () => {
    putPaint(stroke.paint, 'CA', writer);
    content.put('w', stroke.width);
    if (stroke.cap !== 'butt') content.text(`${CAPS[stroke.cap]} J`);
    if (stroke.join !== 'miter') content.text(`${JOINS[stroke.join]} j`);
    else content.put('M', Math.max(1, stroke.miterLimit));
    const shown = stroke.dashes.map((length) => formatNumber(length, decimals));
    const period = stroke.dashes.reduce((sum, length) => sum + length, 0) * 2;
    // All zeros, as rounded, are no pattern that a reader would take.
    if (shown.some((length) => length !== '0')) {
      const phase = stroke.dashOffset - Math.floor(stroke.dashOffset / period) * period;
      content.text(`[${shown.join(' ')}] ${formatNumber(phase, decimals)} d`);
    }
    putOutline(geometry, writer);
    content.text('S');
  });
}

function putShape({ geometry, fill, stroke }: Shape, writer: Writer): void {
  if (fill !== null && isVisible(fill)) putFill(fill, geometry, writer);
  if (stroke !== null && isVisible(stroke.paint)) putStroke(stroke, geometry, writer);
}

const matrixText = (matrix: Matrix) => matrix.map((value) => formatNumber(value, MATRIX_DECIMALS)).join(' ');

function putClip(clip: readonly Geometry[], writer: Writer): void {
  const { content, drawing } = writer;
  const [only] = clip;
  if (only !== undefined && clip.length === 1) {
    putOutline(only, writer);
    content.text(isEvenOdd(only) ? 'W* n' : 'W n');
    return;
  }
  const { contours } = clipRegionOf(clip, drawing, CLIP_TOLERANCE);
  for (const points of contours) {
    for (let i = 0; i < points.length; i += 2) content.put(i === 0 ? 'm' : 'l', points[i]!, points[i + 1]!);
    content.text('h');
  }
  if (contours.length === 0) content.put('re', 0, 0, 0, 0);
  content.text('W n');
}

/** What `items` show, painted on a ground of its own. */
function formOf(items: readonly DrawingItem[], writer: Writer): PdfRef {
  const content = new Content(writer.decimals);
  putItems(items, { ...writer, content, base: IDENTITY });
  return writer.newObject(
    {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [...writer.box],
      Group: { S: 'Transparency', CS: 'DeviceRGB', I: true },
      Resources: content.resources(),
    },
    content.stream(),
  );
}

function putGroup({ opacity, clip, items }: Group, writer: Writer): void {
  const { content, newObject } = writer;
  if (opacity === 0) return;
  content.text('q');
  if (clip !== null) putClip(clip, writer);
  if (opacity < 1) {
    content.text(`${content.use('ExtGState', newObject({ Type: 'ExtGState', ca: opacity }))} gs`);
    content.text(`${content.use('XObject', formOf(items, writer))} Do`);
  } else putItems(items, writer);
  content.text('Q');
}

function putItems(items: readonly DrawingItem[], writer: Writer): void {
  const { content, layers } = writer;
  let open: string | undefined;
  const enter = (layer: string | undefined) => {
    if (layers === undefined || layer === open) return;
    if (open !== undefined) content.text('EMC');
    if (layer !== undefined) content.text(`/OC ${content.use('Properties', layers.group(layer))} BDC`);
    open = layer;
  };
  for (const item of items) {
    enter(layerOf(item));
    if (item.kind === 'shape') putShape(item, writer);
    else if (item.kind === 'group') putGroup(item, writer);
  }
  enter(undefined);
}

/** Whether all of a drawing can be put down here: shapes, and groups of them without masks. */
export const isPlain = (items: readonly DrawingItem[]): boolean =>
  items.every(
    (item) => item.kind === 'shape' || (item.kind === 'group' && item.mask === undefined && isPlain(item.items)),
  );

/** The types do not know of it; what stands there is written with the end of the document. */
const catalogOf = (document: object) => (document as { readonly _root: PdfRef })._root.data;

/**
 * A plain drawing as a PDF document of one page, exactly as large as asked for. Everything stays vectors: gradients are
 * shadings, opacity is opacity. The same drawing and options give the same bytes. Throws RangeError on numbers that are not
 * finite.
 */
export function writePdf(drawing: Drawing, options: PdfOptions): Promise<Uint8Array> {
  const decimals = options.precision;
  const { width, height, matrix } = pageOf(drawing, options);
  // A page is measured from its bottom left.
  const base: Matrix = [matrix[0], 0, 0, -matrix[3], matrix[4], height - matrix[5]];
  return makeDocument(options, (document) => {
    const newObject: NewObject = (data, stream) => {
      const object = document.ref({ ...data });
      object.end(stream ?? '');
      return object;
    };
    const known = new Map<string, PdfRef>();
    const define: DefineObject = (key, make) => {
      const object = known.get(key) ?? make();
      known.set(key, object);
      return object;
    };
    const content = new Content(decimals);
    const box = [0, 0, drawing.width, drawing.height];
    const layers = options.group_by === 'color' ? createLayers(newObject) : undefined;
    putItems(drawing.items, { drawing, decimals, newObject, define, box, content, base, layers });
    if (layers !== undefined) Object.assign(catalogOf(document), layers.properties());

    document.addPage({ size: [width, height], margin: 0 });
    const page = document.page as unknown as { resources: PdfRef };
    Object.assign(page.resources.data, content.resources());
    // pdfkit turned the page upside down already.
    document.addContent(`${matrixText(matrix)} cm\n${content.stream()}`);
  });
}
