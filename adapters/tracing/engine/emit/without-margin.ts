import type { Margin, Sides } from '../intake/margin.js';
import type { EngineDrawing, EngineGeometry, EnginePaint, EngineShape } from '../types.js';
import { OutlineClipper } from './clip-outlines.js';
import { ARC, COORDS_PER_COMMAND, OutlineBuffer } from './outline-buffer.js';

/** Coordinates this near to a border, px, lie on it. Handles may be far beyond. */
const ON_BORDER_PX = 1e-6;

/**
 * The drawing of a picture with a margin as that of the picture itself: all is moved, and what reached to the margin's border, which is its
 * ground alone, reaches to the picture's. The drawing may be `times` as large as the picture.
 */
export function withoutMargin(drawing: EngineDrawing, margin: Margin, times = 1): EngineDrawing {
  const { left, top, right, bottom } = margin;
  const mover = new Mover(drawing, {
    left: left * times,
    top: top * times,
    right: right * times,
    bottom: bottom * times,
  });
  const { width, height } = mover;
  const items = drawing.items.map((item) => mover.shape(item)).filter(({ geometry }) => !isEmpty(geometry));
  return { ...drawing, width, height, ...mover.out.finish(), items };
}

class Mover {
  /** Of the picture itself. */
  readonly width: number;
  readonly height: number;
  /** Holds the paths, as far as they lie in the picture. */
  readonly out = new OutlineBuffer();
  private readonly drawing: EngineDrawing;
  private readonly margin: Sides<number>;
  private readonly clipper: OutlineClipper;
  /** Pixels of the margin that no shape has been freed of so far. */
  private marginPx: number;

  constructor(drawing: EngineDrawing, margin: Sides<number>) {
    this.drawing = drawing;
    this.margin = margin;
    this.width = drawing.width - margin.left - margin.right;
    this.height = drawing.height - margin.top - margin.bottom;
    this.marginPx = drawing.width * drawing.height - this.width * this.height;
    this.clipper = new OutlineClipper(this.width, this.height, this.out);
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

  /** Calls `visit` with where each point of some commands is: an arc's radii, rotation and flags are none. */
  private eachPoint(firstCommand: number, count: number, firstCoord: number, visit: (at: number) => void): void {
    const { commands } = this.drawing;
    let at = firstCoord;
    for (let n = firstCommand; n < firstCommand + count; n++) {
      const end = at + COORDS_PER_COMMAND[commands[n]];
      if (commands[n] === ARC) at = end - 2;
      for (; at < end; at += 2) visit(at);
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
    const { left, top } = this.margin;
    if (geometry.kind === 'path') {
      const { out, clipper, drawing } = this;
      const firstCommand = out.commands.length;
      const firstCoord = out.coords.length;
      const { firstCommand: first, commandCount: count, firstCoord: at } = geometry;
      clipper.clip(drawing.commands, drawing.coords, first, count, at, left, top);
      return { ...geometry, firstCommand, commandCount: out.commands.length - firstCommand, firstCoord };
    }
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

/** A coordinate in the picture, of a side so long with the margin before and behind it; what lies on the margin's border comes to the picture's. */
function moved(value: number, before: number, side: number, behind: number): number {
  if (before > 0 && isNear(value, 0)) return 0;
  if (behind > 0 && isNear(value, side)) return side - before - behind;
  return value - before;
}

/** Of a path nothing is left where all of it was in the margin. */
function isEmpty(geometry: EngineGeometry): boolean {
  return geometry.kind === 'path' && geometry.commandCount === 0;
}

function isNear(value: number, border: number): boolean {
  return Math.abs(value - border) < ON_BORDER_PX;
}
