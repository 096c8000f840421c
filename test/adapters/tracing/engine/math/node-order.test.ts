import { expect } from 'chai';
import fc from 'fast-check';
import { eliminateByDegree } from '#adapters/tracing/engine/math/minimum-degree.js';
import { NodeOrder } from '#adapters/tracing/engine/math/node-order.js';
import { somePairs } from '#test/support/node-pairs.js';
import { holds } from '#test/support/properties.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

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

describe('the order of nodes', () => {
  it('has every node in its place, and for each two blocks of a column the one that their product is taken from', () => {
    holds(
      fc.property(somePairs, ({ nodes, pairs }) => {
        const found = new NodeOrder();
        found.begin(nodes);
        for (const [a, b] of pairs) found.join(a, b);
        expect(found.find(Infinity)).to.equal(true);
        const { order, place, starts, others, products } = found;
        for (let k = 0; k < nodes; k++) expect(place[order[k]!]).to.equal(k);
        let next = 0;
        for (const node of order) {
          const behind = [...others.subarray(starts[node], starts[node + 1])];
          for (const [i, column] of behind.entries()) {
            for (const row of behind.slice(i + 1)) {
              const at = products[next++]! - nodes;
              expect(at).to.be.within(starts[column]!, starts[column + 1]! - 1);
              expect(others[at]).to.equal(row);
            }
          }
        }
        expect(next).to.equal(products.length);
      }),
    );
  });

  it('is not looked for further where solving would take too much', () => {
    const found = new NodeOrder();
    found.begin(3);
    found.join(0, 1);
    found.join(1, 2);
    found.join(2, 0);
    expect(found.find(1)).to.equal(false);
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
