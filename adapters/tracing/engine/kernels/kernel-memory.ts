import { KERNEL_CODE } from './kernel-code.js';
import {
  CAPACITY,
  CHAIN_OF,
  CHAINS,
  COLORS,
  CONTRAST,
  CONTRAST_SIZE,
  COSTS,
  ENTRIES,
  ENTRY_SIZE,
  EQUATION_NUMBERS,
  EQUATIONS,
  GRADIENT,
  HEAD_SIZE,
  HEIGHT,
  IS_BORDER,
  IS_LEFT,
  KINDS,
  LAYOUT_SIZE,
  MOST_CHORDS,
  NORMAL,
  OBSERVED,
  OWNER,
  PIECE,
  POINTS,
  RUN_NUMBERS,
  RUNS,
  SCRATCH,
  SLOT_OF,
  SLOT_WEIGHT,
  SLOTS,
  STARTS,
  STILL,
  VALUES,
  WAY,
  WIDTH,
} from './kernel-layout.js';

/** What `kernel.as.ts` offers. */
export interface Kernel {
  fitCubic(count: number, tolerance: number, mostRounds: number): void;
  fitRun(count: number, tolerance: number, fixedStart: number, fixedEnd: number): number;
  takeContour(left: number, top: number, width: number, height: number, count: number, outside: number): void;
  clearContour(): void;
  paintSide(side: number, chords: number, endX: number, endY: number): void;
  compareContour(): number;
  sumContour(size: number): void;
  solveContour(size: number, damping: number): number;
  measureGuesses(count: number): void;
  searchGuesses(weight: number, count: number): void;
  countContrasts(width: number): void;
  listEven(width: number, height: number, from: number, to: number, levels: number): number;
  countRampSquares(
    width: number,
    height: number,
    side: number,
    step: number,
    steepest: number,
    mostSq: number,
    leastRise: number,
  ): void;
  findSeeds(width: number, height: number, size: number, limit: number): void;
  explainNoisy(width: number, height: number, size: number, count: number): void;
  countShares(first: number, stride: number, way: number, a: number, b: number, into: number): void;
  begin(layout: number): void;
  clear(): void;
  paintChain(chain: number, tracked: number): number;
  paintPiece(chain: number, segment: number, line: number, tracked: number): number;
  paintRound(chain: number, segment: number, chords: number, tracked: number): number;
  subtract(): number;
  linearize(): void;
  findPolygon(count: number): number;
  rampError(
    kind: number,
    cx: number,
    cy: number,
    ux: number,
    uy: number,
    squeeze: number,
    halfWidth: number,
    halfHeight: number,
    count: number,
    most: number,
    squares: number,
  ): number;
  restoreChroma(
    columns: number,
    rows: number,
    samplesAcross: number,
    samplesDown: number,
    from: number,
    to: number,
    modeAcross: number,
    firstAcross: number,
    modeDown: number,
    firstDown: number,
  ): void;
  clearHalos(
    columns: number,
    rows: number,
    from: number,
    to: number,
    leastSq: number,
    contrastSq: number,
    deepest: number,
    ring: number,
    nearLevels: number,
    nearShare: number,
  ): void;
  clearEquations(numbers: number, rows: number, blocks: number, nodes: number): void;
  addSegments(chain: number, from: number, to: number): void;
  addRound(chain: number, segment: number): void;
  addTangent(chain: number, segment: number, side: number, weight: number, value: number): void;
  eliminateChain(chain: number, damping: number): number;
  addToNodes(a: number, b: number, value: number): void;
  solveNodes(damping: number): number;
  substituteChain(chain: number): void;
}

interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** As much of WebAssembly as is used here, which every runtime of ours has. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Memory: new (size: { initial: number }) => WasmMemory;
  readonly Instance: new (module: object, imports: { env: { memory: WasmMemory } }) => { readonly exports: Kernel };
};

const PAGE = 1 << 16;
/** Pages at least: what a picture of about a megapixel takes. None takes memory of the system until it is written to. */
const LEAST_PAGES = 128;
/** Bytes that have been written to and are kept for the next picture, at most. */
const MOST_KEPT = 32 << 20;
/** Where everything begins: pairs of numbers are read at once. */
const ALIGNMENT = 16;
/** Room for entries, times what was asked for: curves that move cross other pixels. And for all, where there was not enough. */
const ENTRY_GROWTH = 1.1;
const GROWTH = 2;
const MOST_PAGES = 1 << 16;

/**
 * The memory that the engine and its kernels share, and the kernels themselves. All arrays are views of it, taken anew when a band, a painter
 * or room for more entries is laid out, and good until the next time. There is one band at a time, and one painter; what is fitted has a
 * place of its own.
 */
