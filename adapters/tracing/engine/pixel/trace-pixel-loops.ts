import { gridLines, readCells } from './cell-grid.js';
import { type ColorCells, groupByColor } from './color-cells.js';
import { orderColors } from './paint-order.js';
import { Underpaint } from './underpaint.js';

/** Path commands, numbered as in a Drawing: two coordinates each, none for the last. */
export const MOVE = 0;
export const LINE = 1;
export const CLOSE = 5;

/** One color: a range in the shared arrays. Its loops may cross themselves, so that it needs the even-odd rule. */
export interface PixelPath {
  readonly firstCommand: number;
  readonly commandCount: number;
  readonly firstCoord: number;
  /** 0xRRGGBBAA, never fully transparent. */
  readonly rgba: number;
  /** Pixels of the picture that have this color (the outline may also run under later paths). */
  readonly areaPx: number;
}

/** Back to front; coordinates in px of the picture, whole numbers, y down. */
export interface PixelLoops {
  readonly commands: Uint8Array;
  readonly coords: Float64Array;
  readonly paths: readonly PixelPath[];
}

/**
 * Exact outlines of a picture of square cells: one path per color, of horizontal and vertical lines only. Painted in order without
 * anti-aliasing they give the picture back bit by bit. Lines run straight through where cells touch at a corner. An opaque picture starts
 * with a rectangle of its most frequent color. Linear in the number of cells.
 * @param cellX width, @param cellY height of a cell in px; each cell's middle pixel gives its color
 * @param offsetX first vertical grid line, 0..cellX-1, @param offsetY first horizontal one
 * @throws RangeError for a size that does not match or a grid that is none
 */
export function tracePixelLoops(
  rgba: Uint8Array,
  width: number,
  height: number,
  cellX: number,
  cellY: number,
  offsetX = 0,
  offsetY = 0,
): PixelLoops {
  if (!(width >= 1 && height >= 1) || rgba.length !== width * height * 4) {
    throw new RangeError(`a picture of ${width} x ${height} does not have ${rgba.length} bytes of RGBA`);
  }
  if (!(cellX >= 1 && cellY >= 1 && offsetX >= 0 && offsetY >= 0 && offsetX < cellX && offsetY < cellY)) {
    throw new RangeError(`no grid has cells of ${cellX} x ${cellY} px from ${offsetX}, ${offsetY}`);
  }
  const xLines = gridLines(width, cellX, offsetX);
  const yLines = gridLines(height, cellY, offsetY);
  return traceCells(readCells(rgba, width, xLines, yLines), xLines, yLines, true);
}

/**
 * The same for cells of any size: `packed` has one color each (0xRRGGBBAA, 0 for none), row by row, and the lines say where they
 * lie, from 0 to the picture's size.
 * @param stacked colors may run under later ones; else each is drawn exactly where it is seen
 */
export function traceCells(
  packed: Uint32Array,
  xLines: Float64Array,
  yLines: Float64Array,
  stacked: boolean,
): PixelLoops {
  const columns = xLines.length - 1;
  const rows = yLines.length - 1;
  const cells = groupByColor(packed, columns, rows);
  const background = stacked && cells.members.length === columns * rows ? findBackground(cells) : -1;
  const ranks = new Int32Array(cells.colorCount);
  const underpaint = new Underpaint(cells, ranks, stacked);
  const order = orderColors(cells, ranks, underpaint, background);
  const writer = new LoopWriter(cells, xLines, yLines, stacked);
  const list = new Int32Array(cells.members.length);
  const paths: PixelPath[] = [];
  for (const color of order) {
    const firstCommand = writer.commandCount;
    const firstCoord = writer.coordCount;
    if (color === background) writer.rectangle(xLines[columns], yLines[rows]);
    else {
      underpaint.choose(color);
      writer.trace(list, underpaint.list(color, list), underpaint.painted);
      underpaint.clear(color);
    }
    paths.push({
      firstCommand,
      commandCount: writer.commandCount - firstCommand,
      firstCoord,
      rgba: cells.packed[color],
      areaPx: measureArea(cells, color, xLines, yLines),
    });
  }
  return { ...writer.finish(), paths };
}

