/** Length of an arc's handles for a quarter circle of radius 1. */
const QUARTER = 0.5522847498;

/** Who draws an outline piece by piece. */
export interface OutlinePen {
  line(x0: number, y0: number, x1: number, y1: number): void;
  /** Eight numbers, good until it returns: start, two handles, end. */
  cubic(points: Float64Array): void;
}

const piece = new Float64Array(8);

/** The quarter of an ellipse around (x, y) from one half axis (ux, uy) to the next (vx, vy). */
function drawQuarter(x: number, y: number, ux: number, uy: number, vx: number, vy: number, pen: OutlinePen): void {
  piece[0] = x + ux;
  piece[1] = y + uy;
  piece[2] = x + ux + QUARTER * vx;
  piece[3] = y + uy + QUARTER * vy;
  piece[4] = x + vx + QUARTER * ux;
  piece[5] = y + vy + QUARTER * uy;
  piece[6] = x + vx;
  piece[7] = y + vy;
  pen.cubic(piece);
}

/**
 * The outline of a rectangle (SEGMENT_RECT) whose numbers begin at `p` of `points`: walked clockwise on screen for a `turn` of 1, the other way
 * for -1.
 */
export function drawRect(points: Float64Array, p: number, turn: number, pen: OutlinePen): void {
  const x = points[p];
  const y = points[p + 1];
  const width = points[p + 2];
  const height = points[p + 3];
  const radius = points[p + 4];
  // Middles of the corners' roundings, clockwise from the upper left; each is left towards the side that follows.
  for (let k = 0; k < 4; k++) {
    const i = turn > 0 ? k : 3 - k;
    const j = (i + (turn > 0 ? 1 : 3)) & 3;
    const cornerX = i === 1 || i === 2 ? x + width - radius : x + radius;
    const cornerY = i >= 2 ? y + height - radius : y + radius;
    const nextX = j === 1 || j === 2 ? x + width - radius : x + radius;
    const nextY = j >= 2 ? y + height - radius : y + radius;
    // Outwards from the side that ends at this corner, and from the one that begins.
    const inX = (i === 0 ? -1 : i === 2 ? 1 : 0) * radius;
    const inY = (i === 1 ? -1 : i === 3 ? 1 : 0) * radius;
    const outX = (i === 1 ? 1 : i === 3 ? -1 : 0) * radius;
    const outY = (i === 0 ? -1 : i === 2 ? 1 : 0) * radius;
    const [fromX, fromY, toX, toY] = turn > 0 ? [inX, inY, outX, outY] : [outX, outY, inX, inY];
    if (radius > 0) drawQuarter(cornerX, cornerY, fromX, fromY, toX, toY, pen);
    pen.line(cornerX + toX, cornerY + toY, nextX + toX, nextY + toY);
  }
}
