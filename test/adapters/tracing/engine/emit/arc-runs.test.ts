import { expect } from 'chai';
import { findArcs } from '#adapters/tracing/engine/emit/arc-runs.js';
import { CurveList } from '#adapters/tracing/engine/fit/curves.js';
import { addArc } from '#test/support/arcs.js';

describe('arcs', () => {
  it('of a pill are found, whatever they are made of and however they run', () => {
    for (const [from, to, sign] of [
      [-Math.PI / 2, Math.PI / 2, 1],
      [Math.PI / 2, -Math.PI / 2, -1],
    ] as const) {
      const list = new CurveList();
      list.beginChain();
      addArc(list, 60, 30, 12.5, from, to, 2);
      list.line(60, 30 + sign * 12.5, 20, 30 + sign * 12.5);
      addArc(list, 20, 30, 12.5, to, to + (to - from), 3);
      list.line(20, 30 - sign * 12.5, 60, 30 - sign * 12.5);
      const { counts, firsts, radii } = findArcs(list.finish());
      expect([...counts]).to.deep.equal([2, 0, 0, 3, 0, 0, 0]);
      expect([...firsts]).to.deep.equal([-1, 0, -1, -1, -1, 3, -1]);
      expect(radii[0]).to.be.closeTo(sign * 12.5, 0.01);
      expect(radii[3]).to.be.closeTo(sign * 12.5, 0.01);
    }
  });

  it('of a slice are found, more than half a turn long', () => {
    const list = new CurveList();
    list.beginChain();
    addArc(list, 40, 40, 22, 0, 1.4 * Math.PI, 4);
    list.line(40 + 22 * Math.cos(1.4 * Math.PI), 40 + 22 * Math.sin(1.4 * Math.PI), 40, 40);
    list.line(40, 40, 62, 40);
    const { counts, radii, large } = findArcs(list.finish());
    expect([...counts]).to.deep.equal([4, 0, 0, 0, 0, 0]);
    expect(radii[0]).to.be.closeTo(22, 0.01);
    expect(large[0]).to.equal(1);
  });

  it('are not what is a tenth of a pixel off, nor what would take more numbers', () => {
    const oval = new CurveList();
    oval.beginChain();
    oval.cubic(10, 30, 10, 18.4, 20, 10, 30, 10);
    const { counts, radii } = findArcs(oval.finish());
    expect([...counts]).to.deep.equal([0]);
    expect([...radii]).to.deep.equal([0]);
    // A row of which every second handle mirrors the one before is cheaper than an arc and a curve.
    const wave = new CurveList();
    wave.beginChain();
    addArc(wave, 30, 30, 20, Math.PI, 1.5 * Math.PI, 1);
    wave.cubic(30, 10, 30 + 20 * 0.5522847498, 10, 70, 20, 90, 60);
    wave.cubic(90, 60, 110, 100, 140, 100, 150, 60);
    expect([...findArcs(wave.finish()).counts]).to.deep.equal([0, 0, 0]);
  });
});
