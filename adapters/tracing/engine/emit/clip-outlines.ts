import { DEGREES } from '../math/degrees.js';
import { distance } from '../math/distance.js';
import { FloatList, IntList } from '../math/lists.js';
import { within } from '../math/within.js';
import { ARC, CLOSE, COORDS_PER_COMMAND, CUBIC, LINE, MOVE, type OutlineBuffer } from './outline-buffer.js';

/** Radii that differ by less are what rounding leaves of the same. */
const SAME_RADIUS_SHARE = 1e-12;
/** In radii: an arc that is flatter stays nearer to where it was if it keeps its radius. */
const LEAST_KEPT_BULGE = 0.5;
/** What is no farther beyond the border is brought there by the shortest way, px: as straight as can be seen, and no number more. */
const SLIGHT_PX = 0.02;
/** Numbers kept per segment: what a command has but for its end, and its end. */
const STRIDE = 7;
const END = 5;

/** Segments of a closed outline one behind the other: the first is where it begins. */
class Segments {
  readonly kinds = new IntList(256);
  readonly numbers = new FloatList(256 * STRIDE);

  get count(): number {
    return this.kinds.length;
  }

  clear(): void {
    this.kinds.length = 0;
    this.numbers.length = 0;
  }

  /** Appends a segment whose numbers begin at `at` in `from`, but for where it ends. */
  push(kind: number, from: ArrayLike<number>, at: number, x: number, y: number): void {
    const { kinds, numbers } = this;
    kinds.push(kind);
    const own = COORDS_PER_COMMAND[kind] - 2;
    for (let k = 0; k < END; k++) numbers.push(k < own ? from[at + k] : 0);
    numbers.push(x);
    numbers.push(y);
  }
}

/**
 * Cuts outlines off at the picture's border. Lines end where they cross it (Sutherland and Hodgman, "Reentrant polygon clipping",
 * Communications of the ACM 17, 1974: side by side of the picture, what lies beyond one becomes a line along it). Curves hardly reach
 * beyond it, and their ends are brought there by the shortest way: a round shape that is a hundredth of a pixel wider than its
 * picture stays one.
 */
export class OutlineClipper {
  private readonly width: number;
  private readonly height: number;
  private readonly out: OutlineBuffer;
  private from = new Segments();
  private to = new Segments();

  constructor(width: number, height: number, out: OutlineBuffer) {
    this.width = width;
    this.height = height;
    this.out = out;
  }

  /** Appends a path to the buffer, moved by (-left, -top) first: `count` commands, whose numbers begin at `firstCoord`. */
  clip(
    commands: ArrayLike<number>,
    coords: ArrayLike<number>,
    firstCommand: number,
    count: number,
    firstCoord: number,
    left: number,
    top: number,
  ): void {
    let at = firstCoord;
    const end = firstCommand + count;
    for (let n = firstCommand; n < end; ) {
      this.from.clear();
      do {
        const kind = commands[n++];
        if (kind === CLOSE) break;
        at = this.take(kind, coords, at, left, top);
      } while (n < end && commands[n] !== MOVE);
      this.write(commands[n - 1] === CLOSE);
    }
  }

  /** Takes a segment, moved; returns where the numbers of the next begin. */
  private take(kind: number, coords: ArrayLike<number>, at: number, left: number, top: number): number {
    const end = at + COORDS_PER_COMMAND[kind];
    const { from } = this;
    from.push(kind, coords, at, coords[end - 2] - left, coords[end - 1] - top);
    if (kind === ARC) return end;
    // Handles are points, too.
    const { data, length } = from.numbers;
    for (let k = length - STRIDE; k < length - STRIDE + end - at - 2; k += 2) {
      data[k] -= left;
      data[k + 1] -= top;
    }
    return end;
  }

  private write(isClosed: boolean): void {
    const { width, height } = this;
    if (this.isInside()) this.draw(isClosed);
    else if (isClosed) {
      this.cut(0, -1, 0);
      this.cut(0, 1, width);
      this.cut(1, -1, 0);
      this.cut(1, 1, height);
      if (this.from.count > 0) this.draw(true);
    } else {
      const { data, length } = this.from.numbers;
      for (let k = END; k < length; k += STRIDE) {
        data[k] = within(data[k], width);
        data[k + 1] = within(data[k + 1], height);
      }
      this.draw(false);
    }
  }

  private isInside(): boolean {
    const { width, height } = this;
    const { data, length } = this.from.numbers;
    for (let k = END; k < length; k += STRIDE) {
      const x = data[k];
      const y = data[k + 1];
      if (!(x >= 0 && y >= 0 && x <= width && y <= height)) return false;
    }
    return true;
  }