export class KernelMemory {
  private module: object | undefined;
  private memory: WasmMemory | undefined;
  private instance: Kernel | undefined;
  /** Unsigned, since there may be up to four gigabytes. */
  private readonly layout = new Uint32Array(LAYOUT_SIZE);
  private readonly lengths = new Uint32Array(LAYOUT_SIZE);
  /** Where the band ends, and the painter's own. */
  private bandEnd = 0;
  private painterEnd = 0;
  /** The most bytes that were taken of this memory. */
  private used = 0;

  /** Changes whenever what lies in the room that `scratch` gives may no longer be there. */
  scratchUse = 0;

  private fitted = new Float64Array(0);
  // As `kernel-layout.ts` has them.
  slotOf = new Int32Array(0);
  runs = this.slotOf;
  observed = new Uint8Array(0);
  owner = this.slotOf;
  values = new Float64Array(0);
  still = this.values;
  slotWeight = this.values;
  colors = this.values;
  points = this.values;
  kinds = this.slotOf;
  starts = this.slotOf;
  chainOf = this.slotOf;
  normal = this.values;
  gradient = this.values;
  contrast = this.values;
  costs = this.values;
  isBorder = this.observed;
  isLeft = this.observed;
  piece = this.values;
  equations = this.slotOf;
  equationNumbers = this.values;
  /** The entries as numbers of eight bytes, and of four. */
  entries = this.values;
  entryInts = this.slotOf;

  get kernel(): Kernel {
    if (this.instance === undefined) this.take(HEAD_SIZE);
    return this.instance as Kernel;
  }

  /** What lies where things are fitted, as numbers of eight bytes from the beginning. */
  get head(): Float64Array {
    if (this.instance === undefined) this.take(HEAD_SIZE);
    return this.fitted;
  }

  /** Room for so many numbers, from where bands lie: there is none from now on. */
  scratch(numbers: number): Float64Array {
    const bytes = SCRATCH + numbers * Float64Array.BYTES_PER_ELEMENT;
    this.scratchUse++;
    if (this.memory === undefined || this.memory.buffer.byteLength < bytes) this.take(bytes, false);
    this.used = Math.max(this.used, bytes);
    return new Float64Array((this.memory as WasmMemory).buffer, SCRATCH, numbers);
  }

  /** A new band, for a picture of so many pixels: `slotOf` is there, and all of it zero. */
  beginBand(width: number, height: number): void {
    const { layout } = this;
    layout.fill(0);
    this.lengths.fill(0);
    layout[WIDTH] = width;
    layout[HEIGHT] = height;
    this.bandEnd = this.place(SLOT_OF, width * height, 4, HEAD_SIZE);
    const isNew = this.take(this.bandEnd, false);
    // New memory is zero, and costs nothing where it is not written to.
    if (!isNew) this.slotOf.fill(0);
  }

  /** What a band of so many slots takes, whose runs take so many numbers. */
  layBand(slots: number, runNumbers: number): void {
    this.layout[SLOTS] = slots;
    this.layout[RUN_NUMBERS] = runNumbers;
    let end = this.place(RUNS, runNumbers, 4, this.bandEnd);
    end = this.place(OBSERVED, slots * 4, 1, end);
    end = this.place(OWNER, slots, 4, end);
    // What a slot passes on is written to the next.
    end = this.place(VALUES, (slots + 1) * 4, 8, end);
    end = this.place(STILL, (slots + 1) * 4, 8, end);
    this.bandEnd = this.place(SLOT_WEIGHT, slots, 8, end);
    this.take(this.bandEnd);
  }

  /** What a painter of so many chains and segments takes; there are no entries yet. */
  layPainter(chains: number, segments: number, regions: number): void {
    this.layout[CHAINS] = chains;
    let end = this.place(COLORS, regions * 4, 8, this.bandEnd);
    end = this.place(POINTS, segments * 8, 8, end);
    end = this.place(KINDS, segments, 4, end);
    end = this.place(STARTS, chains + 1, 4, end);
    end = this.place(CHAIN_OF, segments, 4, end);
    end = this.place(NORMAL, segments * 64, 8, end);
    end = this.place(GRADIENT, segments * 8, 8, end);
    end = this.place(CONTRAST, chains * CONTRAST_SIZE, 8, end);
    end = this.place(COSTS, chains, 8, end);
    end = this.place(IS_BORDER, chains, 1, end);
    end = this.place(IS_LEFT, chains, 1, end);
    end = this.place(WAY, 2 * MOST_CHORDS + 2, 8, end);
    this.painterEnd = this.place(PIECE, 8, 8, end);
    this.layout[CAPACITY] = 0;
    this.makeRoom(0);
  }

