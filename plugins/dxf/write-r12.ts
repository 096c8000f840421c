import makerjs from 'makerjs';
import { areaOf, type Contour, type Segment } from './contours.js';
import { colorIndexOf, type Layer } from './layers.js';
import { simpleLoops } from './simple-loops.js';

/** Contours of lines and arcs on one layer. */
export interface LayerContours {
  readonly layer: Layer;
  readonly contours: readonly Contour[];
}

const MAKERJS_UNITS = { mm: 'mm', cm: 'cm', in: 'inch' } as const;
export type FileUnit = keyof typeof MAKERJS_UNITS;

/** Ends nearer than this are joined; nodes of one contour are farther apart. */
const JOIN_DISTANCE = 2e-7;
const ENTITIES = '0\nSECTION\n2\nENTITIES\n';
const END = '0\nENDSEC\n0\nEOF';
const RAD_TO_DEG = 180 / Math.PI;

function pathOf(fromX: number, fromY: number, { x, y, bulge }: Segment): makerjs.IPath {
  if (bulge === 0) return new makerjs.paths.Line([fromX, fromY], [x, y]);
  const dx = x - fromX;
  const dy = y - fromY;
  const reach = (1 - bulge * bulge) / (4 * bulge);
  const cx = (fromX + x) / 2 - dy * reach;
  const cy = (fromY + y) / 2 + dx * reach;
  const radius = Math.hypot(fromX - cx, fromY - cy);
  const from = Math.atan2(fromY - cy, fromX - cx) * RAD_TO_DEG;
  const to = Math.atan2(y - cy, x - cx) * RAD_TO_DEG;
  return bulge > 0
    ? new makerjs.paths.Arc([cx, cy], radius, from, to)
    : new makerjs.paths.Arc([cx, cy], radius, to, from);
}

function modelOf({ x, y, segments }: Contour, layer: string): makerjs.IModel {
  const paths: makerjs.IPathMap = {};
  let fromX = x;
  let fromY = y;
  for (const [i, segment] of segments.entries()) {
    paths[`p${i}`] = pathOf(fromX, fromY, segment);
    fromX = segment.x;
    fromY = segment.y;
  }
  return { paths, layer };
}

const toDxf = (
  models: makerjs.IModelMap,
  unit: FileUnit,
  layerOptions: Record<string, { color: number }>,
  joined: boolean,
) =>
  makerjs.exporter.toDXF(
    { models },
    { units: MAKERJS_UNITS[unit], usePOLYLINE: joined, pointMatchingDistance: JOIN_DISTANCE, layerOptions },
  );

/** What stands between the start of the entities and the end of the document. */
function entitiesOf(document: string): string {
  const from = document.indexOf(ENTITIES);
  const to = document.lastIndexOf(END);
  if (from < 0 || to < from) throw new RangeError('a DXF document without entities');
  return document.slice(from + ENTITIES.length, to);
}

const VERTEX = /0\nVERTEX\n8\n[^\n]*\n10\n([^\n]*)\n20\n([^\n]*)\n(?:42\n([^\n]*)\n)?/g;

/**
 * A closed polyline running the way its contour does. Links are chained in the direction of the first, which for an arc is
 * always counter-clockwise; holes are told from outlines by their direction.
 */
function inDirection(entity: string, loop: Contour): string {
  if (!loop.closed) return entity;
  const found = [...entity.matchAll(VERTEX)];
  const vertices = found.map(([, x, y, bulge]) => ({ x: Number(x), y: Number(y), bulge: Number(bulge ?? 0) }));
  const first = vertices[0];
  if (first === undefined) return entity;
  const segments = vertices.map(({ bulge }, i) => ({ ...vertices[(i + 1) % vertices.length]!, bulge }));
  if (areaOf({ ...first, segments, closed: true }) * areaOf(loop) >= 0) return entity;
  const count = vertices.length;
  const turned = vertices.map((_, i) => {
    const { x, y } = vertices[count - 1 - i]!;
    // The piece that led from the vertex before it to this one.
    const { bulge } = vertices[(2 * count - 2 - i) % count]!;
    const bent = bulge === 0 ? '' : `42\n${-bulge}\n`;
    return vertexText(entity, x, y) + bent;
  });
  const from = found[0]!.index;
  const last = found[count - 1]!;
  return entity.slice(0, from) + turned.join('') + entity.slice(last.index + last[0].length);
}

/** A vertex on the layer of its polyline. */
function vertexText(entity: string, x: number, y: number): string {
  const layer = /^0\nPOLYLINE\n8\n([^\n]*)\n/.exec(entity)?.[1] ?? '0';
  return `0\nVERTEX\n8\n${layer}\n10\n${x}\n20\n${y}\n`;
}

/**
 * An R12 DXF of polylines with bulges. Each contour is chained by itself: contours of neighbors share nodes, across which their
 * pieces could be linked to one another.
 */
export function writeR12(layers: readonly LayerContours[], unit: FileUnit): string {
  const layerOptions = Object.fromEntries(
    layers.map(({ layer }) => [layer.name, { color: colorIndexOf(layer.color) }]),
  );
  // One stroke on each layer brings it into the table; only what stands before the entities is taken.
  const samples = Object.fromEntries(
    layers.map(({ layer }) => [
      layer.name,
      { layer: layer.name, paths: { p: new makerjs.paths.Line([0, 0], [1, 0]) } },
    ]),
  );
  const frame = toDxf(samples, unit, layerOptions, false);
  const head = frame
    .slice(0, frame.indexOf(ENTITIES) + ENTITIES.length)
    .replace('2\nHEADER\n', '2\nHEADER\n9\n$ACADVER\n1\nAC1009\n');
  const parts = [head];
  for (const { layer, contours } of layers)
    for (const contour of contours)
      for (const loop of simpleLoops(contour))
        parts.push(inDirection(entitiesOf(toDxf({ m: modelOf(loop, layer.name) }, unit, layerOptions, true)), loop));
  parts.push(END, '\n');
  return parts.join('');
}
