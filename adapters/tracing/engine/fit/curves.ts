import { FloatList, IntList } from '../math/lists.js';

export const SEGMENT_LINE = 0;
export const SEGMENT_CUBIC = 1;
/** A whole closed chain that is a circle: center x, y and radius. */
export const SEGMENT_CIRCLE = 2;
/** A whole closed chain that is an ellipse: center x, y, half axes, and the first one's angle in radians, clockwise on screen. */
export const SEGMENT_ELLIPSE = 3;
/** A whole closed chain that is an upright rectangle: x, y, width, height, radius of its corners. */
export const SEGMENT_RECT = 4;

/** Whether a segment is a closed chain that is one shape as a whole. */
export function isWholeShape(kind: number): boolean {
  return kind >= SEGMENT_CIRCLE;
}

/** Whether a segment is a closed chain that is a circle or an ellipse. */
export function isRoundShape(kind: number): boolean {
  return kind === SEGMENT_CIRCLE || kind === SEGMENT_ELLIPSE;
}

/** Numbers a segment takes in `points`. */
export const SEGMENT_SIZE = 8;

/** The fitted chains. Segments of a chain follow each other, each beginning where the one before ends. */
export interface ChainCurves {
  readonly chainCount: number;
  /** Per chain, and one more at the end: where its segments begin. */
  readonly starts: Int32Array;
  readonly kinds: Int32Array;
  /**
   * Eight per segment. Cubic: start, two handles, end (x, y each). Line: start in the first two, end in the last two.
   * Whole shapes: as their kinds say.
   */
  readonly points: Float64Array;
}

/** The segments (1) of some chains (1). */
export function segmentsOf({ starts, chainCount, kinds }: ChainCurves, chains: Uint8Array): Uint8Array {
  const segments = new Uint8Array(kinds.length);
  for (let c = 0; c < chainCount; c++) segments.fill(chains[c], starts[c], starts[c + 1]);
  return segments;
}

/** Collects segments chain by chain. */
export class CurveList {
  readonly starts = new IntList(1024);
  readonly kinds = new IntList(4096);
  readonly points = new FloatList(4096);

  /** Begins the next chain. */
  beginChain(): void {
    this.starts.push(this.kinds.length);
  }

  line(x0: number, y0: number, x1: number, y1: number): void {
    this.cubicLike(SEGMENT_LINE, x0, y0, x0, y0, x1, y1, x1, y1);
  }

  cubic(x0: number, y0: number, x1: number, y1: number, x2: number, y2: number, x3: number, y3: number): void {
    this.cubicLike(SEGMENT_CUBIC, x0, y0, x1, y1, x2, y2, x3, y3);
  }

  /** A closed chain of lines between `count` corners (x, y in turn). */
  polygon(corners: Float64Array, count: number): void {
    for (let k = 0; k < count; k++) {
      const next = k + 1 < count ? k + 1 : 0;
      this.line(corners[2 * k], corners[2 * k + 1], corners[2 * next], corners[2 * next + 1]);
    }
  }

  circle(x: number, y: number, r: number): void {
    this.cubicLike(SEGMENT_CIRCLE, x, y, r, 0, 0, 0, 0, 0);
  }

  ellipse(x: number, y: number, rx: number, ry: number, angle: number): void {
    this.cubicLike(SEGMENT_ELLIPSE, x, y, rx, ry, angle, 0, 0, 0);
  }

  rect(x: number, y: number, width: number, height: number, radius: number): void {
    this.cubicLike(SEGMENT_RECT, x, y, width, height, radius, 0, 0, 0);
  }

  /** A segment of other curves as it is. */
  copy(curves: Pick<ChainCurves, 'kinds' | 'points'>, segment: number): void {
    const p = segment * SEGMENT_SIZE;
    const { points } = curves;
    this.cubicLike(
      curves.kinds[segment],
      points[p],
      points[p + 1],
      points[p + 2],
      points[p + 3],
      points[p + 4],
      points[p + 5],
      points[p + 6],
      points[p + 7],
    );
  }

  finish(): ChainCurves {
    const { starts, kinds, points } = this;
    const chainCount = starts.length;
    starts.push(kinds.length);
    return {
      chainCount,
      starts: starts.data.slice(0, starts.length),
      kinds: kinds.data.slice(0, kinds.length),
      points: points.data.slice(0, points.length),
    };
  }

  private cubicLike(
    kind: number,
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    g: number,
    h: number,
  ): void {
    this.kinds.push(kind);
    const { points } = this;
    points.reserve(SEGMENT_SIZE);
    const at = points.length;
    const { data } = points;
    data[at] = a;
    data[at + 1] = b;
    data[at + 2] = c;
    data[at + 3] = d;
    data[at + 4] = e;
    data[at + 5] = f;
    data[at + 6] = g;
    data[at + 7] = h;
    points.length = at + SEGMENT_SIZE;
  }
}
