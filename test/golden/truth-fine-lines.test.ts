import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import { bar, type Contour, circle, rectangle } from '#test/support/outlines.js';
import { type Layer, layer, paint } from '#test/support/pictures.js';
import { difference, render } from './render.js';

const ZOOM = 4;
const SIDE = 160;
const RED = 0xe00025;
const INK = 0x000000;
const BROWN = 0x85340a;
const GOLD = 0xf6b40e;

const scaled = (layers: readonly Layer[], scale: number): readonly Layer[] =>
  layers.map((one) => ({ ...one, outline: one.outline.map((contour) => contour.map((value) => value * scale)) }));

/** What is drawn, in red, green and blue, and how far the drawing enlarged is from what the picture was painted of. */
async function drawn(layers: readonly Layer[]) {
  const { svg, colorPalette } = await vectorize(paint(SIDE, SIDE, 0xffffff, layers), { fidelity: false });
  const truth = paint(SIDE * ZOOM, SIDE * ZOOM, 0xffffff, scaled(layers, ZOOM));
  return { colors: colorPalette.map((color) => color.rgb), off: difference(render(svg, ZOOM), truth).mean };
}

/** Upright and level lines, less than a pixel wide, at places within a pixel that come around again. */
function lattice(width: number): readonly Layer[] {
  const lines: Layer[] = [];
  for (let k = 0; k < 9; k++) {
    const side = 36 + 9 * k + (k % 4) / 4 - width / 2;
    lines.push(layer(INK, rectangle(side, 30, width, 100)), layer(INK, rectangle(30, side, 100, width)));
  }
  return lines;
}

/** Golden rays with brown sides, which meet around a golden disk. */
function sun(rays: number, width: number): readonly Layer[] {
  const middle = SIDE / 2;
  const all = (color: number, half: number): Layer => {
    const bars: Contour[] = [];
    for (let k = 0; k < rays; k++) {
      const angle = (2 * Math.PI * (k + 0.3)) / rays;
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
      bars.push(bar(middle, middle, middle + 55 * dx, middle + 55 * dy, 2 * half));
    }
    return layer(color, ...bars);
  };
  return [
    all(BROWN, width / 2 + 0.9),
    all(GOLD, width / 2),
    layer(BROWN, circle(middle, middle, 25.5)),
    layer(GOLD, circle(middle, middle, 24.5)),
  ];
}

describe('lines finer than a pixel, close together', () => {
  for (const width of [0.9, 0.95, 0.97])
    it(`are of one color, however those of ${width} px lie in rows and columns`, async () => {
      const ground = [layer(RED, circle(80, 80, 75)), layer(0xffffff, rectangle(30, 30, 100, 100))];
      const { colors, off } = await drawn([...ground, ...lattice(width)]);
      expect(colors.slice(0, 2)).to.deep.equal([
        [255, 255, 255],
        [224, 0, 37],
      ]);
      expect(colors).to.have.lengthOf(3);
      expect(Math.max(...colors[2]!), 'of the lines').to.be.below(16);
      expect(off).to.be.below(1);
    });

  for (const rays of [36, 38, 40, 42, 44])
    it(`leave no color of their own where the ground between ${rays} rays is nowhere pure`, async () => {
      const { colors, off } = await drawn(sun(rays, 2.4));
      expect(colors.slice(0, 2)).to.deep.equal([
        [255, 255, 255],
        [246, 180, 14],
      ]);
      expect(colors).to.have.lengthOf(3);
      expect(off).to.be.below(1.6);
    });
});

describe('dots of letters', () => {
  it('are drawn where a single pixel is mostly theirs, and dust is not', async () => {
    const dots = Array.from({ length: 12 }, (_, k) => rectangle(20.3 + 10 * k, 60.2, 1.3, 1.2));
    const stems = Array.from({ length: 12 }, (_, k) => rectangle(20.3 + 10 * k, 63, 1.3, 7));
    const dust = Array.from({ length: 12 }, (_, k) => rectangle(20 + 10 * k, 60, 1, 1));
    const large = (color: number, ...outline: readonly Contour[]) =>
      paint(180, 170, 0xffffff, [layer(color, ...outline)]);
    const count = async (color: number, ...outline: readonly Contour[]) =>
      (await vectorize(large(color, ...outline), { fidelity: false })).traceStats.shapes;
    for (const color of [INK, 0x64748b, 0x999999]) expect(await count(color, ...dots, ...stems)).to.equal(25);
    expect(await count(INK, ...dust)).to.equal(1);
  });
});

describe('a seam of two px between two colors that it could be mixed of', () => {
  for (const [name, outside, seam, inside] of [
    ['gray between black and white', 0xffffff, 0x66757f, 0x292f33],
    ['brown between skin and hair', 0xf3d2a2, 0xc1987a, 0x8f5e52],
  ] as const)
    it(`is drawn as ${name}`, async () => {
      const { colors, off } = await drawn([
        layer(outside, rectangle(10, 10, 140, 140)),
        layer(seam, circle(80, 80, 40), circle(45, 125, 14)),
        layer(inside, circle(80, 80, 38), circle(45, 125, 12)),
      ]);
      const wanted = [(seam >> 16) & 255, (seam >> 8) & 255, seam & 255];
      expect(colors).to.deep.include(wanted);
      expect(off).to.be.below(0.2);
    });
});
