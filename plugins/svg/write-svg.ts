import { toHexColor } from '#domain/color.js';
import { type ColorGroup, colorLayoutOf, type LayoutGroup, type LayoutItem } from '#domain/drawing/color-groups.js';
import type { Drawing, Geometry, Paint, Rgb, Shape, Stroke } from '#domain/drawing/drawing.js';
import { formatNumber, PathDataWriter } from '#domain/drawing/path-data.js';
import { createDefinitions, type Definitions } from './definitions.js';
import type { SvgOptions } from './options.js';

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

interface Writer {
  readonly drawing: Drawing;
  readonly paths: PathDataWriter;
  readonly definitions: Definitions;
  readonly number: (value: number) => string;
  readonly parts: string[];
}

const opacityText = (opacity: number) => formatNumber(opacity, OPACITY_DECIMALS);

function paintAttributes(name: 'fill' | 'stroke', paint: Paint, { definitions }: Writer): string {
  if (paint.kind !== 'solid') return attribute(name, `url(#${definitions.gradient(paint)})`);
  const color = attribute(name, shortHex(paint.color));
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
  return text;
}

/** Fill and stroke of a shape; black is SVG's own default. */
function appearance({ fill, stroke }: Shape, writer: Writer): string {
  let text = fill === null ? attribute('fill', 'none') : paintAttributes('fill', fill, writer);
  if (stroke !== null) text += strokeAttributes(stroke, writer);
  return text;
}

/** The element of an outline; `attributes` is text for all kinds, `rule` for paths that are filled by the even-odd rule. */
function element(geometry: Geometry, attributes: string, rule: string, { number, paths, drawing }: Writer): string {
  const placed = (name: string, value: number) => (value === 0 ? '' : attribute(name, number(value)));
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
  writer.parts.push(`<g${attribute('id', id)}${appearance(first, writer)}${shared ? EVEN_ODD : ''}>\n`);
  for (const [i, { geometry }] of shapes.entries()) {
    const named = shapeIds[i] === undefined ? '' : attribute('id', shapeIds[i]);
    writer.parts.push(element(geometry, named, rule, writer), '\n');
  }
  writer.parts.push('</g>\n');
}

function writeGroup({ group, items }: LayoutGroup, writer: Writer): void {
  let attributes = group.opacity < 1 ? attribute('opacity', opacityText(group.opacity)) : '';
  if (group.clip !== null) {
    const outlines = group.clip.map((geometry) => element(geometry, '', ' clip-rule="evenodd"', writer)).join('');
    attributes += attribute('clip-path', `url(#${writer.definitions.clip(outlines)})`);
  }
  writer.parts.push(`<g${attributes}>\n`);
  writeItems(items, writer);
  writer.parts.push('</g>\n');
}

function writeItems(items: readonly LayoutItem[], writer: Writer): void {
  for (const item of items) {
    if (item.kind === 'color-group') writeColorGroup(item, writer);
    else writeGroup(item, writer);
  }
}

/**
 * A drawing as an SVG 1.1 document: one user unit a pixel of the picture, shapes grouped by color. The same drawing gives
 * the same bytes. Throws RangeError on numbers that are not finite.
 */
export function writeSvg(drawing: Drawing, { precision }: SvgOptions): string {
  const number = (value: number) => formatNumber(value, precision);
  const definitions = createDefinitions(precision, shortHex, opacityText);
  const writer: Writer = { drawing, paths: new PathDataWriter(precision), definitions, number, parts: [] };
  writeItems(colorLayoutOf(drawing), writer);
  const width = formatNumber(drawing.width, SIZE_DECIMALS);
  const height = formatNumber(drawing.height, SIZE_DECIMALS);
  const crisp = drawing.crispEdges ? attribute('shape-rendering', 'crispEdges') : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"${crisp}>\n${definitions.text()}${writer.parts.join('')}</svg>\n`;
}
