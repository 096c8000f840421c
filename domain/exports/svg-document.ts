import { toBase64 } from '#domain/base64.js';
import { toHexColor } from '#domain/color.js';
import { type ColorGroup, colorLayoutOf, type LayoutItem } from '#domain/drawing/color-groups.js';
import type {
  Drawing,
  DrawingItem,
  Geometry,
  Group,
  ImageItem,
  Paint,
  Rgb,
  Shape,
  Stroke,
} from '#domain/drawing/drawing.js';
import { isUpright } from '#domain/drawing/matrix.js';
import { visitGeometry } from '#domain/drawing/outline-visitors.js';
import { createOutlineWriter } from '#domain/drawing/outline-writer.js';
import { formatNumber, PathDataWriter } from '#domain/drawing/path-data.js';
import { defaultExportOptions, type ExportOptionValues } from './export-options.js';
import { type Placement, placementOf } from './output-size.js';
import { createDefinitions, type Definitions } from './svg-definitions.js';

/** The options that the document itself honours; `prepareDrawing` and others see to the rest. */
const DOCUMENT_OPTIONS = [
  'scale',
  'width',
  'height',
  'fit',
  'unit',
  'dpi',
  'group_by',
  'svg_version',
  'non_scaling_strokes',
  'precision',
  'title',
] as const;
export type SvgDocumentOptions = Pick<ExportOptionValues, (typeof DOCUMENT_OPTIONS)[number]>;

/** As a document is written where nothing is asked for. */
export const PLAIN_DOCUMENT: SvgDocumentOptions = defaultExportOptions(DOCUMENT_OPTIONS);

/** Digits of opacities: a step of 1/255 is 0.0039. */
const OPACITY_DECIMALS = 4;
const ANGLE_DECIMALS = 3;
/** The canvas must not shrink at a coarse precision. */
const SIZE_DECIMALS = 4;

/** `#rgb` where that is the same color, else `#rrggbb`. */
export function shortHex(color: Rgb): string {
  const hex = toHexColor(color);
  return hex[1] === hex[2] && hex[3] === hex[4] && hex[5] === hex[6] ? `#${hex[1]}${hex[3]}${hex[5]}` : hex;
}

/** Attribute text of a value that is not known to be plain. */
const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : '&quot;'));

const attribute = (name: string, value: string) => ` ${name}="${escaped(value)}"`;

/** Zero is what these attributes are without being said. */
const unlessZero = (name: string, text: string) => (text === '0' ? '' : attribute(name, text));

interface Writer {
  readonly drawing: Drawing;
  readonly paths: PathDataWriter;
  readonly definitions: Definitions;
  readonly number: (value: number) => string;
  readonly parts: string[];
  readonly nonScalingStrokes: boolean;
  images: number;
}

const opacityText = (opacity: number) => formatNumber(opacity, OPACITY_DECIMALS);

function paintAttributes(name: 'fill' | 'stroke', paint: Paint, { definitions }: Writer): string {
  if (paint.kind !== 'solid') return attribute(name, `url(#${definitions.gradient(paint)})`);
  const color = ` ${name}="${shortHex(paint.color)}"`;
  return paint.opacity < 1 ? color + attribute(`${name}-opacity`, opacityText(paint.opacity)) : color;
}

function strokeAttributes(stroke: Stroke, writer: Writer): string {
  const { number } = writer;
  let text = paintAttributes('stroke', stroke.paint, writer);
  if (stroke.width !== 1) text += attribute('stroke-width', number(stroke.width));
  if (stroke.cap !== 'butt') text += attribute('stroke-linecap', stroke.cap);
  if (stroke.join !== 'miter') text += attribute('stroke-linejoin', stroke.join);
  else if (stroke.miterLimit !== 4) text += attribute('stroke-miterlimit', number(stroke.miterLimit));
  if (stroke.dashes.length > 0) {
    text += attribute('stroke-dasharray', stroke.dashes.map(number).join(' '));
    if (stroke.dashOffset !== 0) text += attribute('stroke-dashoffset', number(stroke.dashOffset));
  }
  if (writer.nonScalingStrokes) text += attribute('vector-effect', 'non-scaling-stroke');
  return text;
}

/** Fill and stroke of a shape; black is SVG's own default. */
function appearance({ fill, stroke }: Shape, writer: Writer): string {
  let text = fill === null ? attribute('fill', 'none') : paintAttributes('fill', fill, writer);
  if (stroke !== null) text += strokeAttributes(stroke, writer);
  return text;
}

const isRamp = (paint: Paint | undefined) => paint !== undefined && paint.kind !== 'solid';

