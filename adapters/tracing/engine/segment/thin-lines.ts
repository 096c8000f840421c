import type { WorkingPixels } from '../intake/working-pixels.js';
import { type FlatLabels, Unmixer } from './label-flat.js';
import { ThreeColors } from './three-colors.js';

/** What a line must cover of a row or column across it for all its pixels to be found, px. */
const LEAST_WIDTH = 0.3;
/** A pixel has at least so much of a line that runs through it, and at most so much of one that does not. */
const LEAST_SHARE = 0.15;
const NOTHING = 0.1;
/** A pixel this near to its color (four channels, squared) has nothing of a line, but what a faint ramp leaves. */
const UNSEEN_SQ = 4 * 4;
/** How far across it a line thinner than a pixel may be seen, px. */
const REACH = 2;
/** By how much the width of a line may change from one row or column to the next, px. */
const GOES_ON = 0.45;

/**
 * Gives lines thinner than a pixel, which nowhere cover most of one or only now and then, a pixel in every row or column across
 * them: the one that they cover most of. Such a pixel is a mixture of the ground on both sides, or of those on either side, and of the
 * line's color, and no edge of anything larger. `labels` change in place. Pixels farther than `unexplained` from their mixture tell nothing, nor do those less
 * than `marginPx` from the border.
 */
export function keepThinLines(
  pixels: WorkingPixels,
  flat: FlatLabels,
  channels: Float64Array,
  unexplained: number,
  marginPx = 0,
): void {
  const { others, labels } = flat;
  if (others === undefined) return;
  const { width, height } = pixels;
  const finder = new ThinLineFinder(pixels, flat, others, channels, unexplained * unexplained);
  finder.find();
  const { middles, lines } = finder;
  for (let n = 0; n < middles.length; n++) {
    const x = middles[n] % width;
    const y = (middles[n] - x) / width;
    if (Math.min(x, y, width - 1 - x, height - 1 - y) >= marginPx) labels[middles[n]] = lines[n];
  }
}

class ThinLineFinder {
  /** Pixels in the middle of lines, and the color of each of these. */
  readonly middles: number[] = [];
  readonly lines: number[] = [];
  private readonly width: number;
  private readonly height: number;
  private readonly rgba: Uint8Array;
  private readonly labels: Int32Array;
  private readonly mixed: Int32Array;
  private readonly errors: Float64Array;
  private readonly others: Int32Array;
  private readonly channels: Float64Array;
  private readonly unexplainedSq: number;
  /** Per mixed pixel how much the lesser of its two colors covers of it, 0..0.5; 0 where they do not explain it. */
  private readonly shares: Float32Array;
  /** The numbers of the mixed pixels in the row at hand and in those above and below; -1 where there is none. */
  private readonly rows: Int32Array<ArrayBuffer>[];
  private readonly three = new ThreeColors();

  constructor(
    { width, height, rgba }: WorkingPixels,
    { labels, mixed, errors }: FlatLabels,
    others: Int32Array,
    channels: Float64Array,
    unexplainedSq: number,
  ) {
    this.width = width;
    this.height = height;
    this.rgba = rgba;
    this.labels = labels;
    this.mixed = mixed;
    this.errors = errors;
    this.others = others;
    this.channels = channels;
    this.unexplainedSq = unexplainedSq;
    this.rows = Array.from({ length: 2 * REACH + 1 }, () => new Int32Array(width).fill(-1));
    const unmixer = new Unmixer(rgba, channels);
    this.shares = new Float32Array(mixed.length);
    for (let k = 0; k < mixed.length; k++) {
      if (others[k] < 0 || errors[k] > unexplainedSq) continue;
      const label = labels[mixed[k]];
      if (unmixer.distanceSq(mixed[k], label) > UNSEEN_SQ) this.shares[k] = unmixer.share(mixed[k], others[k], label);
    }
  }

  find(): void {
    const { width, height, rows, shares, unexplainedSq, mixed, errors, others } = this;
    let ahead = 0;
    let at = 0;
    for (let y = -REACH; y < height; y++) {
      const last = rows.shift() as Int32Array<ArrayBuffer>;
      last.fill(-1);
      rows.push(last);
      const until = (y + REACH + 1) * width;
      for (; ahead < mixed.length && mixed[ahead] < until; ahead++) last[mixed[ahead] % width] = ahead;
      for (; at < mixed.length && mixed[at] < (y + 1) * width; at++) {
        if (others[at] < 0) continue;
        const x = mixed[at] - y * width;
        const isExplained = shares[at] >= LEAST_SHARE && errors[at] <= unexplainedSq;
        if (isExplained && (this.isMiddle(at, x, y, 0, 1) || this.isMiddle(at, x, y, 1, 0)))
          this.add(mixed[at], others[at]);
        else this.findBetween(at, x, y);
      }
    }
  }

