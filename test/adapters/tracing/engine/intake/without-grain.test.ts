import { expect } from 'chai';
import { measureGrainLevel } from '#adapters/tracing/engine/intake/grain-level.js';
import { withoutGrain } from '#adapters/tracing/engine/intake/without-grain.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import type { Raster } from '#application/ports/tracer.js';
import { grainy } from '#test/support/grainy-pictures.js';
import { bar, circle, rectangle } from '#test/support/outlines.js';
import { layer, paint, pixelwise } from '#test/support/pictures.js';

const clear = (picture: Raster): Raster => {
  const pixels = toWorkingPixels(picture);
  return { ...picture, data: Uint8Array.from(withoutGrain(pixels, measureGrainLevel(pixels)).data) };
};

/** Root mean square difference of the pixels that `at` takes, levels. */
function rms(a: Raster, b: Raster, at: (x: number, y: number) => boolean = () => true): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < a.width * a.height; i++) {
    if (!at(i % a.width, Math.floor(i / a.width))) continue;
    for (let c = 0; c < 3; c++, count++) sum += (a.data[4 * i + c]! - b.data[4 * i + c]!) ** 2;
  }
  expect(count).to.be.above(300);
  return Math.sqrt(sum / count);
}

/** The colors that have more than a thousandth of the pixels. */
function colorsOf({ data, width, height }: Raster): Set<number> {
  const counts = new Map<number, number>();
  for (const word of new Uint32Array(Uint8Array.from(data).buffer)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Set([...counts].flatMap(([word, count]) => (count > (width * height) / 1000 ? [word] : [])));
}

describe('withoutGrain', () => {
  it('gives areas the one color they had, white and black as well, and those that are hardly apart their own', () => {
    const flat = paint(160, 120, 0xffffff, [
      layer(0xf2f0ea, rectangle(10, 10, 140, 100)),
      layer(0x000000, rectangle(30, 30, 40, 60)),
      layer(0x3a7ac0, rectangle(90, 30, 40, 60)),
    ]);
    for (const levels of [0.5, 1, 1.5, 2])
      expect(colorsOf(clear(grainy(flat, levels))), `${levels}`).to.deep.equal(colorsOf(flat));
  });

  it('leaves of the grain on smooth changes a third', () => {
    const shaded = pixelwise(160, 120, (x, y) => [180 - x / 3, 90 + y / 3, 120 + (x + y) / 6, 255]);
    const inside = (x: number, y: number) => Math.min(x, y, 159 - x, 119 - y) > 4;
    for (const levels of [1, 2, 3]) {
      const given = grainy(shaded, levels);
      expect(rms(clear(given), shaded, inside)).to.be.below(0.3 * levels + 0.2);
    }
  });

  it('averages edges along their way, and moves none', () => {
    const edges = paint(160, 120, 0xd0c8b8, [
      layer(0x305060, circle(55.3, 58.6, 38.2)),
      layer(0xa02010, bar(104, 12, 148, 108, 5.4)),
    ]);
    const isEdge = (x: number, y: number) => Math.abs(Math.hypot(x + 0.5 - 55.3, y + 0.5 - 58.6) - 38.2) < 1.5;
    for (const levels of [1, 2]) {
      const given = grainy(edges, levels);
      const cleared = clear(given);
      expect(rms(cleared, edges, isEdge)).to.be.below(0.85 * rms(given, edges, isEdge));
      let bias = 0;
      for (let i = 0; i < edges.data.length; i++) bias += (cleared.data[i] as number) - (edges.data[i] as number);
      expect(Math.abs(bias) / edges.data.length).to.be.below(0.02);
    }
  });

  it('takes slow unevenness for none, and a gentle gradient for one', () => {
    const wave = (x: number, y: number) => 1.6 * Math.sin(x / 9) * Math.cos(y / 11);
    const uneven = pixelwise(160, 120, (x, y) => [150 + wave(x, y), 90 + wave(y, x), 120 + wave(x + 30, y), 255]);
    expect(colorsOf(clear(grainy(uneven, 1))).size).to.equal(1);
    const gentle = pixelwise(160, 120, (x) => [150 + x / 16, 90 + x / 16, 120, 255]);
    expect(colorsOf(clear(grainy(gentle, 1))).size).to.be.above(5);
  });
});
