import { expect } from 'chai';
import fc from 'fast-check';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { partTwins } from '#adapters/tracing/engine/segment/part-twins.js';
import { pixelwise } from '#test/support/pictures.js';
import { holds } from '#test/support/properties.js';

const SIDE = 40;
const WHITE = [255, 255, 255, 255];
const CARD = [244, 242, 237, 255];
const BLUE = [20, 60, 160, 255];
/** One for white and card, and blue; the former is two. */
const CHANNELS = Float64Array.from([246, 245, 241, 255, ...BLUE]);
const PARTS = new Map([[0, Float64Array.from([...CARD, ...WHITE])]]);
const [CARD_LABEL, BLUE_LABEL, WHITE_LABEL] = [0, 1, 2];

/** Labels of a picture by what is blue, and with its twins parted. */
function parted(colorAt: (x: number, y: number) => readonly number[]) {
  const picture = pixelwise(SIDE, SIDE, (x, y) => colorAt(x, y) as [number, number, number, number]);
  const labels = Int32Array.from({ length: SIDE * SIDE }, (_, i) =>
    colorAt(i % SIDE, Math.floor(i / SIDE)) === BLUE ? BLUE_LABEL : CARD_LABEL,
  );
  const channels = partTwins(toWorkingPixels(picture), labels, CHANNELS, PARTS);
  return { labels, channels, at: (x: number, y: number) => labels[y * SIDE + x]! };
}

/** Whether the area that a pixel is of has one all of whose neighbors within three px, if they are of the picture, are of it, too. */
function coresOf(at: (x: number, y: number) => number): (x: number, y: number) => boolean {
  const area = new Int32Array(SIDE * SIDE).fill(-1);
  const cores: boolean[] = [];
  const neighbors = (x: number, y: number, reach: number) => {
    const found: [number, number][] = [];
    for (let v = Math.max(0, y - reach); v <= Math.min(SIDE - 1, y + reach); v++)
      for (let u = Math.max(0, x - reach); u <= Math.min(SIDE - 1, x + reach); u++) found.push([u, v]);
    return found;
  };
  for (let i = 0; i < area.length; i++) {
    if (area[i]! >= 0) continue;
    const open = [i];
    area[i] = cores.push(false) - 1;
    for (const k of open) {
      const [x, y] = [k % SIDE, Math.floor(k / SIDE)];
      for (const [u, v] of neighbors(x, y, 1)) {
        if ((u !== x && v !== y) || area[v * SIDE + u]! >= 0 || at(u, v) !== at(x, y)) continue;
        area[v * SIDE + u] = area[i]!;
        open.push(v * SIDE + u);
      }
    }
  }
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++)
      if (neighbors(x, y, 3).every(([u, v]) => area[v * SIDE + u] === area[y * SIDE + x]))
        cores[area[y * SIDE + x]!] = true;
  return (x, y) => cores[area[y * SIDE + x]!]!;
}

describe('areas of colors that are hardly apart', () => {
  it('are of the nearest inside, and of what is next to it beside other colors', () => {
    // Left of the middle white, right of it card, a blue bar across, and darker than the card beside it.
    const beside = [225, 224, 220, 255];
    const { channels, at } = parted((x, y) =>
      y > 17 && y < 22 ? BLUE : y === 17 || y === 22 ? beside : x < 20 ? WHITE : CARD,
    );
    expect([...channels]).to.deep.equal([...CARD, ...BLUE, ...WHITE]);
    for (const y of [3, 17, 22, 36]) {
      expect(at(5, y), `left, row ${y}`).to.equal(WHITE_LABEL);
      expect(at(35, y), `right, row ${y}`).to.equal(CARD_LABEL);
    }
    expect(at(5, 20)).to.equal(BLUE_LABEL);
  });

  it('have no ripples: what is too narrow becomes as what is around it, but not what has a core', () => {
    const { at } = parted((x, y) => {
      if (x >= 3 && x < 9 && y > 2 && y < 30) return WHITE;
      return x >= 14 && x < 26 && y > 10 && y < 26 ? WHITE : CARD;
    });
    expect(at(5, 12), 'six px wide').to.equal(CARD_LABEL);
    expect(at(20, 18), 'twelve px wide').to.equal(WHITE_LABEL);
    expect(at(14, 11), 'a corner of that').to.equal(WHITE_LABEL);
  });

  it('are of what most of them is where nothing is sure', () => {
    // Letters five px wide on blue, most of whose pixels are nearer to white.
    const { at } = parted((x, y) => (x % 10 >= 5 ? BLUE : y % 4 === 0 ? CARD : WHITE));
    for (const [x, y] of [
      [2, 4],
      [2, 5],
      [12, 8],
      [32, 37],
    ] as const)
      expect(at(x, y), `${x}, ${y}`).to.equal(WHITE_LABEL);
  });

  it('meet only where both have a core, and nothing else is parted, whatever the picture', () => {
    let met = 0;
    const property = fc.property(
      fc.constantFrom(3, 5, 10),
      fc.array(fc.nat(2), { minLength: 200, maxLength: 200 }),
      (cell, cells) => {
        const colors = [WHITE, CARD, BLUE] as const;
        const colorAt = (x: number, y: number) => colors[cells[Math.floor(y / cell) * 14 + Math.floor(x / cell)]!]!;
        const { at } = parted(colorAt);
        const hasCore = coresOf(at);
        for (let y = 0; y < SIDE; y++) {
          for (let x = 0; x < SIDE; x++) {
            expect(at(x, y) === BLUE_LABEL, `${x}, ${y}`).to.equal(colorAt(x, y) === BLUE);
            for (const [u, v] of [
              [x + 1, y],
              [x, y + 1],
            ] as const) {
              if (u >= SIDE || v >= SIDE || at(x, y) === at(u, v) || at(x, y) === BLUE_LABEL || at(u, v) === BLUE_LABEL)
                continue;
              met++;
              expect(hasCore(x, y) && hasCore(u, v), `${x}, ${y} and ${u}, ${v}`).to.equal(true);
            }
          }
        }
      },
    );
    holds(property, 100);
    expect(met).to.be.above(100);
  });
});