/** The color of most cells if all cells are opaque, ties to the one met first; -1 if some are not. */
function findBackground(cells: ColorCells): number {
  let best = -1;
  let bestCells = 0;
  for (let color = 0; color < cells.colorCount; color++) {
    if ((cells.packed[color] & 255) !== 255) return -1;
    const count = cells.starts[color + 1] - cells.starts[color];
    if (count > bestCells) {
      best = color;
      bestCells = count;
    }
  }
  return best;
}

function measureArea(cells: ColorCells, color: number, xLines: Float64Array, yLines: Float64Array): number {
  const { members, starts, stride } = cells;
  let areaPx = 0;
  for (let k = starts[color]; k < starts[color + 1]; k++) {
    const row = Math.floor(members[k] / stride) - 1;
    const column = (members[k] % stride) - 1;
    areaPx += (xLines[column + 1] - xLines[column]) * (yLines[row + 1] - yLines[row]);
  }
  return areaPx;
}

/** Walks outlines and collects them in growing arrays. */
class LoopWriter {
  commandCount = 0;
  coordCount = 0;
  #commands = new Uint8Array(256);
  #coords = new Float64Array(512);
  readonly #stride: number;
  readonly #xLines: Float64Array;
  readonly #yLines: Float64Array;
  /** Horizontal sides that have been walked, by the vertex at their left end. */
  readonly #walked: Uint8Array;
  /** Corners of the loop that is not closed yet. */
  readonly #open: Int32Array;
  #openLength = 0;
  readonly #splits: boolean;
  /** By line (rows, then columns): number of the open corner that a side on it ends at, 0 for none. */
  readonly #sideOn: Int32Array;
  readonly #rowLines: number;

  /** @param splits whether sides on one line may be joined otherwise, for shorter loops that may run along each other */
  constructor(cells: ColorCells, xLines: Float64Array, yLines: Float64Array, splits: boolean) {
    this.#stride = cells.stride;
    this.#splits = splits;
    this.#rowLines = cells.rows + 2;
    this.#sideOn = new Int32Array(this.#rowLines + cells.stride);
    // Every corner is passed once.
    this.#open = new Int32Array((cells.columns + 1) * (cells.rows + 1));
    this.#xLines = xLines;
    this.#yLines = yLines;
    this.#walked = new Uint8Array(cells.colorOf.length + cells.stride);
  }

  rectangle(width: number, height: number): void {
    this.#point(MOVE, 0, 0);
    this.#point(LINE, width, 0);
    this.#point(LINE, width, height);
    this.#point(LINE, 0, height);
    this.#close();
  }

  /** @param list the cells marked in `painted`, ascending */
  trace(list: Int32Array, length: number, painted: Uint8Array): void {
    const walked = this.#walked;
    const stride = this.#stride;
    // A side has the number of the vertex at its left end, and a vertex that of the cell to its lower right.
    for (let k = 0; k < length; k++) {
      const side = list[k];
      if (painted[side - stride] === 0 && walked[side] === 0) this.#walk(side, painted);
    }
    for (let k = 0; k < length; k++) {
      const side = list[k] + stride;
      if (painted[side] === 0 && walked[side] === 0) this.#walk(side, painted);
    }
    for (let k = 0; k < length; k++) {
      walked[list[k]] = 0;
      walked[list[k] + stride] = 0;
    }
  }

