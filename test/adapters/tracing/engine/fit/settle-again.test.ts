import { expect } from 'chai';
import { CurveList } from '#adapters/tracing/engine/fit/curves.js';
import { PixelBand } from '#adapters/tracing/engine/fit/pixel-band.js';
import { settleAgain } from '#adapters/tracing/engine/fit/settle-again.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { partsOfPicture } from '#test/support/engine-parts.js';
import { rectangle } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

describe('settling again', () => {
  it('keeps nothing of what chains painted where they were tried in vain', () => {
    const raster = paint(40, 40, 0xffffff, [layer(0x1d3557, rectangle(10.4, 11.3, 17, 15))]);
    const { map, regions, nodes } = partsOfPicture(raster);
    const { rgba } = toWorkingPixels(raster);
    const chain = [...map.left.keys()].find((c) => map.left[c]! >= 0 && map.right[c]! >= 0)!;
    // A polygon that is a pixel aside, and where nothing is said to be missed by it: whatever is tried seems worse.
    const list = new CurveList();
    for (let c = 0; c < map.chainCount; c++) {
      list.beginChain();
      if (c === chain) list.polygon(Float64Array.from([11.4, 12.3, 28.4, 12.3, 28.4, 27.3, 11.4, 27.3]), 4);
      else list.polygon(Float64Array.from([0, 0, 40, 0, 40, 40, 0, 40]), 4);
    }
    const curves = list.finish();
    const costs = new Float64Array(map.chainCount);
    const size = curves.kinds.length;
    const misfits = { misfit: new Float64Array(size), pixels: new Int32Array(size), place: new Float64Array(size) };
    const settings = { splitPrice: 1, shaded: undefined };
    const band = new PixelBand(map, regions, rgba, curves, nodes);
    const steps = map.starts[chain + 1]! - map.starts[chain]! - 1;
    // Just enough to be looked at, and far less than the pixels of two colors leave of any curve that is drawn in a third one.
    const wrong = { ...regions, colors: regions.colors.map((level, i) => (i % 4 < 3 ? level * 0.8 : level)) };
    costs[chain] = steps * 80;
    const found = { misfits, sketches: new Map() };
    const settled = settleAgain(map, wrong, rgba, band, { curves, nodePositions: nodes, costs }, found, settings);
    expect([...settled.points]).to.deep.equal([...curves.points]);
    expect(band.kept.has(chain)).to.equal(false);
  });
});
