import { expect } from 'chai';
import { Islands } from '#adapters/tracing/engine/fit/islands.js';
import { buildPlanarMap } from '#adapters/tracing/engine/planar-map/planar-map.js';
import { regionsOf } from '#test/support/engine-parts.js';

/** On one ground two pairs of neighbors, a square and a ring: five islands, and the picture's border, which is part of none. */
const map = buildPlanarMap(
  regionsOf([
    'eeeeeeeeee',
    'eaabbeeeee',
    'eaabbeedde',
    'eeeeeeedde',
    'eeeeeeeeee',
    'eaaccebbbe',
    'eaaccebebe',
    'eeeeeebbbe',
    'eeeeeeeeee',
  ]),
);
const isInside = Uint8Array.from({ length: map.chainCount }, (_, c) => (map.left[c]! < 0 || map.right[c]! < 0 ? 0 : 1));
const chains = [...isInside.keys()];

/** Chains by what a mark on one of them alone spreads to. */
const spreadFrom = (chain: number) => {
  const marks = new Uint8Array(map.chainCount);
  marks[chain] = 1;
  new Islands(map, isInside).spread(marks);
  return chains.filter((c) => marks[c] === 1);
};

describe('islands of chains', () => {
  it('are what nodes join, and each closed chain by itself', () => {
    const inside = chains.filter((c) => isInside[c] === 1);
    const sizes = new Set(inside.map((c) => spreadFrom(c).join(' ')));
    expect([...sizes].map((island) => island.split(' ').length).sort()).to.deep.equal([1, 1, 1, 3, 3]);
    for (const c of inside)
      for (const other of spreadFrom(c)) expect(spreadFrom(other)).to.deep.equal(spreadFrom(c)).and.to.include(c);
  });

  it('are best each at its own time, and cost together what each then did', () => {
    const islands = new Islands(map, isInside);
    const [first, second] = [3, 1].map((size) =>
      chains.find((c) => isInside[c] === 1 && spreadFrom(c).length === size),
    );
    const costs = new Float64Array(map.chainCount).fill(10);
    islands.weigh(costs);
    expect(chains.filter((c) => islands.isBest(c))).to.deep.equal(chains.filter((c) => isInside[c] === 1));
    const all = islands.leastCost(costs);
    expect(all).to.equal(10 * map.chainCount);

    costs[first!] = 1;
    costs[second!] = 50;
    islands.weigh(costs);
    expect(chains.filter((c) => islands.isBest(c))).to.deep.equal(spreadFrom(first!));
    expect(islands.leastCost(costs)).to.equal(all - 9);

    costs[first!] = 30;
    costs[second!] = 4;
    islands.weigh(costs);
    expect(chains.filter((c) => islands.isBest(c))).to.deep.equal(spreadFrom(second!));
    expect(islands.leastCost(costs)).to.equal(all - 15);
  });
});
