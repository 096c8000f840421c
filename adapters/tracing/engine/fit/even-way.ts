import { SEGMENT_SIZE } from './curves.js';

/** A segment is level or upright whose points are so near to its middle, px; shorter ones have little of a way. */
const STRAIGHT_PX = 0.25;
const LEAST_PX = 12;
/** What is so near to its ends is theirs, px. */
const ENDS_PX = 2;

/**
 * Whether a segment runs along a row or a column in the midst of which nothing changes, nor in those beside it: no curve would follow the pixels better there,
 * whatever is missed. `words` are the picture's pixels, `points` eight per segment.
 */
export function isEvenWay(
  words: Uint32Array,
  width: number,
  height: number,
  points: Float64Array,
  segment: number,
): boolean {
  const p = segment * SEGMENT_SIZE;
  const isLevel = Math.abs(points[p + 6] - points[p]) > Math.abs(points[p + 7] - points[p + 1]);
  const along = isLevel ? 0 : 1;
  const across = 1 - along;
  const middle = (points[p + across] + points[p + 6 + across]) / 2;
  for (let i = across; i < SEGMENT_SIZE; i += 2) if (Math.abs(points[p + i] - middle) > STRAIGHT_PX) return false;
  const from = Math.ceil(Math.min(points[p + along], points[p + 6 + along])) + ENDS_PX;
  const to = Math.floor(Math.max(points[p + along], points[p + 6 + along])) - ENDS_PX;
  if (to - from < LEAST_PX - 2 * ENDS_PX) return false;
  const [most, beside] = isLevel ? [width, height] : [height, width];
  const [step, stepAcross] = isLevel ? [1, width] : [width, 1];
  for (let line = Math.floor(middle) - 1; line <= Math.floor(middle) + 1; line++) {
    if (line < 0 || line >= beside) continue;
    const start = line * stepAcross;
    const word = words[start + Math.max(0, from) * step];
    for (let i = Math.max(0, from); i < Math.min(most, to); i++) if (words[start + i * step] !== word) return false;
  }
  return true;
}
