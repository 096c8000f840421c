import type { WorkingPixels } from '../intake/working-pixels.js';
import { type FlatLabels, Unmixer } from './label-flat.js';

/** What a line must cover of a row or column across it for all its pixels to be found, px. */
const LEAST_WIDTH = 0.4;
/** A pixel has at least so much of a line that runs through it, and at most so much of one that does not. */
const LEAST_SHARE = 0.2;
const NOTHING = 0.12;
/** How far across it a line thinner than a pixel may be seen, px. */
const REACH = 2;
/** By how much the width of a line may change from one row or column to the next, px. */
const GOES_ON = 0.45;

/**
 * Gives lines thinner than a pixel, which nowhere cover most of one or only now and then, a pixel in every row or column across
 * them: the one that they cover most of. Such a pixel is a mixture of the ground on both sides and of the line's color, and no edge
 * of anything larger. `labels` change in place.
 */
export function keepThinLines(
  { width: columns, height: lines, rgba }: WorkingPixels,
  flat: FlatLabels,
  channels: Float64Array,
  unexplained: number,
): void {
  const { labels, mixed, errors, others } = flat;
  if (others === undefined) return;
  const shares = sharesOfOthers(new Unmixer(rgba, channels), others, flat, unexplained * unexplained);
  const rows = Array.from({ length: 2 * REACH + 1 }, () => new Int32Array(columns).fill(-1));
  const found: number[] = [];
  const coverage = (row: number, x: number, i: number, color: number): number => {
    const k = rows[row][x];
    if (labels[i] === color) return k < 0 ? 1 : 1 - shares[k];
    return k >= 0 && others[k] === color ? shares[k] : 0;
  };
  /** Whether a pixel is a mixture with something else than the line. */
  const hasThird = (row: number, x: number, line: number): boolean => {
    const k = rows[row][x];
    return k >= 0 && others[k] !== line && shares[k] > NOTHING;
  };
  /** Whether a line of pixel `k`'s other color has its middle there, in the row or column of which `step` leads on. */
  const isMiddle = (k: number, x: number, y: number, step: number): boolean => {
    const [place, size] = step === 1 ? [x, columns] : [y, lines];
    const i = mixed[k];
    const line = others[k];
    const ground = labels[i];
    let width = shares[k];
    for (let side = -1; side <= 1; side += 2) {
      let before = shares[k];
      for (let reach = 1; reach <= REACH; reach++) {
        const at = place + side * reach;
        if (at < 0 || at >= size) break;
        const j = i + side * reach * step;
        const [row, u] = step === 1 ? [REACH, x + side * reach] : [REACH + side * reach, x];
        if (reach === 1 && (labels[j] !== ground || hasThird(row, u, line))) return false;
        const share = coverage(row, u, j, line);
        if (share > before || (share === before && side > 0 && reach === 1)) {
          // Beyond the ground another line may begin.
          if (reach === 1 || before > shares[k] / 2) return false;
          break;
        }
        if (share <= NOTHING) {
          width += share;
          break;
        }
        if (reach === REACH) return false;
        width += share;
        before = share;
      }
    }
    if (width < LEAST_WIDTH) return false;
    // The line goes on to one side at least, about as wide; what is far wider there is a shape, and this the top of it.
    const isUpright = step === 1;
    for (let side = -1; side <= 1; side += 2) {
      const [u, v] = isUpright ? [0, side] : [side, 0];
      if (x + u < 0 || x + u >= columns || y + v < 0 || y + v >= lines) continue;
      let beside = 0;
      for (let n = -1; n <= 1; n++) {
        const [a, b] = isUpright ? [n, v] : [u, n];
        if (x + a < 0 || x + a >= columns || y + b < 0 || y + b >= lines) continue;
        beside += coverage(REACH + b, x + a, i + b * columns + a, line);
      }
      if (beside > LEAST_SHARE && Math.abs(beside - width) < GOES_ON) return true;
    }
    return false;
  };
  let ahead = 0;
  let at = 0;
  for (let y = -REACH; y < lines; y++) {
    const last = rows.shift() as Int32Array<ArrayBuffer>;
    last.fill(-1);
    rows.push(last);
    const until = (y + REACH + 1) * columns;
    for (; ahead < mixed.length && mixed[ahead] < until; ahead++) last[mixed[ahead] % columns] = ahead;
    for (; at < mixed.length && mixed[at] < (y + 1) * columns; at++) {
      if (shares[at] < LEAST_SHARE || errors[at] > unexplained * unexplained) continue;
      const x = mixed[at] - y * columns;
      if (isMiddle(at, x, y, columns) || isMiddle(at, x, y, 1)) found.push(at);
    }
  }
  for (const k of found) {
    const line = others[k];
    others[k] = labels[mixed[k]];
    labels[mixed[k]] = line;
  }
}

/** Per mixed pixel how much the lesser of its two colors covers of it, 0..0.5; 0 where they do not explain it. */
function sharesOfOthers(
  unmixer: Unmixer,
  others: Int32Array,
  { labels, mixed, errors }: FlatLabels,
  unexplainedSq: number,
): Float32Array {
  const shares = new Float32Array(mixed.length);
  for (let k = 0; k < mixed.length; k++) {
    if (others[k] < 0 || errors[k] > unexplainedSq) continue;
    shares[k] = unmixer.share(mixed[k], others[k], labels[mixed[k]]);
  }
  return shares;
}
