import { expect } from 'chai';
import { ChainEquations } from '#adapters/tracing/engine/fit/chain-equations.js';
import { NodeSystem } from '#adapters/tracing/engine/math/node-system.js';
import { ProfileSystem } from '#adapters/tracing/engine/math/profile-cholesky.js';

/** Numbers that look random and are the same every time. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x7fffffff - 0.5;
  };
}

describe('the equations of chains', () => {
  it('solve as one system of all unknowns does', () => {
    // Two chains of two segments each between nodes 0 and 1, and one closed chain of one segment.
    const next = sequence(7);
    const equations = new ChainEquations(3);
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
    const nodes = new NodeSystem();
    nodes.begin(2);
    nodes.join(0, 1);
    expect(nodes.layOut(Infinity)).to.equal(true);
    nodes.clear();

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
    equations.clear();
    for (let c = 0; c < 3; c++) {
      segments.forEach(({ normal, gradient }, k) => {
        if (chainOf[k] !== c) return;
        equations.addSegment(c, at, k * 8, normal, 0, gradient, 0);
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
      expect(equations.eliminate(c, 0.1, nodes)).to.equal(true);
    }
    expect(nodes.solve(0.1)).to.equal(true);
    const solution = new Float64Array(own);
    for (let c = 0; c < 3; c++) equations.substitute(c, nodes.solution, solution);
    expect(dense.solve(0.1)).to.equal(true);
    for (let i = 0; i < own; i++) expect(solution[i]).to.be.closeTo(dense.solution[i]!, 1e-9);
    for (let i = 0; i < 4; i++) expect(nodes.solution[i]).to.be.closeTo(dense.solution[own + i]!, 1e-9);
  });

  it('say so where they have no solution', () => {
    const equations = new ChainEquations(1);
    const at = Int32Array.from([0, 1, 2, 3, 4, 5, 6, 7]);
    equations.beginChain(0, 0, -1, -1);
    equations.endChain(0, 8, at, 0, 1);
    equations.clear();
    const nodes = new NodeSystem();
    nodes.begin(0);
    nodes.layOut(Infinity);
    expect(equations.eliminate(0, 0, nodes)).to.equal(false);
  });
});
