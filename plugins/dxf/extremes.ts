import type { Contour, Segment } from './contours.js';

export type CubicSegment = Segment & { readonly controls: NonNullable<Segment['controls']> };

/** The two parts of a cubic on either side of `t`. */
export function splitCubic(
  fromX: number,
  fromY: number,
  { x, y, controls }: CubicSegment,
  t: number,
): [CubicSegment, CubicSegment] {
  const [x1, y1, x2, y2] = controls;
  const mix = (a: number, b: number) => a + (b - a) * t;
  const ax = mix(fromX, x1);
  const ay = mix(fromY, y1);
  const bx = mix(x1, x2);
  const by = mix(y1, y2);
  const cx = mix(x2, x);
  const cy = mix(y2, y);
  const dx = mix(ax, bx);
  const dy = mix(ay, by);
  const ex = mix(bx, cx);
  const ey = mix(by, cy);
  const midX = mix(dx, ex);
  const midY = mix(dy, ey);
  return [
    { x: midX, y: midY, bulge: 0, controls: [ax, ay, dx, dy] },
    { x, y, bulge: 0, controls: [ex, ey, cx, cy] },
  ];
}

const isCubic = (segment: Segment): segment is CubicSegment => segment.controls !== undefined;

const cubicAt = (t: number, a: number, b: number, c: number, d: number) => {
  const s = 1 - t;
  return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
};

/** Where one coordinate of a cubic turns, inside it. */
function turnsOf(a: number, b: number, c: number, d: number): readonly number[] {
  const p = d - a + 3 * (b - c);
  const q = 2 * (a - 2 * b + c);
  const r = b - a;
  const discriminant = q * q - 4 * p * r;
  if (discriminant < 0) return [];
  const s = -0.5 * (q + (q < 0 ? -1 : 1) * Math.sqrt(discriminant));
  return [s / p, r / s].filter((t) => t > 1e-6 && t < 1 - 1e-6);
}

/** Calls `take` for each segment with its start and, for cubics, the turns of x and of y. */
function visitTurns(
  { x, y, segments }: Contour,
  take: (fromX: number, fromY: number, segment: Segment, turnsX: readonly number[], turnsY: readonly number[]) => void,
): void {
  let fromX = x;
  let fromY = y;
  for (const segment of segments) {
    if (!isCubic(segment)) take(fromX, fromY, segment, [], []);
    else {
      const [x1, y1, x2, y2] = segment.controls;
      take(fromX, fromY, segment, turnsOf(fromX, x1, x2, segment.x), turnsOf(fromY, y1, y2, segment.y));
    }
    fromX = segment.x;
    fromY = segment.y;
  }
}

/** The farthest value on either side, over nodes and turns. */
export class Reach {
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;

  add(value: number): void {
    this.min = Math.min(this.min, value);
    this.max = Math.max(this.max, value);
  }

  /** Whether a value is one of the two, but for rounding. */
  holds(value: number): boolean {
    const slack = 1e-9 * (this.max - this.min);
    return value <= this.min + slack || value >= this.max - slack;
  }
}

const valueX = (fromX: number, { x, controls }: Segment, t: number) => cubicAt(t, fromX, controls![0], controls![2], x);
const valueY = (fromY: number, { y, controls }: Segment, t: number) => cubicAt(t, fromY, controls![1], controls![3], y);

/** How far nodes and cubics reach; arcs only by their ends. */
export interface Extent {
  readonly x: Reach;
  readonly y: Reach;
}

export const createExtent = (): Extent => ({ x: new Reach(), y: new Reach() });

export function addToExtent(extent: Extent, contours: readonly Contour[]): void {
  for (const contour of contours)
    visitTurns(contour, (fromX, fromY, segment, turnsX, turnsY) => {
      extent.x.add(fromX);
      extent.x.add(segment.x);
      extent.y.add(fromY);
      extent.y.add(segment.y);
      for (const t of turnsX) extent.x.add(valueX(fromX, segment, t));
      for (const t of turnsY) extent.y.add(valueY(fromY, segment, t));
    });
}

/**
 * Contours with a node wherever a cubic reaches one of the four sides of `extent`: whatever is fitted between nodes then
 * has exactly that extent.
 */
export function withNodesAtExtremes(contours: readonly Contour[], extent: Extent): readonly Contour[] {
  return contours.map((contour) => {
    const segments: Segment[] = [];
    visitTurns(contour, (fromX, fromY, segment, turnsX, turnsY) => {
      const cuts = [
        ...turnsX.filter((t) => extent.x.holds(valueX(fromX, segment, t))),
        ...turnsY.filter((t) => extent.y.holds(valueY(fromY, segment, t))),
      ].sort((a, b) => a - b);
      let rest = segment;
      let restX = fromX;
      let restY = fromY;
      let done = 0;
      for (const t of cuts) {
        const [head, tail] = splitCubic(restX, restY, rest as CubicSegment, (t - done) / (1 - done));
        segments.push(head);
        rest = tail;
        restX = head.x;
        restY = head.y;
        done = t;
      }
      segments.push(rest);
    });
    return { ...contour, segments };
  });
}
