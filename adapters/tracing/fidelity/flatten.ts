import { centerArcOf } from '#domain/drawing/arc.js';
import {
  ARC,
  CLOSE,
  COORDS_PER_COMMAND,
  CUBIC,
  type Drawing,
  type Geometry,
  LINE,
  MOVE,
  type PathGeometry,
  QUADRATIC,
  type RectGeometry,
} from '#domain/drawing/drawing.js';
import type { Polylines } from '#domain/drawing/polylines.js';

/** Bounds the work on outlines that reach far beyond the canvas. */
const MAX_STEPS = 1000;

/** Steps for which a curve with this largest second derivative stays within the tolerance of its chords. */
const stepsFor = (secondDerivative: number, tolerance: number): number =>
  Math.min(MAX_STEPS, Math.ceil(Math.sqrt(secondDerivative / (8 * tolerance)))) || 1;

/** The angle whose chord lies within the tolerance of a circle of this radius. */
const angleStep = (radius: number, tolerance: number): number =>
  tolerance < radius / 4 ? 2 * Math.acos(1 - tolerance / radius) : Math.PI / 4;

function addQuadratic(
  out: Polylines,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  tolerance: number,
): void {
  const steps = stepsFor(2 * Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2), tolerance);
  for (let k = 1; k < steps; k++) {
    const t = k / steps;
    const s = 1 - t;
    out.add(s * s * x0 + 2 * s * t * x1 + t * t * x2, s * s * y0 + 2 * s * t * y1 + t * t * y2, 0);
  }
  out.add(x2, y2, 1);
}

function addCubic(
  out: Polylines,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x3: number,
  y3: number,
  tolerance: number,
): void {
  const bend0 = Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2);
  const bend1 = Math.hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3);
  const steps = stepsFor(6 * Math.max(bend0, bend1), tolerance);
  for (let k = 1; k < steps; k++) {
    const t = k / steps;
    const s = 1 - t;
    const a = s * s * s;
    const b = 3 * s * s * t;
    const c = 3 * s * t * t;
    const d = t * t * t;
    out.add(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3, 0);
  }
  out.add(x3, y3, 1);
}

function addArc(out: Polylines, x0: number, y0: number, coords: Float64Array, at: number, tolerance: number): void {
  const x1 = coords[at + 5]!;
  const y1 = coords[at + 6]!;
  const arc = centerArcOf(
    x0,
    y0,
    coords[at]!,
    coords[at + 1]!,
    coords[at + 2]!,
    coords[at + 3] !== 0,
    coords[at + 4] !== 0,
    x1,
    y1,
  );
  if (arc !== undefined) {
    const cos = Math.cos(arc.rotationRad);
    const sin = Math.sin(arc.rotationRad);
    const step = angleStep(Math.max(arc.rx, arc.ry), tolerance);
    const steps = Math.min(MAX_STEPS, Math.ceil(Math.abs(arc.sweepRad) / step));
    for (let k = 1; k < steps; k++) {
      const t = arc.startRad + (arc.sweepRad * k) / steps;
      const u = arc.rx * Math.cos(t);
      const v = arc.ry * Math.sin(t);
      out.add(arc.cx + cos * u - sin * v, arc.cy + sin * u + cos * v, 0);
    }
  }
  out.add(x1, y1, 1);
}

function flattenPath(path: PathGeometry, { commands, coords }: Drawing, tolerance: number, out: Polylines): void {
  let at = path.firstCoord;
  let x = 0;
  let y = 0;
  let startX = 0;
  let startY = 0;
  let open = false;
  for (let i = path.firstCommand; i < path.firstCommand + path.commandCount; i++) {
    const command = commands[i]!;
    if (command === CLOSE) {
      if (open) out.close();
      open = false;
      x = startX;
      y = startY;
      continue;
    }
    const count = COORDS_PER_COMMAND[command];
    if (count === undefined) throw new RangeError(`unknown path command ${command}`);
    const endX = coords[at + count - 2]!;
    const endY = coords[at + count - 1]!;
    if (command === MOVE || !open) {
      startX = command === MOVE ? endX : x;
      startY = command === MOVE ? endY : y;
      out.begin();
      out.add(startX, startY, 1);
      open = true;
    }
    if (command === LINE) out.add(endX, endY, 1);
    else if (command === QUADRATIC) addQuadratic(out, x, y, coords[at]!, coords[at + 1]!, endX, endY, tolerance);
    else if (command === CUBIC)
      addCubic(out, x, y, coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!, endX, endY, tolerance);
    else if (command === ARC) addArc(out, x, y, coords, at, tolerance);
    x = endX;
    y = endY;
    at += count;
  }
}

function flattenEllipse(
  cx: number,
  cy: number,
  rx: number,
  ry: number,
  rotation: number,
  tolerance: number,
  out: Polylines,
): void {
  if (!(rx > 0 && ry > 0)) return;
  const steps = Math.min(MAX_STEPS, Math.ceil((2 * Math.PI) / angleStep(Math.max(rx, ry), tolerance)));
  const step = (2 * Math.PI) / steps;
  // Vertices a little outside, so that the polygon has the ellipse's own area.
  const grow = Math.sqrt(step / Math.sin(step));
  const cos = Math.cos((rotation * Math.PI) / 180);
  const sin = Math.sin((rotation * Math.PI) / 180);
  out.begin();
  for (let k = 0; k < steps; k++) {
    const u = grow * rx * Math.cos(k * step);
    const v = grow * ry * Math.sin(k * step);
    out.add(cx + cos * u - sin * v, cy + sin * u + cos * v, 0);
  }
  out.close();
}

function flattenRect({ x, y, width, height, radius }: RectGeometry, tolerance: number, out: Polylines): void {
  if (!(width > 0 && height > 0)) return;
  const rx = Math.min(radius, width / 2);
  const ry = Math.min(radius, height / 2);
  out.begin();
  if (!(radius > 0)) {
    out.add(x, y, 1);
    out.add(x + width, y, 1);
    out.add(x + width, y + height, 1);
    out.add(x, y + height, 1);
  } else {
    const steps = Math.min(MAX_STEPS, Math.ceil(Math.PI / 2 / angleStep(Math.max(rx, ry), tolerance)));
    for (let corner = 0; corner < 4; corner++) {
      const cx = corner === 0 || corner === 3 ? x + width - rx : x + rx;
      const cy = corner < 2 ? y + height - ry : y + ry;
      for (let k = 0; k <= steps; k++) {
        const t = ((corner + k / steps) * Math.PI) / 2;
        out.add(cx + rx * Math.cos(t), cy + ry * Math.sin(t), 0);
      }
    }
  }
  out.close();
}

/** Appends an outline as polylines that stay within `tolerance` (user units) of it. */
export function flatten(geometry: Geometry, drawing: Drawing, tolerance: number, out: Polylines): void {
  if (geometry.kind === 'path') flattenPath(geometry, drawing, tolerance, out);
  else if (geometry.kind === 'rect') flattenRect(geometry, tolerance, out);
  else if (geometry.kind === 'circle')
    flattenEllipse(geometry.cx, geometry.cy, geometry.r, geometry.r, 0, tolerance, out);
  else flattenEllipse(geometry.cx, geometry.cy, geometry.rx, geometry.ry, geometry.rotation, tolerance, out);
  out.finish();
}
