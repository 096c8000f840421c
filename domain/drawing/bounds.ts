import { centerArcOf } from './arc.js';
import {
  ARC,
  CLOSE,
  COORDS_PER_COMMAND,
  CUBIC,
  type Drawing,
  type Geometry,
  type ImageItem,
  MOVE,
  type PathGeometry,
  QUADRATIC,
  type Shape,
} from './drawing.js';

/** User units; `min` is never larger than `max`. */
export interface Bounds {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

type Outlines = Pick<Drawing, 'commands' | 'coords'>;

/** Grows by points; reused along one path. */
class Box {
  minX = Number.POSITIVE_INFINITY;
  minY = Number.POSITIVE_INFINITY;
  maxX = Number.NEGATIVE_INFINITY;
  maxY = Number.NEGATIVE_INFINITY;

  add(x: number, y: number): void {
    if (x < this.minX) this.minX = x;
    if (x > this.maxX) this.maxX = x;
    if (y < this.minY) this.minY = y;
    if (y > this.maxY) this.maxY = y;
  }

  holds(x: number, y: number): boolean {
    return x >= this.minX && x <= this.maxX && y >= this.minY && y <= this.maxY;
  }
}

const quadraticAt = (t: number, a: number, b: number, c: number) =>
  (1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c;

const cubicAt = (t: number, a: number, b: number, c: number, d: number) => {
  const s = 1 - t;
  return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
};

function addQuadratic(box: Box, x0: number, y0: number, x1: number, y1: number, x2: number, y2: number): void {
  if (box.holds(x1, y1)) return;
  const tx = (x0 - x1) / (x0 - 2 * x1 + x2);
  const ty = (y0 - y1) / (y0 - 2 * y1 + y2);
  if (tx > 0 && tx < 1) box.add(quadraticAt(tx, x0, x1, x2), quadraticAt(tx, y0, y1, y2));
  if (ty > 0 && ty < 1) box.add(quadraticAt(ty, x0, x1, x2), quadraticAt(ty, y0, y1, y2));
}

/** Where one coordinate of a cubic turns, up to two parameters; NaN for none. */
function cubicTurns(a: number, b: number, c: number, d: number, turns: Float64Array, at: number): void {
  const p = d - a + 3 * (b - c);
  const q = 2 * (a - 2 * b + c);
  const r = b - a;
  turns[at] = Number.NaN;
  turns[at + 1] = Number.NaN;
  const discriminant = q * q - 4 * p * r;
  if (discriminant < 0) return;
  // The stable form: no difference of nearly equal numbers.
  const s = -0.5 * (q + (q < 0 ? -1 : 1) * Math.sqrt(discriminant));
  if (p !== 0) turns[at] = s / p;
  if (s !== 0) turns[at + 1] = r / s;
}

function addCubic(
  box: Box,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x3: number,
  y3: number,
  turns: Float64Array,
): void {
  if (box.holds(x1, y1) && box.holds(x2, y2)) return;
  cubicTurns(x0, x1, x2, x3, turns, 0);
  cubicTurns(y0, y1, y2, y3, turns, 2);
  for (let k = 0; k < 4; k++) {
    const t = turns[k]!;
    if (t > 0 && t < 1) box.add(cubicAt(t, x0, x1, x2, x3), cubicAt(t, y0, y1, y2, y3));
  }
}

function addArc(box: Box, x0: number, y0: number, coords: Float64Array, at: number): void {
  const arc = centerArcOf(
    x0,
    y0,
    coords[at]!,
    coords[at + 1]!,
    coords[at + 2]!,
    coords[at + 3] !== 0,
    coords[at + 4] !== 0,
    coords[at + 5]!,
    coords[at + 6]!,
  );
  if (arc === undefined) return;
  const cos = Math.cos(arc.rotationRad);
  const sin = Math.sin(arc.rotationRad);
  // The parameters where x and y turn, each with its opposite.
  const turnX = Math.atan2(-arc.ry * sin, arc.rx * cos);
  const turnY = Math.atan2(arc.ry * cos, arc.rx * sin);
  for (const t of [turnX, turnX + Math.PI, turnY, turnY + Math.PI]) {
    const turn = 2 * Math.PI;
    const along = arc.sweepRad > 0 ? t - arc.startRad : arc.startRad - t;
    if (along - Math.floor(along / turn) * turn >= Math.abs(arc.sweepRad)) continue;
    const u = arc.rx * Math.cos(t);
    const v = arc.ry * Math.sin(t);
    box.add(arc.cx + cos * u - sin * v, arc.cy + sin * u + cos * v);
  }
}

/** Of the cubic at hand. */
const TURNS = new Float64Array(4);

function pathBounds(path: PathGeometry, { commands, coords }: Outlines): Bounds | undefined {
  const box = new Box();
  const turns = TURNS;
  let at = path.firstCoord;
  let x = 0;
  let y = 0;
  let startX = 0;
  let startY = 0;
  for (let i = path.firstCommand; i < path.firstCommand + path.commandCount; i++) {
    const command = commands[i]!;
    const count = COORDS_PER_COMMAND[command];
    if (count === undefined) throw new RangeError(`unknown path command ${command}`);
    if (command === CLOSE) {
      x = startX;
      y = startY;
      continue;
    }
    const endX = coords[at + count - 2]!;
    const endY = coords[at + count - 1]!;
    box.add(endX, endY);
    if (command === QUADRATIC) addQuadratic(box, x, y, coords[at]!, coords[at + 1]!, endX, endY);
    else if (command === CUBIC)
      addCubic(box, x, y, coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!, endX, endY, turns);
    else if (command === ARC) addArc(box, x, y, coords, at);
    else if (command === MOVE) {
      startX = endX;
      startY = endY;
    }
    x = endX;
    y = endY;
    at += count;
  }
  return box.minX > box.maxX ? undefined : box;
}

/** Exact bounds of an outline without its stroke, curves and arcs included. Undefined for a path without points. */
export function boundsOfGeometry(geometry: Geometry, outlines: Outlines): Bounds | undefined {
  switch (geometry.kind) {
    case 'path':
      return pathBounds(geometry, outlines);
    case 'rect':
      return {
        minX: geometry.x,
        minY: geometry.y,
        maxX: geometry.x + geometry.width,
        maxY: geometry.y + geometry.height,
      };
    default: {
      const rx = geometry.kind === 'circle' ? geometry.r : geometry.rx;
      const ry = geometry.kind === 'circle' ? geometry.r : geometry.ry;
      const rad = geometry.kind === 'circle' ? 0 : (geometry.rotation * Math.PI) / 180;
      const halfX = Math.hypot(rx * Math.cos(rad), ry * Math.sin(rad));
      const halfY = Math.hypot(rx * Math.sin(rad), ry * Math.cos(rad));
      return {
        minX: geometry.cx - halfX,
        minY: geometry.cy - halfY,
        maxX: geometry.cx + halfX,
        maxY: geometry.cy + halfY,
      };
    }
  }
}

/** Bounds of an image, however it is turned. */
export function boundsOfImage({ width, height, matrix: [a, b, c, d, e, f] }: ImageItem): Bounds {
  const box = new Box();
  for (const x of [0, width]) for (const y of [0, height]) box.add(a * x + c * y + e, b * x + d * y + f);
  return box;
}

/**
 * Bounds of what a shape paints, its stroke included. Exact for fills and for strokes of primitives and of paths with round
 * joins and caps; elsewhere never too small, but as large as the longest miter or a slanted square cap could make it.
 */
export function boundsOfShape(shape: Shape, outlines: Outlines): Bounds | undefined {
  const { geometry, stroke } = shape;
  const bounds = boundsOfGeometry(geometry, outlines);
  if (bounds === undefined || stroke === null) return bounds;
  let reach = stroke.width / 2;
  if (geometry.kind === 'path') {
    const cap = stroke.cap === 'square' ? Math.SQRT2 : 1;
    reach *= Math.max(cap, stroke.join === 'miter' ? stroke.miterLimit : 1);
  }
  return {
    minX: bounds.minX - reach,
    minY: bounds.minY - reach,
    maxX: bounds.maxX + reach,
    maxY: bounds.maxY + reach,
  };
}
