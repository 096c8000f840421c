import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { type Drawing, shapesOf } from '#domain/drawing/drawing.js';
import { sampled } from '#test/support/coarse-pictures.js';
import { type Contour, circle, ring, spiral } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

const WIDTH = 240;
const HEIGHT = 210;

/** A smooth outline that bulges so many times, by this share of its radius. */
function blob(cx: number, cy: number, r: number, bulges: number, share: number, from: number): Contour {
  return Array.from({ length: 720 }, (_, i) => {
    const angle = (i / 360) * Math.PI;
    const distance = r * (1 + share * Math.sin(bulges * angle + from));
    return [cx + distance * Math.cos(angle), cy + distance * Math.sin(angle)];
  }).flat();
}

const circlesOf = ({ items }: Drawing) =>
  [...shapesOf(items)].flatMap(({ geometry }) => (geometry.kind === 'circle' ? [geometry] : []));

describe('pictures anti-aliased by few samples', () => {
  it('are drawn in the numbers of exact ones, which follow no sample', async () => {
    const layers = [
      layer(0x1d3557, spiral(120, 105, 2.5, 30, 9)),
      layer(0xe63946, blob(60, 50, 34, 3, 0.2, 0.4)),
      layer(0x2a9d8f, blob(185, 160, 36, 2, 0.3, 1.1)),
    ];
    const exact = await vectorize(paint(WIDTH, HEIGHT, 0xffffff, layers), { fidelity: false });
    const coarse = await vectorize(sampled(WIDTH, HEIGHT, 0xffffff, layers), { fidelity: false });
    expect(coarse.traceStats.shapes).to.equal(exact.traceStats.shapes);
    expect(coarse.traceStats.nodes).to.be.within(0.9 * exact.traceStats.nodes, 1.1 * exact.traceStats.nodes);
  });

  it('have their circles where these were', async () => {
    const disk = [64.3, 70.6, 41.2] as const;
    const layers = [layer(0x1d3557, circle(...disk)), layer(0xf4c430, ...ring(160.4, 130.1, 53.7, 31.2))];
    const { drawing } = await vectorize(sampled(WIDTH, HEIGHT, 0xffffff, layers), { fidelity: false });
    const circles = circlesOf(drawing);
    expect(circles).to.have.lengthOf(3);
    const off = circles.map(({ cx, cy, r }) => Math.max(Math.hypot(cx - disk[0], cy - disk[1]), Math.abs(r - disk[2])));
    expect(Math.min(...off)).to.be.at.most(0.03);
  });

  it('have their small circles, in small pictures, too', async () => {
    const dots = Array.from({ length: 9 }, (_, i): readonly [number, number, number] => [
      16.3 + 31.37 * (i % 3),
      15.7 + 30.61 * Math.floor(i / 3),
      4.6 + 0.83 * i,
    ]);
    const layers = dots.map((dot) => layer(0x1d3557, circle(...dot)));
    const { drawing } = await vectorize(sampled(96, 96, 0xffffff, layers), { fidelity: false });
    expect(circlesOf(drawing)).to.have.lengthOf(dots.length);
    for (const [cx, cy, r] of dots) {
      const off = circlesOf(drawing).map((found) =>
        Math.max(Math.hypot(found.cx - cx, found.cy - cy), Math.abs(found.r - r)),
      );
      expect(Math.min(...off)).to.be.at.most(0.1);
    }
  });
});
