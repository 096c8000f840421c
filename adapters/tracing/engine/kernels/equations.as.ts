/**
 * The normal equations of all chains: of each chain's own unknowns, which no other has, and of the nodes that it ends at. The own ones are eliminated
 * chain by chain, rows being kept from their first number on; what is left, of the nodes alone (the Schur complement), is solved by Cholesky's
 * decomposition in blocks of two by two, which lie where the matrix was.
 */
import {
  CHAIN_BASE,
  CHAIN_BORDER,
  CHAIN_ENDS,
  CHAIN_NUMBERS,
  CHAIN_OWN,
  CHAIN_ROW,
  EQUATIONS,
  GRADIENT,
  NORMAL,
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
  TANGENT_FACTORS,
} from './kernel-layout';

/** Unknowns of a segment, and bytes of their numbers, of their products, and of themselves as numbers. */
const LOCAL: i32 = 8;
const LOCALS: usize = 32;
const SEGMENT: usize = 64;
const PRODUCTS: usize = 512;
/** Bytes of what is told of a chain, and of a block of two by two: row by row, the first of either for x, the second for y. */
const CHAIN: usize = CHAIN_NUMBERS * 4;
const BLOCK: usize = 32;
/** What is left on the diagonal must be larger, of a chain and of nodes. */
const LEAST_SQUARE: f64 = 1e-9;
const LEAST_PIVOT: f64 = 1e-12;

/** Where the parts of the equations lie: `which` as `kernel-layout` has it. */
function part(which: i32): usize {
  return <usize>load<u32>(<usize>load<u32>(EQUATIONS << 2) + ((<usize>which) << 2));
}

function intAt(list: usize, i: i32): i32 {
  return load<i32>(list + ((<usize>i) << 2));
}

function place(list: usize, i: i32): usize {
  return list + ((<usize>i) << 3);
}

/** Sets all equations to zero: so many numbers of the chains' matrices, rows, blocks and nodes. */
export function clearEquations(numbers: i32, rows: i32, blocks: i32, nodes: i32): void {
  memory.fill(part(OF_MATRIX), 0, (<usize>numbers) << 3);
  memory.fill(part(OF_RHS), 0, (<usize>rows) << 3);
  memory.fill(part(OF_BLOCKS), 0, <usize>blocks * BLOCK);
  memory.fill(part(OF_NODE_RHS), 0, (<usize>nodes) << 4);
}

/** Adds the painter's sums of segments `from` to `to`, which are a chain's. */
export function addSegments(c: i32, from: i32, to: i32): void {
  const normal = <usize>load<u32>(NORMAL << 2);
  const gradient = <usize>load<u32>(GRADIENT << 2);
  for (let k = from; k < to; k++) addSums(c, k, normal + <usize>k * PRODUCTS, gradient + <usize>k * SEGMENT);
}

/** As `addSegments`, of a round segment, whose sums and right side are where factors are. */
export function addRound(c: i32, k: i32): void {
  const sums = part(OF_FACTORS);
  addSums(c, k, sums, sums + PRODUCTS);
}

/** Adds a segment's eight by eight sums (lower triangle) and its right side. */
function addSums(c: i32, k: i32, normal: usize, gradient: usize): void {
  const row = intAt(part(OF_CHAINS) + <usize>c * CHAIN, CHAIN_ROW);
  const locals = part(OF_LOCALS) + <usize>k * LOCALS;
  const rhs = place(part(OF_RHS), row);
  const offset = part(OF_OFFSET) + ((<usize>row) << 2);
  const matrix = part(OF_MATRIX);
  for (let i = 0; i < LOCAL; i++) {
    const a = intAt(locals, i);
    if (a < 0) continue;
    const right = place(rhs, a);
    store<f64>(right, load<f64>(right) + load<f64>(place(gradient, i)));
    for (let j = 0; j <= i; j++) {
      const b = intAt(locals, j);
      if (b < 0) continue;
      const value = load<f64>(place(normal, i * LOCAL + j));
      // A closed chain of one segment meets the same vertex at both ends: its cross terms count twice.
      add(matrix, offset, a, b, i !== j && a === b ? 2 * value : value);
    }
  }
}

