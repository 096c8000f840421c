import { expect } from 'chai';
import fc from 'fast-check';
import { ChainEquations } from '#adapters/tracing/engine/fit/chain-equations.js';
import { kernelMemory } from '#adapters/tracing/engine/kernels/kernel-memory.js';
import { NodeOrder } from '#adapters/tracing/engine/math/node-order.js';
import { ProfileSystem } from '#adapters/tracing/engine/math/profile-cholesky.js';
import { somePairs } from '#test/support/node-pairs.js';
import { holds } from '#test/support/properties.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const DAMPING = 0.25;

/** The order in which so many nodes are eliminated of which these pairs are joined. */
function orderOf(nodes: number, pairs: readonly (readonly [number, number])[]): NodeOrder {
  const order = new NodeOrder();
  order.begin(nodes);
  for (const [a, b] of pairs) order.join(a, b);
  expect(order.find(Infinity)).to.equal(true);
  return order;
}

/** Lays equations out in the memory of a painter that paints nothing, whose sums are all zero. */
function lay(equations: ChainEquations, order: NodeOrder, chains: number, segments: number): void {
  kernelMemory.beginBand(1, 1);
  kernelMemory.layBand(1, 0);
  kernelMemory.layPainter(chains, segments, 1);
  equations.lay(order);
  kernelMemory.normal.fill(0);
  kernelMemory.gradient.fill(0);
  equations.clear();
}

