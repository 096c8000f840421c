import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { psnrOf } from '#test/support/psnr.js';
import { renderExact } from '#test/support/render-exact.js';

const halfDisk = (radius: number, fill: string) =>
  `<path fill="${fill}" d="M${-radius} .5a${radius} ${radius} 0 01${2 * radius} 0z"/>`;
const EYE = `${halfDisk(1, '#fff')}${halfDisk(0.65, '#7d4533')}${halfDisk(0.4, '#000')}<circle cx="-.25" cy=".2" r=".12" fill="#fff"/>`;
const FACE = `<circle cx="-.45" r=".11" fill="#662113"/><circle cx=".45" r=".11" fill="#662113"/>
  <path fill="#c1694f" d="M-.1.25h.2v.12h-.2z"/><path fill="#df1f32" d="M-.25.5h.5v.15h-.5z"/>`;

/** A picture of 72 px in which a shape that reaches from -1 to 1 lies at some places. */
function pictureOf(shape: string, ground: string, radius: number, places: readonly (readonly [number, number])[]) {
  const all = places.map(([x, y]) => `<g transform="translate(${x} ${y}) scale(${radius})">${shape}</g>`).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 72"><rect width="72" height="72" fill="${ground}"/>${all}</svg>`;
}

describe('faces of a few pixels', () => {
  it('have eyes and a mouth, though no pixel is of their color alone', async () => {
    const places = [
      [20.3, 20.6],
      [52.7, 21.2],
      [22.4, 52.1],
      [53.1, 50.8],
    ] as const;
    const svg = pictureOf(FACE, '#f7dece', 7, places);
    const picture = renderExact(svg, 72);
    const { drawing, svg: drawn } = await vectorize(picture, { fidelity: false });
    const colors = [...shapesOf(drawing.items)].flatMap(({ fill }) => (fill?.kind === 'solid' ? [fill.color] : []));
    const dark = colors.filter((rgb) => rgb >> 16 < 150);
    const red = colors.filter((rgb) => rgb >> 16 > 190 && ((rgb >> 8) & 255) < 120);
    expect([dark.length, red.length]).to.deep.equal([8, 4]);
    // With what 0.28.5 took noses and mouths for it was 35.4.
    expect(psnrOf(svg, drawn, 72 * 8)).to.be.greaterThan(37);
  });

  /** With shards for pupils these were 29.7, 29.9 and 34.8 dB near. */
  it('have eyes of three colors, each a pixel or two wide, with a light in them', async () => {
    for (const [radius, leastDb] of [
      [7, 32.5],
      [8, 32.5],
      [10, 36],
    ] as const) {
      const svg = pictureOf(EYE, '#c68d7b', radius, [
        [18.4, 20.7],
        [52.6, 21.1],
        [21.3, 53.2],
        [53.9, 50.5],
      ]);
      const { svg: drawn } = await vectorize(renderExact(svg, 72), { fidelity: false });
      expect(psnrOf(svg, drawn, 72 * 8), `${radius} px`).to.be.greaterThan(leastDb);
    }
  });
});
