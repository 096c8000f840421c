import { expect } from 'chai';
import { stackRegions } from '#adapters/tracing/engine/emit/stacking.js';
import { partsOfLetters } from '#test/support/engine-parts.js';

function stack(
  rows: readonly string[],
  options: { readonly cutouts?: boolean; readonly hide?: readonly number[] } = {},
) {
  const { map, loops, regions } = partsOfLetters(rows);
  const hidden = new Uint8Array(regions.count);
  for (const r of options.hide ?? []) hidden[r] = 1;
  const stacking = stackRegions(map, loops, regions, hidden, options.cutouts ?? false);
  const holes = [...loops.areaPx.keys()].filter((l) => loops.areaPx[l]! < 0);
  const keptHoles = (region: number) =>
    holes.filter((l) => loops.region[l] === region && stacking.kept[l] === 1).length;
  return { stacking, loops, regions, keptHoles, holes };
}

const NESTED = ['eeeeeeeee', 'eaaaaaaae', 'eabbbbbae', 'eab...bae', 'eabbbbbae', 'eaaaaaaae', 'eeeeeeeee'];

describe('the stacking of regions', () => {
  it('paints what encloses more first, ties in scan order', () => {
    const { stacking } = stack(['eeeeeeee', 'eaaeebbe', 'eaaeebbe', 'eeecceee', 'eeeeeeee']);
    expect([...stacking.order]).to.deep.equal([1, 2, 3]);
    expect([...stacking.rank]).to.deep.equal([-1, 0, 1, 2]);
    expect([...stacking.ground]).to.deep.equal([1, 0, 0, 0]);
  });

  it('has a ground of what has the rearmost color along the border, where all is solid and nothing is cut out', () => {
    const rows = ['eeeaaee', 'eeeaaee', 'eaaaaae', 'eaeeeae', 'eaaaaae', 'eeeeeee'];
    const { stacking } = stack(rows);
    // The two at the top meet below; what lies inside is a shape of its own.
    expect([...stacking.ground]).to.deep.equal([1, 0, 0]);
    expect([...stacking.order]).to.deep.equal([1, 2]);
    const parted = stack(['eeeaeee', 'eeeaeee', 'eeeaeee']).stacking;
    expect([...parted.ground]).to.deep.equal([1, 0, 1]);
    expect([...parted.order]).to.deep.equal([1]);
    expect([...stack(rows, { cutouts: true }).stacking.ground]).to.deep.equal([0, 0, 0]);
    expect([...stack(rows, { hide: [1] }).stacking.ground]).to.deep.equal([0, 0, 0]);
    expect([...stack(['eehee', 'eehee']).stacking.ground]).to.deep.equal([0, 0, 0]);
  });

  it('has no ground where the rearmost does not reach the border, or is painted with a gradient', () => {
    const { map, loops, regions } = partsOfLetters(['eea', 'eee']);
    const hidden = new Uint8Array(regions.count);
    expect([...stackRegions(map, loops, regions, hidden, false, (r) => r === 0).ground]).to.deep.equal([0, 0]);
    expect([...stackRegions(map, loops, regions, hidden, false, (r) => r === 1).ground]).to.deep.equal([1, 0]);
  });

  it('orders a ring before what lies in it, though that has more pixels', () => {
    const { stacking, regions } = stack(['eeeeeee', 'eaaaaae', 'eabbbae', 'eabbbae', 'eabbbae', 'eaaaaae', 'eeeeeee']);
    expect(regions.count).to.equal(3);
    expect([...stacking.order]).to.deep.equal([1, 2]);
  });

  it('closes holes that are painted over, and keeps every outer loop', () => {
    const { stacking, loops, holes } = stack(['eeee', 'eaae', 'eeee']);
    expect(holes.length).to.equal(1);
    expect(stacking.kept[holes[0]!]).to.equal(0);
    for (let l = 0; l < loops.count; l++) if (loops.areaPx[l]! > 0) expect(stacking.kept[l]).to.equal(1);
  });

  it('keeps holes that are seen through, and those around them, however deep', () => {
    const { stacking, keptHoles, regions } = stack(NESTED);
    expect(regions.count).to.equal(4);
    expect([0, 1, 2].map(keptHoles)).to.deep.equal([1, 1, 1]);
    // Nothing is not painted.
    expect([...stacking.order]).to.deep.equal([0, 1, 2]);
    expect(stacking.rank[3]).to.equal(-1);
  });

  it('keeps a hole with something half seen through it, and paints that', () => {
    const { stacking, keptHoles } = stack(['eeee', 'ehhe', 'eeee']);
    expect(keptHoles(0)).to.equal(1);
    expect([...stacking.order]).to.deep.equal([0, 1]);
    expect([...stacking.solid]).to.deep.equal([1, 0]);
  });

  it('keeps only the hole that needs it: of two, the one that is seen through', () => {
    const { keptHoles, holes } = stack(['eeeeeee', 'eaaeh.e', 'eaae..e', 'eeeeeee']);
    expect(holes.length).to.equal(2);
    expect(keptHoles(0)).to.equal(1);
  });

  it('keeps a hole where a solid region and a clear one share it', () => {
    const { keptHoles } = stack(['eeeee', 'ea..e', 'ea..e', 'eeeee']);
    expect(keptHoles(0)).to.equal(1);
  });

  it('treats hidden regions as nothing', () => {
    const { stacking, keptHoles } = stack(['eeee', 'eaae', 'eeee'], { hide: [1] });
    expect([...stacking.order]).to.deep.equal([0]);
    expect(keptHoles(0)).to.equal(1);
    const without = stack(['eeee', 'eaae', 'eeee'], { hide: [0] });
    expect([...without.stacking.order]).to.deep.equal([1]);
  });

  it('keeps every hole when shapes are cut out', () => {
    const { stacking } = stack(['eeeeee', 'eaaaae', 'eabbae', 'eaaaae', 'eeeeee'], { cutouts: true });
    expect([...stacking.kept].every((kept) => kept === 1)).to.equal(true);
  });
});
