import type { ContourMoments } from './contour-moments.js';

/** Corners that are looked for, and the largest distance of one from the middle, px: sides of larger ones are told as well by their samples. */
const FEWEST = 3;
const MOST = 8;
const LARGEST_PX = 6;
const LEAST_PX = 2.2;
/** The share that one wave for each corner has at least of all that the contour goes in and out. */
const WAVE_SHARE = 0.7;
/** How much of what a polygon goes in and out samples show at least, and at most, beside what they smooth away. */
const LEAST_SHARE = 0.85;
const MOST_SHARE = 1.2;
/** Samples smooth corners: this over a side's length squared, px², is the share of going in and out that they do not show. */
const SMOOTHED_PX2 = 2.4;
/** Rounding of a whole turn, radians. */
const TURNED_OFF = 0.1;

/**
 * Finds small regular polygons, whose sides are too short for corners to be told by how samples turn: the distance from the middle goes up and
 * down once for each corner (Fourier descriptors of the distance from the centroid; Zhang & Lu 2002), and by as much as it must for sides that are straight.
 */
export class RegularPolygonFitter {
  /** Corners (x, y in turn), in the order of the contour. */
  readonly corners = new Float64Array(2 * MOST);
  count = 0;
  private readonly cos = new Float64Array(MOST + 1);
  private readonly sin = new Float64Array(MOST + 1);

  /** Of a closed contour's first `samples` samples, with its moments; false where they are none. */
  fit(xs: Float64Array, ys: Float64Array, samples: number, { area, cx, cy }: ContourMoments): boolean {
    // No polygon is larger than the circle through its corners.
    if (area > Math.PI * LARGEST_PX * LARGEST_PX) return false;
    const { cos, sin } = this;
    const mean = Math.sqrt(area / Math.PI);
    let turned = 0;
    let sum = 0;
    let squares = 0;
    cos.fill(0);
    sin.fill(0);
    let before = samples - 1;
    for (let i = 0; i < samples; i++) {
      const next = i + 1 < samples ? i + 1 : 0;
      const x = xs[i] - cx;
      const y = ys[i] - cy;
      // A sample stands for the half of the way to either neighbor, as seen from the middle.
      const turn = angleBetween(xs[before] - cx, ys[before] - cy, xs[next] - cx, ys[next] - cy) / 2;
      before = i;
      const distance = Math.sqrt(x * x + y * y) || 1e-9;
      const off = distance - mean;
      turned += turn;
      sum += turn * off;
      squares += turn * off * off;
      const u = x / distance;
      const v = y / distance;
      let re = 1;
      let im = 0;
      for (let waves = 1; waves <= MOST; waves++) {
        const turnedOn = re * u - im * v;
        im = re * v + im * u;
        re = turnedOn;
        cos[waves] += turn * off * re;
        sin[waves] += turn * off * im;
      }
    }
    // Around once, whichever way.
    if (Math.abs(Math.abs(turned) - 2 * Math.PI) > TURNED_OFF) return false;
    const variance = squares / turned - (sum / turned) ** 2;
    for (let n = FEWEST; n <= MOST; n++) {
      const wave = (2 * (cos[n] * cos[n] + sin[n] * sin[n])) / (turned * turned);
      if (!(wave > WAVE_SHARE * variance)) continue;
      return this.place(n, area, Math.sqrt(variance), cx, cy, Math.sign(turned));
    }
    return false;
  }

  /** The polygon of `n` corners with that area, where it goes in and out by as much as the contour does. */
  private place(n: number, area: number, off: number, cx: number, cy: number, way: number): boolean {
    const half = Math.PI / n;
    const radius = Math.sqrt(area / (n * Math.sin(half) * Math.cos(half)));
    if (radius < LEAST_PX || radius > LARGEST_PX) return false;
    // The distance of a side from the middle, over its least, is the secant: its mean and that of its square.
    const mean = Math.log(Math.tan(Math.PI / 4 + half / 2)) / half;
    const deviation = radius * Math.cos(half) * Math.sqrt(Math.tan(half) / half - mean * mean);
    const side = 2 * radius * Math.sin(half);
    const seen = deviation * (1 - SMOOTHED_PX2 / (side * side));
    if (off < LEAST_SHARE * seen || off > MOST_SHARE * seen) return false;
    const first = Math.atan2(way * this.sin[n], way * this.cos[n]) / n;
    this.count = n;
    for (let k = 0; k < n; k++) {
      const angle = first + 2 * half * k * way;
      this.corners[2 * k] = cx + radius * Math.cos(angle);
      this.corners[2 * k + 1] = cy + radius * Math.sin(angle);
    }
    return true;
  }
}

function angleBetween(x0: number, y0: number, x1: number, y1: number): number {
  return Math.atan2(x0 * y1 - y0 * x1, x0 * x1 + y0 * y1);
}
