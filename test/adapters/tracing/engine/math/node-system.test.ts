import { expect } from 'chai';
import fc from 'fast-check';
import { eliminateByDegree } from '#adapters/tracing/engine/math/minimum-degree.js';
import { NodeSystem } from '#adapters/tracing/engine/math/node-system.js';
import { ProfileSystem } from '#adapters/tracing/engine/math/profile-cholesky.js';
import { holds } from '#test/support/properties.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const DAMPING = 0.25;

/** Pairs of so many nodes, some of them twice, and some of a node with itself. */
const somePairs = fc.integer({ min: 1, max: 40 }).chain((nodes) =>
  fc.record({
    nodes: fc.constant(nodes),
    pairs: fc.array(fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1)), { maxLength: 90 }),
    seed: fc.integer(),
  }),
);

/** A grid's nodes, each joined to those beside and below it, and numbered at random. */
function gridPairs(columns: number, rows: number): number[] {
  const random = createSeededRandom(3);
  const numbers = Array.from({ length: columns * rows }, (_, n) => ({ n, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ n }) => n);
  const pairs: number[] = [];
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const n = y * columns + x;
      if (x + 1 < columns) pairs.push(numbers[n]!, numbers[n + 1]!);
      if (y + 1 < rows) pairs.push(numbers[n]!, numbers[n + columns]!);
    }
  }
  return pairs;
}

describe('the equations of nodes', () => {
  it('have the solution that they have as a system of all coordinates', () => {
    holds(
      fc.property(somePairs, ({ nodes, pairs, seed }) => {
        const random = createSeededRandom(seed);
        const sparse = new NodeSystem();
        const profile = new ProfileSystem();
        sparse.begin(nodes);
        profile.begin(2 * nodes);
        for (let n = 0; n < nodes; n++) profile.coupleAll(Int32Array.of(2 * n, 2 * n + 1));
        for (const [a, b] of pairs) {
          sparse.join(a, b);
          profile.coupleAll(Int32Array.of(2 * a, 2 * a + 1, 2 * b, 2 * b + 1));
        }
        expect(sparse.layOut(Infinity)).to.equal(true);
        profile.layOut();
        sparse.clear();
        profile.clear();
        // An equation for each, whose square is added.
        for (const [a, b] of pairs) {
          const of = [...new Set([2 * a, 2 * a + 1, 2 * b, 2 * b + 1])].map((at) => ({ at, factor: random() * 4 - 2 }));
          of.forEach(({ at, factor }, i) => {
            const right = factor * random();
            for (const system of [sparse, profile]) {
              system.rhs[at]! += right;
              for (let j = 0; j <= i; j++) system.add(at, of[j]!.at, factor * of[j]!.factor);
            }
          });
        }
        expect(sparse.solve(DAMPING)).to.equal(true);
        expect(profile.solve(DAMPING)).to.equal(true);
        for (let i = 0; i < 2 * nodes; i++) expect(sparse.solution[i]).to.be.closeTo(profile.solution[i]!, 1e-8);
      }),
    );
  });

  it('say so where there is no solution, and where two nodes were never joined', () => {
    const system = new NodeSystem();
    system.begin(3);
    system.join(0, 1);
    system.layOut(Infinity);
    system.clear();
    system.add(1, 1, -1);
    expect(system.solve(0.5)).to.equal(false);
    expect(() => system.add(0, 4, 1)).to.throw(RangeError, 'were not joined');
  });
});

describe('elimination by least degree', () => {
  it('takes every unknown once, and its column has those behind it that what is before them ties it to', () => {
    holds(
      fc.property(somePairs, ({ nodes, pairs }) => {
        const { order, columns } = eliminateByDegree(nodes, pairs.flat(), Infinity)!;
        expect([...order].sort((a, b) => a - b)).to.deep.equal(Array.from({ length: nodes }, (_, n) => n));
        const tied = Array.from({ length: nodes }, () => new Set<number>());
        const tie = (a: number, b: number) => {
          if (a !== b) tied[a]!.add(b);
        };
        for (const [a, b] of pairs) {
          tie(a, b);
          tie(b, a);
        }
        const place = (n: number) => order.indexOf(n);
        for (const n of order) {
          const behind = [...tied[n]!].filter((other) => place(other) > place(n));
          expect(columns[n]).to.deep.equal(behind.sort((a, b) => place(a) - place(b)));
          for (const a of behind) for (const b of behind) tie(a, b);
        }
      }),
    );
  });

  it('leaves a grid few entries a column, whatever order it came in, and gives up where it was told to', () => {
    const entries = (side: number) => {
      const { columns } = eliminateByDegree(side * side, gridPairs(side, side), Infinity)!;
      return columns.reduce((sum, column) => sum + column.length, 0) / side ** 2;
    };
    expect(entries(20)).to.be.lessThan(10);
    expect(entries(80)).to.be.lessThan(21);
    expect(eliminateByDegree(6400, gridPairs(80, 80), 1e5)).to.equal(undefined);
  });
});
