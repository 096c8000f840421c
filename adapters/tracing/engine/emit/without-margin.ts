import type { Margin } from '../intake/margin.js';
import { DEGREES } from '../math/degrees.js';
import { distance } from '../math/distance.js';
import { within } from '../math/within.js';
import type { EngineDrawing, EngineGeometry, EnginePaint, EngineShape } from '../types.js';
import { ARC, COORDS_PER_COMMAND } from './outline-buffer.js';

/** Coordinates this near to a border, px, lie on it. Handles may be far beyond. */
const ON_BORDER_PX = 1e-6;
/** Radii that differ by less are what rounding leaves of the same. */
const SAME_RADIUS_SHARE = 1e-12;
/** In radii: an arc that is flatter stays nearer to where it was if it keeps its radius. */
const LEAST_KEPT_BULGE = 0.5;

/**
 * The drawing of a picture with a margin as that of the picture itself: all is moved, and what reached to the margin's border, which is its
 * ground alone, reaches to the picture's.
 */
export function withoutMargin(drawing: EngineDrawing, margin: Margin): EngineDrawing {
  const mover = new Mover(drawing, margin);
  const { width, height } = mover;
  return { ...drawing, width, height, coords: mover.coords(), items: drawing.items.map((item) => mover.shape(item)) };
}

class Mover {
  /** Of the picture itself. */
  readonly width: number;
  readonly height: number;
  private readonly drawing: EngineDrawing;
  private readonly margin: Margin;
  /** Pixels of the margin that no shape has been freed of so far. */
  private marginPx: number;

  constructor(drawing: EngineDrawing, margin: Margin) {
    this.drawing = drawing;
    this.margin = margin;
    this.width = drawing.width - margin.left - margin.right;
    this.height = drawing.height - margin.top - margin.bottom;
    this.marginPx = drawing.width * drawing.height - this.width * this.height;
  }

  coords(): Float64Array {
    const { commands } = this.drawing;
    const own = Float64Array.from(this.drawing.coords);
    this.eachPoint(0, commands.length, 0, (at, isEnd) => {
      const x = this.x(own[at]);
      const y = this.y(own[at + 1]);
      // What reaches beneath another shape may do so beyond the picture, where a margin was.
      own[at] = isEnd ? within(x, this.width) : x;
      own[at + 1] = isEnd ? within(y, this.height) : y;
    });
    this.keepBulges(own);
    return own;
  }

  /** Gives arcs whose ends have come nearer to each other, at the picture's border, the radii with which they bulge as before. */
  private keepBulges(own: Float64Array): void {
    const { commands, coords } = this.drawing;
    let at = 0;
    for (let n = 0; n < commands.length; n++) {
      const end = at + COORDS_PER_COMMAND[commands[n]];
      // An arc begins where the command before it ended.
      if (commands[n] === ARC) keepBulge(own, at, bulgeOf(coords, at));
      at = end;
    }
  }

  shape(shape: EngineShape): EngineShape {
    const mayBe = Math.min(this.marginPx, shape.visibleAreaPx);
    const outside = mayBe > 0 && this.reachesOut(shape.geometry) ? mayBe : 0;
    this.marginPx -= outside;
    return {
      ...shape,
      geometry: this.geometry(shape.geometry),
      fill: shape.fill && this.paint(shape.fill),
      stroke: shape.stroke && { ...shape.stroke, paint: this.paint(shape.stroke.paint) },
      visibleAreaPx: shape.visibleAreaPx - outside,
    };
  }

  private x(value: number): number {
    const { left, right } = this.margin;
    return moved(value, left, this.drawing.width, right);
  }

  private y(value: number): number {
    const { top, bottom } = this.margin;
    return moved(value, top, this.drawing.height, bottom);
  }

  /**
   * Calls `visit` with where each point of some commands is, and whether it is one the outline goes through: an arc's radii, rotation and
   * flags are none.
   */
  private eachPoint(
    firstCommand: number,
    count: number,
    firstCoord: number,
    visit: (at: number, isEnd: boolean) => void,
  ): void {
    const { commands } = this.drawing;
    let at = firstCoord;
    for (let n = firstCommand; n < firstCommand + count; n++) {
      const end = at + COORDS_PER_COMMAND[commands[n]];
      if (commands[n] === ARC) at = end - 2;
      for (; at < end; at += 2) visit(at, at + 2 === end);
    }
  }

