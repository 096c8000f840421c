/** Fits one cubic to a run of segments: what RunMerger does for each candidate. */
import {
  RUN_CUBIC,
  RUN_ENDS,
  RUN_EQUATIONS,
  RUN_FAR,
  RUN_HANDLES,
  RUN_NORMALS,
  RUN_OFF,
  RUN_PARAMETERS,
  RUN_PLACES,
  RUN_TANGENTS,
} from './kernel-layout';

/** Rounds of fitting. */
const ROUNDS = 5;
/** What being off along the curve counts beside being off across it. */
const ALONG_SHARE: f64 = 0.02;
/** Bytes of a row of the equations: four unknowns, of which the lower triangle counts, and the right side. */
const ROW: usize = 40;

/**
 * Fits a cubic to so many places; whether it is off by no more than the tolerance. Tangents that are `fixed` stay, else handles may go
 * anywhere. Writes the cubic, its handles, and how far it is off, px (Infinity where there is none).
 */
export function fitRun(count: i32, tolerance: f64, fixedStart: bool, fixedEnd: bool): bool {
  store<f64>(RUN_OFF, Infinity);
  const x0 = load<f64>(RUN_ENDS);
  const y0 = load<f64>(RUN_ENDS, 8);
  const x3 = load<f64>(RUN_ENDS, 16);
  const y3 = load<f64>(RUN_ENDS, 24);
  const ux = load<f64>(RUN_TANGENTS);
  const uy = load<f64>(RUN_TANGENTS, 8);
  const vx = load<f64>(RUN_TANGENTS, 16);
  const vy = load<f64>(RUN_TANGENTS, 24);
  for (let round = 0; ; round++) {
    // Unknowns: the first handle along the tangent, or x and y; the second likewise, backwards.
    memory.fill(RUN_EQUATIONS, 0, 4 * ROW);
    // Along the curve places may slide, and hardly count; at first nothing is known of its direction.
    const along: f64 = round === 0 ? 1 : ALONG_SHARE;
    for (let p = 0; p < count; p++) {
      const t = load<f64>(RUN_PARAMETERS + ((<usize>p) << 3));
      const s = 1 - t;
      const b = 3 * s * s * t;
      const c = 3 * s * t * t;
      const start = s * s * s + b;
      const end = t * t * t + c;
      const place = RUN_PLACES + ((<usize>p) << 4);
      const ex = load<f64>(place) - start * x0 - end * x3;
      const ey = load<f64>(place, 8) - start * y0 - end * y3;
      const normal = RUN_NORMALS + ((<usize>p) << 4);
      const nx: f64 = round === 0 ? 1 : load<f64>(normal);
      const ny: f64 = round === 0 ? 0 : load<f64>(normal, 8);
      const rx0 = fixedStart ? b * ux : b;
      const ry0 = fixedStart ? b * uy : 0;
      const rx1: f64 = 0;
      const ry1 = fixedStart ? 0 : b;
      const rx2 = fixedEnd ? -c * vx : -c;
      const ry2 = fixedEnd ? -c * vy : 0;
      const rx3: f64 = 0;
      const ry3 = fixedEnd ? 0 : -c;
      const across0 = rx0 * nx + ry0 * ny;
      const across1 = rx1 * nx + ry1 * ny;
      const across2 = rx2 * nx + ry2 * ny;
      const across3 = rx3 * nx + ry3 * ny;
      const across4 = ex * nx + ey * ny;
      const beside0 = ry0 * nx - rx0 * ny;
      const beside1 = ry1 * nx - rx1 * ny;
      const beside2 = ry2 * nx - rx2 * ny;
      const beside3 = ry3 * nx - rx3 * ny;
      const beside4 = ey * nx - ex * ny;
      let m: usize = RUN_EQUATIONS;
      const along0 = beside0 * along;
      addTo(m, across0 * across0 + along0 * beside0);
      addTo(m + 32, across0 * across4 + along0 * beside4);
      m += ROW;
      const along1 = beside1 * along;
      addTo(m, across1 * across0 + along1 * beside0);
      addTo(m + 8, across1 * across1 + along1 * beside1);
      addTo(m + 32, across1 * across4 + along1 * beside4);
      m += ROW;
      const along2 = beside2 * along;
      addTo(m, across2 * across0 + along2 * beside0);
      addTo(m + 8, across2 * across1 + along2 * beside1);
      addTo(m + 16, across2 * across2 + along2 * beside2);
      addTo(m + 32, across2 * across4 + along2 * beside4);
      m += ROW;
      const along3 = beside3 * along;
      addTo(m, across3 * across0 + along3 * beside0);
      addTo(m + 8, across3 * across1 + along3 * beside1);
      addTo(m + 16, across3 * across2 + along3 * beside2);
      addTo(m + 24, across3 * across3 + along3 * beside3);
      addTo(m + 32, across3 * across4 + along3 * beside4);
    }
    if (fixedStart) store<f64>(RUN_EQUATIONS + ROW, 1, 8);
    if (fixedEnd) store<f64>(RUN_EQUATIONS + 3 * ROW, 1, 24);
    if (!solveEquations()) return false;
    const h = load<f64>(RUN_EQUATIONS, 32);
    const g = load<f64>(RUN_EQUATIONS + 2 * ROW, 32);
    const hx = fixedStart ? h * ux : h;
    const hy = fixedStart ? h * uy : load<f64>(RUN_EQUATIONS + ROW, 32);
    const gx = fixedEnd ? g * vx : g;
    const gy = fixedEnd ? g * vy : load<f64>(RUN_EQUATIONS + 3 * ROW, 32);
    store<f64>(RUN_HANDLES, hx);
    store<f64>(RUN_HANDLES, hy, 8);
    store<f64>(RUN_HANDLES, gx, 16);
    store<f64>(RUN_HANDLES, gy, 24);
    store<f64>(RUN_CUBIC, x0);
    store<f64>(RUN_CUBIC, y0, 8);
    store<f64>(RUN_CUBIC, x0 + hx, 16);
    store<f64>(RUN_CUBIC, y0 + hy, 24);
    store<f64>(RUN_CUBIC, x3 - gx, 32);
    store<f64>(RUN_CUBIC, y3 - gy, 40);
    store<f64>(RUN_CUBIC, x3, 48);
    store<f64>(RUN_CUBIC, y3, 56);
    const off = project(count);
    store<f64>(RUN_OFF, off);
    if (round >= 1 && off > <f64>RUN_FAR * tolerance) return false;
    if (round < ROUNDS && (round < 2 || off > tolerance)) continue;
    return off <= tolerance;
  }
}