/**
 * Adds an equation that holds the tangent of line `k` at its beginning (`side` 0) or end: weight · (factors · unknowns = value), of the angle there and of the
 * line's two ends.
 */
export function addTangent(c: i32, k: i32, side: i32, weight: f64, value: f64): void {
  const row = intAt(part(OF_CHAINS) + <usize>c * CHAIN, CHAIN_ROW);
  const locals = part(OF_LOCALS) + <usize>k * LOCALS;
  const rhs = place(part(OF_RHS), row);
  const offset = part(OF_OFFSET) + ((<usize>row) << 2);
  const matrix = part(OF_MATRIX);
  const factors = part(OF_FACTORS);
  for (let i = 0; i < TANGENT_FACTORS; i++) {
    const a = intAt(locals, i === 0 ? 6 + side : i - 1);
    if (a < 0) continue;
    const weighted = weight * load<f64>(place(factors, i));
    const right = place(rhs, a);
    store<f64>(right, load<f64>(right) + weighted * value);
    for (let j = 0; j <= i; j++) {
      const b = intAt(locals, j === 0 ? 6 + side : j - 1);
      if (b >= 0) add(matrix, offset, a, b, weighted * load<f64>(place(factors, j)));
    }
  }
}

function add(matrix: usize, offset: usize, a: i32, b: i32, value: f64): void {
  const to = a >= b ? place(matrix, intAt(offset, a) + b) : place(matrix, intAt(offset, b) + a);
  store<f64>(to, load<f64>(to) + value);
}

/**
 * Eliminates a chain's own unknowns, with `damping` on the diagonal, and adds what is left to the nodes' equations. Whether the equations are positive
 * definite.
 */
export function eliminateChain(c: i32, damping: f64): bool {
  const chain = part(OF_CHAINS) + <usize>c * CHAIN;
  const n = intAt(chain, CHAIN_OWN);
  const count = n + intAt(chain, CHAIN_ENDS);
  const row = intAt(chain, CHAIN_ROW);
  const border = chain + (CHAIN_BORDER << 2);
  const matrix = part(OF_MATRIX);
  const rhs = place(part(OF_RHS), row);
  const first = part(OF_FIRST) + ((<usize>row) << 2);
  const offset = part(OF_OFFSET) + ((<usize>row) << 2);
  const nodeRhs = part(OF_NODE_RHS);
  for (let i = 0; i < count; i++) {
    const own = place(matrix, intAt(offset, i));
    const from = intAt(first, i);
    const before = i < n ? i : n;
    let right = load<f64>(place(rhs, i));
    for (let j = from; j < before; j++) {
      const other = place(matrix, intAt(offset, j));
      const entry = place(own, j);
      const sum = rest(load<f64>(entry), own, other, max(from, intAt(first, j)), j) / load<f64>(place(other, j));
      store<f64>(entry, sum);
      right -= sum * load<f64>(place(rhs, j));
    }
    if (i < n) {
      const square = rest(load<f64>(place(own, i)) + damping, own, own, from, i);
      if (!(square > LEAST_SQUARE)) return false;
      const root = sqrt(square);
      store<f64>(place(own, i), root);
      store<f64>(place(rhs, i), right / root);
      continue;
    }
    const node = place(nodeRhs, intAt(border, i - n));
    store<f64>(node, load<f64>(node) + right);
    for (let j = n; j <= i; j++) {
      const other = place(matrix, intAt(offset, j));
      const sum = rest(load<f64>(place(own, j)), own, other, max(from, intAt(first, j)), n);
      addToNodes(intAt(border, i - n), intAt(border, j - n), sum);
    }
  }
  return true;
}

/** A number less the product of two rows between two columns. */
function rest(value: f64, row: usize, other: usize, from: i32, to: i32): f64 {
  let sum = value;
  for (let k = from; k < to; k++) sum -= load<f64>(place(row, k)) * load<f64>(place(other, k));
  return sum;
}

