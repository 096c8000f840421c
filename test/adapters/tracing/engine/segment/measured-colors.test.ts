import { expect } from 'chai';
import { withMeasuredColors } from '#adapters/tracing/engine/segment/measured-colors.js';
import { trace } from '#adapters/tracing/engine/trace.js';
import { ENGINE, regionsOf } from '#test/support/engine-parts.js';
import { circle } from '#test/support/outlines.js';
import { layer, paint, single } from '#test/support/pictures.js';

describe('regions in the colors that were found', () => {
  it('have the color most of their pixels have, the first of equals, and are painted as before', () => {
    const regions = regionsOf(['aabb', 'aabb']);
    const channels = Float64Array.from([10, 10, 10, 255, 20, 20, 20, 255, 30, 30, 30, 255]);
    const measured = withMeasuredColors(regions, { labels: Int32Array.of(0, 1, 2, 2, 1, 1, 0, 0), channels });
    expect([...measured.colors]).to.deep.equal(
      [20, 20, 20, 255, 10, 10, 10, 255].map((v, k) => (k === 4 || k === 5 || k === 6 ? 10 : v)),
    );
    expect(regions.colors[0]).to.equal(230);
    expect(measured.of).to.equal(regions.of);
  });

  it('keep edges where they are, whatever colors are asked for', () => {
    const raster = paint(64, 64, 0xffffff, [layer(0x000000, circle(31.7, 32.4, 20.3))]);
    let circles = 0;
    for (const fixedPalette of [
      [0x404040, 0xc0c0c0],
      [0x101090, 0xffee00],
      [0x700000, 0x00ff00],
    ]) {
      const { items } = trace(raster, { ...ENGINE, fixedPalette }, () => undefined).drawing;
      expect(items.map(({ fill }) => (fill?.kind === 'solid' ? fill.color : null))).to.deep.equal([
        fixedPalette[1],
        fixedPalette[0],
      ]);
      const { geometry } = items[1]!;
      if (geometry.kind !== 'circle') throw new RangeError(`a ${geometry.kind} was written`);
      expect(Math.hypot(geometry.cx - 31.7, geometry.cy - 32.4)).to.be.at.most(0.05);
      expect(geometry.r).to.be.closeTo(20.3, 0.05);
      circles++;
    }
    expect(circles).to.equal(3);
  });

  it('never lose what can be seen to nothing, however far the palette is from it', () => {
    for (const color of [0x000000, 0x0a0a0a, 0x000080]) {
      const { items } = trace(single(12, 12, color), { ...ENGINE, fixedPalette: [0xffffff] }, () => undefined).drawing;
      expect(items.map(({ fill }) => fill)).to.deep.equal([{ kind: 'solid', color: 0xffffff, opacity: 1 }]);
    }
  });
});
