import { type CenterArc, centerArcOf } from './arc.js';
import { type Drawing, type Geometry, type PathVisitor, visitPath } from './drawing.js';

type Outlines = Pick<Drawing, 'commands' | 'coords'>;

/** Walks any outline as path commands: circles, ellipses and round corners as arcs, clockwise on screen, closed. */
export function visitGeometry(geometry: Geometry, outlines: Outlines, visitor: PathVisitor): void {
  switch (geometry.kind) {
    case 'path':
      visitPath(geometry, outlines, visitor);
      break;
    case 'circle': {
      const { cx, cy, r } = geometry;
      visitEllipse(cx, cy, r, r, 0, visitor);
      break;
    }
    case 'ellipse': {
      const { cx, cy, rx, ry, rotation } = geometry;
      visitEllipse(cx, cy, rx, ry, rotation, visitor);
      break;
    }
    case 'rect': {
      const { x, y, width, height } = geometry;
      const right = x + width;
      const bottom = y + height;
      const radiusX = Math.min(geometry.radius, width / 2);
      const radiusY = Math.min(geometry.radius, height / 2);
      if (radiusX <= 0 || radiusY <= 0) {
        visitor.move(x, y);
        visitor.line(right, y);
        visitor.line(right, bottom);
        visitor.line(x, bottom);
        visitor.close();
        return;
      }
      const corner = (toX: number, toY: number) => visitor.arc(radiusX, radiusY, 0, false, true, toX, toY);
      visitor.move(x + radiusX, y);
      if (width > 2 * radiusX) visitor.line(right - radiusX, y);
      corner(right, y + radiusY);
      if (height > 2 * radiusY) visitor.line(right, bottom - radiusY);
      corner(right - radiusX, bottom);
      if (width > 2 * radiusX) visitor.line(x + radiusX, bottom);
      corner(x, bottom - radiusY);
      if (height > 2 * radiusY) visitor.line(x, y + radiusY);
      corner(x + radiusX, y);
      visitor.close();
    }
  }
}

function visitEllipse(cx: number, cy: number, rx: number, ry: number, rotation: number, visitor: PathVisitor): void {
  const dx = rx * Math.cos((rotation * Math.PI) / 180);
  const dy = rx * Math.sin((rotation * Math.PI) / 180);
  visitor.move(cx + dx, cy + dy);
  visitor.arc(rx, ry, rotation, false, true, cx - dx, cy - dy);
  visitor.arc(rx, ry, rotation, false, true, cx + dx, cy + dy);
  visitor.close();
}

