import {
  ARC,
  CLOSE,
  CUBIC,
  type Drawing,
  LINE,
  MOVE,
  type PathGeometry,
  type PathVisitor,
  QUADRATIC,
} from './drawing.js';

type Outlines = Pick<Drawing, 'commands' | 'coords'>;

/** Collects new outlines behind those of a drawing, whose own paths stay valid. */
export interface OutlineWriter extends PathVisitor {
  /** Everything written since the last call, as one path. */
  path(evenOdd: boolean): PathGeometry;
  /** The arrays that hold the old outlines and the new. */
  outlines(): Outlines;
}

export function createOutlineWriter(
  base: Outlines = { commands: new Uint8Array(), coords: new Float64Array() },
): OutlineWriter {
  const commands: number[] = [];
  const coords: number[] = [];
  let firstCommand = 0;
  let firstCoord = 0;
  const put = (command: number, ...numbers: readonly number[]) => {
    commands.push(command);
    for (const value of numbers) coords.push(value);
  };
  return {
    move: (x, y) => put(MOVE, x, y),
    line: (x, y) => put(LINE, x, y),
    quadratic: (x1, y1, x, y) => put(QUADRATIC, x1, y1, x, y),
    cubic: (x1, y1, x2, y2, x, y) => put(CUBIC, x1, y1, x2, y2, x, y),
    arc: (rx, ry, rotation, large, sweep, x, y) => put(ARC, rx, ry, rotation, large ? 1 : 0, sweep ? 1 : 0, x, y),
    close: () => put(CLOSE),
    path(evenOdd) {
      const path: PathGeometry = {
        kind: 'path',
        firstCommand: base.commands.length + firstCommand,
        commandCount: commands.length - firstCommand,
        firstCoord: base.coords.length + firstCoord,
        evenOdd,
      };
      firstCommand = commands.length;
      firstCoord = coords.length;
      return path;
    },
    outlines() {
      const joined = {
        commands: new Uint8Array(base.commands.length + commands.length),
        coords: new Float64Array(base.coords.length + coords.length),
      };
      joined.commands.set(base.commands);
      joined.commands.set(commands, base.commands.length);
      joined.coords.set(base.coords);
      joined.coords.set(coords, base.coords.length);
      return joined;
    },
  };
}