  /**
   * One loop, from the first corner to the east of a horizontal side that has not been walked. A vertex with an odd number of painted
   * cells around it is a corner. Where two cells touch at one, the loop runs straight through and crosses itself: a diagonal of n
   * cells then has 2 n + 2 corners, where loops that turn aside have 4 n.
   *
   *     A A | . .
   *     ----+----     both lines go on
   *     . . | B B
   */
  #walk(side: number, painted: Uint8Array): void {
    const stride = this.#stride;
    const walked = this.#walked;
    const isCorner = (vertex: number): boolean =>
      ((painted[vertex] + painted[vertex - 1] + painted[vertex - stride] + painted[vertex - stride - 1]) & 1) === 1;
    let start = side + 1;
    while (!isCorner(start)) start++;
    let vertex = start;
    this.#corner(vertex);
    for (;;) {
      // Down the side of this corner that parts two cells, to the next corner.
      const step = painted[vertex] !== painted[vertex - 1] ? stride : -stride;
      do vertex += step;
      while (!isCorner(vertex));
      this.#corner(vertex);
      // And along: to the east where the cells above and below the next side differ.
      if (painted[vertex] !== painted[vertex - stride]) {
        do walked[vertex++] = 1;
        while (!isCorner(vertex));
      } else {
        do walked[--vertex] = 1;
        while (!isCorner(vertex));
      }
      if (vertex === start) break;
      this.#corner(vertex);
    }
    this.#finishLoop();
  }

  /**
   * Adds a corner to the loop that is open. A side that lies on the line of an earlier side of the loop makes two loops of it: the even-odd
   * rule is indifferent to which ends of the sides on a line are joined, and a loop closes without a line of its own.
   *
   *     a--b   c--d        a--------d
   *     |  |   |  |   ->   |  b---c |    a rectangle, and the notch in it
   *     |  '---'  |        |  '---' |
   */
  #corner(vertex: number): void {
    const open = this.#open;
    if (this.#openLength > 0) {
      const line = this.#lineOf(open[this.#openLength - 1], vertex);
      const earlier = this.#splits ? this.#sideOn[line] : 0;
      // The side that ends at corner number `earlier` is on the same line: what lies between is a loop.
      if (earlier > 0) this.#closeFrom(earlier);
      this.#sideOn[line] = this.#openLength;
    }
    open[this.#openLength++] = vertex;
  }

  /** Number of the row line or column line that a side lies on. */
  #lineOf(from: number, to: number): number {
    const stride = this.#stride;
    const row = Math.floor(from / stride);
    return row === Math.floor(to / stride) ? row : this.#rowLines + from - row * stride;
  }

  /** Writes the corners from this one on as a loop, and takes them from the one that is open. */
  #closeFrom(first: number): void {
    const open = this.#open;
    for (let k = first; k < this.#openLength; k++) {
      this.#vertex(k === first ? MOVE : LINE, open[k]);
      if (k > first) this.#sideOn[this.#lineOf(open[k - 1], open[k])] = 0;
    }
    this.#close();
    this.#openLength = first;
  }

  #finishLoop(): void {
    const open = this.#open;
    const line = this.#lineOf(open[this.#openLength - 1], open[0]);
    if (this.#splits && this.#sideOn[line] > 0) {
      const first = this.#sideOn[line];
      this.#closeFrom(first);
      this.#sideOn[line] = 0;
    }
    this.#closeFrom(0);
  }

  #vertex(command: number, vertex: number): void {
    const row = Math.floor(vertex / this.#stride);
    this.#point(command, this.#xLines[vertex - row * this.#stride - 1], this.#yLines[row - 1]);
  }

  #point(command: number, x: number, y: number): void {
    this.#command(command);
    if (this.coordCount + 2 > this.#coords.length) {
      const coords = new Float64Array(this.#coords.length * 2);
      coords.set(this.#coords);
      this.#coords = coords;
    }
    this.#coords[this.coordCount++] = x;
    this.#coords[this.coordCount++] = y;
  }

  #close(): void {
    this.#command(CLOSE);
  }

  #command(command: number): void {
    if (this.commandCount === this.#commands.length) {
      const commands = new Uint8Array(this.#commands.length * 2);
      commands.set(this.#commands);
      this.#commands = commands;
    }
    this.#commands[this.commandCount++] = command;
  }

  finish(): { commands: Uint8Array; coords: Float64Array } {
    return { commands: this.#commands.slice(0, this.commandCount), coords: this.#coords.slice(0, this.coordCount) };
  }
}
