import {
  CHAIN_BASE,
  CHAIN_BORDER,
  CHAIN_ENDS,
  CHAIN_NUMBERS,
  CHAIN_OWN,
  CHAIN_ROW,
  EQUATION_PARTS,
  OF_BLOCKS,
  OF_CHAINS,
  OF_FACTORS,
  OF_FIRST,
  OF_LOCALS,
  OF_MATRIX,
  OF_NODE_RHS,
  OF_NODES,
  OF_OFFSET,
  OF_ORDER,
  OF_OTHERS,
  OF_PLACE,
  OF_PRODUCTS,
  OF_RHS,
  OF_SOLUTION,
  OF_STARTS,
  OF_STEPS,
  ROUND_SUMS,
} from '../kernels/kernel-layout.js';
import { kernelMemory } from '../kernels/kernel-memory.js';
import { arena } from '../math/arena.js';
import type { NodeOrder } from '../math/node-order.js';

/** Numbers of node coordinates begin here, so that they are told from the chains' own. */
const NODE_BASE = 1 << 28;
/** Coordinates of a chain's two end nodes. */
const ENDS = 4;
/** Unknowns of a segment. */
const LOCAL = 8;
/** Numbers of a block of two by two. */
const BLOCK = 4;

/**
 * The normal equations of all chains: each chain's own unknowns, which no other chain has, and the coordinates of the two
 * nodes it ends at, which it shares. The own ones are eliminated chain by chain; what is left is a system of the nodes alone
 * (the Schur complement), after whose solution the own ones follow. A chain's rows are kept from their first non-zero on.
 *
 * What occurs in which equation is told here, chain by chain. The equations themselves are in the painter's memory from `lay` on, and the kernel sums and
 * solves them.
 */
export class ChainEquations {
  private readonly chains: Int32Array;
  /** Per segment its unknowns as rows of its chain: the chain's own first, then its nodes' coordinates; -1 for what is fixed. */
  private readonly locals: Int32Array;
  /** Per row its first column, and where column 0 would be. */
  private first = new Int32Array(1024);
  private offset = new Int32Array(1024);
  private rows = 0;
  private total = 0;
  private unknowns = 0;
  private nodes = 0;
  private blocks = 0;
  private solutionAt = 0;
  private stepsAt = 0;
  private factorsAt = 0;

  constructor(chains: number, segments: number) {
    this.chains = arena.int32(chains * CHAIN_NUMBERS);
    this.locals = arena.rawInt32(segments * LOCAL);
  }

  /** The number by which a coordinate of a node, 2 n for that of node n along x, is known here. */
  nodeNumber(coordinate: number): number {
    return NODE_BASE + coordinate;
  }

  /** Begins a chain whose own unknowns are numbered from `base` on. */
  beginChain(c: number, base: number, startNode: number, endNode: number): void {
    const { chains } = this;
    const at = c * CHAIN_NUMBERS;
    const border = at + CHAIN_BORDER;
    chains[at + CHAIN_BASE] = base;
    chains.fill(-1, border, border + ENDS);
    if (startNode >= 0) {
      chains[border] = 2 * startNode;
      chains[border + 1] = 2 * startNode + 1;
      if (endNode !== startNode) {
        chains[border + 2] = 2 * endNode;
        chains[border + 3] = 2 * endNode + 1;
      }
    }
    chains[at + CHAIN_ENDS] = startNode < 0 ? 0 : endNode === startNode ? 2 : ENDS;
  }

  /** Lays the chain's rows out, whose unknowns end before `next`. `at` has eight for each of its segments. */
  endChain(c: number, next: number, at: Int32Array, from: number, to: number): void {
    const { chains, locals } = this;
    const own = c * CHAIN_NUMBERS;
    const base = chains[own + CHAIN_BASE];
    const n = next - base;
    const row = this.rows;
    const count = n + chains[own + CHAIN_ENDS];
    chains[own + CHAIN_OWN] = n;
    chains[own + CHAIN_ROW] = row;
    this.unknowns = next;
    this.reserve(row + count);
    const { first, offset } = this;
    // A node's row begins with the segment that ends there.
    for (let i = 0; i < count; i++) first[row + i] = i < n ? i : n;
    for (let k = from * LOCAL; k < to * LOCAL; k += LOCAL) {
      let least = n;
      for (let i = k; i < k + LOCAL; i++) {
        const number = at[i];
        const local = number >= NODE_BASE ? n + this.endOf(own, number - NODE_BASE) : number < 0 ? -1 : number - base;
        locals[i] = local;
        if (local >= 0 && local < least) least = local;
      }
      for (let i = k; i < k + LOCAL; i++) {
        const local = locals[i];
        if (local >= 0 && least < first[row + local]) first[row + local] = least;
      }
    }
    let { total } = this;
    for (let i = 0; i < count; i++) {
      offset[row + i] = total - first[row + i];
      total += i - first[row + i] + 1;
    }
    this.total = total;
    this.rows = row + count;
  }

