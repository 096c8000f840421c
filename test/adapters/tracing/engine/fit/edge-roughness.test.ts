import { expect } from 'chai';
import { measureRoughness } from '#adapters/tracing/engine/fit/edge-roughness.js';
import type { Raster } from '#application/ports/tracer.js';
import { sampled } from '#test/support/coarse-pictures.js';
import { partsOfPicture } from '#test/support/engine-parts.js';
import { bar, circle, ellipse, rectangle } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

const SIZE = 160;
const ROUND = [
  layer(0x1d3557, circle(60.3, 64.6, 45.2)),
  layer(0xe63946, ellipse(112.2, 104.7, 38.1, 21.4, 33)),
  layer(0x2a9d8f, circle(56.1, 61.7, 21.3)),
];

function roughness(raster: Raster): number {
  const { map, samples, regions } = partsOfPicture(raster);
  return measureRoughness(map, samples, regions).share;
}

describe('measureRoughness', () => {
  it('is nothing where pixels are covered by exact areas, however edges turn', () => {
    expect(roughness(paint(SIZE, SIZE, 0xffffff, ROUND))).to.equal(0);
    const fan = Array.from({ length: 8 }, (_, i) => layer(0x333333, bar(10, 8 + 18 * i, 150, 10 + (18 + i) * i, 5.3)));
    expect(roughness(paint(SIZE, SIZE, 0xffffff, fan))).to.equal(0);
  });

  it('is all where pixels were looked at in 4 x 4 places', () => {
    expect(roughness(sampled(SIZE, SIZE, 0xffffff, ROUND))).to.equal(1);
  });

  it('is nothing where hardly anything tells: edges along the pixels, a small picture, low contrast', () => {
    const upright = [layer(0x1d3557, rectangle(20.4, 30.7, 90, 70)), layer(0xe63946, rectangle(60.1, 50.2, 80, 90))];
    expect(roughness(sampled(SIZE, SIZE, 0xffffff, upright))).to.equal(0);
    expect(roughness(sampled(24, 24, 0xffffff, [layer(0x1d3557, circle(12.3, 11.6, 7.2))]))).to.equal(0);
    const pale = ROUND.map(({ outline }) => layer(0xf0e8e0, ...outline));
    expect(roughness(sampled(SIZE, SIZE, 0xffffff, pale))).to.equal(0);
  });
});
