import makerjs from 'makerjs';
import type { Contour } from './contours.js';
import { colorIndexOf, type Layer } from './layers.js';

/** Contours of lines and arcs on one layer. */
export interface LayerContours {
  readonly layer: Layer;
  /** To be gone through once. */
  readonly contours: Iterable<Contour>;
}

const MAKERJS_UNITS = { mm: 'mm', cm: 'cm', in: 'inch' } as const;
export type FileUnit = keyof typeof MAKERJS_UNITS;

const ENTITIES = '0\nSECTION\n2\nENTITIES\n';
const END = '0\nENDSEC\n0\nEOF\n';

/** Six digits after the point, never an exponent, which old readers stumble over. */
const SCALE = 1e6;
const numberText = (value: number) => String(Math.round(value * SCALE) / SCALE || 0);

/**
 * The document around the entities, by makerjs: header with the unit, line types, layers. One line on each layer brings it into
 * the table; only what stands before the entities is taken.
 */
function frameOf(layers: readonly LayerContours[], unit: FileUnit): string {
  const layerOptions: Record<string, { color: number }> = {};
  const models: makerjs.IModelMap = {};
  for (const { layer } of layers) {
    layerOptions[layer.name] = { color: colorIndexOf(layer.color) };
    models[layer.name] = { layer: layer.name, paths: { line: new makerjs.paths.Line([0, 0], [1, 0]) } };
  }
  const document = makerjs.exporter.toDXF({ models }, { units: MAKERJS_UNITS[unit], layerOptions });
  const at = document.indexOf(ENTITIES);
  if (at < 0) throw new RangeError('a DXF document without entities');
  return document.slice(0, at).replace('2\nHEADER\n', '2\nHEADER\n9\n$ACADVER\n1\nAC1009\n') + ENTITIES;
}

/**
 * A polyline with bulges, running as its contour does: holes are told from outlines by their direction. Written here and not by
 * makerjs, which would chain the pieces anew by their ends: that costs a hundred times as much, links contours that touch,
 * and turns some around.
 */
function polylineText({ x, y, segments, closed }: Contour, layer: string): string {
  const vertices: { x: string; y: string; bulge: number }[] = [];
  let vertex = { x: numberText(x), y: numberText(y) };
  for (const segment of segments) {
    const next = { x: numberText(segment.x), y: numberText(segment.y) };
    if (next.x === vertex.x && next.y === vertex.y) continue;
    vertices.push({ ...vertex, bulge: segment.bulge });
    vertex = next;
  }
  if (vertices.length === 0) return '';
  // A closed one ends where it began, which is said once.
  if (!closed) vertices.push({ ...vertex, bulge: 0 });
  const common = `8\n${layer}\n`;
  const parts = [`0\nPOLYLINE\n${common}66\n1\n10\n0\n20\n0\n30\n0\n70\n${closed ? 1 : 0}\n`];
  for (const { x: atX, y: atY, bulge } of vertices) {
    const bent = bulge === 0 ? '' : `42\n${numberText(bulge)}\n`;
    parts.push(`0\nVERTEX\n${common}10\n${atX}\n20\n${atY}\n30\n0\n${bent}`);
  }
  parts.push(`0\nSEQEND\n${common}`);
  return parts.join('');
}

/** Text is turned into bytes in pieces of about this many characters, so that a large file is not there twice. */
const PIECE_CHARACTERS = 1 << 20;

/** An R12 DXF of polylines with bulges. */
export function writeR12(layers: readonly LayerContours[], unit: FileUnit): Uint8Array {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let texts = [frameOf(layers, unit)];
  let characters = 0;
  const flush = () => {
    pieces.push(encoder.encode(texts.join('')));
    texts = [];
    characters = 0;
  };
  for (const { layer, contours } of layers)
    for (const contour of contours) {
      const text = polylineText(contour, layer.name);
      texts.push(text);
      characters += text.length;
      if (characters > PIECE_CHARACTERS) flush();
    }
  texts.push(END);
  flush();
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
