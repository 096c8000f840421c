import { MARGIN_PX } from '../intake/margin.js';
import type { EngineDrawing, EngineGeometry, EnginePaint, EngineShape } from '../types.js';
import { ARC, COORDS_PER_COMMAND } from './outline-buffer.js';

/**
 * The drawing of a picture with a margin as that of the picture itself: all is moved, and what reached to the margin's border, which is its
 * ground alone, reaches to the picture's.
 */
export function withoutMargin(drawing: EngineDrawing): EngineDrawing {
  const width = drawing.width - 2 * MARGIN_PX;
  const height = drawing.height - 2 * MARGIN_PX;
  const items = drawing.items.map((item) => moveShape(item, drawing));
  return { ...drawing, width, height, coords: moveCoords(drawing), items };
}

/** Coordinates this near to a border, px, lie on it. Handles may be far beyond. */
const ON_BORDER_PX = 1e-6;

/** A coordinate in the picture, of a side so long with its margin; what lies on the margin's border comes to the picture's. */
function moved(value: number, side: number): number {
  if (!isOnBorder(value, side)) return value - MARGIN_PX;
  return value < side / 2 ? 0 : side - 2 * MARGIN_PX;
}

function isOnBorder(value: number, side: number): boolean {
  return Math.abs(value) < ON_BORDER_PX || Math.abs(value - side) < ON_BORDER_PX;
}

function moveCoords({ coords, commands, width, height }: EngineDrawing): Float64Array {
  const own = Float64Array.from(coords);
  let at = 0;
  for (const command of commands) {
    const end = at + COORDS_PER_COMMAND[command];
    // An arc's radii, rotation and flags stay.
    if (command === ARC) at = end - 2;
    for (; at < end; at += 2) {
      own[at] = moved(own[at], width);
      own[at + 1] = moved(own[at + 1], height);
    }
  }
  return own;
}

function moveShape(shape: EngineShape, drawing: EngineDrawing): EngineShape {
  const { width, height } = drawing;
  const marginPx = width * height - (width - 2 * MARGIN_PX) * (height - 2 * MARGIN_PX);
  const isGround = reachesOut(shape.geometry, drawing);
  return {
    ...shape,
    geometry: moveGeometry(shape.geometry, drawing),
    fill: shape.fill && movePaint(shape.fill),
    stroke: shape.stroke && { ...shape.stroke, paint: movePaint(shape.stroke.paint) },
    visibleAreaPx: isGround ? Math.max(0, shape.visibleAreaPx - marginPx) : shape.visibleAreaPx,
  };
}

/** Whether a shape begins at the margin's border. */
function reachesOut(geometry: EngineGeometry, { coords, width, height }: EngineDrawing): boolean {
  if (geometry.kind === 'path')
    return isOnBorder(coords[geometry.firstCoord], width) || isOnBorder(coords[geometry.firstCoord + 1], height);
  return geometry.kind === 'rect' && (isOnBorder(geometry.x, width) || isOnBorder(geometry.y, height));
}

function moveGeometry(geometry: EngineGeometry, { width: wide, height: high }: EngineDrawing): EngineGeometry {
  if (geometry.kind === 'path') return geometry;
  if (geometry.kind !== 'rect') return { ...geometry, cx: geometry.cx - MARGIN_PX, cy: geometry.cy - MARGIN_PX };
  const x = moved(geometry.x, wide);
  const y = moved(geometry.y, high);
  const width = moved(geometry.x + geometry.width, wide) - x;
  const height = moved(geometry.y + geometry.height, high) - y;
  return { ...geometry, x, y, width, height };
}

function movePaint(paint: EnginePaint): EnginePaint {
  if (paint.kind === 'solid') return paint;
  if (paint.kind === 'linear') {
    const { x1, y1, x2, y2 } = paint;
    return { ...paint, x1: x1 - MARGIN_PX, y1: y1 - MARGIN_PX, x2: x2 - MARGIN_PX, y2: y2 - MARGIN_PX };
  }
  if (paint.matrix !== undefined) {
    const [a, b, c, d, e, f] = paint.matrix;
    return { ...paint, matrix: [a, b, c, d, e - MARGIN_PX, f - MARGIN_PX] };
  }
  const { cx, cy, fx, fy } = paint;
  return { ...paint, cx: cx - MARGIN_PX, cy: cy - MARGIN_PX, fx: fx - MARGIN_PX, fy: fy - MARGIN_PX };
}
