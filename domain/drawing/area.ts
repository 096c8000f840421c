import { centerArcOf } from './arc.js';
import { type Drawing, type Geometry, type PathGeometry, visitPath } from './drawing.js';

const cross = (ax: number, ay: number, bx: number, by: number) => ax * by - ay * bx;

function pathArea(path: PathGeometry, outlines: Pick<Drawing, 'commands' | 'coords'>): number {
  // Half the integral of x dy - y dx, in closed form for each kind of piece.
  let area = 0;
  let x0 = 0;
  let y0 = 0;
  let startX = 0;
  let startY = 0;
  const lineTo = (x: number, y: number) => {
    area += cross(x0, y0, x, y) / 2;
    x0 = x;
    y0 = y;
  };
  visitPath(path, outlines, {
    move(x, y) {
      lineTo(startX, startY);
      x0 = startX = x;
      y0 = startY = y;
    },
    line: lineTo,
    quadratic(x1, y1, x, y) {
      area += (2 * cross(x0, y0, x1, y1) + cross(x0, y0, x, y) + 2 * cross(x1, y1, x, y)) / 6;
      x0 = x;
      y0 = y;
    },
    cubic(x1, y1, x2, y2, x, y) {
      const near = 6 * cross(x0, y0, x1, y1) + 3 * cross(x0, y0, x2, y2) + cross(x0, y0, x, y);
      const far = 3 * cross(x1, y1, x2, y2) + 3 * cross(x1, y1, x, y) + 6 * cross(x2, y2, x, y);
      area += (near + far) / 20;
      x0 = x;
      y0 = y;
    },
    arc(rx, ry, rotation, largeArc, sweep, x, y) {
      const arc = centerArcOf(x0, y0, rx, ry, rotation, largeArc, sweep, x, y);
      if (arc === undefined) {
        lineTo(x, y);
        return;
      }
      area += (cross(arc.cx, arc.cy, x - x0, y - y0) + arc.rx * arc.ry * arc.sweepRad) / 2;
      x0 = x;
      y0 = y;
    },
    close: () => lineTo(startX, startY),
  });
  lineTo(startX, startY);
  return area;
}

/**
 * The area inside an outline, user units squared: positive where it runs clockwise on screen (y down), open outlines closed
 * by a line. Holes that run the other way are taken off; parts covered twice count twice. Primitives are positive.
 */
export function signedAreaOf(geometry: Geometry, outlines: Pick<Drawing, 'commands' | 'coords'>): number {
  switch (geometry.kind) {
    case 'path':
      return pathArea(geometry, outlines);
    case 'circle':
      return Math.PI * geometry.r * geometry.r;
    case 'ellipse':
      return Math.PI * geometry.rx * geometry.ry;
    case 'rect': {
      const { width, height, radius } = geometry;
      const cornerArea = Math.min(radius, width / 2) * Math.min(radius, height / 2);
      return width * height - (4 - Math.PI) * cornerArea;
    }
  }
}
