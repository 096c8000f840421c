import { arena } from '../math/arena.js';
import type { PlanarMap } from '../planar-map/planar-map.js';

/** Cracks on either side over which a boundary's direction is taken, to choose columns or rows to sum along. */
export const DIRECTION_REACH = 4;
/** Cracks looked at together: of a boundary that winds through the whole picture the coordinates would fill as much memory as the picture. */
const STRETCH = 2048;

/** The lattice coordinates of one chain's vertices, taken apart a stretch at a time. */
export class ChainCoordinates {
  /** Cracks, one less than there are vertices. */
  steps = 0;
  closed = false;
  /**
   * The stretch loaded last: its first vertex is number DIRECTION_REACH, and so many lie before and behind it, around a closed chain, of an
   * open one its end again and again.
   */
  readonly xs = arena.rawInt32(STRETCH + 1 + 2 * DIRECTION_REACH);
  readonly ys = arena.rawInt32(STRETCH + 1 + 2 * DIRECTION_REACH);
  private readonly map: PlanarMap;
  private readonly stride: number;
  private first = 0;

  constructor(map: PlanarMap) {
    this.map = map;
    this.stride = map.width + 1;
  }

  /** Turns to a chain; nothing of it is loaded. */
  begin(chain: number): void {
    const { starts, startNode } = this.map;
    this.first = starts[chain];
    this.steps = starts[chain + 1] - this.first - 1;
    this.closed = startNode[chain] < 0;
  }

  /** Loads the stretch that begins with crack `from`; returns how many cracks it has, 1 or more. */
  load(from: number): number {
    const { steps, closed, first, stride, xs, ys } = this;
    const { vertices } = this.map;
    const count = Math.min(STRETCH, steps - from);
    const last = count + 2 * DIRECTION_REACH;
    for (let k = 0; k <= last; k++) {
      let v = from + k - DIRECTION_REACH;
      if (v < 0) v = closed ? ((v % steps) + steps) % steps : 0;
      else if (v > steps) v = closed ? v % steps : steps;
      const vertex = vertices[first + v];
      const y = (vertex / stride) | 0;
      ys[k] = y;
      xs[k] = vertex - y * stride;
    }
    return count;
  }

  /** Of vertex `k`, 0..steps, whatever is loaded. */
  x(k: number): number {
    return this.map.vertices[this.first + k] % this.stride;
  }

  y(k: number): number {
    return (this.map.vertices[this.first + k] / this.stride) | 0;
  }

  /** Whether the boundary turns at vertex `k`, 1..steps - 1. */
  turnsAt(k: number): boolean {
    const { vertices } = this.map;
    const at = this.first + k;
    return vertices[at - 1] + vertices[at + 1] !== 2 * vertices[at];
  }
}
