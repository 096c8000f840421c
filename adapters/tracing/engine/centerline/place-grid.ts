/** Numbered places with directions, found again by where they are. */
export class PlaceGrid {
  readonly x: number[] = [];
  readonly y: number[] = [];
  readonly ux: number[] = [];
  readonly uy: number[] = [];
  private readonly cells = new Map<number, number[]>();
  private readonly cellPx: number;

  constructor(cellPx: number) {
    this.cellPx = cellPx;
  }

  add(x: number, y: number, ux: number, uy: number): number {
    const number = this.x.length;
    this.x.push(x);
    this.y.push(y);
    this.ux.push(ux);
    this.uy.push(uy);
    const key = this.keyOf(Math.floor(x / this.cellPx), Math.floor(y / this.cellPx));
    const cell = this.cells.get(key);
    if (cell === undefined) this.cells.set(key, [number]);
    else cell.push(number);
    return number;
  }

  /** The number of the nearest place within `radius`, at most a cell, that is accepted; -1 where there is none. */
  nearest(x: number, y: number, radius: number, accepts: (number: number) => boolean): number {
    const u = Math.floor(x / this.cellPx);
    const v = Math.floor(y / this.cellPx);
    let best = radius * radius;
    let found = -1;
    for (let j = v - 1; j <= v + 1; j++) {
      for (let i = u - 1; i <= u + 1; i++) {
        for (const number of this.cells.get(this.keyOf(i, j)) ?? NONE) {
          const dx = this.x[number] - x;
          const dy = this.y[number] - y;
          const distanceSq = dx * dx + dy * dy;
          if (distanceSq > best || !accepts(number)) continue;
          best = distanceSq;
          found = number;
        }
      }
    }
    return found;
  }

  private keyOf(u: number, v: number): number {
    return (u + 65536) * 262144 + v + 65536;
  }
}

const NONE: readonly number[] = [];
