import { FloatList, IntList } from '../math/lists.js';
import type { EngineSolidPaint } from '../types.js';

// Path commands, as the Drawing has them.
export const MOVE = 0;
export const LINE = 1;
export const CUBIC = 3;
export const ARC = 4;
export const CLOSE = 5;
/** How many numbers each takes. */
export const COORDS_PER_COMMAND: readonly number[] = [2, 2, 4, 6, 7, 0];

/** The shared path arrays of a drawing while they are being written. */
export class OutlineBuffer {
  readonly commands = new IntList(4096);
  readonly coords = new FloatList(16384);
  private firstX = 0;
  private firstY = 0;
  private firstCoord = 0;
  private lastX = 0;
  private lastY = 0;

  move(x: number, y: number): void {
    this.firstX = x;
    this.firstY = y;
    this.firstCoord = this.coords.length;
    this.commands.push(MOVE);
    this.end(x, y);
  }

  /** A line to where the pen is already is left out. */
  line(x: number, y: number): void {
    if (x === this.lastX && y === this.lastY) return;
    this.commands.push(LINE);
    this.end(x, y);
  }

  cubic(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.commands.push(CUBIC);
    const { coords } = this;
    coords.push(x1);
    coords.push(y1);
    coords.push(x2);
    coords.push(y2);
    this.end(x, y);
  }

  /** The SVG arc: `rotation` in degrees, `sweep` clockwise on screen. */
  arc(rx: number, ry: number, rotation: number, large: boolean, sweep: boolean, x: number, y: number): void {
    this.commands.push(ARC);
    const { coords } = this;
    coords.push(rx);
    coords.push(ry);
    coords.push(rotation);
    coords.push(large ? 1 : 0);
    coords.push(sweep ? 1 : 0);
    this.end(x, y);
  }

  /** Moves the end of the line drawn last. */
  extend(x: number, y: number): void {
    this.coords.length -= 2;
    this.end(x, y);
  }

  /** Takes the line drawn last away: the pen is where it began. */
  dropLine(): void {
    const { commands, coords } = this;
    commands.length--;
    coords.length -= 2;
    this.lastX = coords.data[coords.length - 2];
    this.lastY = coords.data[coords.length - 1];
  }

  /** Whether the last that was drawn is a line. */
  endsInLine(): boolean {
    return this.commands.data[this.commands.length - 1] === LINE;
  }

  /** Takes everything from a command and a coordinate on away. */
  dropFrom(command: number, coord: number): void {
    this.commands.length = command;
    this.coords.length = coord;
  }

  /** Moves where the path began, whose first line then begins there. */
  moveStart(x: number, y: number): void {
    const { coords } = this;
    coords.data[this.firstCoord] = x;
    coords.data[this.firstCoord + 1] = y;
    this.firstX = x;
    this.firstY = y;
  }

  /** Closes the path. Of an upright or level line that closing it goes on with, the end is left out. */
  close(): void {
    const { commands, coords, firstX, firstY, lastX, lastY } = this;
    if (commands.data[commands.length - 1] === LINE) {
      const { data, length } = coords;
      const isLevel = data[length - 3] === lastY && lastY === firstY;
      const isUpright = data[length - 4] === lastX && lastX === firstX;
      if (isLevel || isUpright) {
        commands.length--;
        coords.length -= 2;
      }
    }
    commands.push(CLOSE);
  }

  finish(): { readonly commands: Uint8Array; readonly coords: Float64Array } {
    return {
      commands: Uint8Array.from(this.commands.data.subarray(0, this.commands.length)),
      coords: this.coords.data.slice(0, this.coords.length),
    };
  }

  private end(x: number, y: number): void {
    this.coords.push(x);
    this.coords.push(y);
    this.lastX = x;
    this.lastY = y;
  }
}

/** The paint of a region from its premultiplied color. */
export function solidPaint(colors: Float64Array, region: number): EngineSolidPaint {
  const alpha = colors[region * 4 + 3];
  const channel = (c: number) => {
    const straight = alpha > 0 ? (colors[region * 4 + c] * 255) / alpha : 0;
    return Math.max(0, Math.min(255, Math.round(straight)));
  };
  return {
    kind: 'solid',
    color: (channel(0) << 16) | (channel(1) << 8) | channel(2),
    opacity: Math.round((alpha / 255) * 1000) / 1000,
  };
}
