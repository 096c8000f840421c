import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { drawingStatsOf } from '#domain/drawing/drawing-stats.js';
import { psnrOf } from '#test/support/psnr.js';
import { renderExact } from '#test/support/render-exact.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const SIDE = 180;
const INK = '#b3501a';

const STAR = `<polygon points="${Array.from({ length: 10 }, (_, k) => {
  const [angle, radius] = [(Math.PI * k) / 5, k % 2 === 0 ? 1 : 0.382];
  return `${radius * Math.sin(angle)},${-radius * Math.cos(angle)}`;
}).join(' ')}"/>`;
const PENTAGON = `<polygon points="${Array.from({ length: 5 }, (_, k) => {
  const angle = (2 * Math.PI * k) / 5;
  return `${Math.sin(angle)},${-Math.cos(angle)}`;
}).join(' ')}"/>`;
const CROSS = '<path d="M-.3-1h.6v.7h.7v.6h-.7v.7h-.6v-.7h-.7v-.6h.7z"/>';
const ARROW = '<path d="M-1-.25H0v-.5L1 0 0 .75v-.5h-1z"/>';
const BAR = '<rect x="-1" y="-.3" width="2" height=".6"/>';
const HALF_DISK = '<path d="M-1 .5a1 1 0 012 0z"/>';
const CRESCENT = '<path d="M.3-.95a1 1 0 100 1.9A.8.8 0 01.3-.95z"/>';
const ROUND_SQUARE = '<rect x="-.8" y="-.8" width="1.6" height="1.6" rx=".3"/>';
const PILL = '<rect x="-1" y="-.4" width="2" height=".8" rx=".4"/>';

/** A picture full of a shape that reaches from -1 to 1, each of them between the pixels and turned in a way of its own. */
function fullOf(shape: string, radius: number) {
  const random = createSeededRandom(Math.round(radius * 1000));
  const step = 2 * radius + 8;
  const placed: string[] = [];
  for (let y = step / 2 + 2; y + step / 2 < SIDE; y += step) {
    for (let x = step / 2 + 2; x + step / 2 < SIDE; x += step) {
      const at = `translate(${x + random()} ${y + random()})`;
      placed.push(`<g transform="${at} rotate(${360 * random()}) scale(${radius})">${shape}</g>`);
    }
  }
  const all = `<rect width="${SIDE}" height="${SIDE}" fill="#fff"/><g fill="${INK}">${placed.join('')}</g>`;
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}">${all}</svg>`,
    count: placed.length,
  };
}

/** Sides of two and three px, on which no edge sample lies off the corners: by their samples these are 22 to 34 dB near. */
describe('small contours of lines and arcs', () => {
  for (const [name, shape, radius, leastDb, nodes] of [
    ['pentagons', PENTAGON, 2, 38, 5],
    ['stars', STAR, 4, 36, 10],
    ['stars', STAR, 5, 43, 10],
    ['stars', STAR, 7, 46, 10],
    ['crosses', CROSS, 4, 42, 12],
    ['arrows', ARROW, 4, 41, 7],
    ['bars', BAR, 3, 42, 4],
    ['bars', BAR, 5, 46, 4],
    ['half disks', HALF_DISK, 3, 41, 2],
    ['crescents', CRESCENT, 5, 37, 2],
    ['pills', PILL, 5, 40, 4],
    ['squares with round corners', ROUND_SQUARE, 5, 36, 6.6],
  ] as const)
    it(`${name} ${radius} px from the middle are ${leastDb} dB near, with ${nodes} nodes each`, async () => {
      const { svg, count } = fullOf(shape, radius);
      expect(count).to.be.greaterThan(40);
      const drawn = await vectorize(renderExact(svg, SIDE), { fidelity: false });
      expect(psnrOf(svg, drawn.svg, SIDE * 8)).to.be.at.least(leastDb);
      expect(drawingStatsOf(drawn.drawing).nodes / count).to.be.within(0.95 * nodes, 1.25 * nodes);
    });
});