/** A path of lines and cubics, with arcs where the receiver has use for them. */
export interface CurveSink {
  move(x: number, y: number): void;
  line(x: number, y: number): void;
  cubic(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void;
  /** The pen is back at the start of the contour. */
  close(): void;
  /** Ends at (x, y); as cubics where it is left out. */
  arc?(arc: CenterArc, x: number, y: number): void;
}

/** Longest piece of an arc that becomes one cubic: a quarter is off by 0.03 % of the radius. An eighth: by 0.0004 %. */
const MAX_CUBIC_SWEEP_RAD = Math.PI / 4;

/** Calls `cubic` for each piece of an arc, which ends exactly at (x, y). */
export function arcToCubics(arc: CenterArc, x: number, y: number, cubic: CurveSink['cubic']): void {
  const { cx, cy, rx, ry, rotationRad, startRad, sweepRad } = arc;
  const count = Math.max(1, Math.ceil(Math.abs(sweepRad) / MAX_CUBIC_SWEEP_RAD - 1e-9));
  const step = sweepRad / count;
  const reach = (4 / 3) * Math.tan(step / 4);
  const cos = Math.cos(rotationRad);
  const sin = Math.sin(rotationRad);
  const pointX = (u: number, v: number) => cx + cos * rx * u - sin * ry * v;
  const pointY = (u: number, v: number) => cy + sin * rx * u + cos * ry * v;
  for (let k = 0; k < count; k++) {
    const from = startRad + k * step;
    const to = from + step;
    const u1 = Math.cos(from) - reach * Math.sin(from);
    const v1 = Math.sin(from) + reach * Math.cos(from);
    const u2 = Math.cos(to) + reach * Math.sin(to);
    const v2 = Math.sin(to) - reach * Math.cos(to);
    const last = k === count - 1;
    const endX = last ? x : pointX(Math.cos(to), Math.sin(to));
    const endY = last ? y : pointY(Math.cos(to), Math.sin(to));
    cubic(pointX(u1, v1), pointY(u1, v1), pointX(u2, v2), pointY(u2, v2), endX, endY);
  }
}

/** A visitor that passes a path on as lines and cubics (and arcs, where the sink takes them). Keeps the pen: one per path. */
export function toCurves(sink: CurveSink): PathVisitor {
  let penX = 0;
  let penY = 0;
  let startX = 0;
  let startY = 0;
  let moved = true;
  // After a close without a move, SVG goes on from the contour's start.
  const begin = () => {
    if (!moved) sink.move(penX, penY);
    moved = true;
  };
  const to = (x: number, y: number) => {
    penX = x;
    penY = y;
  };
  return {
    move(x, y) {
      sink.move(x, y);
      startX = x;
      startY = y;
      moved = true;
      to(x, y);
    },
    line(x, y) {
      begin();
      sink.line(x, y);
      to(x, y);
    },
    quadratic(x1, y1, x, y) {
      begin();
      sink.cubic(
        penX + (2 / 3) * (x1 - penX),
        penY + (2 / 3) * (y1 - penY),
        x + (2 / 3) * (x1 - x),
        y + (2 / 3) * (y1 - y),
        x,
        y,
      );
      to(x, y);
    },
    cubic(x1, y1, x2, y2, x, y) {
      begin();
      sink.cubic(x1, y1, x2, y2, x, y);
      to(x, y);
    },
    arc(rx, ry, rotation, largeArc, sweep, x, y) {
      begin();
      const arc = centerArcOf(penX, penY, rx, ry, rotation, largeArc, sweep, x, y);
      if (arc !== undefined) {
        if (sink.arc) sink.arc(arc, x, y);
        else arcToCubics(arc, x, y, sink.cubic);
      } else if (x !== penX || y !== penY) sink.line(x, y);
      to(x, y);
    },
    close() {
      if (moved) sink.close();
      moved = false;
      to(startX, startY);
    },
  };
}

/** A contour as corner points x0, y0, x1, y1, ...; its closing point is not repeated. */
export interface Polyline {
  readonly points: readonly number[];
  readonly closed: boolean;
}

const MAX_PIECES = 1000;

/** How many equal pieces keep a cubic's chords within `tolerance` of it. */
export function cubicPieces(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x3: number,
  y3: number,
  tolerance: number,
): number {
  // The second differences bound the second derivative by 6 times their length.
  const bend = Math.max(Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2), Math.hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3));
  return Math.max(1, Math.min(MAX_PIECES, Math.ceil(Math.sqrt((0.75 * bend) / tolerance))));
}

/** The contours of an outline as polylines that stay within `tolerance` (user units) of it; empty contours are left out. */
export function flattenGeometry(geometry: Geometry, outlines: Outlines, tolerance: number): readonly Polyline[] {
  const polylines: Polyline[] = [];
  let points: number[] = [];
  let penX = 0;
  let penY = 0;
  const end = (closed: boolean) => {
    const last = points.length - 2;
    if (closed && last > 0 && points[0] === points[last] && points[1] === points[last + 1]) points.length = last;
    if (points.length >= 4) polylines.push({ points, closed });
    points = [];
  };
  const add = (x: number, y: number) => {
    if (x !== penX || y !== penY || points.length === 0) points.push(x, y);
    penX = x;
    penY = y;
  };
  visitGeometry(
    geometry,
    outlines,
    toCurves({
      move(x, y) {
        end(false);
        add(x, y);
      },
      line: add,
      cubic(x1, y1, x2, y2, x3, y3) {
        const x0 = penX;
        const y0 = penY;
        const count = cubicPieces(x0, y0, x1, y1, x2, y2, x3, y3, tolerance);
        for (let k = 1; k < count; k++) {
          const t = k / count;
          const s = 1 - t;
          const a = s * s * s;
          const b = 3 * s * s * t;
          const c = 3 * s * t * t;
          const d = t * t * t;
          add(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3);
        }
        add(x3, y3);
      },
      close: () => end(true),
    }),
  );
  end(false);
  return polylines;
}
