import { expect } from 'chai';
import type { Raster } from '#application/ports/tracer.js';
import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { bar, circle, ellipse, rectangle } from '#test/support/outlines.js';
import { jpegDamaged, layer, paint } from '#test/support/pictures.js';
import { difference, render } from './render.js';

const HAIR = 0x963b22;
const SKIN = 0xd4ab88;
const SHIRT = 0x4289c1;
const SHORTS = 0x1c6399;
/** A runner of 72 px, whose limbs are four px wide. */
const runner = paint(72, 72, 0xffffff, [
  layer(SKIN, bar(36, 30, 22, 38, 4.5), bar(22, 38, 14, 30, 4), bar(40, 28, 52, 36, 4.5), bar(52, 36, 46, 44, 4)),
  layer(SKIN, bar(36, 50, 24, 56, 5.5), bar(24, 56, 24, 68, 4.5), bar(42, 50, 48, 62, 5.5), bar(48, 62, 62, 62, 4.5)),
  layer(SKIN, circle(34, 12, 8)),
  layer(HAIR, ellipse(36, 8, 8.5, 5)),
  layer(SHIRT, rectangle(30, 22, 14, 22)),
  layer(SHORTS, rectangle(30, 42, 14, 10)),
]);

/** How far the nearest color painted is from one, levels in the channel that is off most, and what of the picture has it, px. */
async function nearest(picture: Raster, color: number): Promise<{ readonly off: number; readonly areaPx: number }> {
  const { drawing } = await vectorize(picture, { fidelity: false });
  const channels = (of: number) => [of >> 16, (of >> 8) & 255, of & 255];
  const areas = new Map<number, number>();
  for (const { fill, visibleAreaPx } of shapesOf(drawing.items))
    if (fill?.kind === 'solid') areas.set(fill.color, (areas.get(fill.color) ?? 0) + visibleAreaPx);
  const offOf = (own: number) => Math.max(...channels(own).map((value, c) => Math.abs(value - channels(color)[c]!)));
  const [own, areaPx] = [...areas].reduce((best, one) => (offOf(one[0]) < offOf(best[0]) ? one : best));
  return { off: offOf(own), areaPx };
}

describe('pictures of icon size that compression has been at', () => {
  it('keep the colors of parts that are nowhere even', async () => {
    const truth = await nearest(runner, SKIN);
    for (const quality of [50, 60, 75, 85]) {
      const picture = await jpegDamaged(runner, quality);
      for (const color of [HAIR, SKIN, SHIRT, SHORTS])
        expect((await nearest(picture, color)).off, `${quality} ${color.toString(16)}`).to.be.at.most(32);
      const { areaPx } = await nearest(picture, SKIN);
      expect(areaPx, `quality ${quality}`).to.be.within(0.75 * truth.areaPx, 1.25 * truth.areaPx);
      const { svg, traceStats } = await vectorize(picture, { fidelity: false });
      expect(difference(runner, render(svg, 1)).mean, `quality ${quality}`).to.be.below(4);
      expect(traceStats.shapes, `quality ${quality}`).to.be.within(5, 20);
    }
  });

  it('have the colors of their shapes on either side of an edge, as far as lightness tells these apart', async () => {
    const sign = paint(160, 160, 0xefe6d8, [
      layer(0x1d6fa5, circle(72.3, 80.6, 60.2)),
      layer(0xf4c430, circle(72.3, 80.6, 24.4)),
      layer(0xc8364a, rectangle(124.3, 20.4, 24, 110)),
    ]);
    for (const [quality, most] of [
      [50, 1.2],
      [75, 0.8],
      [90, 0.5],
    ] as const) {
      const { svg, traceStats } = await vectorize(await jpegDamaged(sign, quality), { fidelity: false });
      expect(traceStats.shapes, `quality ${quality}`).to.equal(4);
      expect(difference(sign, render(svg, 1)).mean, `quality ${quality}`).to.be.below(most);
    }
  });
});
