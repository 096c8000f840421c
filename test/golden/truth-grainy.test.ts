import { expect } from 'chai';
import type { Raster } from '#application/ports/tracer.js';
import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { coarselyGrainy, grainy } from '#test/support/grainy-pictures.js';
import { bar, circle, rectangle, ring, star, turned } from '#test/support/outlines.js';
import { layer, linearShade, paint } from '#test/support/pictures.js';
import { softened } from '#test/support/soft-pictures.js';

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

  it('keep colors apart that are near to each other, and lines between them smooth', async () => {
    const tile = paint(160, 140, 0xffffff, [
      layer(0xf2f0ea, rectangle(8, 8, 144, 124)),
      layer(0x3a7ac0, circle(60.4, 70.3, 40.2)),
      layer(0xffffff, ...ring(60.4, 70.3, 26.3, 22.1)),
      layer(0xffffff, bar(110, 30, 138, 112, 4.2)),
    ]);
    const plain = await vectorize(tile, { fidelity: false });
    for (const levels of [0.6, 1.2, 2]) {
      const { drawing, traceStats } = await vectorize(grainy(tile, levels), { fidelity: false });
      const colors = [...shapesOf(drawing.items)].map(({ fill }) => (fill?.kind === 'solid' ? fill.color : -1));
      expect(new Set(colors), `${levels}`).to.deep.equal(new Set([0xffffff, 0xf2f0ea, 0x3a7ac0]));
      expect(traceStats.shapes).to.equal(plain.traceStats.shapes);
      expect(traceStats.nodes).to.be.at.most(1.3 * plain.traceStats.nodes);
    }
  });

  it('have their gradients, as clean ones do', async () => {
    const shaded = paint(160, 140, 0xffffff, [
      {
        color: 0,
        outline: [circle(70.2, 70.4, 52.3)],
        shade: linearShade(30, 30, 110, 110, [200, 60, 90, 1], [250, 190, 60, 1]),
      },
      layer(0x203040, rectangle(60, 60, 20, 20)),
    ]);
    for (const levels of [0.6, 1.2, 2]) {
      const { drawing } = await vectorize(grainy(shaded, levels), { fidelity: false });
      const shapes = [...shapesOf(drawing.items)];
      expect(
        shapes.map(({ fill }) => fill?.kind),
        `${levels}`,
      ).to.include('linear');
      expect(shapes.length).to.be.at.most(4);
      const disk = shapes.find(({ geometry }) => geometry.kind === 'circle')?.geometry;
      expect(disk).to.include({ kind: 'circle' });
      if (disk?.kind === 'circle') expect(disk.r).to.be.closeTo(52.3, 0.05);
    }
  });

  it('lose their blur, too, and the answer says so', async () => {
    const { drawing, qualityDiagnostics } = await vectorize(grainy(softened(clean, 0.12), 1.5), { fidelity: false });
    const disk = [...shapesOf(drawing.items)].flatMap(({ geometry }) =>
      geometry.kind === 'circle' ? [geometry.r] : [],
    );
    expect(Math.min(...disk.map((r) => Math.abs(r - DISK[2])))).to.be.at.most(0.08);
    const plain = await vectorize(clean, { fidelity: false });
    expect([...shapesOf(drawing.items)].length).to.equal(plain.traceStats.shapes);
    expect(qualityDiagnostics.notes.map(({ code }) => code)).to.deep.equal(['grain-taken-off', 'soft-edges-sharpened']);
    expect(qualityDiagnostics.notes[0]?.message).to.match(/^Grain of 1\.[45] levels lies evenly over the picture/);
  });
});