  /** What the equations of a painter take that has painted nothing yet: so many whole numbers, and others. */
  layEquations(ints: number, numbers: number): void {
    const end = this.place(EQUATIONS, ints, 4, this.painterEnd);
    this.painterEnd = this.place(EQUATION_NUMBERS, numbers, 8, end);
    this.layout[CAPACITY] = 0;
    this.makeRoom(0);
  }

  /** Where the arrays of the equations begin, bytes. */
  get equationsAt(): { readonly ints: number; readonly numbers: number } {
    return { ints: this.layout[EQUATIONS], numbers: this.layout[EQUATION_NUMBERS] };
  }

  /** Room for so many entries; those that are there stay. */
  makeRoom(entries: number): void {
    if (entries < this.layout[CAPACITY]) return;
    const capacity = Math.ceil(entries * ENTRY_GROWTH);
    this.layout[CAPACITY] = capacity;
    this.take(this.place(ENTRIES, capacity * ENTRY_SIZE, 8, this.painterEnd));
  }

  /** Gives memory back that is too much to be kept. */
  release(): void {
    if (this.used <= MOST_KEPT) return;
    this.used = 0;
    this.scratchUse++;
    this.memory = undefined;
    this.instance = undefined;
    this.lengths.fill(0);
    this.layout.fill(0);
    this.lay(new ArrayBuffer(0));
  }

  /** Says where an array begins; returns where the next one may. */
  private place(which: number, length: number, bytes: number, from: number): number {
    const begin = Math.ceil(from / ALIGNMENT) * ALIGNMENT;
    this.layout[which] = begin;
    this.lengths[which] = length;
    return begin + length * bytes;
  }

  /**
   * Sees to it that there are so many bytes, and takes the arrays anew; whether in new memory, which has what there was in the old one where
   * that `stays`.
   */
  private take(bytes: number, stays = true): boolean {
    this.used = Math.max(this.used, bytes);
    this.scratchUse++;
    const isNew = this.memory === undefined || this.memory.buffer.byteLength < bytes;
    if (isNew) {
      this.module ??= new WebAssembly.Module(KERNEL_CODE);
      // It does not grow in place: that would take the memory away from the arrays that there are, and once that has happened to any array, V8
      // compiles all code anew that works on arrays.
      const memory = new WebAssembly.Memory({ initial: pagesFor(bytes) });
      if (stays && this.memory !== undefined) new Uint8Array(memory.buffer).set(new Uint8Array(this.memory.buffer));
      this.memory = memory;
      this.instance = new WebAssembly.Instance(this.module, { env: { memory } }).exports;
    }
    const { buffer } = this.memory as WasmMemory;
    this.lay(buffer);
    new Uint32Array(buffer, 0, LAYOUT_SIZE).set(this.layout);
    this.kernel.begin(0);
    return isNew;
  }

  private lay(buffer: ArrayBuffer): void {
    const { layout, lengths } = this;
    const ints = (which: number) => new Int32Array(buffer, layout[which], lengths[which]);
    const floats = (which: number) => new Float64Array(buffer, layout[which], lengths[which]);
    const bytes = (which: number) => new Uint8Array(buffer, layout[which], lengths[which]);
    this.fitted = new Float64Array(buffer, 0, buffer.byteLength === 0 ? 0 : HEAD_SIZE / 8);
    this.slotOf = ints(SLOT_OF);
    this.runs = ints(RUNS);
    this.observed = bytes(OBSERVED);
    this.owner = ints(OWNER);
    this.values = floats(VALUES);
    this.still = floats(STILL);
    this.slotWeight = floats(SLOT_WEIGHT);
    this.colors = floats(COLORS);
    this.points = floats(POINTS);
    this.kinds = ints(KINDS);
    this.starts = ints(STARTS);
    this.chainOf = ints(CHAIN_OF);
    this.normal = floats(NORMAL);
    this.gradient = floats(GRADIENT);
    this.contrast = floats(CONTRAST);
    this.costs = floats(COSTS);
    this.isBorder = bytes(IS_BORDER);
    this.isLeft = bytes(IS_LEFT);
    this.piece = floats(PIECE);
    this.equations = ints(EQUATIONS);
    this.equationNumbers = floats(EQUATION_NUMBERS);
    this.entries = floats(ENTRIES);
    this.entryInts = new Int32Array(buffer, layout[ENTRIES], 2 * lengths[ENTRIES]);
  }
}

/** Pages for so many bytes and more to come. Throws what WebAssembly.Memory does where even the bytes are too many. */
function pagesFor(bytes: number): number {
  const needed = Math.ceil(bytes / PAGE);
  return Math.max(needed, LEAST_PAGES, Math.min(MOST_PAGES, needed * GROWTH));
}

/** The kernels' memory of this thread. */
export const kernelMemory = new KernelMemory();
