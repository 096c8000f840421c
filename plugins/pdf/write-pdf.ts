import PDFDocument from 'pdfkit';
import { toChannels } from '#domain/color.js';
import type {
  Drawing,
  DrawingItem,
  Geometry,
  Group,
  ImageItem,
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
import { placementOf, unitsPerInch } from '#domain/exports/output-size.js';
import { Content, type PdfRef } from './content.js';
import { type ImageData, imageObject, readImageData } from './image-object.js';
import { createLayers, type Layers, layerOf } from './layers.js';
import type { PdfOptions } from './options.js';
import { colorPattern, type DefineObject, type Gradient, type NewObject, opacityState, type Tone } from './paints.js';

const POINTS_PER_INCH = 72;
const COLOR_DECIMALS = 4;
const OPACITY_DECIMALS = 4;
const MATRIX_DECIMALS = 8;
/** Outlines of a clip that are united follow their curves this closely, in user units. */
const CLIP_TOLERANCE = 0.01;
/** What every file says of when it was made, so that the same drawing gives the same bytes. */
const CREATION_DATE = new Date(0);

const CAPS = { butt: 0, round: 1, square: 2 } as const;
const JOINS = { miter: 0, round: 1, bevel: 2 } as const;

const asIs: Tone = (color) => color;
/** The gray that is as light as the color, by the weights that SVG masks have. */
const toLight: Tone = (color) => {
  const [red, green, blue] = toChannels(color);
  const light = Math.round(0.2125 * red + 0.7154 * green + 0.0721 * blue);
  return (light << 16) | (light << 8) | light;
};

interface Writer {
  readonly drawing: Drawing;
  readonly decimals: number;
  readonly newObject: NewObject;
  readonly define: DefineObject;
  readonly images: ReadonlyMap<ImageItem, ImageData>;
  /** left, top, right and bottom of the canvas in user units. */
  readonly box: readonly number[];
  readonly content: Content;
  /** From user units to the space of the stream, before the stream's own operators. */
  readonly base: Matrix;
  readonly tone: Tone;
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
  const { content, newObject, define, base, tone, box, decimals } = writer;
  const stroke = kind === 'CA';
  const opacity = evenOpacity(paint);
  if (paint.kind === 'solid') content.text(`${colorText(tone(paint.color))} ${stroke ? 'RG' : 'rg'}`);
  else {
    const key = `pattern ${base.join(' ')} ${tone === asIs} ${gradientKey(paint)}`;
    const pattern = content.use(
      'Pattern',
      define(key, () => colorPattern(newObject, paint, tone, base)),
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

function putImage(image: ImageItem, { content, newObject, images, define }: Writer): void {
  const data = images.get(image)!;
  const object = define(`image ${[...images.keys()].indexOf(image)}`, () => imageObject(newObject, image, data));
  const [a, b, c, d, e, f] = image.matrix;
  const { width, height } = image;
  // An image fills the unit square from its bottom left corner upwards.
  const matrix: Matrix = [a * width, b * width, -c * height, -d * height, c * height + e, d * height + f];
  content.text(`q ${matrixText(matrix)} cm ${content.use('XObject', object)} Do Q`);
}

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
function formOf(items: readonly DrawingItem[], writer: Writer, tone: Tone): PdfRef {
  const content = new Content(writer.decimals);
  putItems(items, {
    ...writer,
    content,
    base: IDENTITY,
    tone,
    // What a mask hides is no matter of layers.
    layers: tone === toLight ? undefined : writer.layers,
  });
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

function putGroup({ opacity, clip, mask, items }: Group, writer: Writer): void {
  const { content, newObject } = writer;
  if (opacity === 0) return;
  content.text('q');
  if (clip !== null) putClip(clip, writer);
  if (opacity < 1 || mask !== undefined) {
    const state = newObject({
      Type: 'ExtGState',
      ca: opacity,
      ...(mask && { SMask: { Type: 'Mask', S: 'Luminosity', G: formOf(mask, writer, toLight) } }),
    });
    content.text(`${content.use('ExtGState', state)} gs`);
    content.text(`${content.use('XObject', formOf(items, writer, writer.tone))} Do`);
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
    else if (item.kind === 'image') putImage(item, writer);
    else putGroup(item, writer);
  }
  enter(undefined);
}

async function imagesOf(items: readonly DrawingItem[], found = new Map<ImageItem, ImageData>()) {
  for (const item of items) {
    if (item.kind === 'image') found.set(item, await readImageData(item));
    else if (item.kind === 'group') {
      await imagesOf(item.items, found);
      await imagesOf(item.mask ?? [], found);
    }
  }
  return found;
}

/** The types do not know of it; what stands there is written with the end of the document. */
const catalogOf = (document: object) => (document as { readonly _root: PdfRef })._root.data;

/** Page and placement in points: where user units lie on a page that is measured from its bottom left. */
function pageOf(drawing: Drawing, options: PdfOptions) {
  const placement = placementOf(drawing, options);
  const points = POINTS_PER_INCH / unitsPerInch(placement.unit, options.dpi);
  const [width, height, scaleX, scaleY, offsetX, offsetY] = [
    placement.width,
    placement.height,
    placement.scaleX,
    placement.scaleY,
    placement.offsetX,
    placement.offsetY,
  ].map((value) => value * points) as [number, number, number, number, number, number];
  const base: Matrix = [scaleX, 0, 0, -scaleY, offsetX, height - offsetY];
  return { width, height, base };
}

/**
 * A drawing as a PDF document of one page, exactly as large as asked for. Everything stays vectors: gradients are shadings,
 * opacity is opacity. The same drawing and options give the same bytes. Throws RangeError on numbers that are not finite.
 */
export async function writePdf(drawing: Drawing, options: PdfOptions): Promise<Uint8Array> {
  const { precision: decimals, title, author, subject, keywords } = options;
  const { width, height, base } = pageOf(drawing, options);
  const images = await imagesOf(drawing.items);
  const document = new PDFDocument({
    autoFirstPage: false,
    // pdfkit would begin with a font of its own; there is no text here.
    font: null as unknown as string,
    pdfVersion: options.pdf_version,
    info: {
      Producer: 'Burin',
      Creator: 'Burin',
      CreationDate: CREATION_DATE,
      ...(title !== null && { Title: title }),
      ...(author !== null && { Author: author }),
      ...(subject !== null && { Subject: subject }),
      ...(keywords !== null && { Keywords: keywords }),
    },
  });
  const chunks: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    document.on('end', resolve);
    document.on('error', reject);
  });

  const newObject: NewObject = (data, stream) => {
    const object = document.ref({ ...data });
    // The types know text only; bytes go in as they are, and nothing makes an object without a stream.
    object.end((stream ?? '') as string);
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
  putItems(drawing.items, { drawing, decimals, newObject, define, images, box, content, base, tone: asIs, layers });
  if (layers !== undefined) Object.assign(catalogOf(document), layers.properties());

  document.addPage({ size: [width, height], margin: 0 });
  const page = document.page as unknown as { resources: PdfRef };
  Object.assign(page.resources.data, content.resources());
  // pdfkit turned the page upside down already.
  const turned: Matrix = [base[0], 0, 0, -base[3], base[4], height - base[5]];
  document.addContent(`${matrixText(turned)} cm\n${content.stream()}`);
  document.end();
  await ended;
  return Buffer.concat(chunks);
}
