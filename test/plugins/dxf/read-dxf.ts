import { createRequire } from 'node:module';

interface ParsedVertex {
  readonly x: number;
  readonly y: number;
  readonly bulge?: number;
}
interface ParsedEntity {
  readonly type: string;
  readonly layer: string;
  readonly vertices?: readonly ParsedVertex[];
  readonly shape?: boolean;
  readonly closed?: boolean;
  readonly controlPoints?: readonly ParsedVertex[];
  readonly knotValues?: readonly number[];
}
interface ParsedDxf {
  readonly header: Readonly<Record<string, unknown>>;
  readonly tables: { readonly layer: { readonly layers: Readonly<Record<string, { readonly colorIndex: number }>> } };
  readonly entities: readonly ParsedEntity[];
}

const DxfParser = createRequire(import.meta.url)('dxf-parser') as new () => { parseSync(text: string): ParsedDxf };

/** A contour as an independent reader sees it: points that follow it closely, and what it encloses. */
export interface ReadContour {
  readonly layer: string;
  readonly type: string;
  readonly closed: boolean;
  /** Lines and arcs, or cubics of a spline. */
  readonly segments: number;
  readonly arcs: number;
  readonly points: readonly (readonly [number, number])[];
  /** Signed, positive counter-clockwise. */
  readonly area: number;
}

export interface ReadDxf {
  readonly header: Readonly<Record<string, unknown>>;
  readonly layers: Readonly<Record<string, { readonly colorIndex: number }>>;
  readonly contours: readonly ReadContour[];
}

/** Pieces of an arc or a cubic; a multiple of four, so that a half circle's side is among them. */
const PIECES = 400;

function alongArc(a: ParsedVertex, b: ParsedVertex, bulge: number): [number, number][] {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const reach = (1 - bulge * bulge) / (4 * bulge);
  const cx = (a.x + b.x) / 2 - dy * reach;
  const cy = (a.y + b.y) / 2 + dx * reach;
  const sweep = 4 * Math.atan(bulge);
  const points: [number, number][] = [];
  for (let k = 1; k <= PIECES; k++) {
    const angle = (k / PIECES) * sweep;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    points.push([cx + (a.x - cx) * cos - (a.y - cy) * sin, cy + (a.x - cx) * sin + (a.y - cy) * cos]);
  }
  return points;
}

function alongCubic(p: readonly ParsedVertex[]): [number, number][] {
  const [p0, p1, p2, p3] = p as [ParsedVertex, ParsedVertex, ParsedVertex, ParsedVertex];
  return Array.from({ length: PIECES }, (_, k) => {
    const t = (k + 1) / PIECES;
    const s = 1 - t;
    const at = (axis: 'x' | 'y') =>
      s ** 3 * p0[axis] + 3 * s * s * t * p1[axis] + 3 * s * t * t * p2[axis] + t ** 3 * p3[axis];
    return [at('x'), at('y')];
  });
}

export function shoelace(points: readonly (readonly [number, number])[]): number {
  let sum = 0;
  for (const [i, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[(i + 1) % points.length]!;
    sum += x * nextY - nextX * y;
  }
  return sum / 2;
}

function readEntity(entity: ParsedEntity): ReadContour {
  const { type, layer } = entity;
  if (type === 'SPLINE') {
    const controls = entity.controlPoints!;
    const cubics = (controls.length - 1) / 3;
    if (!Number.isInteger(cubics)) throw new Error(`a spline of ${controls.length} control points`);
    const knots = Array.from({ length: cubics + 1 }, (_, k) => [k, k, k]).flat();
    const expected = [0, ...knots, cubics];
    if (JSON.stringify(entity.knotValues) !== JSON.stringify(expected))
      throw new Error('knots that make no chain of cubics');
    const first = controls[0]!;
    const last = controls[controls.length - 1]!;
    const points: [number, number][] = [[first.x, first.y]];
    for (let k = 0; k < cubics; k++) points.push(...alongCubic(controls.slice(3 * k, 3 * k + 4)));
    const closed = entity.closed === true && first.x === last.x && first.y === last.y;
    return { layer, type, closed, segments: cubics, arcs: 0, points, area: shoelace(points) };
  }
  if (type !== 'POLYLINE' && type !== 'LWPOLYLINE' && type !== 'LINE')
    throw new Error(`an entity that was not expected: ${type}`);
  const vertices = entity.vertices!;
  const closed = entity.shape === true;
  const count = closed ? vertices.length : vertices.length - 1;
  const points: [number, number][] = [[vertices[0]!.x, vertices[0]!.y]];
  let arcs = 0;
  for (let i = 0; i < count; i++) {
    const from = vertices[i]!;
    const to = vertices[(i + 1) % vertices.length]!;
    if (from.bulge) {
      arcs++;
      points.push(...alongArc(from, to, from.bulge));
    } else points.push([to.x, to.y]);
  }
  return { layer, type, closed, segments: count, arcs, points, area: shoelace(points) };
}

/** Reads a DXF with dxf-parser. Throws on what it cannot parse and on entities that an outline is not made of. */
export function readDxf(bytes: Uint8Array): ReadDxf {
  const parsed = new DxfParser().parseSync(new TextDecoder().decode(bytes));
  return { header: parsed.header, layers: parsed.tables.layer.layers, contours: parsed.entities.map(readEntity) };
}

/** The box around everything that was read. */
export function extentsOf(contours: readonly ReadContour[]) {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (const { points } of contours)
    for (const [x, y] of points) {
      box.minX = Math.min(box.minX, x);
      box.maxX = Math.max(box.maxX, x);
      box.minY = Math.min(box.minY, y);
      box.maxY = Math.max(box.maxY, y);
    }
  return box;
}
