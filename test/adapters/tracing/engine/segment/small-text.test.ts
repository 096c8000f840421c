import { expect } from 'chai';
import { trace } from '#adapters/tracing/engine/trace.js';
import type { Raster } from '#application/ports/tracer.js';
import { vectorize } from '#config/main/library.js';
import { differenceOf, referencePicture } from '#test/support/compare-pictures.js';
import { ENGINE } from '#test/support/engine-parts.js';
import { type Contour, ellipse, rectangle, reversed } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';

const [WIDTH, HEIGHT] = [240, 100];

/** A small t, n, o or e of strokes that are `pen` px wide, `size` px high, with its top left corner at (x, y). */
function letter(kind: number, x: number, y: number, size: number, pen: number): readonly Contour[] {
  const bar = (left: number, top: number, width: number, height: number) => rectangle(x + left, y + top, width, height);
  const [wide, top, high] = [size * 0.6, size / 4, size * 0.75];
  if (kind === 0)
    return [
      bar(wide / 3, 0, pen, size),
      bar(0, top, wide / 3, pen),
      bar(wide / 3 + pen, top, (wide * 2) / 3 - pen, pen),
    ];
  if (kind === 1)
    return [bar(0, top, pen, high), bar(pen, top, wide - 2 * pen, pen), bar(wide - pen, top + pen, pen, high - pen)];
  const bowl = (inset: number) => ellipse(x + wide / 2, y + top + high / 2, wide / 2 - inset, high / 2 - inset);
  const round = [bowl(0), reversed(bowl(pen))];
  return kind === 2 ? round : [...round, bar(pen, top + high / 2 - pen / 2, wide - 2 * pen, pen)];
}

/** Lines of text, whose letters stand anywhere, and all lines at the same place of their rows. */
function page(size: number, pen: number, ink: number, paper: number): Raster {
  const outlines: Contour[] = [];
  const [lines, letters] = [
    Math.floor((HEIGHT - 10) / Math.round(size * 1.4)),
    Math.floor((WIDTH - 12) / (size * 0.83)),
  ];
  for (let line = 0; line < lines; line++)
    for (let k = 0; k < letters; k++)
      outlines.push(
        ...letter(
          (k * 7 + line * 3 + (k >> 2)) % 4,
          5.3 + k * size * 0.83,
          5.45 + line * Math.round(size * 1.4),
          size,
          pen,
        ),
      );
  return paint(WIDTH, HEIGHT, paper, [layer(ink, ...outlines)]);
}

/** Four letters in a row, so many px high; `k` tells which and where within their pixels. */
const word = (k: number, x: number, y: number, size: number, pen: number) =>
  [0, 1, 2, 3].flatMap((n) => letter((k + n) % 4, x + ((k * 5) % 8) / 8 + n * size * 0.78, y, size, pen));

/** Lines of words, every other one of a second ink, and lines between these; `scale` times as large. */
function words(size: number, inks: readonly [number, number], rule: number, scale = 1): Raster {
  const [step, wide] = [Math.round(size * 1.6), size * 4];
  const layers = [0, 1].map((ink) => {
    const some: Contour[] = [];
    for (let line = 0; line * step + size < HEIGHT - 8; line++)
      for (let k = 0; 8 + (k + 1) * wide < WIDTH; k++)
        if ((k + line) % 2 === ink) some.push(...word(3 * line + k, 8 + k * wide, 7 + line * step, size, 1.2));
    return layer(inks[ink]!, ...some.map((contour) => contour.map((value) => value * scale)));
  });
  const rules: Contour[] = [];
  for (let y = 4, k = 0; y < HEIGHT; y += step, k += 3)
    rules.push(rectangle(0, y + (k % 8) / 8, WIDTH, 1.5).map((value) => value * scale));
  return paint(WIDTH * scale, HEIGHT * scale, 0xffffff, rule < 0 ? layers : [layer(rule, ...rules), ...layers]);
}

const rgbOf = ({ width, height, data }: Raster) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, k) => data[Math.floor(k / 3) * 4 + (k % 3)]!),
});

const colorsOf = (svg: string) => new Set([...svg.matchAll(/#[0-9a-f]{3,6}\b/g)].map(([color]) => color));

describe('pages of small text', () => {
  it('have the color of their ink, where it is gray, and not black', async () => {
    for (const pen of [1.12, 1.3]) {
      const { svg } = await vectorize(page(11, pen, 0x333333, 0xfafafa), { fidelity: false });
      expect([...colorsOf(svg)], `${pen} px`).to.have.members(['#fafafa', '#333']);
    }
  });
  it('have one color of ink, though strokes of all lines leave the same mixture', async () => {
    const { svg } = await vectorize(page(12, 1.05, 0x2962ff, 0xfff8e1), { fidelity: false });
    const colors = colorsOf(svg);
    expect(colors).to.have.lengthOf(2);
    const [ink] = [...colors].filter((color) => color !== '#fff8e1');
    for (const [at, level] of [0x29, 0x62, 0xff].entries())
      expect(Number.parseInt((ink as string).slice(1 + at * 2, 3 + at * 2), 16), ink).to.be.closeTo(level, 8);
  });

  /** With how far the drawing may be off, levels on average: before words had an ink each it was 4.6, 3.2 and 3.3. */
  for (const [size, inks, rule, most] of [
    [11, [0x222222, 0x888888], -1, 0.6],
    [11, [0x333333, 0x333333], 0x777777, 1.6],
    [13, [0x222222, 0x222222], 0x999999, 1.6],
  ] as const) {
    const names = [...inks, rule].filter((color) => color >= 0).map((color) => `#${color.toString(16)}`);
    it(`have one ink a word, of ${size} px in ${[...new Set(names)].join(', ')}`, () => {
      const { drawing } = trace(words(size, inks, rule), ENGINE, () => {});
      const { mean } = differenceOf(referencePicture(drawing, 4), rgbOf(words(size, inks, rule, 4)));
      expect(mean).to.be.at.most(most);
    });
  }
});
