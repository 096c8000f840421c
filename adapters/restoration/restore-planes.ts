import type { DetailPlan } from './detail-plans.js';
import { CHANNELS, cutOut, emptyPlanes, halve, type Planes, turn, turnBack } from './planes.js';

/** A restoring model: planes in, planes of `scale` times their size out. */
export interface RestoringModel {
  readonly scale: 2 | 4;
  run(planes: Planes): Promise<Planes>;
}

/** Called before each tile; what it throws ends the work. */
export type OnTile = () => void;

interface Span {
  /** Where the tile's own part begins and ends. */
  readonly from: number;
  readonly to: number;
}

/** Even cuts of a side into parts of at most `most`. */
function spansOf(side: number, most: number): Span[] {
  const count = Math.ceil(side / most);
  return Array.from({ length: count }, (_, i) => ({
    from: Math.round((i * side) / count),
    to: Math.round(((i + 1) * side) / count),
  }));
}

/** How many tiles a picture is cut into, all orientations together. */
export const countTiles = ({ width, height }: Pick<Planes, 'width' | 'height'>, plan: DetailPlan): number =>
  spansOf(width, plan.tile).length * spansOf(height, plan.tile).length * plan.orientations;

/**
 * The weight of a tile along one axis, for each pixel of its answer:
 *
 *          __________________
 *         /                  \
 *   _____/                    \_____      1 inside, 0 over the outer half of the overlap; between them a ramp that is the
 *   |  ov|er|   own part   |ov|erlap      neighbor's ramp turned round, so that the two add up to 1. At the picture's border
 *                                         there is no neighbor, and no ramp.
 */
function weightsOf({ from, to }: Span, side: number, overlap: number): Float32Array {
  const length = (to - from + 2 * overlap) * 2;
  const weights = new Float32Array(length);
  const ramp = overlap * 2;
  for (let i = 0; i < length; i++) {
    // Distance of the pixel's middle from the beginning of the own part, px of the answer.
    const place = i + 0.5 - overlap * 2;
    const end = (to - from) * 2;
    const rising = from === 0 ? (place < 0 ? 0 : 1) : Math.max(0, Math.min(1, 0.5 + place / ramp));
    const falling = to === side ? (place > end ? 0 : 1) : Math.max(0, Math.min(1, 0.5 + (end - place) / ramp));
    weights[i] = Math.min(rising, falling);
  }
  return weights;
}

/** One round over the whole picture, tile by tile. */
async function restoreOnce(planes: Planes, model: RestoringModel, plan: DetailPlan, onTile: OnTile): Promise<Planes> {
  const { width, height } = planes;
  const { overlap } = plan;
  const whole = emptyPlanes(width * 2, height * 2);
  const columns = spansOf(width, plan.tile);
  const rows = spansOf(height, plan.tile);
  const weightsX = columns.map((span) => weightsOf(span, width, overlap));
  for (const row of rows) {
    const down = weightsOf(row, height, overlap);
    for (const [i, column] of columns.entries()) {
      onTile();
      const tileWidth = column.to - column.from + 2 * overlap;
      const tileHeight = row.to - row.from + 2 * overlap;
      const tile = cutOut(planes, column.from - overlap, row.from - overlap, tileWidth, tileHeight);
      const answer = await model.run(tile);
      lay(model.scale === 4 ? halve(answer) : answer, whole, column.from - overlap, row.from - overlap, [
        weightsX[i] as Float32Array,
        down,
      ]);
    }
  }
  return whole;
}

/** Adds a tile's answer to the whole, by its weights. `left` and `top` are in px of the picture. */
function lay(
  tile: Planes,
  whole: Planes,
  left: number,
  top: number,
  [across, down]: readonly [Float32Array, Float32Array],
) {
  for (let channel = 0; channel < CHANNELS; channel++) {
    for (let v = 0; v < tile.height; v++) {
      const y = top * 2 + v;
      const weightY = down[v] as number;
      if (y < 0 || y >= whole.height || weightY === 0) continue;
      const from = (channel * tile.height + v) * tile.width;
      const to = (channel * whole.height + y) * whole.width + left * 2;
      for (let u = 0; u < tile.width; u++) {
        const weight = weightY * (across[u] as number);
        if (weight === 0) continue;
        whole.values[to + u] = (whole.values[to + u] as number) + weight * (tile.values[from + u] as number);
      }
    }
  }
}

/** The orientations that stand for all, by how many are wanted. */
const ORIENTATIONS = { 1: [0], 2: [0, 3], 4: [0, 3, 5, 6], 8: [0, 1, 2, 3, 4, 5, 6, 7] } as const;

/** Planes of twice the size, restored by the plan. Throws what `onTile` throws. */
export async function restorePlanes(
  planes: Planes,
  model: RestoringModel,
  plan: DetailPlan,
  onTile: OnTile,
): Promise<Planes> {
  const orientations = ORIENTATIONS[plan.orientations];
  const mean = emptyPlanes(planes.width * 2, planes.height * 2);
  for (const orientation of orientations) {
    const { values } = turnBack(await restoreOnce(turn(planes, orientation), model, plan, onTile), orientation);
    for (let i = 0; i < values.length; i++)
      mean.values[i] = (mean.values[i] as number) + (values[i] as number) / orientations.length;
  }
  return mean;
}
