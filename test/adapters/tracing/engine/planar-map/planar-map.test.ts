import { expect } from 'chai';
import { findLoops } from '#adapters/tracing/engine/planar-map/loops.js';
import { buildPlanarMap, regionLeftOf, regionRightOf } from '#adapters/tracing/engine/planar-map/planar-map.js';
import { validatePlanarMap } from '#adapters/tracing/engine/planar-map/validate.js';
import { regionsOf } from '#test/support/engine-parts.js';

const mapOf = (rows: readonly string[]) => {
  const regions = regionsOf(rows);
  const map = buildPlanarMap(regions);
  const loops = findLoops(map);
  expect(validatePlanarMap(map, loops, regions)).to.deep.equal([]);
  return { regions, map, loops };
};
const degreeOf = (leaving: Int32Array, node: number) =>
  leaving.subarray(node * 4, node * 4 + 4).filter((h) => h >= 0).length;

describe('the planar map', () => {
  it('of one color is one closed chain around the picture', () => {
    const { map, loops } = mapOf(['aaa', 'aaa']);
    expect(map.chainCount).to.equal(1);
    expect(map.nodes.length).to.equal(0);
    expect([map.startNode[0], map.endNode[0]]).to.deep.equal([-1, -1]);
    expect([...map.vertices]).to.deep.equal([0, 1, 2, 3, 7, 11, 10, 9, 8, 4, 0]);
    expect([map.left[0], map.right[0]]).to.deep.equal([-1, 0]);
    expect([...loops.areaPx]).to.deep.equal([6]);
  });

  it('shares each boundary: a spot in a field is one chain, outer loop of one and hole of the other', () => {
    const { map, loops } = mapOf(['eeee', 'eaae', 'eeee']);
    expect(map.chainCount).to.equal(2);
    expect(loops.count).to.equal(3);
    expect([...loops.areaPx].sort((a, b) => a - b)).to.deep.equal([-2, 2, 12]);
    const spot = [...map.left].findIndex((left) => left >= 0);
    expect([map.left[spot], map.right[spot]].sort()).to.deep.equal([0, 1]);
  });

  it('has nodes exactly where three or more boundaries meet', () => {
    const { map } = mapOf(['aabb', 'aabb', 'cccc', 'cccc']);
    const stride = 5;
    const at = [...map.nodes].map((v) => [v % stride, Math.floor(v / stride)]);
    expect(at).to.deep.equal([
      [2, 0],
      [0, 2],
      [2, 2],
      [4, 2],
    ]);
    for (let n = 0; n < 4; n++) expect(degreeOf(map.leaving, n)).to.equal(3);
    expect(map.chainCount).to.equal(6);
  });

  it('has one node of degree four where four colors meet', () => {
    const { map } = mapOf(['ab', 'cd']);
    const middle = [...map.nodes].indexOf(4);
    expect(degreeOf(map.leaving, middle)).to.equal(4);
    expect(map.chainCount).to.equal(8);
  });

  it('lets two boundaries pass each other where a diagonal is joined', () => {
    const { regions, map } = mapOf(['eeee', 'eaee', 'eeae', 'eeee']);
    const joined = regions.count;
    expect(map.nodes.length).to.equal(0);
    // Joined ink is one spot, joined ground leaves two.
    expect(map.chainCount).to.equal(joined === 2 ? 2 : 3);
  });

  it('gives half-edges the regions on their sides, exchanged for the twin', () => {
    const { map } = mapOf(['aab', 'acb', 'ccb']);
    for (let h = 0; h < map.chainCount * 2; h++) {
      expect(regionRightOf(map, h)).to.equal(regionLeftOf(map, h ^ 1));
      expect(regionLeftOf(map, h)).to.equal(regionRightOf(map, h ^ 1));
    }
  });

  it('finds every half-edge that leaves a node by its direction', () => {
    const { map } = mapOf(['aabb', 'acdb', 'acdb', 'eebb']);
    let leaving = 0;
    const steps = [1, 5, -1, -5];
    for (let n = 0; n < map.nodes.length; n++)
      for (let direction = 0; direction < 4; direction++) {
        const h = map.leaving[n * 4 + direction]!;
        if (h < 0) continue;
        leaving++;
        const from = map.starts[h >> 1]!;
        const to = map.starts[(h >> 1) + 1]! - 1;
        const first = h & 1 ? map.vertices[to]! : map.vertices[from]!;
        const second = h & 1 ? map.vertices[to - 1]! : map.vertices[from + 1]!;
        expect(first).to.equal(map.nodes[n]);
        expect(second - first).to.equal(steps[direction]);
      }
    expect(leaving).to.be.greaterThan(15);
  });

  it('holds pictures one pixel wide, high, or both', () => {
    expect(mapOf(['a']).map.chainCount).to.equal(1);
    expect(mapOf(['abab']).regions.count).to.equal(4);
    expect(mapOf(['a', 'b', 'a']).map.nodes.length).to.equal(4);
  });
});

describe('the loops of a planar map', () => {
  it('are sorted by region, the outer one first', () => {
    const { loops, regions } = mapOf(['eeeeeee', 'eaebebe', 'eeeeeee', 'ececece', 'eeeeeee']);
    expect(regions.count).to.equal(7);
    for (let r = 0; r < regions.count; r++) {
      const own = loops.byRegion.subarray(loops.regionStarts[r], loops.regionStarts[r + 1]);
      expect(own.length).to.equal(r === 0 ? 7 : 1);
      expect(loops.areaPx[own[0]!]).to.be.greaterThan(0);
      for (const l of own) expect(loops.region[l]).to.equal(r);
      for (const l of own.subarray(1)) expect(loops.areaPx[l]).to.be.lessThan(0);
    }
  });

  it('keep a region that touches itself at a corner in one outer loop', () => {
    const { loops, regions } = mapOf(['abbb', 'baab', 'bcab', 'bbbb']);
    for (let r = 0; r < regions.count; r++) {
      const own = [...loops.byRegion.subarray(loops.regionStarts[r], loops.regionStarts[r + 1])];
      expect(own.filter((l) => loops.areaPx[l]! > 0).length).to.equal(1);
    }
  });
});