  /** Cuts `from` off at one side of the picture, x or y (`axis`) being `border` there and the picture on the side of `-sign`. */
  private cut(axis: number, sign: 1 | -1, border: number): void {
    const { from, to } = this;
    const { count } = from;
    const { data } = from.numbers;
    to.clear();
    if (count === 0) return;
    let x = data[END];
    let y = data[END + 1];
    const beyond = (u: number, v: number) => sign * ((axis === 0 ? u : v) - border);
    const isBeyond = (u: number, v: number) => beyond(u, v) > SLIGHT_PX;
    const push = (u: number, v: number) => to.push(to.count === 0 ? MOVE : LINE, data, 0, u, v);
    /** The point of the border that is next to one. */
    const addNext = (u: number, v: number) => (axis === 0 ? push(border, v) : push(u, border));
    const add = (u: number, v: number) => (beyond(u, v) > 0 ? addNext(u, v) : push(u, v));
    /** Where a line crosses the border. */
    const addCrossing = (u: number, v: number) => {
      const share = within(axis === 0 ? (border - x) / (u - x) : (border - y) / (v - y), 1);
      addNext(x + (u - x) * share, y + (v - y) * share);
    };
    const firstIsCurve = count > 1 && from.kinds.data[1] !== LINE;
    if (!isBeyond(x, y)) add(x, y);
    else if (firstIsCurve) addNext(x, y);
    // Closing the outline is a line of its own.
    for (let n = 1; n <= count; n++) {
      const at = (n % count) * STRIDE;
      const kind = n === count ? LINE : from.kinds.data[n];
      const u = data[at + END];
      const v = data[at + END + 1];
      const isOut = isBeyond(u, v);
      const wasOut = isBeyond(x, y);
      if (kind === LINE) {
        if (isOut !== wasOut) addCrossing(u, v);
        if (!isOut && n < count) add(u, v);
      } else {
        if (wasOut && n > 1) addNext(x, y);
        const ends = beyond(u, v) > 0 ? border : axis === 0 ? u : v;
        to.push(kind, data, at, axis === 0 ? ends : u, axis === 0 ? v : ends);
        if (kind === ARC) keepBulge(to.numbers, bulgeOf(data, at, x, y));
      }
      x = u;
      y = v;
    }
    this.from = to;
    this.to = from;
  }

  private draw(isClosed: boolean): void {
    const { out } = this;
    const { kinds, numbers } = this.from;
    const { data } = numbers;
    const count = this.countDrawn(isClosed);
    for (let n = 0; n < count; n++) {
      const k = n * STRIDE;
      const x = data[k + END];
      const y = data[k + END + 1];
      const kind = kinds.data[n];
      if (kind === MOVE) out.move(x, y);
      else if (kind === LINE) out.line(x, y);
      else if (kind === CUBIC) out.cubic(data[k], data[k + 1], data[k + 2], data[k + 3], x, y);
      else out.arc(data[k], data[k + 1], data[k + 2], data[k + 3] === 1, data[k + 4] === 1, x, y);
    }
    if (isClosed) out.close();
  }

  /** A line back to where a closed outline begins is drawn by closing it. */
  private countDrawn(isClosed: boolean): number {
    const { kinds, numbers, count } = this.from;
    const { data, length } = numbers;
    const isBack = data[length - 2] === data[END] && data[length - 1] === data[END + 1];
    return isClosed && isBack && kinds.data[count - 1] === LINE ? count - 1 : count;
  }
}

/** How far an arc from (x, y) whose numbers begin at `at` is from its chord, in radii. */
function bulgeOf(data: ArrayLike<number>, at: number, x: number, y: number): number {
  const half = halfChordOf(data, at, x, y);
  const toCenter = Math.sqrt(Math.max(0, 1 - half * half));
  return data[at + 3] === 1 ? 1 + toCenter : 1 - toCenter;
}

/**
 * Sets the radii and the flag of the arc that is the last of some segments, and whose ends have moved, so that it is as far from its chord as it was. With its
 * radii left, a half circle whose ends come nearer by so little as d becomes higher by the square root of r d.
 */
function keepBulge({ data, length }: FloatList, bulge: number): void {
  if (bulge < LEAST_KEPT_BULGE) return;
  const at = length - STRIDE;
  const half = halfChordOf(data, at, data[at - 2], data[at - 1]);
  const grown = (bulge * bulge + half * half) / (2 * bulge);
  if (!(half > 0) || Math.abs(grown - 1) < SAME_RADIUS_SHARE) return;
  data[at] *= grown;
  data[at + 1] *= grown;
  data[at + 3] = bulge > half ? 1 : 0;
}

/** Half an arc's chord where its ellipse is the unit circle. */
function halfChordOf(data: ArrayLike<number>, at: number, x: number, y: number): number {
  const angle = data[at + 2] / DEGREES;
  const dx = data[at + 5] - x;
  const dy = data[at + 6] - y;
  const along = (dx * Math.cos(angle) + dy * Math.sin(angle)) / data[at];
  const across = (dy * Math.cos(angle) - dx * Math.sin(angle)) / data[at + 1];
  return distance(along, across) / 2;
}
