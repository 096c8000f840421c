import { expect } from 'chai';
import { CurveList } from '#adapters/tracing/engine/fit/curves.js';
import { EXACT, type Roughness } from '#adapters/tracing/engine/fit/edge-roughness.js';
import { splitMisfits } from '#adapters/tracing/engine/fit/split-segments.js';

/** How many segments there are of one curve, 45 px long, that misses so many squared px of area in its middle. */
function countParts(missedPx: number, roughness: Roughness, isEven = false): number {
  const contrastSq = 3 * 200 * 200;
  const list = new CurveList();
  list.beginChain();
  list.cubic(0, 0, 15, 10, 30, 10, 45, 0);
  const misfits = {
    misfit: Float64Array.of(missedPx * contrastSq),
    pixels: Int32Array.of(45),
    place: Float64Array.of(0.5),
  };
  const flags = () => new Uint8Array(1);
  const split = splitMisfits(
    list.finish(),
    misfits,
    () => contrastSq,
    flags(),
    flags(),
    false,
    roughness,
    () => isEven,
  );
  return split?.curves.kinds.length ?? 1;
}

describe('splitMisfits', () => {
  it('splits what misses more than rounding does', () => {
    expect(countParts(0.02, EXACT)).to.equal(1);
    expect(countParts(0.08, EXACT)).to.equal(2);
  });

  it('leaves what is missed evenly all along', () => {
    expect(countParts(0.5, EXACT, true)).to.equal(1);
  });

  it('leaves what edges that are rough explain, and nothing else', () => {
    // As browsers draw edges; as 4 x 4 places in a pixel do, whose errors go on along an edge.
    expect(countParts(0.08, { share: 1, px: 0.012 })).to.equal(1);
    expect(countParts(0.3, { share: 1, px: 0.012 })).to.equal(2);
    expect(countParts(0.3, { share: 1, px: 0.035 })).to.equal(1);
    expect(countParts(0.5, { share: 1, px: 0.035 })).to.equal(2);
    // A few exact pictures are hardly rougher than others.
    expect(countParts(0.14, { share: 0.36, px: 0.0074 })).to.equal(2);
  });
});
