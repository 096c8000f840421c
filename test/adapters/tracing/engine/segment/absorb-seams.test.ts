import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { absorbSeams } from '#adapters/tracing/engine/segment/absorb-seams.js';

const RED = [206, 17, 38, 255] as const;
const BLUE = [0, 40, 104, 255] as const;
const PAPER = [255, 255, 255, 255] as const;

/** Red over blue, each painted over paper, with their common edge so far down in row 10; and what row 10 is made of. */
function flag(edge: number, line?: readonly number[]) {
  const width = 24;
  const height = 20;
  const under = RED.map((v, c) => v * edge + PAPER[c]! * (1 - edge));
  const seam = line ?? BLUE.map((v, c) => Math.round(v * (1 - edge) + under[c]! * edge));
  const colors = [RED, seam, BLUE];
  const labels = new Int32Array(width * height);
  const data = new Uint8ClampedArray(labels.length * 4);
  for (let i = 0; i < labels.length; i++) {
    const y = Math.floor(i / width);
    labels[i] = y < 10 ? 0 : y === 10 ? 1 : 2;
    data.set(colors[labels[i]!]!, i * 4);
  }
  return { pixels: toWorkingPixels({ width, height, data }), labels, channels: Float64Array.from(colors.flat()) };
}

describe('seams that nobody drew', () => {
  it('go to the shape that covers more of them', () => {
    for (const edge of [0.2, 0.4, 0.7, 0.85]) {
      const { pixels, labels, channels } = flag(edge);
      absorbSeams(pixels, labels, channels);
      expect(new Set(labels), `${edge}`).to.deep.equal(new Set([0, 2]));
      expect(labels[10 * 24], `${edge}`).to.equal(edge > 0.5 ? 0 : 2);
    }
  });

  // Of eight rows that a pixel was averaged from the edge runs through one.
  it('go there where nothing is beneath, and little of that shows, as what was drawn larger and reduced has it', () => {
    for (const edge of [0.2, 0.42, 0.7, 0.85]) {
      const rows = Array.from({ length: 8 }, (_, k) => Math.max(0, Math.min(1, 8 * edge - k)));
      const mixed = [0, 1, 2, 3].map((c) => {
        const over = rows.map((share) => BLUE[c]! * (1 - share) + RED[c]! * share * share);
        return Math.round(over.reduce((sum, level) => sum + level, 0) / 8);
      });
      const { pixels, labels, channels } = flag(edge, mixed);
      absorbSeams(pixels, labels, channels);
      expect(new Set(labels), `${edge}`).to.deep.equal(new Set([0, 2]));
      expect(labels[10 * 24], `${edge}`).to.equal(edge > 0.5 ? 0 : 2);
    }
  });

  it('are no lines of another color, however thin', () => {
    for (const line of [
      [0, 0, 0, 255],
      [255, 255, 255, 255],
      [240, 200, 20, 255],
      // Half of either.
      [103, 29, 71, 255],
    ]) {
      const { pixels, labels, channels } = flag(0.4, line);
      const before = labels.slice();
      absorbSeams(pixels, labels, channels);
      expect([...labels]).to.deep.equal([...before]);
    }
  });

  it('are not the pale borders of cards, a little darker than card and page', () => {
    const page = [243, 244, 246, 255] as const;
    const card = [255, 255, 255, 255] as const;
    for (const border of [
      [229, 231, 235, 255],
      [235, 236, 238, 255],
      [226, 228, 232, 255],
    ] as const) {
      const colors = [page, border, card];
      const labels = Int32Array.from({ length: 24 * 20 }, (_, i) => Math.sign(Math.floor(i / 24) - 10) + 1);
      const before = labels.slice();
      const data = Uint8ClampedArray.from([...labels].flatMap((label) => [...colors[label]!]));
      absorbSeams(toWorkingPixels({ width: 24, height: 20, data }), labels, Float64Array.from(colors.flat()));
      expect([...labels], border.join()).to.deep.equal([...before]);
    }
  });

  it('are between the same two colors everywhere: what has that color elsewhere too is drawn', () => {
    const { pixels, labels, channels } = flag(0.4);
    for (let y = 14; y < 18; y++) for (let x = 4; x < 12; x++) labels[y * 24 + x] = 1;
    const before = labels.slice();
    absorbSeams(pixels, labels, channels);
    expect([...labels]).to.deep.equal([...before]);
  });
});
