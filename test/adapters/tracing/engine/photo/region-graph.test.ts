import { expect } from 'chai';
import { toPremultiplied } from '#adapters/tracing/engine/photo/color-space.js';
import { mergeRegions } from '#adapters/tracing/engine/photo/merge-regions.js';
import { overSegment } from '#adapters/tracing/engine/photo/over-segment.js';
import { RegionGraph } from '#adapters/tracing/engine/photo/region-graph.js';
import { PATHOLOGICAL } from '#test/support/pathological-pictures.js';

/** Merges all that is worth less than `lambda` and says how often the table was looked at, a pixel. */
function probesPerPixel(name: string, side: number, lambda: number): number {
  const { width, height, data } = PATHOLOGICAL[name]!(side);
  const pixels = toPremultiplied(new Uint8Array(data), width * height);
  const graph = new RegionGraph(overSegment(pixels, width, height, lambda), width, height);
  mergeRegions(graph, lambda);
  return graph.probes / (width * height);
}

describe('the graph of regions', () => {
  it('is looked at a few times a pixel, whatever meets whatever how often, and no more in larger pictures', () => {
    let looked = 0;
    for (const name of ['noise of single pixels', 'spiral of three pixels', 'checkerboard of single pixels'])
      for (const lambda of [100, 1e6]) {
        const [small, large] = [100, 400].map((side) => probesPerPixel(name, side, lambda)) as [number, number];
        expect(small, name).to.be.lessThan(60);
        expect(large, name).to.be.lessThan(1.6 * small + 2);
        looked++;
      }
    expect(looked).to.equal(6);
  });
});