  /** Lays the equations out in the memory of a painter that has painted nothing yet, after all chains and the order in which their nodes are eliminated. */
  lay({ nodes, order, place, starts, others, products }: NodeOrder): void {
    this.nodes = nodes;
    this.blocks = nodes + others.length;
    const lists: readonly (readonly [number, Int32Array])[] = [
      [OF_CHAINS, this.chains],
      [OF_LOCALS, this.locals],
      [OF_FIRST, this.first.subarray(0, this.rows)],
      [OF_OFFSET, this.offset.subarray(0, this.rows)],
      [OF_ORDER, order],
      [OF_PLACE, place],
      [OF_STARTS, starts],
      [OF_OTHERS, others],
      [OF_PRODUCTS, products],
    ];
    const sizes: readonly (readonly [number, number])[] = [
      [OF_MATRIX, this.total],
      [OF_RHS, this.rows],
      [OF_BLOCKS, this.blocks * BLOCK],
      [OF_NODE_RHS, 2 * nodes],
      [OF_SOLUTION, 2 * nodes],
      [OF_STEPS, this.unknowns],
      [OF_FACTORS, ROUND_SUMS],
    ];
    kernelMemory.layEquations(
      lists.reduce((sum, [, { length }]) => sum + length, EQUATION_PARTS),
      sizes.reduce((sum, [, size]) => sum + size, 0),
    );
    const { equations } = kernelMemory;
    const { ints, numbers } = kernelMemory.equationsAt;
    equations[OF_NODES] = nodes;
    let at = EQUATION_PARTS;
    for (const [part, list] of lists) {
      equations[part] = ints + at * Int32Array.BYTES_PER_ELEMENT;
      equations.set(list, at);
      at += list.length;
    }
    at = 0;
    for (const [part, size] of sizes) {
      equations[part] = numbers + at * Float64Array.BYTES_PER_ELEMENT;
      if (part === OF_SOLUTION) this.solutionAt = at;
      else if (part === OF_STEPS) this.stepsAt = at;
      else if (part === OF_FACTORS) this.factorsAt = at;
      at += size;
    }
    this.steps.fill(0);
    this.solution.fill(0);
  }

  /** How far each of the chains' own unknowns is to move, by their numbers, as it was found last. */
  get steps(): Float64Array {
    return kernelMemory.equationNumbers.subarray(this.stepsAt, this.stepsAt + this.unknowns);
  }

  /** How far the nodes are to move: along x and y in turn. */
  get solution(): Float64Array {
    return kernelMemory.equationNumbers.subarray(this.solutionAt, this.solutionAt + 2 * this.nodes);
  }

  /** Sets all equations to zero. */
  clear(): void {
    kernelMemory.kernel.clearEquations(this.total, this.rows, this.blocks, this.nodes);
  }

  /** Adds what the painter has summed for the segments of a chain. */
  addSegments(c: number, from: number, to: number): void {
    kernelMemory.kernel.addSegments(c, from, to);
  }

  /** Adds a segment's eight by eight sums (lower triangle), row by row, and its right side. */
  addRound(c: number, k: number, normal: Float64Array, gradient: Float64Array): void {
    const { equationNumbers, kernel } = kernelMemory;
    equationNumbers.set(normal, this.factorsAt);
    equationNumbers.set(gradient, this.factorsAt + LOCAL * LOCAL);
    kernel.addRound(c, k);
  }

  /** Where the factors of the next tangents are to be written: of the angle, and of both ends of the line along x and y. */
  get factors(): Float64Array {
    return kernelMemory.equationNumbers.subarray(this.factorsAt, this.factorsAt + ROUND_SUMS);
  }

  /** Adds one equation for the angle at the beginning (`side` 0) or end of line k: weight · (factors · unknowns = value). */
  addTangent(c: number, k: number, side: 0 | 1, weight: number, value: number): void {
    kernelMemory.kernel.addTangent(c, k, side, weight, value);
  }

  /** Holds a coordinate of a node where it is. */
  holdNode(coordinate: number, weight: number): void {
    kernelMemory.kernel.addToNodes(coordinate, coordinate, weight);
  }

  /**
   * Eliminates the chain's own unknowns, with `damping` on the diagonal, and adds what is left to the nodes' system. False
   * where the equations are not positive definite.
   */
  eliminate(c: number, damping: number): boolean {
    return kernelMemory.kernel.eliminateChain(c, damping) !== 0;
  }

  /** Solves for the nodes, with `damping` added to the diagonal; false where their equations are not positive definite. They are gone then. */
  solve(damping: number): boolean {
    return kernelMemory.kernel.solveNodes(damping) !== 0;
  }

  /** Finds the chain's own unknowns, the nodes being known. */
  substitute(c: number): void {
    kernelMemory.kernel.substituteChain(c);
  }

  /** Which of a chain's ends a node coordinate is. */
  private endOf(own: number, coordinate: number): number {
    const { chains } = this;
    const border = own + CHAIN_BORDER;
    if (coordinate === chains[border]) return 0;
    if (coordinate === chains[border + 1]) return 1;
    return coordinate === chains[border + 2] ? 2 : 3;
  }

  private reserve(rows: number): void {
    if (this.first.length >= rows) return;
    const { first, offset } = this;
    this.first = new Int32Array(2 * rows);
    this.first.set(first);
    this.offset = new Int32Array(2 * rows);
    this.offset.set(offset);
  }
}