/** Adds to the entry of two coordinates of nodes that were joined and, by symmetry, to that of these in turn. For two that differ to be said once. */
export function addToNodes(a: i32, b: i32, value: f64): void {
  const places = part(OF_PLACE);
  const u = a >> 1;
  const v = b >> 1;
  let entry = 0;
  let block = u;
  if (u === v) entry = a > b ? 2 * (a & 1) + (b & 1) : 2 * (b & 1) + (a & 1);
  else if (intAt(places, u) > intAt(places, v)) {
    block = blockOf(u, v);
    entry = 2 * (a & 1) + (b & 1);
  } else {
    block = blockOf(v, u);
    entry = 2 * (b & 1) + (a & 1);
  }
  const to = place(part(OF_BLOCKS) + <usize>block * BLOCK, entry);
  store<f64>(to, load<f64>(to) + value);
}

/** The block of a node with one that is eliminated before it. */
function blockOf(row: i32, column: i32): i32 {
  const starts = part(OF_STARTS);
  const others = part(OF_OTHERS);
  const end = intAt(starts, column + 1);
  let at = intAt(starts, column);
  while (at < end && intAt(others, at) !== row) at++;
  // They were not joined.
  if (at === end) unreachable();
  return <i32>part(OF_NODES) + at;
}

/** Solves for the nodes with `damping` added to the diagonal; whether their matrix is positive definite. It is gone then, and so is its right side. */
export function solveNodes(damping: f64): bool {
  const nodes = <i32>part(OF_NODES);
  const order = part(OF_ORDER);
  const starts = part(OF_STARTS);
  const others = part(OF_OTHERS);
  const blocks = part(OF_BLOCKS);
  const rhs = part(OF_NODE_RHS);
  let product = part(OF_PRODUCTS);
  for (let k = 0; k < nodes; k++) {
    const node = intAt(order, k);
    const d = blocks + <usize>node * BLOCK;
    const xx = load<f64>(d) + damping;
    if (!(xx > LEAST_PIVOT)) return false;
    const l0 = sqrt(xx);
    const l1 = load<f64>(d, 16) / l0;
    const yy = load<f64>(d, 24) + damping - l1 * l1;
    if (!(yy > LEAST_PIVOT)) return false;
    const l2 = sqrt(yy);
    store<f64>(d, l0);
    store<f64>(d, l1, 16);
    store<f64>(d, l2, 24);
    const right = place(rhs, 2 * node);
    const x = load<f64>(right) / l0;
    const y = (load<f64>(right, 8) - l1 * x) / l2;
    store<f64>(right, x);
    store<f64>(right, y, 8);
    const from = intAt(starts, node);
    const to = intAt(starts, node + 1);
    for (let i = from; i < to; i++) {
      const b = blocks + <usize>(nodes + i) * BLOCK;
      const b0 = load<f64>(b) / l0;
      const b1 = (load<f64>(b, 8) - b0 * l1) / l2;
      const b2 = load<f64>(b, 16) / l0;
      const b3 = (load<f64>(b, 24) - b2 * l1) / l2;
      store<f64>(b, b0);
      store<f64>(b, b1, 8);
      store<f64>(b, b2, 16);
      store<f64>(b, b3, 24);
      const other = intAt(others, i);
      const r = place(rhs, 2 * other);
      store<f64>(r, load<f64>(r) - (b0 * x + b1 * y));
      store<f64>(r, load<f64>(r, 8) - (b2 * x + b3 * y), 8);
      const o = blocks + <usize>other * BLOCK;
      store<f64>(o, load<f64>(o) - (b0 * b0 + b1 * b1));
      store<f64>(o, load<f64>(o, 16) - (b2 * b0 + b3 * b1), 16);
      store<f64>(o, load<f64>(o, 24) - (b2 * b2 + b3 * b3), 24);
    }
    for (let i = from; i < to; i++) {
      const a = blocks + <usize>(nodes + i) * BLOCK;
      for (let j = i + 1; j < to; j++, product += 4) {
        const b = blocks + <usize>(nodes + j) * BLOCK;
        multiply(blocks + <usize>load<i32>(product) * BLOCK, a, b);
      }
    }
  }
  substituteBack(nodes);
  return true;
}

