import type { WorkingPixels } from '../intake/working-pixels.js';
import { within } from '../math/within.js';

/** Pixels that may lie otherwise (where the seam ends, or is crossed), at least and as a share of those that lie between the two. */
const STRAY_PX = 6;
const STRAY_SHARE = 0.15;
/** How far the seam's color may be from what the seam would look like, levels in every channel. */
const NEAR_LEVELS = 5;
const STEPS = 32;
/** Nothing shows through what is so opaque, levels: a mixture of the two is a color of its own. */
const OPAQUE = 254;
/**
 * What may lie beneath the two, premultiplied: white paper, black, and nothing; how much of it a seam shows at least, as a share; and whether that may be any part
 * of what it would be: in a picture that was drawn larger, and reduced, few of a pixel's parts are on the seam. Nobody draws a line between two
 * shapes that lets through a little of nothing.
 */
const BENEATH = [
  { color: [255, 255, 255, 255], leastSeen: 0, mayBePart: false },
  // A little darker than both is the border of a card on a page, too.
  { color: [0, 0, 0, 255], leastSeen: 0.1, mayBePart: false },
  { color: [0, 0, 0, 0], leastSeen: 0, mayBePart: true },
] as const;

/**
 * Takes out lines that nobody drew. Where two shapes share an edge and are painted one after the other, each covers a pixel on it in part,
 * and what lies beneath both shines through: a line one pixel wide in a color that no shape has. A color all of whose pixels lie
 * between the same two others, and that is what such a pixel would have, goes to the one of them that covers more. Those of strokes (`ofStrokes`) are known to be wider than that.
 */
export function absorbSeams(
  { width, height }: WorkingPixels,
  labels: Int32Array,
  channels: Float64Array,
  ofStrokes: readonly number[] = [],
): void {
  const count = channels.length / 4;
  const { first, second, between } = new ThinColors(labels, width, height, count).find();
  const to = new Int32Array(count).fill(-1);
  let any = false;
  for (let p = 0; p < count; p++) {
    if (between[p] === 0 || ofStrokes.includes(p)) continue;
    to[p] = hostOf(channels, p, first[p], second[p]);
    if (to[p] >= 0) any = true;
  }
  if (!any) return;
  for (let i = 0; i < labels.length; i++) {
    const host = to[labels[i]];
    // A host that is a seam itself would be one of two that are beside each other: no single line.
    if (host >= 0 && to[host] < 0) labels[i] = host;
  }
}

/** Finds per color the two that lie on either side of nearly all its pixels, and how many do; 0 where it is no such line. */
class ThinColors {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly between: Int32Array;
  private readonly stray: Int32Array;
  private readonly isNone: Uint8Array;
  private readonly labels: Int32Array;
  private readonly width: number;
  private readonly height: number;

  constructor(labels: Int32Array, width: number, height: number, count: number) {
    this.first = new Int32Array(count).fill(-1);
    this.second = new Int32Array(count).fill(-1);
    this.between = new Int32Array(count);
    this.stray = new Int32Array(count);
    this.isNone = new Uint8Array(count);
    this.labels = labels;
    this.width = width;
    this.height = height;
  }

  find(): this {
    const { between, stray } = this;
    for (let y = 0; y < this.height; y++) this.lookAtRow(y);
    for (let p = 0; p < stray.length; p++) if (stray[p] > STRAY_SHARE * between[p]) between[p] = 0;
    return this;
  }

  private lookAtRow(y: number): void {
    const { labels, width, height, first, second, between, stray, isNone } = this;
    const row = y * width;
    const end = row + width;
    for (let i = row; i < end; i++) {
      const p = labels[i];
      if (isNone[p] === 1 || (stray[p] > STRAY_PX && stray[p] > STRAY_SHARE * between[p])) {
        isNone[p] = 1;
        // Mostly the next ones are of the same color.
        while (i + 1 < end && labels[i + 1] === p) i++;
        continue;
      }
      const up = y > 0 ? labels[i - width] : p;
      const down = y + 1 < height ? labels[i + width] : p;
      const left = i > row ? labels[i - 1] : p;
      const right = i + 1 < end ? labels[i + 1] : p;
      const isLevel = up !== p && down !== p && up !== down;
      const isUpright = left !== p && right !== p && left !== right;
      if (!isLevel && !isUpright) {
        stray[p]++;
        continue;
      }
      const a = isLevel ? up : left;
      const b = isLevel ? down : right;
      const low = a < b ? a : b;
      const high = a < b ? b : a;
      if (between[p] === 0) {
        first[p] = low;
        second[p] = high;
      }
      if (first[p] === low && second[p] === high) between[p]++;
      else stray[p]++;
    }
  }
}

/** Which of the two a seam's color is to go to; -1 where it is no seam's. */
function hostOf(channels: Float64Array, seam: number, a: number, b: number): number {
  let best = NEAR_LEVELS;
  let host = -1;
  for (const { color: beneath, leastSeen, mayBePart } of BENEATH) {
    if (mayBePart && channels[seam * 4 + 3] >= OPAQUE) continue;
    for (let step = 1; step < STEPS; step++) {
      // The one painted last covers this share of the pixel, the one beneath it the rest.
      const share = step / STEPS;
      if (share * (1 - share) < leastSeen) continue;
      for (let order = 0; order < 2; order++) {
        const over = order === 0 ? a : b;
        const under = order === 0 ? b : a;
        const whole = (c: number) => channels[over * 4 + c] * share + channels[under * 4 + c] * (1 - share);
        const shown = (c: number) => share * (1 - share) * (beneath[c] - channels[under * 4 + c]);
        const part = mayBePart ? within((channels[seam * 4 + 3] - whole(3)) / (shown(3) || 1), 1) : 1;
        let most = 0;
        for (let c = 0; c < 4; c++)
          most = Math.max(most, Math.abs(whole(c) + part * shown(c) - channels[seam * 4 + c]));
        if (most >= best) continue;
        best = most;
        host = share >= 0.5 ? over : under;
      }
    }
  }
  return host;
}
