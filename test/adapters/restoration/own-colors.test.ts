import { expect } from 'chai';
import { flattenAreas } from '#adapters/restoration/flatten-areas.js';
import { CHANNELS, emptyPlanes, type Planes } from '#adapters/restoration/planes.js';
import { refitColors } from '#adapters/restoration/refit-colors.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

/** What `color` gives for each place. */
function planesOf(width: number, height: number, color: (x: number, y: number) => readonly number[]): Planes {
  const planes = emptyPlanes(width, height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < CHANNELS; c++) planes.values[(c * height + y) * width + x] = color(x, y)[c] as number;
  return planes;
}

const colorAt = ({ width, height, values }: Planes, x: number, y: number): number[] =>
  [0, 1, 2].map((c) => values[(c * height + y) * width + x] as number);

const ORANGE = [0.9, 0.5, 0.1] as const;
const BLUE = [0.1, 0.2, 0.6] as const;

describe('Colors after restoring', () => {
  it('are those of the picture again, where the restorer drifted', () => {
    const source = planesOf(24, 24, (x) => (x < 12 ? ORANGE : BLUE));
    const drifted = planesOf(48, 48, (x) => (x < 24 ? [0.86, 0.52, 0.12] : [0.12, 0.19, 0.63]));
    const fitted = refitColors(source, drifted);
    for (const [x, color] of [
      [8, ORANGE],
      [40, BLUE],
    ] as const)
      for (let c = 0; c < CHANNELS; c++) expect(colorAt(fitted, x, 20)[c]).to.be.closeTo(color[c] as number, 1e-3);
  });

  it('are left alone where the picture says nothing of them', () => {
    const source = planesOf(8, 8, () => [0.5, 0.5, 0.5]);
    const random = createSeededRandom(3);
    const restless = planesOf(16, 16, () => [random(), random(), random()]);
    expect(refitColors(source, restless).values).to.deep.equal(restless.values);
  });

  it('are one color in an area that is one, to its edge', () => {
    const random = createSeededRandom(4);
    const uneasy = (value: number) => value + (random() - 0.5) * (5 / 255);
    const planes = planesOf(40, 40, (x) => (x < 20 ? ORANGE : BLUE).map(uneasy));
    const flat = flattenAreas(planes);
    const seen = new Set<string>();
    for (let y = 0; y < 40; y++) for (let x = 0; x < 40; x++) seen.add(colorAt(flat, x, y).join(' '));
    expect(seen.size).to.equal(2);
    for (let c = 0; c < CHANNELS; c++) expect(colorAt(flat, 3, 3)[c]).to.be.closeTo(ORANGE[c] as number, 2 / 255);
  });

  it('are the same in areas that are nearly so, and others where they are not', () => {
    const planes = planesOf(60, 20, (x) => (x < 20 ? [0.5, 0.5, 0.5] : x < 40 ? [0.1, 0.9, 0.1] : [0.51, 0.49, 0.5]));
    const flat = flattenAreas(planes);
    expect(colorAt(flat, 5, 5)).to.deep.equal(colorAt(flat, 55, 5));
    expect(colorAt(flat, 5, 5)).not.to.deep.equal(colorAt(flat, 30, 5));
  });

  it('are black and white where they are all but that', () => {
    const planes = planesOf(40, 20, (x) => (x < 20 ? [0.008, 0.005, 0.01] : [0.99, 0.995, 0.992]));
    const flat = flattenAreas(planes);
    expect(colorAt(flat, 3, 3)).to.deep.equal([0, 0, 0]);
    expect(colorAt(flat, 35, 3)).to.deep.equal([1, 1, 1]);
  });

  it('keep changing where they change', () => {
    const ramp = planesOf(100, 20, (x) => [x / 100, 0.5, 0.5]);
    expect(flattenAreas(ramp).values).to.deep.equal(ramp.values);
  });

  it('stand also where areas are too small to be any', () => {
    const planes = planesOf(3, 3, () => ORANGE);
    expect(flattenAreas(planes).values).to.deep.equal(planes.values);
    const pixel = planesOf(2, 2, () => BLUE);
    expect(
      refitColors(
        planesOf(1, 1, () => BLUE),
        pixel,
      ).values,
    ).to.deep.equal(pixel.values);
  });
});
