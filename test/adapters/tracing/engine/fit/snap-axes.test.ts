import { expect } from 'chai';
import { type ChainCurves, CurveList } from '#adapters/tracing/engine/fit/curves.js';
import { snapAxes } from '#adapters/tracing/engine/fit/snap-axes.js';
import type { PlanarMap } from '#adapters/tracing/engine/planar-map/planar-map.js';
import { partsOfPicture } from '#test/support/engine-parts.js';
import { rectangle } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

/** The map of a picture with one closed contour in it. */
const { map } = partsOfPicture(paint(64, 64, 0xffffff, [layer(0xe63946, rectangle(10, 10, 40, 30))]));

/** A closed chain of lines through points, in the place of that contour. */
function contour(points: readonly (readonly [number, number])[]): ChainCurves {
  const list = new CurveList();
  for (let c = 0; c < map.chainCount; c++) {
    list.beginChain();
    if (map.left[c]! < 0 || map.right[c]! < 0) continue;
    points.forEach(([x, y], k) => {
      const [u, v] = points[(k + 1) % points.length]!;
      list.line(x, y, u, v);
    });
  }
  return list.finish();
}

function snapped(points: readonly (readonly [number, number])[]) {
  const curves = contour(points);
  snapAxes(map as PlanarMap, curves, new Float64Array(map.nodes.length * 2));
  return [...curves.kinds.keys()].map((k) => [...curves.points.subarray(k * 8, k * 8 + 8)]);
}

describe('level and upright lines', () => {
  it('become exactly so, at the height between their ends, and follow each other', () => {
    const lines = snapped([
      [10.03, 10.31],
      [50.2, 10.35],
      [50.17, 40],
      [30, 44.7],
      [10.05, 40.3],
    ]);
    expect(lines[0]![1]).to.equal(lines[0]![7]);
    expect(lines[0]![1]).to.be.closeTo(10.33, 1e-9);
    expect(lines[1]![0]).to.equal(lines[1]![6]);
    expect(lines[4]![0]).to.equal(lines[4]![6]);
    lines.forEach((line, k) => {
      expect(line.slice(6)).to.deep.equal(lines[(k + 1) % lines.length]!.slice(0, 2));
    });
  });

  it('stay as slanted as the pixels say', () => {
    const slanted = [
      [10, 10.3],
      [50, 10.5],
      [49.7, 40],
      [30, 44],
    ] as const;
    const lines = snapped(slanted);
    lines.forEach((line, k) => {
      expect(line.slice(0, 2)).to.deep.equal([...slanted[k]!]);
    });
  });
});
