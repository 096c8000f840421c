import type { WorkingPixels } from '../intake/working-pixels.js';
import type { Ramps } from './find-ramps.js';
import type { RampReader } from './ramp-reader.js';
import type { Ground } from './stand-ins.js';

/** Pixels that are of no ramp, hang together and have nothing but one ramp around them: letters, lines, icons of one color. */
export interface Island {
  readonly ramp: number;
  /** The only color of the ground that any of its pixels has; negative where there is none, or several. */
  readonly label: number;
  /** Whether it is so narrow that it may have no pixel of its color alone, and any may be a mixture that looks like another. */
  readonly isNarrow: boolean;
  /** Those of its pixels that may be mixtures: all where it is narrow, else those that have no color of the ground. */
  readonly mixed: Int32Array;
  /** Those that have a color which is the ramp's at their place, too. */
  readonly enclosed: Int32Array;
}

/** In a narrow island every pixel has its ramp so near, px: a broader one has an even area. */
const BREADTH_PX = 3;
const SEVERAL = -2;

/** The islands that are narrow or have one color, in the order in which rows meet them. */
export function findIslands(
  { width, height }: WorkingPixels,
  { of }: Ramps,
  ground: Ground,
  narrow: readonly number[],
  readers: readonly RampReader[],
): readonly Island[] {
  // What only squares and strips have may be a mixture.
  const isOfNarrow = new Uint8Array(ground.size);
  for (const k of narrow) isOfNarrow[k] = 1;
  const labelOf = (i: number) => {
    const label = ground.labelOf(i);
    return label >= 0 && isOfNarrow[label] === 1 ? -1 : label;
  };
  const islands: Island[] = [];
  const seen = new Uint8Array(of.length);
  const isEnclosed = new Uint8Array(of.length);
  const stack = new Int32Array(of.length);
  for (let from = 0; from < of.length; from++) {
    if (of[from] >= 0 || seen[from] === 1) continue;
    let size = 1;
    let ramp = -1;
    let label = -1;
    stack[0] = from;
    seen[from] = 1;
    for (let k = 0; k < size; k++) {
      const i = stack[k];
      const own = labelOf(i);
      if (own >= 0 && own !== label) label = label === -1 ? own : SEVERAL;
      const x = i % width;
      const y = (i - x) / width;
      for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
        for (let j = v * width + Math.max(0, x - 1), end = v * width + Math.min(width - 1, x + 1); j <= end; j++) {
          if (of[j] >= 0) ramp = ramp === -1 || ramp === of[j] ? of[j] : SEVERAL;
          else if (seen[j] === 0) {
            seen[j] = 1;
            stack[size++] = j;
          }
        }
      }
    }
    if (ramp < 0) continue;
    const all = stack.subarray(0, size);
    // What letters close in of their ground has its color there.
    const isGround = (i: number) => labelOf(i) >= 0 && readers[ramp].isNear(i % width, Math.floor(i / width));
    for (const i of all) isEnclosed[i] = label !== -1 && isGround(i) ? 1 : 0;
    label = onlyLabel(all, (i) => (isEnclosed[i] === 1 ? -1 : labelOf(i)));
    const rest = all.filter((i) => isEnclosed[i] === 0);
    const isNarrow = areNarrow(rest, (i) => of[i] >= 0 || isEnclosed[i] === 1, width, height);
    if (!isNarrow && label < 0) continue;
    const mixed = isNarrow ? rest : rest.filter((i) => labelOf(i) < 0);
    islands.push({ ramp, label, isNarrow, mixed, enclosed: all.filter((i) => isEnclosed[i] === 1) });
  }
  return islands;
}

/** The only color that any of the pixels has; -1 where none has one, -2 where they have several. */
function onlyLabel(pixels: Int32Array, labelOf: (pixel: number) => number): number {
  let label = -1;
  for (const i of pixels) {
    const own = labelOf(i);
    if (own < 0 || own === label) continue;
    if (label >= 0) return SEVERAL;
    label = own;
  }
  return label;
}

/** Whether every pixel has its ground near. */
function areNarrow(pixels: Int32Array, isGround: (pixel: number) => boolean, width: number, height: number): boolean {
  return pixels.every((i) => {
    const x = i % width;
    const y = (i - x) / width;
    for (let v = Math.max(0, y - BREADTH_PX); v <= Math.min(height - 1, y + BREADTH_PX); v++)
      for (let u = Math.max(0, x - BREADTH_PX); u <= Math.min(width - 1, x + BREADTH_PX); u++)
        if (isGround(v * width + u)) return true;
    return false;
  });
}
