import { expect } from 'chai';
import { fitChains } from '#adapters/tracing/engine/fit/fit-chains.js';
import { createSplitFitter } from '#adapters/tracing/split-fitter.js';
import { FIT, partsOfPicture } from '#test/support/engine-parts.js';
import { PATHOLOGICAL } from '#test/support/pathological-pictures.js';

describe('fitting on two cores', () => {
  it('gives the same numbers as fitting on one, picture after picture', async () => {
    const splitFitter = createSplitFitter();
    try {
      let large = 0;
      for (const [name, side] of [
        ['checkerboard of seven', 490],
        ['checkerboard of seven', 420],
        ['a logo', 80],
      ] as const) {
        const { map, samples, nodes } = partsOfPicture(PATHOLOGICAL[name]!(side));
        if (samples.x.length > 8000) large++;
        const here = fitChains(map, samples, nodes, FIT, 0, map.chainCount);
        const split = splitFitter.fit(map, samples, nodes, FIT);
        expect(split.chainCount).to.equal(here.chainCount);
        // Nothing was handed over: arrays that have been are slow, and V8 makes all others so.
        for (const { buffer } of [samples.x, samples.y, samples.weight, samples.starts, nodes, map.left, map.startNode])
          expect(buffer.byteLength).to.be.greaterThan(0);
        for (const part of ['starts', 'kinds', 'points'] as const)
          expect(
            Buffer.from(split[part].buffer, split[part].byteOffset, split[part].byteLength).equals(
              Buffer.from(here[part].buffer, here[part].byteOffset, here[part].byteLength),
            ),
            `${part} of ${name}`,
          ).to.equal(true);
      }
      // Smaller ones stay on one.
      expect(large).to.equal(2);
    } finally {
      await splitFitter.close();
    }
  });
});
