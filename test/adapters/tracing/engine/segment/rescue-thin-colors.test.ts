import { expect } from 'chai';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import { rescueThinColors } from '#adapters/tracing/engine/segment/rescue-thin-colors.js';
import { PATHOLOGICAL } from '#test/support/pathological-pictures.js';

const SIDE = 360;
const GROUND = Float64Array.of(0xf8, 0xf8, 0xf8, 255);

/** What is found where the ground's color alone is known, and how often a channel of a pixel was read. */
function rescued(paint: (pixels: Uint32Array) => void) {
  const picture = PATHOLOGICAL['lone pixels']!(SIDE);
  paint(new Uint32Array(picture.data.buffer));
  const pixels = toWorkingPixels(picture);
  let reads = 0;
  const rgba = new Proxy(pixels.rgba, {
    get(target, key) {
      reads++;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const ground = pixels.words[0]!;
  const mixed = Int32Array.from([...pixels.words.keys()].filter((i) => pixels.words[i] !== ground));
  const flat = {
    labels: new Int32Array(pixels.words.length),
    mixed,
    errors: new Float64Array(mixed.length).fill(255 * 255 * 3),
  };
  const limits = { unexplained: 28, leastPixels: 4, same: 16, mostShare: 0.25 };
  const { channels } = rescueThinColors({ ...pixels, rgba }, GROUND, flat, limits);
  return { colors: [...channels.subarray(4)], reads, open: mixed.length };
}

describe('colors of what is too thin for an even interior', () => {
  it('are not looked for once more for each of many pixels that touch no other', () => {
    const { colors, reads, open } = rescued(() => {});
    expect(open).to.equal((SIDE / 8) ** 2);
    expect(colors).to.deep.equal([]);
    expect(reads / open).to.be.below(600);
  });

  it('are found among such pixels all the same', () => {
    // A line of a pixel in red, which is nearer to the ground than those are.
    const { colors, reads, open } = rescued((pixels) => {
      for (let x = 100; x < 200; x++) pixels[202 * SIDE + x] = 0xff2030e0;
    });
    expect(open).to.equal((SIDE / 8) ** 2 + 100);
    expect(colors).to.deep.equal([0xe0, 0x30, 0x20, 255]);
    expect(reads / open).to.be.below(2500);
  });
});