  private add(pixel: number, line: number): void {
    this.middles.push(pixel);
    this.lines.push(line);
  }

  /** Whether a line of mixed pixel `k`'s other color, on one ground, has its middle there, in the row or column that (`u`, `v`) leads along. */
  private isMiddle(k: number, x: number, y: number, u: number, v: number): boolean {
    const { shares, labels, mixed, others } = this;
    const i = mixed[k];
    const line = others[k];
    let width = shares[k];
    for (let side = -1; side <= 1; side += 2) {
      let before = shares[k];
      for (let reach = 1; reach <= REACH; reach++) {
        const dx = side * reach * u;
        const dy = side * reach * v;
        if (!this.holds(x + dx, y + dy)) break;
        if (reach === 1 && (labels[i + dy * this.width + dx] !== labels[i] || this.hasThird(x + dx, dy, line)))
          return false;
        const share = this.coverage(i, x, dx, dy, line);
        // Of two that have as much of it, the latter.
        if (share > before || (share === before && side > 0 && reach === 1)) {
          // Beyond the ground another line may begin.
          if (reach === 1 || before > shares[k] / 2) return false;
          break;
        }
        if (share > NOTHING && reach === REACH) return false;
        width += share;
        if (share <= NOTHING) break;
        before = share;
      }
    }
    return width >= LEAST_WIDTH && this.goesOn(i, x, y, v, u, line, width);
  }

  /**
   * Whether a line goes on along (`u`, `v`) to one side at least, about as wide as it is across pixel `i`: what is far wider there is a
   * shape, and this the top of it.
   */
  private goesOn(i: number, x: number, y: number, u: number, v: number, line: number, width: number): boolean {
    for (let side = -1; side <= 1; side += 2) {
      let beside = 0;
      for (let n = -1; n <= 1; n++) {
        const dx = side * u + n * v;
        const dy = side * v + n * u;
        if (this.holds(x + dx, y + dy)) beside += this.coverage(i, x, dx, dy, line);
      }
      if (beside > LEAST_SHARE && Math.abs(beside - width) < GOES_ON) return true;
    }
    return false;
  }

  /** A line of mixed pixel `k`'s other color along the edge of two grounds, of which one is the pixel's. */
  private findBetween(k: number, x: number, y: number): void {
    const { width, three, channels, rgba, labels, mixed, others } = this;
    const i = mixed[k];
    const line = others[k];
    const own = labels[i];
    for (let d = 0; d < 4; d++) {
      const dx = d === 0 ? 1 : d === 1 ? -1 : 0;
      const dy = d === 2 ? 1 : d === 3 ? -1 : 0;
      if (!this.holds(x + 2 * dx, y + 2 * dy) || !this.holds(x - dx, y - dy)) continue;
      const step = dy * width + dx;
      const beyond = labels[i + step];
      if (beyond === own || beyond === line || labels[i - step] !== own || labels[i + 2 * step] !== beyond) continue;
      if (!three.use(channels, line, own, beyond)) continue;
      const first = three.coverage(rgba, i - step);
      const here = three.coverage(rgba, i);
      const next = three.coverage(rgba, i + step);
      const last = three.coverage(rgba, i + 2 * step);
      if (first > NOTHING || last > NOTHING || first + here + next + last < LEAST_WIDTH) continue;
      if (Math.max(here, next) < LEAST_SHARE) continue;
      this.add(here >= next ? i : i + step, line);
      return;
    }
  }

  private holds(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  /** How much of the pixel (`dx`, `dy`) from pixel `i`, which is in column `x`, a color covers. */
  private coverage(i: number, x: number, dx: number, dy: number, color: number): number {
    const k = this.rows[REACH + dy][x + dx];
    if (this.labels[i + dy * this.width + dx] === color) return k < 0 ? 1 : 1 - this.shares[k];
    return k >= 0 && this.others[k] === color ? this.shares[k] : 0;
  }

  /** Whether the pixel in column `x`, `dy` rows on, is a mixture with something else than the line. */
  private hasThird(x: number, dy: number, line: number): boolean {
    const k = this.rows[REACH + dy][x];
    return k >= 0 && this.others[k] !== line && this.shares[k] > NOTHING;
  }
}
