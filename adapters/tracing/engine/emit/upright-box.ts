import type { EngineGeometry } from '../types.js';
import { CLOSE, LINE, MOVE, type OutlineBuffer } from './outline-buffer.js';

/** Lines this near to axis-parallel, and ends this near to each other, make a native rectangle, px. */
const RECT_SLACK_PX = 0.02;

/** The upright rectangle that a path is which was drawn last, from a command and a coordinate on; undefined where it is none. */
export function uprightBox(
  { commands, coords }: OutlineBuffer,
  firstCommand: number,
  firstCoord: number,
): EngineGeometry | undefined {
  const last = commands.length - 1;
  if (last - firstCommand < 3 || commands.data[firstCommand] !== MOVE || commands.data[last] !== CLOSE)
    return undefined;
  for (let k = firstCommand + 1; k < last; k++) if (commands.data[k] !== LINE) return undefined;
  const { data, length } = coords;
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  for (let k = firstCoord; k < length; k += 2) {
    left = Math.min(left, data[k]);
    right = Math.max(right, data[k]);
    top = Math.min(top, data[k + 1]);
    bottom = Math.max(bottom, data[k + 1]);
  }
  // Every line must run along one side, and the sides must add up to the circumference.
  let around = 0;
  for (let k = firstCoord, p = length - 2; k < length; p = k, k += 2) {
    const onSide =
      (near(data[k], left) && near(data[p], left)) ||
      (near(data[k], right) && near(data[p], right)) ||
      (near(data[k + 1], top) && near(data[p + 1], top)) ||
      (near(data[k + 1], bottom) && near(data[p + 1], bottom));
    if (!onSide) return undefined;
    around += Math.abs(data[k] - data[p]) + Math.abs(data[k + 1] - data[p + 1]);
  }
  const sides = 2 * (right - left + bottom - top);
  if (!(right > left && bottom > top) || Math.abs(around - sides) > 8 * RECT_SLACK_PX) return undefined;
  return { kind: 'rect', x: left, y: top, width: right - left, height: bottom - top, radius: 0 };
}

const near = (value: number, side: number) => Math.abs(value - side) <= RECT_SLACK_PX;