/** A transform turns the gradients of its element as well, and those stand in the drawing's own units. */
const keepsOutOfTransforms = ({ fill, stroke }: Shape) => isRamp(fill ?? undefined) || isRamp(stroke?.paint);

/** The outline as path text of arcs. */
function arcsText(geometry: Geometry, { drawing, paths }: Writer): string {
  const outlines = createOutlineWriter();
  visitGeometry(geometry, drawing, outlines);
  return paths.write(outlines.path(false), outlines.outlines());
}

/**
 * The element of an outline; `attributes` is text for all kinds, `rule` for paths that are filled by the even-odd rule. `fixed`
 * outlines get no transform.
 */
function element(geometry: Geometry, attributes: string, rule: string, writer: Writer, fixed = false): string {
  const { number, paths, drawing } = writer;
  const placed = (name: string, value: number) => unlessZero(name, number(value));
  switch (geometry.kind) {
    case 'circle': {
      const { cx, cy, r } = geometry;
      return `<circle${attributes}${placed('cx', cx)}${placed('cy', cy)}${placed('r', r)}/>`;
    }
    case 'rect': {
      const { x, y, width, height, radius } = geometry;
      const size = placed('width', width) + placed('height', height) + placed('rx', radius);
      return `<rect${attributes}${placed('x', x)}${placed('y', y)}${size}/>`;
    }
    case 'ellipse': {
      const { cx, cy, rx, ry, rotation } = geometry;
      if (fixed && rotation !== 0) return `<path${attributes} d="${arcsText(geometry, writer)}"/>`;
      const turn = `rotate(${formatNumber(rotation, ANGLE_DECIMALS)} ${number(cx)} ${number(cy)})`;
      const turned = rotation === 0 ? '' : attribute('transform', turn);
      const size = placed('rx', rx) + placed('ry', ry);
      return `<ellipse${attributes}${placed('cx', cx)}${placed('cy', cy)}${size}${turned}/>`;
    }
    case 'path':
      return `<path${attributes}${geometry.evenOdd ? rule : ''} d="${paths.write(geometry, drawing)}"/>`;
  }
}

const EVEN_ODD = ' fill-rule="evenodd"';

function writeColorGroup({ id, shapeIds, shapes }: ColorGroup, writer: Writer): void {
  const first = shapes[0]!;
  // Said once for all where all want it, and not at all where nothing is filled.
  const shared =
    first.fill !== null &&
    shapes.length > 1 &&
    shapes.every(({ geometry }) => geometry.kind !== 'path' || geometry.evenOdd) &&
    shapes.some(({ geometry }) => geometry.kind === 'path');
  const rule = first.fill === null || shared ? '' : EVEN_ODD;
  writer.parts.push(`<g id="${id}"${appearance(first, writer)}${shared ? EVEN_ODD : ''}>\n`);
  const isFixed = keepsOutOfTransforms(first);
  for (let i = 0; i < shapes.length; i++) {
    const named = shapeIds[i] === undefined ? '' : ` id="${shapeIds[i]}"`;
    writer.parts.push(element(shapes[i]!.geometry, named, rule, writer, isFixed), '\n');
  }
  writer.parts.push('</g>\n');
}

/** `<g>` with the clip and the opacity that hold for what `content` writes. */
function writeGroup(group: Group, writer: Writer, content: () => void): void {
  let attributes = group.opacity < 1 ? attribute('opacity', opacityText(group.opacity)) : '';
  if (group.clip !== null) {
    const outlines = group.clip.map((geometry) => element(geometry, '', CLIP_EVEN_ODD, writer)).join('');
    attributes += attribute('clip-path', `url(#${writer.definitions.clip(outlines)})`);
  }
  if (group.mask !== undefined) attributes += attribute('mask', `url(#${maskOf(group.mask, writer)})`);
  writer.parts.push(`<g${attributes}>\n`);
  content();
  writer.parts.push('</g>\n');
}

/** The id of a mask that reaches as far as its items do. */
function maskOf(items: readonly DrawingItem[], writer: Writer): string {
  const { width, height } = writer.drawing;
  const inner: Writer = { ...writer, parts: [], images: 0 };
  writeShapes(items, inner, (text) => text);
  writer.images += inner.images;
  const region = [-width, -height, 3 * width, 3 * height].map((value) => formatNumber(value, SIZE_DECIMALS));
  return writer.definitions.mask(region as [string, string, string, string], inner.parts.join(''));
}

