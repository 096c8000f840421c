import { expect } from 'chai';
import type { Raster } from '#application/ports/tracer.js';
import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { coarselyGrainy, grainy } from '#test/support/grainy-pictures.js';
import { circle, rectangle, star, turned } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

const DISK = [60.3, 66.6, 38.2] as const;
const COLORS = [0xffffff, 0x000000, 0xe63946, 0xf4c430, 0x2a9d8f] as const;
const [white, black, red, yellow, green] = COLORS;

const clean = paint(240, 180, white, [
  layer(black, circle(...DISK)),
  layer(red, turned(rectangle(135, 24, 66, 45), 17, 168, 46)),
  layer(yellow, star(168.7, 126.2, 39, 17, 5)),
  layer(green, circle(60.3, 66.6, 17.3)),
]);

const circlesOf = async (picture: Raster) => {
  const { drawing, traceStats, qualityDiagnostics } = await vectorize(picture, { fidelity: false });
  const shapes = [...shapesOf(drawing.items)];
  const circles = shapes.flatMap(({ geometry }) => (geometry.kind === 'circle' ? [geometry] : []));
  const off = circles.map(({ cx, cy, r }) => Math.max(Math.hypot(cx - DISK[0], cy - DISK[1]), Math.abs(r - DISK[2])));
  const colors = shapes.map(({ fill }) => (fill?.kind === 'solid' ? fill.color : -1));
  return { offPx: Math.min(...off), colors, traceStats, qualityDiagnostics };
};

/** Levels that the channel farthest from the nearest of the colors is off. */
const levelsOff = (color: number) =>
  Math.min(
    ...COLORS.map((known) =>
      Math.max(...[16, 8, 0].map((shift) => Math.abs(((known >> shift) & 255) - ((color >> shift) & 255)))),
    ),
  );

describe('grainy pictures', () => {
  for (const [name, picture, bound] of [
    ['a level', grainy(clean, 1), 0.05],
    ['3 levels', grainy(clean, 3), 0.08],
    ['6 levels', grainy(clean, 6), 0.15],
    ['3 levels that neighbors share', coarselyGrainy(clean, 3), 0.15],
  ] as const) {
    it(`with grain of ${name} are drawn in the shapes, numbers and colors of clean ones`, async () => {
      const { traceStats: plain } = await vectorize(clean, { fidelity: false });
      const { offPx, colors, traceStats, qualityDiagnostics } = await circlesOf(picture);
      expect(traceStats.shapes).to.equal(plain.shapes);
      expect(traceStats.nodes).to.be.at.most(1.3 * plain.nodes);
      expect(offPx).to.be.at.most(bound);
      expect(colors).to.include(white);
      expect(colors).to.include(black);
      for (const color of colors) expect(levelsOff(color), color.toString(16)).to.be.at.most(2);
      expect(qualityDiagnostics.detectedType).to.equal('flat_art');
      expect(qualityDiagnostics.typeReason).to.match(/^areas are even but for grain of \d+\.\d levels$/);
    });
  }

  it('are so as logos as well, and not as photographs', async () => {
    const picture = grainy(clean, 3);
    const { traceStats } = await circlesOf(picture);
    const as = async (preset: 'logo' | 'photo') => (await vectorize(picture, { fidelity: false, preset })).traceStats;
    expect((await as('logo')).shapes).to.equal(traceStats.shapes);
    expect((await as('photo')).shapes).to.be.above(traceStats.shapes);
  });
});