  /** Whether a shape reaches to the margin's border. */
  private reachesOut(geometry: EngineGeometry): boolean {
    const { coords, width, height } = this.drawing;
    const { left, top, right, bottom } = this.margin;
    let reaches = false;
    const look = (x: number, y: number) => {
      const beside = (left > 0 && isNear(x, 0)) || (right > 0 && isNear(x, width));
      if (beside || (top > 0 && isNear(y, 0)) || (bottom > 0 && isNear(y, height))) reaches = true;
    };
    if (geometry.kind === 'path') {
      const { firstCommand, commandCount, firstCoord } = geometry;
      this.eachPoint(firstCommand, commandCount, firstCoord, (at) => look(coords[at], coords[at + 1]));
    } else if (geometry.kind === 'rect') {
      look(geometry.x, geometry.y);
      look(geometry.x + geometry.width, geometry.y + geometry.height);
    }
    return reaches;
  }

  private geometry(geometry: EngineGeometry): EngineGeometry {
    if (geometry.kind === 'path') return geometry;
    const { left, top } = this.margin;
    if (geometry.kind !== 'rect') return { ...geometry, cx: geometry.cx - left, cy: geometry.cy - top };
    const x = this.x(geometry.x);
    const y = this.y(geometry.y);
    const width = this.x(geometry.x + geometry.width) - x;
    const height = this.y(geometry.y + geometry.height) - y;
    return { ...geometry, x, y, width, height };
  }

  private paint(paint: EnginePaint): EnginePaint {
    const { left, top } = this.margin;
    if (paint.kind === 'solid') return paint;
    if (paint.kind === 'linear') {
      const { x1, y1, x2, y2 } = paint;
      return { ...paint, x1: x1 - left, y1: y1 - top, x2: x2 - left, y2: y2 - top };
    }
    if (paint.matrix !== undefined) {
      const [a, b, c, d, e, f] = paint.matrix;
      return { ...paint, matrix: [a, b, c, d, e - left, f - top] };
    }
    const { cx, cy, fx, fy } = paint;
    return { ...paint, cx: cx - left, cy: cy - top, fx: fx - left, fy: fy - top };
  }
}

/** How far an arc whose numbers begin at `at` is from its chord, in radii. */
function bulgeOf(coords: Float64Array, at: number): number {
  const half = halfChordOf(coords, at);
  const toCenter = Math.sqrt(Math.max(0, 1 - half * half));
  return coords[at + 3] === 1 ? 1 + toCenter : 1 - toCenter;
}

/**
 * Sets the radii and the flag of an arc whose ends have moved, so that it is as far from its chord as it was. With its radii left, a half
 * circle whose ends come nearer by so little as d becomes higher by the square root of r d.
 */
function keepBulge(coords: Float64Array, at: number, bulge: number): void {
  if (bulge < LEAST_KEPT_BULGE) return;
  const half = halfChordOf(coords, at);
  const grown = (bulge * bulge + half * half) / (2 * bulge);
  if (!(half > 0) || Math.abs(grown - 1) < SAME_RADIUS_SHARE) return;
  coords[at] *= grown;
  coords[at + 1] *= grown;
  coords[at + 3] = bulge > half ? 1 : 0;
}

/** Half an arc's chord where its ellipse is the unit circle. */
function halfChordOf(coords: Float64Array, at: number): number {
  const angle = coords[at + 2] / DEGREES;
  const dx = coords[at + 5] - coords[at - 2];
  const dy = coords[at + 6] - coords[at - 1];
  const along = (dx * Math.cos(angle) + dy * Math.sin(angle)) / coords[at];
  const across = (dy * Math.cos(angle) - dx * Math.sin(angle)) / coords[at + 1];
  return distance(along, across) / 2;
}

/** A coordinate in the picture, of a side so long with the margin before and behind it; what lies on the margin's border comes to the picture's. */
function moved(value: number, before: number, side: number, behind: number): number {
  if (before > 0 && isNear(value, 0)) return 0;
  if (behind > 0 && isNear(value, side)) return side - before - behind;
  return value - before;
}

function isNear(value: number, border: number): boolean {
  return Math.abs(value - border) < ON_BORDER_PX;
}