function writeImage({ bytes, mediaType, width, height, matrix, pixelated }: ImageItem, writer: Writer): void {
  const { number } = writer;
  const [a, , , d, e, f] = matrix;
  const upright = isUpright(matrix);
  const placed = (name: string, value: number) => unlessZero(name, number(value));
  const place = upright
    ? placed('x', e) + placed('y', f) + attribute('width', number(width * a)) + attribute('height', number(height * d))
    : attribute('width', `${width}`) + attribute('height', `${height}`);
  const turn = upright ? '' : attribute('transform', `matrix(${matrix.map((v) => formatNumber(v, 8)).join(' ')})`);
  const sharp = pixelated ? attribute('image-rendering', 'optimizeSpeed') : '';
  const href = `xlink:href="data:${mediaType};base64,${toBase64(bytes)}"`;
  writer.parts.push(`<image${place}${turn}${sharp} preserveAspectRatio="none" ${href}/>\n`);
  writer.images++;
}

const CLIP_EVEN_ODD = ' clip-rule="evenodd"';

function writeColorGroups(items: readonly LayoutItem[], writer: Writer): void {
  for (const item of items) {
    if (item.kind === 'color-group') writeColorGroup(item, writer);
    else if (item.kind === 'image') writeImage(item, writer);
    else writeGroup(item.group, writer, () => writeColorGroups(item.items, writer));
  }
}

/** Shapes in the order in which they are painted; `wrap` puts something around the numbered element of each. */
function writeShapes(items: readonly DrawingItem[], writer: Writer, wrap: (text: string) => string): void {
  for (const item of items) {
    if (item.kind === 'group') writeGroup(item, writer, () => writeShapes(item.items, writer, wrap));
    else if (item.kind === 'image') writeImage(item, writer);
    else {
      const rule = item.fill === null ? '' : EVEN_ODD;
      writer.parts.push(
        wrap(element(item.geometry, appearance(item, writer), rule, writer, keepsOutOfTransforms(item))),
        '\n',
      );
    }
  }
}

const VERSION_ATTRIBUTES = {
  '1.0': ' version="1.0"',
  '1.1': ' version="1.1"',
  'tiny1.2': ' version="1.2" baseProfile="tiny"',
} as const;

/** The part of the drawing that shows, and the size it is given. */
function sizeAttributes(placement: Placement): string {
  const { width, height, unit, scaleX, scaleY, offsetX, offsetY } = placement;
  const size = (value: number) => formatNumber(value, SIZE_DECIMALS);
  // No -0: an offset of 0 divides to one.
  const box = [-offsetX / scaleX || 0, -offsetY / scaleY || 0, width / scaleX, height / scaleY].map(size).join(' ');
  const suffix = unit === 'px' ? '' : unit;
  const stretched = Math.abs(scaleX - scaleY) > 1e-9 * scaleX ? attribute('preserveAspectRatio', 'none') : '';
  return ` viewBox="${box}" width="${size(width)}${suffix}" height="${size(height)}${suffix}"${stretched}`;
}

export interface WrittenSvg {
  readonly text: string;
  /** Gradients that the version has no words for: focus or elliptic form left out. */
  readonly simplifiedGradients: number;
}

/**
 * A drawing as an SVG document: one user unit a pixel of the picture. The same drawing and options give the same bytes. The
 * drawing must have nothing that the version lacks (`fitVersion`). Throws RangeError on numbers that are not finite.
 */
export function writeSvg(drawing: Drawing, options: SvgDocumentOptions): WrittenSvg {
  const { precision, svg_version, group_by, title } = options;
  let simplifiedGradients = 0;
  const number = (value: number) => formatNumber(value, precision);
  const definitions = createDefinitions(precision, shortHex, opacityText, {
    plainRadials: svg_version === 'tiny1.2',
    onSimplified: () => simplifiedGradients++,
  });
  const writer: Writer = {
    drawing,
    paths: new PathDataWriter(precision),
    definitions,
    number,
    parts: [],
    nonScalingStrokes: options.non_scaling_strokes,
    images: 0,
  };
  let shapes = 0;
  if (group_by === 'color') writeColorGroups(colorLayoutOf(drawing), writer);
  else if (group_by === 'none') writeShapes(drawing.items, writer, (text) => text);
  else writeShapes(drawing.items, writer, (text) => `<g id="p${++shapes}">${text}</g>`);

  const version = svg_version === null ? '' : VERSION_ATTRIBUTES[svg_version];
  const size = sizeAttributes(placementOf(drawing, options));
  const crisp = drawing.crispEdges ? attribute('shape-rendering', 'crispEdges') : '';
  const named = title === null ? '' : `<title>${escaped(title)}</title>\n`;
  const links = writer.images > 0 ? ' xmlns:xlink="http://www.w3.org/1999/xlink"' : '';
  const open = `<svg xmlns="http://www.w3.org/2000/svg"${links}${version}${size}${crisp}>\n`;
  return { text: `${open}${named}${definitions.text()}${writer.parts.join('')}</svg>\n`, simplifiedGradients };
}