/** Takes from a block what one block makes of another. */
function multiply(from: usize, a: usize, b: usize): void {
  const a0 = load<f64>(a);
  const a1 = load<f64>(a, 8);
  const a2 = load<f64>(a, 16);
  const a3 = load<f64>(a, 24);
  store<f64>(from, load<f64>(from) - (load<f64>(b) * a0 + load<f64>(b, 8) * a1));
  store<f64>(from, load<f64>(from, 8) - (load<f64>(b) * a2 + load<f64>(b, 8) * a3), 8);
  store<f64>(from, load<f64>(from, 16) - (load<f64>(b, 16) * a0 + load<f64>(b, 24) * a1), 16);
  store<f64>(from, load<f64>(from, 24) - (load<f64>(b, 16) * a2 + load<f64>(b, 24) * a3), 24);
}

function substituteBack(nodes: i32): void {
  const order = part(OF_ORDER);
  const starts = part(OF_STARTS);
  const others = part(OF_OTHERS);
  const blocks = part(OF_BLOCKS);
  const rhs = part(OF_NODE_RHS);
  const solution = part(OF_SOLUTION);
  for (let k = nodes - 1; k >= 0; k--) {
    const node = intAt(order, k);
    const right = place(rhs, 2 * node);
    let x = load<f64>(right);
    let y = load<f64>(right, 8);
    const end = intAt(starts, node + 1);
    for (let i = intAt(starts, node); i < end; i++) {
      const b = blocks + <usize>(nodes + i) * BLOCK;
      const other = place(solution, 2 * intAt(others, i));
      const u = load<f64>(other);
      const v = load<f64>(other, 8);
      x -= load<f64>(b) * u + load<f64>(b, 16) * v;
      y -= load<f64>(b, 8) * u + load<f64>(b, 24) * v;
    }
    const d = blocks + <usize>node * BLOCK;
    y /= load<f64>(d, 24);
    const to = place(solution, 2 * node);
    store<f64>(to, (x - load<f64>(d, 16) * y) / load<f64>(d));
    store<f64>(to, y, 8);
  }
}

/** Finds a chain's own unknowns, the nodes being known. */
export function substituteChain(c: i32): void {
  const chain = part(OF_CHAINS) + <usize>c * CHAIN;
  const n = intAt(chain, CHAIN_OWN);
  const ends = intAt(chain, CHAIN_ENDS);
  const row = intAt(chain, CHAIN_ROW);
  const border = chain + (CHAIN_BORDER << 2);
  const out = place(part(OF_STEPS), intAt(chain, CHAIN_BASE));
  const matrix = part(OF_MATRIX);
  const first = part(OF_FIRST) + ((<usize>row) << 2);
  const offset = part(OF_OFFSET) + ((<usize>row) << 2);
  const solution = part(OF_SOLUTION);
  memory.copy(out, place(part(OF_RHS), row), (<usize>n) << 3);
  for (let e = 0; e < ends; e++) {
    const value = load<f64>(place(solution, intAt(border, e)));
    takeRow(out, place(matrix, intAt(offset, n + e)), intAt(first, n + e), n, value);
  }
  for (let i = n - 1; i >= 0; i--) {
    const own = place(matrix, intAt(offset, i));
    const value = load<f64>(place(out, i)) / load<f64>(place(own, i));
    store<f64>(place(out, i), value);
    takeRow(out, own, intAt(first, i), i, value);
  }
}

/** Takes a row, between two columns, times a value from a list. */
function takeRow(list: usize, row: usize, from: i32, to: i32, value: f64): void {
  for (let k = from; k < to; k++)
    store<f64>(place(list, k), load<f64>(place(list, k)) - load<f64>(place(row, k)) * value);
}