function addTo(at: usize, value: f64): void {
  store<f64>(at, load<f64>(at) + value);
}

/** Moves the parameters to the feet of the places on the cubic; the largest distance from it, px. */
function project(count: i32): f64 {
  const p0 = v128.load(RUN_CUBIC);
  const p1 = v128.load(RUN_CUBIC, 16);
  const p2 = v128.load(RUN_CUBIC, 32);
  const p3 = v128.load(RUN_CUBIC, 48);
  const side0 = f64x2.sub(p1, p0);
  const side1 = f64x2.sub(p2, p1);
  const side2 = f64x2.sub(p3, p2);
  let largest: f64 = 0;
  for (let p = 0; p < count; p++) {
    const at = RUN_PARAMETERS + ((<usize>p) << 3);
    const t = load<f64>(at);
    const u = 1 - t;
    let point = f64x2.add(f64x2.mul(f64x2.splat(u * u * u), p0), f64x2.mul(f64x2.splat(3 * u * u * t), p1));
    point = f64x2.add(point, f64x2.mul(f64x2.splat(3 * u * t * t), p2));
    point = f64x2.add(point, f64x2.mul(f64x2.splat(t * t * t), p3));
    const off = f64x2.sub(point, v128.load(RUN_PLACES + ((<usize>p) << 4)));
    let way = f64x2.add(f64x2.mul(f64x2.splat(u * u), side0), f64x2.mul(f64x2.splat(2 * u * t), side1));
    way = f64x2.mul(f64x2.splat(3), f64x2.add(way, f64x2.mul(f64x2.splat(t * t), side2)));
    const bx = f64x2.extract_lane(off, 0);
    const by = f64x2.extract_lane(off, 1);
    const dx = f64x2.extract_lane(way, 0);
    const dy = f64x2.extract_lane(way, 1);
    const exact = dx * dx + dy * dy;
    const speedSq = exact !== 0 ? exact : 1e-18;
    const speed = sqrt(speedSq);
    store<f64>(RUN_NORMALS + ((<usize>p) << 4), -dy / speed);
    store<f64>(RUN_NORMALS + ((<usize>p) << 4), dx / speed, 8);
    const across = bx * dy - by * dx;
    const distanceSq = (across * across) / speedSq;
    if (distanceSq > largest) largest = distanceSq;
    const moved = t - (bx * dx + by * dy) / speedSq;
    store<f64>(at, moved < 0 ? 0 : moved > 1 ? 1 : moved);
  }
  return sqrt(largest);
}

function at(row: i32, column: i32): usize {
  return RUN_EQUATIONS + <usize>row * ROW + ((<usize>column) << 3);
}

/** Solves the equations by Cholesky's way, the right side becoming the solution; false where they have no one solution. */
function solveEquations(): bool {
  for (let i = 0; i < 4; i++) {
    const own = load<f64>(at(i, i));
    for (let j = 0; j <= i; j++) {
      let sum = load<f64>(at(i, j));
      for (let k = 0; k < j; k++) sum -= load<f64>(at(i, k)) * load<f64>(at(j, k));
      if (i > j) store<f64>(at(i, j), sum / load<f64>(at(j, j)));
      else if (!(sum > 1e-9 * own)) return false;
      else store<f64>(at(i, i), sqrt(sum));
    }
  }
  for (let i = 0; i < 4; i++) {
    for (let k = 0; k < i; k++) {
      const value = load<f64>(at(i, 4)) - load<f64>(at(i, k)) * load<f64>(at(k, 4));
      store<f64>(at(i, 4), value);
    }
    store<f64>(at(i, 4), load<f64>(at(i, 4)) / load<f64>(at(i, i)));
  }
  for (let i = 3; i >= 0; i--) {
    for (let k = i + 1; k < 4; k++) {
      const value = load<f64>(at(i, 4)) - load<f64>(at(k, i)) * load<f64>(at(k, 4));
      store<f64>(at(i, 4), value);
    }
    store<f64>(at(i, 4), load<f64>(at(i, 4)) / load<f64>(at(i, i)));
  }
  return true;
}
