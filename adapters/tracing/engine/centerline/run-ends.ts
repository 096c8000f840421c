import type { Sample } from './measure-branch.js';

/** Where a stretch of a line ends, and the direction it ends in, by more than its last sample. */
export interface RunEnd {
  readonly x: number;
  readonly y: number;
  /** Unit direction out of the stretch. */
  readonly ux: number;
  readonly uy: number;
}

/** Samples farther than this (RMS) from a straight line are not on one, px. */
const STRAIGHT_RMS_PX = 0.07;
const MOST_SAMPLES = 64;
const LEAST_SAMPLES = 4;
/** Samples on a bend that tell its direction, at least, and as a share of the width. */
const BEND_SAMPLES = 5;
const BEND_SHARE = 0.7;

/** Looks at the end of a run, or at its start: a straight line where as many samples as there are lie on one, else a parabola. */
export function endOf(run: readonly Sample[], atStart: boolean): RunEnd {
  const count = Math.min(run.length, MOST_SAMPLES);
  const at = (k: number) => run[atStart ? k : run.length - 1 - k];
  const last = at(0);
  const sign = atStart ? -1 : 1;
  const ux = last.ux * sign;
  const uy = last.uy * sign;
  let straight = 0;
  for (let n = Math.min(LEAST_SAMPLES, count); n <= count; n = n < count && n * 2 > count ? count : n * 2) {
    const line = lineThrough(at, n);
    if (line.rms > STRAIGHT_RMS_PX) break;
    straight = n;
    if (n === count) break;
  }
  const bend = Math.min(count, Math.max(BEND_SAMPLES, Math.round(BEND_SHARE * last.width)));
  if (straight < 2 || straight < Math.min(bend, count)) return parabolaThrough(at, bend, ux, uy);
  const line = lineThrough(at, straight);
  const flip = line.dx * ux + line.dy * uy < 0 ? -1 : 1;
  const along = (last.x - line.x) * line.dx + (last.y - line.y) * line.dy;
  return { x: line.x + along * line.dx, y: line.y + along * line.dy, ux: line.dx * flip, uy: line.dy * flip };
}

function lineThrough(at: (k: number) => Sample, n: number) {
  let x = 0;
  let y = 0;
  for (let k = 0; k < n; k++) {
    x += at(k).x / n;
    y += at(k).y / n;
  }
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let k = 0; k < n; k++) {
    const dx = at(k).x - x;
    const dy = at(k).y - y;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const least = (xx + yy) / 2 - Math.hypot((xx - yy) / 2, xy);
  return { x, y, dx: Math.cos(angle), dy: Math.sin(angle), rms: Math.sqrt(Math.max(0, least) / n) };
}

/** The parabola over the end's own direction that fits the last `n` samples, at its end. */
function parabolaThrough(at: (k: number) => Sample, n: number, ux: number, uy: number): RunEnd {
  const last = at(0);
  if (n < 3) return { x: last.x, y: last.y, ux, uy };
  let u1 = 0;
  let u2 = 0;
  let u3 = 0;
  let u4 = 0;
  let v0 = 0;
  let v1 = 0;
  let v2 = 0;
  for (let k = 0; k < n; k++) {
    const dx = at(k).x - last.x;
    const dy = at(k).y - last.y;
    const u = dx * ux + dy * uy;
    const v = dy * ux - dx * uy;
    u1 += u;
    u2 += u * u;
    u3 += u * u * u;
    u4 += u * u * u * u;
    v0 += v;
    v1 += u * v;
    v2 += u * u * v;
  }
  const a = u2 * u4 - u3 * u3;
  const b = u1 * u4 - u3 * u2;
  const c = u1 * u3 - u2 * u2;
  const determinant = n * a - u1 * b + u2 * c;
  if (Math.abs(determinant) < 1e-6) return { x: last.x, y: last.y, ux, uy };
  const shift = (v0 * a - u1 * (v1 * u4 - u3 * v2) + u2 * (v1 * u3 - u2 * v2)) / determinant;
  const slope = (n * (v1 * u4 - v2 * u3) - v0 * b + u2 * (u1 * v2 - v1 * u2)) / determinant;
  const norm = Math.hypot(1, slope);
  return {
    x: last.x - shift * uy,
    y: last.y + shift * ux,
    ux: (ux - slope * uy) / norm,
    uy: (uy + slope * ux) / norm,
  };
}
