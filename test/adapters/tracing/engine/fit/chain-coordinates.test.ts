import { expect } from 'chai';
import { ChainCoordinates, DIRECTION_REACH } from '#adapters/tracing/engine/fit/chain-coordinates.js';
import { buildPlanarMap } from '#adapters/tracing/engine/planar-map/planar-map.js';
import { lettered, regionsOf } from '#test/support/engine-parts.js';

/** A comb whose outline, and a ring whose both, are longer than a stretch. */
const TEETH = 900;
const COMB = ['a'.repeat(2 * TEETH + 1), `${'ab'.repeat(TEETH)}a`, `${'ab'.repeat(TEETH)}b`, 'b'.repeat(2 * TEETH + 1)];
const RING = [
  'a'.repeat(1500),
  `a${'b'.repeat(1498)}a`,
  `ab${'a'.repeat(1496)}ba`,
  `a${'b'.repeat(1498)}a`,
  'a'.repeat(1500),
];

describe('the coordinates of a chain', () => {
  for (const [name, rows] of Object.entries({ comb: COMB, ring: RING }))
    it(`are those of its vertices stretch by stretch, with what lies around each: a ${name}`, () => {
      const map = buildPlanarMap(regionsOf(rows));
      const { width } = lettered(rows);
      const chain = new ChainCoordinates(map);
      let stretches = 0;
      for (let c = 0; c < map.chainCount; c++) {
        chain.begin(c);
        const vertices = [...map.vertices.subarray(map.starts[c], map.starts[c + 1])];
        expect(chain.steps).to.equal(vertices.length - 1);
        const vertexOf = (v: number) =>
          chain.closed
            ? vertices[((v % chain.steps) + chain.steps) % chain.steps]!
            : vertices[Math.min(chain.steps, Math.max(0, v))]!;
        for (let from = 0; from < chain.steps; stretches++) {
          const count = chain.load(from);
          expect(count).to.be.greaterThan(0);
          const found = Array.from(
            { length: count + 2 * DIRECTION_REACH + 1 },
            (_, k) => chain.ys[k]! * (width + 1) + chain.xs[k]!,
          );
          expect(found).to.deep.equal(found.map((_, k) => vertexOf(from + k - DIRECTION_REACH)));
          from += count;
        }
        for (const k of [0, chain.steps >> 1, chain.steps])
          expect(chain.y(k) * (width + 1) + chain.x(k)).to.equal(vertices[k]);
      }
      expect(stretches).to.be.greaterThan(map.chainCount);
    });

  it('tell where it turns', () => {
    const map = buildPlanarMap(regionsOf(['aaaa', 'abba', 'aaaa']));
    const chain = new ChainCoordinates(map);
    let turns = 0;
    for (let c = 0; c < map.chainCount; c++) {
      if (map.left[c]! < 0 || map.right[c]! < 0) continue;
      chain.begin(c);
      for (let k = 1; k < chain.steps; k++) if (chain.turnsAt(k)) turns++;
    }
    expect(turns).to.equal(3);
  });
});
