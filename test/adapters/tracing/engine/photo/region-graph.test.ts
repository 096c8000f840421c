import { expect } from 'chai';
import { toPremultiplied } from '#adapters/tracing/engine/photo/color-space.js';
import { mergeRegions } from '#adapters/tracing/engine/photo/merge-regions.js';
import { overSegment } from '#adapters/tracing/engine/photo/over-segment.js';
import { RegionGraph } from '#adapters/tracing/engine/photo/region-graph.js';
import type { Raster } from '#application/ports/tracer.js';
import { PATHOLOGICAL } from '#test/support/pathological-pictures.js';
import { pixelwise } from '#test/support/pictures.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

/** Merges all that is worth less than `lambda` and says how often the table was looked at, a pixel. */
function probesPerPixel({ width, height, data }: Raster, lambda: number, first = lambda): number {
  const pixels = toPremultiplied(new Uint8Array(data), width * height);
  const graph = new RegionGraph(overSegment(pixels, width, height, first), width, height);
  mergeRegions(graph, lambda);
  return graph.probes / (width * height);
}

describe('the graph of regions', () => {
  it('is looked at a few times a pixel, whatever meets whatever how often, and no more in larger pictures', () => {
    let looked = 0;
    for (const name of ['noise of single pixels', 'spiral of three pixels', 'checkerboard of single pixels'])
      for (const lambda of [100, 1e6]) {
        const [small, large] = [100, 300].map((side) => probesPerPixel(PATHOLOGICAL[name]!(side), lambda)) as [
          number,
          number,
        ];
        expect(small, name).to.be.lessThan(60);
        expect(large, name).to.be.lessThan(1.6 * small + 2);
        looked++;
      }
    expect(looked).to.equal(6);
  });

  it('is looked at no more often where two regions meet along a long edge, joint by joint', () => {
    const random = createSeededRandom(4);
    // Between black and white a line of grays, each of which joins the black and brings its own stretch of white with it.
    const edge = (length: number) =>
      pixelwise(length, 9, (_, y) => {
        const level = y < 4 ? 0 : y > 4 ? 255 : 10 + Math.floor(random() * 40);
        return [level, level, level, 255];
      });
    const [short, long] = [500, 8000].map((length) => probesPerPixel(edge(length), 3000, 0)) as [number, number];
    expect(short).to.be.greaterThan(0.3);
    expect(long).to.be.lessThan(2 * short);
  });
});
