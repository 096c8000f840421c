import { expect } from 'chai';
import { findLoops, type Loops } from '#adapters/tracing/engine/planar-map/loops.js';
import { buildPlanarMap, type PlanarMap } from '#adapters/tracing/engine/planar-map/planar-map.js';
import { validatePlanarMap } from '#adapters/tracing/engine/planar-map/validate.js';
import type { Regions } from '#adapters/tracing/engine/segment/regions.js';
import { regionsOf } from '#test/support/engine-parts.js';

interface Whole {
  readonly map: PlanarMap;
  readonly loops: Loops;
  readonly regions: Regions;
}

const ROWS = ['eeeeee', 'eaabbe', 'eaabbe', 'eccbbe', 'eccdbe', 'eeeeee'];

/** A sound map with arrays of its own, so that a test may break it. */
function soundMap(): Whole {
  const regions = regionsOf(ROWS);
  const map = buildPlanarMap(regions);
  return { regions, map, loops: findLoops(map) };
}

/** A chain between two nodes whose both sides are regions, and a closed or border one. */
const innerChain = ({ map }: Whole) =>
  [...map.left].findIndex((l, c) => l >= 0 && map.right[c]! >= 0 && map.startNode[c]! >= 0);

const FAULTS: Readonly<Record<string, { readonly plant: (whole: Whole) => Whole; readonly named: RegExp }>> = {
  'a chain that jumps': {
    plant: (whole) => {
      const c = innerChain(whole);
      const at = whole.map.starts[c]! + 1;
      whole.map.vertices[at]! += 2;
      return whole;
    },
    named: /chain \d+ jumps/,
  },
  'a crack on two chains': {
    plant: (whole) => {
      const { map } = whole;
      const from = map.starts[0]!;
      map.vertices.copyWithin(map.starts[1]!, from, from + 2);
      return whole;
    },
    named: /crack \d+ lies on two chains/,
  },
  'regions exchanged at the sides of a chain': {
    plant: (whole) => {
      const { left, right } = whole.map;
      const c = innerChain(whole);
      [left[c], right[c]] = [right[c]!, left[c]!];
      return whole;
    },
    named: /chain \d+ has the wrong regions at its sides/,
  },
  'a chain said to close that does not': {
    plant: (whole) => {
      whole.map.startNode[innerChain(whole)] = -1;
      return whole;
    },
    named: /chain \d+ neither closes nor ends at nodes/,
  },
  'a chain that ends at another node than it says': {
    plant: (whole) => {
      const c = innerChain(whole);
      whole.map.endNode[c] = whole.map.startNode[c]! === 0 ? 1 : 0;
      return whole;
    },
    named: /chain \d+ neither closes nor ends at nodes/,
  },
  'a chain that is missing': {
    plant: (whole) => {
      const { map } = whole;
      return { ...whole, map: { ...map, chainCount: map.chainCount - 1 } };
    },
    named: /\d+ cracks are walked, \d+ exist/,
  },
  'a pixel that changed its region': {
    plant: (whole) => {
      whole.regions.of[15] = whole.regions.of[0]!;
      return whole;
    },
    named: /cracks are walked/,
  },
  'a loop with a half-edge of another region': {
    plant: (whole) => {
      whole.loops.halfEdges[0]! ^= 1;
      return whole;
    },
    named: /loop \d+ leaves its region/,
  },
  'a half-edge in two loops': {
    plant: (whole) => {
      const { halfEdges } = whole.loops;
      halfEdges[halfEdges.length - 1] = halfEdges[0]!;
      return whole;
    },
    named: /half-edge \d+ is in 2 loops/,
  },
  'a half-edge in no loop': {
    plant: (whole) => {
      const { halfEdges } = whole.loops;
      halfEdges[halfEdges.length - 1] = halfEdges[0]!;
      return whole;
    },
    named: /half-edge \d+ is in 0 loops/,
  },
  'an outer loop turned inside out': {
    plant: (whole) => {
      whole.loops.areaPx[0]! *= -1;
      return whole;
    },
    named: /region \d+ has 0 outer loops/,
  },
  'a hole counted as an outer loop': {
    plant: (whole) => {
      const hole = whole.loops.areaPx.findIndex((area) => area < 0);
      whole.loops.areaPx[hole]! *= -1;
      return whole;
    },
    named: /region \d+ has 2 outer loops/,
  },
  'loops whose areas are not the region': {
    plant: (whole) => {
      whole.loops.areaPx[0]! += 1;
      return whole;
    },
    named: /region \d+ has \d+ px but loops of \d+/,
  },
  'regions that do not cover the picture': {
    plant: (whole) => {
      whole.regions.areaPx[1]! -= 1;
      return whole;
    },
    named: /regions cover 35 of 36 px/,
  },
};

describe('the validator of planar maps', () => {
  it('finds nothing wrong with a sound map', () => {
    const { map, loops, regions } = soundMap();
    expect(map.chainCount).to.be.greaterThan(6);
    expect(loops.areaPx.some((area) => area < 0)).to.equal(true);
    expect(validatePlanarMap(map, loops, regions)).to.deep.equal([]);
  });

  for (const [name, { plant, named }] of Object.entries(FAULTS))
    it(`names ${name}`, () => {
      const { map, loops, regions } = plant(soundMap());
      const problems = validatePlanarMap(map, loops, regions);
      expect(
        problems.some((problem) => named.test(problem)),
        problems.join('; '),
      ).to.equal(true);
    });
});
