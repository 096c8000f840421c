import type { CenterArc } from '#domain/drawing/arc.js';
import type { Drawing, Geometry } from '#domain/drawing/drawing.js';
import { arcToCubics, toCurves, visitGeometry } from '#domain/drawing/outline-visitors.js';
import type { Placement } from '#domain/exports/output-size.js';

/** A piece of a contour, from the end of the piece before it to (x, y). All in the file's unit, y up. */
export interface Segment {
  readonly x: number;
  readonly y: number;
  /** tan of a quarter of the angle that a circular arc sweeps, positive counter-clockwise; 0 for a line or a cubic. */
  readonly bulge: number;
  /** The control points x1, y1, x2, y2 of a cubic. */
  readonly controls?: readonly [number, number, number, number];
}

export interface Contour {
  readonly x: number;
  readonly y: number;
  readonly segments: readonly Segment[];
  readonly closed: boolean;
}

/** One arc of a polyline should not go farther around than this. */
const MAX_BULGE_SWEEP_RAD = Math.PI;

/**
 * The contours of an outline, placed and turned y up. Circular arcs stay arcs where x and y are scaled alike, all other curves
 * become cubics. With `closed` every contour is closed, as a fill closes it; contours without extent are left out.
 */
export function contoursOf(
  geometry: Geometry,
  drawing: Drawing,
  placement: Placement,
  closed: boolean,
): readonly Contour[] {
  const { scaleX, scaleY, height, offsetX, offsetY } = placement;
  const toX = (x: number) => offsetX + x * scaleX;
  const toY = (y: number) => height - offsetY - y * scaleY;
  const contours: Contour[] = [];
  let startX = 0;
  let startY = 0;
  let penX = 0;
  let penY = 0;
  let segments: Segment[] = [];

  const add = (segment: Segment) => {
    if (segment.x === penX && segment.y === penY && segment.controls === undefined) return;
    segments.push(segment);
    penX = segment.x;
    penY = segment.y;
  };
  const finish = (isClosed: boolean) => {
    if (isClosed && (penX !== startX || penY !== startY)) add({ x: startX, y: startY, bulge: 0 });
    if (segments.length > 0) contours.push({ x: startX, y: startY, segments, closed: isClosed });
    segments = [];
  };
  const cubic = (x1: number, y1: number, x2: number, y2: number, x: number, y: number) =>
    add({ x: toX(x), y: toY(y), bulge: 0, controls: [toX(x1), toY(y1), toX(x2), toY(y2)] });
  const circular = (arc: CenterArc, x: number, y: number) => {
    const pieces = Math.max(1, Math.ceil(Math.abs(arc.sweepRad) / MAX_BULGE_SWEEP_RAD - 1e-9));
    const step = arc.sweepRad / pieces;
    // Positive sweeps run clockwise on screen, which is clockwise with y up as well.
    const bulge = -Math.tan(step / 4);
    for (let k = 1; k <= pieces; k++) {
      const angle = arc.startRad + arc.rotationRad + k * step;
      const last = k === pieces;
      const endX = last ? x : arc.cx + arc.rx * Math.cos(angle);
      const endY = last ? y : arc.cy + arc.rx * Math.sin(angle);
      add({ x: toX(endX), y: toY(endY), bulge });
    }
  };

  visitGeometry(
    geometry,
    drawing,
    toCurves({
      move(x, y) {
        finish(closed);
        startX = penX = toX(x);
        startY = penY = toY(y);
      },
      line: (x, y) => add({ x: toX(x), y: toY(y), bulge: 0 }),
      cubic,
      arc(arc, x, y) {
        const round = Math.abs(arc.rx - arc.ry) <= 1e-9 * arc.rx && Math.abs(scaleX - scaleY) <= 1e-9 * scaleX;
        if (round) circular(arc, x, y);
        else arcToCubics(arc, x, y, cubic);
      },
      close: () => finish(true),
    }),
  );
  finish(closed);
  return contours;
}

/** Positions and weights of a rule that is exact for polynomials up to degree 5: the area under a cubic. */
const GAUSS = [
  [0.5 - Math.sqrt(0.15), 5 / 18],
  [0.5, 8 / 18],
  [0.5 + Math.sqrt(0.15), 5 / 18],
] as const;

/** What a segment from (fromX, fromY) adds to the contour's area, seen from (originX, originY). */
function segmentArea(fromX: number, fromY: number, segment: Segment, originX: number, originY: number): number {
  const { x, y, bulge, controls } = segment;
  const chord = ((fromX - originX) * (y - originY) - (x - originX) * (fromY - originY)) / 2;
  if (controls === undefined) {
    if (bulge === 0) return chord;
    const sweep = 4 * Math.atan(bulge);
    const radius = (Math.hypot(x - fromX, y - fromY) * (1 + bulge * bulge)) / (4 * bulge);
    return chord + (radius * radius * (sweep - Math.sin(sweep))) / 2;
  }
  const [x1, y1, x2, y2] = controls;
  let sum = 0;
  for (const [t, weight] of GAUSS) {
    const s = 1 - t;
    const at = (a: number, b: number, c: number, d: number) =>
      s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
    const slope = (a: number, b: number, c: number, d: number) =>
      3 * (s * s * (b - a) + 2 * s * t * (c - b) + t * t * (d - c));
    const px = at(fromX, x1, x2, x) - originX;
    const py = at(fromY, y1, y2, y) - originY;
    sum += weight * (px * slope(fromY, y1, y2, y) - py * slope(fromX, x1, x2, x));
  }
  return sum / 2;
}

/** The area of a closed contour, positive counter-clockwise; exact. */
export function areaOf({ x, y, segments }: Contour): number {
  let area = 0;
  let fromX = x;
  let fromY = y;
  for (const segment of segments) {
    area += segmentArea(fromX, fromY, segment, x, y);
    fromX = segment.x;
    fromY = segment.y;
  }
  return area;
}
