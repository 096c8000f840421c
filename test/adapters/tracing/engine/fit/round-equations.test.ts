import { expect } from 'chai';
import { CurvePainter } from '#adapters/tracing/engine/fit/curve-painter.js';
import { isRoundShape, SEGMENT_CIRCLE } from '#adapters/tracing/engine/fit/curves.js';
import { PixelBand } from '#adapters/tracing/engine/fit/pixel-band.js';
import { numberRound, RoundEquations } from '#adapters/tracing/engine/fit/round-equations.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { partsOfPicture } from '#test/support/engine-parts.js';
import { type Contour, circle, ellipse } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

/** Where the numbers of a round shape lie, and where its unknowns. */
const NUMBERS = [0, 1, 2, 3, 4];
const UNKNOWNS = [0, 1, 4, 5, 6];
const STEP = 1e-4;

function painted(outline: Contour) {
  const picture = paint(96, 80, 0xffffff, [layer(0x1d3557, outline)]);
  const { map, regions, curves, nodes } = partsOfPicture(picture);
  const k = [...curves.kinds].findIndex(isRoundShape);
  const band = new PixelBand(map, regions, toWorkingPixels(picture).rgba, curves, nodes);
  return { curves, k, painter: new CurvePainter(map, regions, band, curves) };
}

describe('the equations of a round shape', () => {
  for (const [name, outline, numbers] of [
    ['a circle', circle(47.3, 40.6, 21.4), 3],
    ['a level ellipse', ellipse(47.3, 40.6, 30.2, 18.7), 4],
    ['a turned ellipse', ellipse(47.3, 40.6, 30.2, 18.7, 35), 5],
  ] as const)
    it(`say how the difference from the picture changes with each number of ${name}`, () => {
      const { curves, k, painter } = painted(outline);
      const { points } = curves;
      expect(curves.kinds[k] === SEGMENT_CIRCLE).to.equal(numbers === 3);
      // Off in all of them, so that all have something to say.
      for (let i = 0; i < numbers; i++) points[k * 8 + i]! += i === 4 ? 0.01 : 0.1 + 0.03 * i;
      const cost = painter.compare(true);
      painter.linearize();
      const equations = new RoundEquations();
      equations.take(curves, k, painter.normal, painter.gradient);
      const said = UNKNOWNS.map((at) => equations.gradient[at]!);
      const products = UNKNOWNS.map((at) => equations.normal[at * 9]!);
      expect(cost).to.be.greaterThan(1000);
      for (const i of NUMBERS.slice(0, numbers)) {
        const costAt = (step: number) => {
          points[k * 8 + i]! += step;
          const there = painter.compare(false);
          points[k * 8 + i]! -= step;
          return there;
        };
        const slope = (costAt(STEP) - costAt(-STEP)) / (2 * STEP);
        // The chords of an arc lie a hundredth of a pixel beside what is differentiated.
        expect(-2 * said[i]!, `number ${i}`).to.be.closeTo(slope, 0.02 * Math.abs(slope) + 0.002 * cost);
        expect(products[i]).to.be.greaterThan(0);
      }
    });

  it('have as many unknowns as the shape has numbers beside its center, and none for the angle of a level one', () => {
    for (const [outline, unknowns] of [
      [circle(47.3, 40.6, 21.4), [-1, -1, -1, -1, 7, -1, -1, -1]],
      [ellipse(47.3, 40.6, 30.2, 18.7), [-1, -1, -1, -1, 7, 8, -1, -1]],
      [ellipse(47.3, 40.6, 30.2, 18.7, 35), [-1, -1, -1, -1, 7, 8, 9, -1]],
    ] as const) {
      const { curves, k } = painted(outline);
      const at = new Int32Array(8 * curves.kinds.length).fill(-1);
      const next = numberRound(at, k, curves.kinds[k]!, curves.points[k * 8 + 4]!, 7);
      expect([...at.subarray(8 * k, 8 * k + 8)]).to.deep.equal(unknowns);
      expect(next).to.equal(Math.max(...unknowns) + 1);
    }
  });
});
