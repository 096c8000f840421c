import { expect } from 'chai';
import sharp from 'sharp';
import { withChromaDetail } from '#adapters/tracing/engine/intake/chroma-detail.js';
import { type ChromaSampling, findChromaSampling } from '#adapters/tracing/engine/intake/chroma-sampling.js';
import { toWorkingPixels } from '#adapters/tracing/engine/intake/working-pixels.js';
import type { Raster } from '#application/ports/tracer.js';
import { circle, rectangle, star, turned } from '#test/support/outlines.js';
import { layer, noise, paint } from '#test/support/pictures.js';

const [WIDTH, HEIGHT] = [150, 124];
const layers = [
  layer(0x1d6fa5, circle(48.3, 52.6, 40.2)),
  layer(0xf4c430, circle(48.3, 52.6, 17.4)),
  layer(0xc8364a, turned(rectangle(84, 16, 52, 40), 17, 110, 36)),
  layer(0x2a9d6f, star(112.7, 88.2, 28, 13, 5)),
];
const clean = paint(WIDTH, HEIGHT, 0xefe6d8, layers);
const grays = paint(WIDTH, HEIGHT, 0xe6e6e6, [layer(0x303030, circle(48.3, 52.6, 40.2))]);
const samplingOf = (picture: Raster) => findChromaSampling(toWorkingPixels(picture));

async function decode(file: Buffer): Promise<Raster> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

const fileOf = ({ width, height, data }: Raster) => sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
const asJpeg = async (picture: Raster, quality: number, chromaSubsampling = '4:2:0') =>
  decode(await fileOf(picture).jpeg({ quality, chromaSubsampling }).toBuffer());

/** dB between the bytes of two pictures, opacity aside. */
function decibels(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return 10 * Math.log10((255 * 255 * a.length * 0.75) / sum);
}

/** Without the first so many columns and rows. */
function cropped({ width, height, data }: Raster, left: number, top: number): Raster {
  const own = new Uint8Array((width - left) * (height - top) * 4);
  for (let y = top; y < height; y++)
    own.set(data.subarray((y * width + left) * 4, (y + 1) * width * 4), (y - top) * (width - left) * 4);
  return { width: width - left, height: height - top, data: own };
}

/** The picture with the mean color of each pair, along rows and down columns or along rows alone, as plain decoders of 4:2:0 and 4:2:2 leave it. */
function withPlainPairs({ width, height, data }: Raster, halvesColumns: boolean): Raster {
  const own = Uint8Array.from(data);
  const luma = (at: number) => 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const rows = halvesColumns ? [y & ~1, y | 1] : [y];
      const pair = rows.flatMap((row) => [x & ~1, x | 1].map((column) => (row * width + column) * 4));
      for (let c = 0; c < 3; c++) {
        const color = pair.reduce((sum, from) => sum + data[from + c]! - luma(from), 0) / pair.length;
        own[at + c] = Math.max(0, Math.min(255, Math.round(color + luma(at))));
      }
    }
  }
  return { width, height, data: own };
}

describe('pictures with half the colors', () => {
  it('are told from compressed ones, whatever of them was cut off since, and of JPEG and WEBP alike', async () => {
    const smooth = (first: 0 | 1) => ({ first, smooth: true });
    for (const quality of [50, 75, 95]) {
      const picture = await asJpeg(clean, quality);
      for (const [left, top] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [3, 5],
      ] as const) {
        const expected: ChromaSampling = { along: smooth(left % 2 === 0 ? 0 : 1), down: smooth(top % 2 === 0 ? 0 : 1) };
        expect(samplingOf(cropped(picture, left, top)), `${quality} ${left} ${top}`).to.deep.equal(expected);
      }
    }
    const webp = await decode(await fileOf(clean).webp({ quality: 80 }).toBuffer());
    expect(samplingOf(webp)).to.deep.equal({ along: smooth(0), down: smooth(0) });
  });

  it('are told where decoders put no pixel between two samples, and where only rows have half', () => {
    const plain = { first: 0, smooth: false };
    expect(samplingOf(withPlainPairs(clean, true))).to.deep.equal({ along: plain, down: plain });
    expect(samplingOf(withPlainPairs(clean, false))).to.deep.equal({ along: plain, down: undefined });
  });

  it('are none of those that have all of them, clean or compressed, gray, noisy or seen through', async () => {
    const seenThrough = paint(WIDTH, HEIGHT, null, layers);
    const pictures = [clean, grays, seenThrough, noise(WIDTH, HEIGHT, 7), await asJpeg(grays, 80)];
    for (const quality of [50, 75, 95]) pictures.push(await asJpeg(clean, quality, '4:4:4'));
    for (const picture of pictures) expect(samplingOf(picture)).to.equal(undefined);
  });

  it('get those of their lightness, which stays', async () => {
    for (const [quality, gainDb] of [
      [60, 1.5],
      [85, 2.5],
      [95, 4],
    ] as const) {
      for (const left of [0, 1]) {
        const picture = cropped(await asJpeg(clean, quality), left, 0);
        const pixels = toWorkingPixels(picture);
        const full = withChromaDetail(pixels, findChromaSampling(pixels)!);
        const truth = cropped(clean, left, 0);
        expect(decibels(full.data, truth.data) - decibels(picture.data, truth.data), `${quality}`).to.be.above(gainDb);
        for (let at = 0; at < full.data.length; at += 4) {
          const luma = (data: ArrayLike<number>) => 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
          const isCutOff = [0, 1, 2].some((c) => full.data[at + c] === 0 || full.data[at + c] === 255);
          if (!isCutOff) expect(Math.abs(luma(full.data) - luma(picture.data))).to.be.below(0.6);
        }
      }
    }
  });

  it('get them in parts that do not show', async () => {
    // Some 330 rows are looked at at once.
    const picture = await asJpeg(
      paint(400, 720, 0xefe6d8, [
        layer(0x1d6fa5, star(200.3, 330.6, 190, 80, 23)),
        layer(0xc8364a, turned(rectangle(84, 260, 222, 140), 17, 110, 336)),
      ]),
      80,
    );
    for (const [left, top] of [
      [0, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const whole = cropped(picture, left, top);
      const sampling = findChromaSampling(toWorkingPixels(whole))!;
      const { data } = withChromaDetail(toWorkingPixels(whole), sampling);
      // By as many rows as there are pairs: the same pixels share samples.
      const part = { ...cropped(whole, 0, 200), height: 240 };
      const own = { ...part, data: part.data.subarray(0, 240 * part.width * 4) };
      const ofPart = withChromaDetail(toWorkingPixels(own), sampling).data;
      const rowBytes = whole.width * 4;
      let restored = 0;
      for (let y = 20; y < 220; y++) {
        const row = data.subarray((200 + y) * rowBytes, (201 + y) * rowBytes);
        expect(row, `row ${200 + y}`).to.deep.equal(ofPart.subarray(y * rowBytes, (y + 1) * rowBytes));
        if (row.some((level, i) => level !== own.data[y * rowBytes + i])) restored++;
      }
      expect(restored).to.be.above(150);
    }
  });
});
