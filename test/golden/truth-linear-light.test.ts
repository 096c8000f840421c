import { expect } from 'chai';
import type { Raster } from '#application/ports/tracer.js';
import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { paintInLight } from '#test/support/linear-light-pictures.js';
import { circle, rectangle, star, turned } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

const WIDTH = 240;
const HEIGHT = 200;
const DISK = [62.3, 68.6, 40.2] as const;
const INNER = [62.3, 68.6, 17.4] as const;
const layers = [
  layer(0x1d3557, circle(...DISK)),
  layer(0xffffff, circle(...INNER)),
  layer(0xe63946, turned(rectangle(130, 24, 80, 50), 17, 170, 49)),
  layer(0xf4c430, star(170.7, 140.2, 44, 20, 5)),
  layer(0x000000, turned(rectangle(20, 150, 90, 9), 11, 65, 154)),
];

const traced = async (picture: Raster, artifact_cleanup = 2) => {
  const { drawing, traceStats, qualityDiagnostics } = await vectorize(picture, { fidelity: false, artifact_cleanup });
  const circles = [...shapesOf(drawing.items)].flatMap(({ geometry }) =>
    geometry.kind === 'circle' ? [geometry] : [],
  );
  const offPx = (cx: number, cy: number, r: number) =>
    Math.min(...circles.map((one) => Math.max(Math.hypot(one.cx - cx, one.cy - cy), Math.abs(one.r - r))));
  return {
    ...traceStats,
    diskOffPx: offPx(...DISK),
    offPx: Math.max(offPx(...DISK), offPx(...INNER)),
    notes: qualityDiagnostics.notes.map(({ code }) => code),
  };
};

describe('pictures that were anti-aliased in linear light', () => {
  it('are drawn as those whose levels were mixed, and edges are where they were', async () => {
    const of = await traced(paint(WIDTH, HEIGHT, 0xffffff, layers));
    expect(of.notes).to.deep.equal([]);
    expect(of.offPx).to.be.at.most(0.02);
    const { shapes, nodes, offPx, notes } = await traced(paintInLight(WIDTH, HEIGHT, 0xffffff, layers));
    expect(notes).to.deep.equal(['linear-light-mixed-anew']);
    expect(shapes).to.equal(of.shapes);
    expect(nodes).to.be.at.most(1.1 * of.nodes);
    expect(offPx).to.be.at.most(0.03);
  });

  it('are so on dark ground', async () => {
    const onDark = [layer(0xf1faee, circle(...DISK)), layer(0x000000, circle(...INNER)), ...layers.slice(2, 4)];
    const { offPx, notes } = await traced(paintInLight(WIDTH, HEIGHT, 0x101820, onDark));
    expect(notes).to.deep.equal(['linear-light-mixed-anew']);
    expect(offPx).to.be.at.most(0.03);
  });

  it('are drawn as they are where nothing is to be mended: smaller, where they are darker than their ground', async () => {
    const { diskOffPx, notes } = await traced(paintInLight(WIDTH, HEIGHT, 0xffffff, layers), 0);
    expect(notes).to.deep.equal([]);
    expect(diskOffPx).to.be.within(0.1, 0.4);
  });
});