describe('the equations of chains', () => {
  it('solve as one system of all unknowns does', () => {
    // Two chains of two segments each between nodes 0 and 1, and one closed chain of one segment.
    const random = createSeededRandom(7);
    const next = () => random() - 0.5;
    const equations = new ChainEquations(3, 5);
    const N = (i: number) => equations.nodeNumber(i);
    const at = Int32Array.from([
      ...[N(0), N(1), 3, 4, 1, 2, 0, 5],
      ...[3, 4, N(2), N(3), 6, 7, 5, 8],
      ...[N(0), N(1), 12, 13, 10, 11, 9, 14],
      ...[12, 13, N(2), -1, 15, 16, 14, 17],
      ...[18, 19, 18, 19, 21, 22, 20, 23],
    ]);
    const own = 24;
    equations.beginChain(0, 0, 0, 1);
    equations.endChain(0, 9, at, 0, 2);
    equations.beginChain(1, 9, 0, 1);
    equations.endChain(1, 18, at, 2, 4);
    equations.beginChain(2, 18, -1, -1);
    equations.endChain(2, 24, at, 4, 5);
    lay(equations, orderOf(2, [[0, 1]]), 3, 5);

    const dense = new ProfileSystem();
    dense.begin(own + 4);
    for (let i = 0; i < own + 4; i++) for (let j = 0; j < i; j++) dense.coupleAll(Int32Array.of(i, j));
    dense.layOut();
    dense.clear();

    const chainOf = [0, 0, 1, 1, 2];
    const segments = [];
    for (let k = 0; k < 5; k++) {
      // Sums of a dozen random rows, as the pixels of a segment give.
      const normal = new Float64Array(64);
      const gradient = new Float64Array(8);
      for (let r = 0; r < 12; r++) {
        const row = Array.from({ length: 8 }, next);
        const value = next();
        for (let i = 0; i < 8; i++) {
          gradient[i]! += row[i]! * value;
          for (let j = 0; j <= i; j++) normal[i * 8 + j]! += row[i]! * row[j]!;
        }
      }
      segments.push({ normal, gradient });
    }
    for (let c = 0; c < 3; c++) {
      segments.forEach(({ normal, gradient }, k) => {
        if (chainOf[k] !== c) return;
        // Painters sum what is not round.
        if (k < 4) {
          kernelMemory.normal.set(normal, 64 * k);
          kernelMemory.gradient.set(gradient, 8 * k);
          equations.addSegments(c, k, k + 1);
        } else equations.addRound(c, k, normal, gradient);
        const place = (i: number) => {
          const number = at[k * 8 + i]!;
          return number >= N(0) ? own + number - N(0) : number;
        };
        for (let i = 0; i < 8; i++) {
          if (place(i) < 0) continue;
          dense.rhs[place(i)]! += gradient[i]!;
          for (let j = 0; j <= i; j++) {
            if (place(j) < 0) continue;
            const value = normal[i * 8 + j]!;
            dense.add(place(i), place(j), i !== j && place(i) === place(j) ? 2 * value : value);
          }
        }
      });
      expect(equations.eliminate(c, 0.1)).to.equal(true);
    }
    expect(equations.solve(0.1)).to.equal(true);
    for (let c = 0; c < 3; c++) equations.substitute(c);
    const { steps, solution } = equations;
    expect(dense.solve(0.1)).to.equal(true);
    for (let i = 0; i < own; i++) expect(steps[i]).to.be.closeTo(dense.solution[i]!, 1e-9);
    for (let i = 0; i < 4; i++) expect(solution[i]).to.be.closeTo(dense.solution[own + i]!, 1e-9);
  });

  it('hold the tangents of lines as an equation of their ends does', () => {
    const random = createSeededRandom(11);
    const equations = new ChainEquations(1, 1);
    const N = (i: number) => equations.nodeNumber(i);
    // From node 0 to node 1, with no angle at its beginning.
    const at = Int32Array.from([N(0), N(1), N(2), N(3), -1, -1, -1, 0]);
    equations.beginChain(0, 0, 0, 1);
    equations.endChain(0, 1, at, 0, 1);
    lay(equations, orderOf(2, [[0, 1]]), 1, 1);
    const factors = Float64Array.from({ length: 5 }, () => random() - 0.5);
    const [weight, value] = [3, 0.7];
    equations.factors.set(factors);
    equations.addTangent(0, 0, 1, weight, value);
    expect(equations.eliminate(0, DAMPING)).to.equal(true);
    expect(equations.solve(DAMPING)).to.equal(true);
    equations.substitute(0);

    const dense = new ProfileSystem();
    dense.begin(5);
    dense.coupleAll(Int32Array.of(0, 1, 2, 3, 4));
    dense.layOut();
    dense.clear();
    for (let i = 0; i < 5; i++) {
      dense.rhs[i]! += weight * factors[i]! * value;
      for (let j = 0; j <= i; j++) dense.add(i, j, weight * factors[i]! * factors[j]!);
    }
    expect(dense.solve(DAMPING)).to.equal(true);
    expect(equations.steps[0]).to.be.closeTo(dense.solution[0]!, 1e-9);
    for (let i = 0; i < 4; i++) expect(equations.solution[i]).to.be.closeTo(dense.solution[1 + i]!, 1e-9);
  });

  it('of nodes alone have the solution that they have as a system of all coordinates', () => {
    holds(
      fc.property(somePairs, ({ nodes, pairs, seed }) => {
        const random = createSeededRandom(seed);
        const equations = new ChainEquations(pairs.length, pairs.length);
        const profile = new ProfileSystem();
        profile.begin(2 * nodes);
        for (let n = 0; n < nodes; n++) profile.coupleAll(Int32Array.of(2 * n, 2 * n + 1));
        // Chains of one segment that have nothing but their ends.
        const coordinates = pairs.map(([a, b]) => [...new Set([2 * a, 2 * a + 1, 2 * b, 2 * b + 1])]);
        const at = Int32Array.from(
          coordinates.flatMap((of) =>
            Array.from({ length: 8 }, (_, i) => (i in of ? equations.nodeNumber(of[i]!) : -1)),
          ),
        );
        pairs.forEach(([a, b], c) => {
          profile.coupleAll(Int32Array.from(coordinates[c]!));
          equations.beginChain(c, 0, a, b);
          equations.endChain(c, 0, at, c, c + 1);
        });
        lay(equations, orderOf(nodes, pairs), pairs.length, pairs.length);
        profile.layOut();
        profile.clear();
        // An equation for each, whose square is added.
        coordinates.forEach((of, c) => {
          const factors = of.map(() => random() * 4 - 2);
          factors.forEach((factor, i) => {
            const right = factor * random();
            profile.rhs[of[i]!]! += right;
            kernelMemory.gradient[8 * c + i] = right;
            for (let j = 0; j <= i; j++) {
              profile.add(of[i]!, of[j]!, factor * factors[j]!);
              kernelMemory.normal[64 * c + 8 * i + j] = factor * factors[j]!;
            }
          });
          equations.addSegments(c, c, c + 1);
          expect(equations.eliminate(c, 0)).to.equal(true);
        });
        // What is held firmly stays where it is.
        equations.holdNode(0, 1e12);
        profile.add(0, 0, 1e12);
        expect(equations.solve(DAMPING)).to.equal(true);
        expect(profile.solve(DAMPING)).to.equal(true);
        const { solution } = equations;
        expect(solution[0]).to.be.closeTo(0, 1e-9);
        for (let i = 0; i < 2 * nodes; i++) expect(solution[i]).to.be.closeTo(profile.solution[i]!, 1e-8);
      }),
    );
  });

  it('say so where they have no solution, and where two nodes were never joined', () => {
    const own = new ChainEquations(1, 1);
    own.beginChain(0, 0, -1, -1);
    own.endChain(0, 8, Int32Array.from([0, 1, 2, 3, 4, 5, 6, 7]), 0, 1);
    lay(own, orderOf(0, []), 1, 1);
    expect(own.eliminate(0, 0)).to.equal(false);

    const ends = new ChainEquations(1, 1);
    const at = Int32Array.from([0, 1, 4, 5, -1, -1, -1, -1], (i) => (i < 0 ? i : ends.nodeNumber(i)));
    ends.beginChain(0, 0, 0, 2);
    ends.endChain(0, 0, at, 0, 1);
    lay(ends, orderOf(3, [[0, 1]]), 1, 1);
    ends.holdNode(2, -1);
    expect(ends.solve(0.5)).to.equal(false);
    expect(() => ends.eliminate(0, 0)).to.throw('unreachable');
  });
});
