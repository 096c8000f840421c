import { expect } from 'chai';
import type { Raster } from '#application/ports/tracer.js';
import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { sampled } from '#test/support/coarse-pictures.js';
import { circle, rectangle, ring, star, turned } from '#test/support/outlines.js';
import { layer, paint, pixelwise } from '#test/support/pictures.js';
import { render } from './render.js';

const WIDTH = 240;
const HEIGHT = 200;
const DISK = [62.3, 68.6, 40.2] as const;
const layers = [
  layer(0x1d3557, circle(...DISK)),
  layer(0xe63946, turned(rectangle(130, 24, 80, 30), 17, 170, 39)),
  layer(0xf4c430, star(170.7, 140.2, 44, 20, 5)),
  layer(0x2a9d8f, ...ring(62.3, 155.4, 30.2, 20.6)),
];
const exact = paint(WIDTH, HEIGHT, 0xffffff, layers);
const stepped = sampled(WIDTH, HEIGHT, 0xffffff, layers, 1);

const traced = async (picture: Raster, artifact_cleanup = 2) => {
  const { drawing, traceStats, qualityDiagnostics } = await vectorize(picture, { fidelity: false, artifact_cleanup });
  const circles = [...shapesOf(drawing.items)].flatMap(({ geometry }) =>
    geometry.kind === 'circle' ? [geometry] : [],
  );
  const off = circles.map(({ cx, cy, r }) => Math.max(Math.hypot(cx - DISK[0], cy - DISK[1]), Math.abs(r - DISK[2])));
  return { ...traceStats, offPx: Math.min(...off), notes: qualityDiagnostics.notes.map(({ code }) => code) };
};

describe('pictures without anti-aliasing', () => {
  it('are drawn as the lines and curves that their steps stand for', async () => {
    const of = await traced(exact);
    const { shapes, nodes, offPx, notes } = await traced(stepped);
    expect(shapes).to.equal(of.shapes);
    expect(nodes).to.be.at.most(1.2 * of.nodes);
    expect(offPx).to.be.at.most(0.1);
    expect(notes).to.deep.equal(['steps-smoothed']);
    expect(of.notes).to.deep.equal([]);
  });

  it('are drawn as they are where nothing is to be mended', async () => {
    const { nodes, notes } = await traced(stepped, 0);
    expect(nodes).to.be.above(2 * (await traced(exact, 0)).nodes);
    expect(notes).to.deep.equal([]);
  });

  it('keep lines one pixel wide, with their ends, and what is upright', async () => {
    const lines = pixelwise(120, 90, (x, y) => {
      const isSlanted = x >= 10 && x < 70 && y === Math.round(12 + 0.37 * (x - 10));
      const isBox = x >= 80 && x <= 110 && y >= 10 && y <= 40 && (x === 80 || x === 110 || y === 10 || y === 40);
      const isRound = Math.round(Math.hypot(x - 60, y - 62)) === 22;
      return isSlanted || isBox || isRound ? [0, 0, 0, 255] : [255, 255, 255, 255];
    });
    const { svg, traceStats, qualityDiagnostics } = await vectorize(lines, { fidelity: false });
    expect(qualityDiagnostics.notes.map(({ code }) => code)).to.deep.equal(['steps-smoothed']);
    expect(traceStats.nodes).to.be.at.most(40);
    const { data } = render(svg, 1);
    const darkness = (x: number, y: number) => 255 - data[(y * 120 + x) * 4]!;
    for (const [x, y] of [
      [11, 12],
      [40, 23],
      [68, 33],
      [80, 10],
      [110, 25],
      [95, 40],
    ] as const)
      expect(Math.max(darkness(x, y), darkness(x, y + 1), darkness(x, y - 1)), `${x} ${y}`).to.be.above(110);
    for (const [x, y] of [
      [5, 12],
      [75, 36],
      [95, 25],
      [60, 62],
    ] as const)
      expect(darkness(x, y), `${x} ${y}`).to.be.below(8);
  });
});
