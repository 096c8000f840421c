import { readdirSync, readFileSync } from 'node:fs';
import { assert } from 'chai';
import { decodeBmp } from '#adapters/imaging/bmp-decoder.js';
import { type ErrorCode, ServiceError } from '#domain/errors.js';
import { mutateBytes } from '#test/support/mutate-bytes.js';
import { fixturePath } from '#test/support/package-root.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

interface Expected {
  readonly width: number;
  readonly height: number;
  readonly rgba: readonly number[];
  readonly tolerance: number;
}

const MAX_PIXELS = 50_000_000;
const read = (name: string) => new Uint8Array(readFileSync(fixturePath('bmp', name)));
const names = readdirSync(fixturePath('bmp')).sort();
const good = names.filter((name) => name.startsWith('case_'));
const broken = names.filter((name) => name.startsWith('bad_'));
const expected = JSON.parse(readFileSync(fixturePath('bmp', 'expected.json'), 'utf8')) as Record<string, Expected>;

const refusalOf = (bytes: Uint8Array, maxPixels = MAX_PIXELS): ServiceError => {
  try {
    decodeBmp(bytes, maxPixels);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

/** What each broken file must be refused for; the text is a part of the message. */
const REFUSALS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  'bad_bpp_7.bmp': ['UNREADABLE_IMAGE', '7 bits per pixel'],
  'bad_header_only.bmp': ['UNREADABLE_IMAGE', 'cut short'],
  'bad_huge_dims.bmp': ['IMAGE_TOO_LARGE', '60000 x 60000'],
  'bad_jpeg_in_bmp_comp4.bmp': ['UNREADABLE_IMAGE', 'wraps a JPEG'],
  'bad_neg_width.bmp': ['UNREADABLE_IMAGE', 'width is -13'],
  'bad_not_bmp.bmp': ['UNSUPPORTED_IMAGE', 'not a JPG'],
  'bad_offset_beyond.bmp': ['UNREADABLE_IMAGE', 'after the end of the file'],
  'bad_rle_overrun.bmp': ['UNREADABLE_IMAGE', 'a row that has 13'],
  'bad_rle_truncated.bmp': ['UNREADABLE_IMAGE', 'end inside a run'],
  'bad_truncated_half.bmp': ['UNREADABLE_IMAGE', 'need 279 bytes and 113 are there'],
  'bad_zero_width.bmp': ['UNREADABLE_IMAGE', 'width is 0'],
};

/** A whole file from an info header's fields and what follows it. */
const bmp = (fields: {
  width: number;
  height: number;
  bitsPerPixel: number;
  compression?: number;
  masks?: number[];
  palette?: number[];
  pixels: number[];
}): Uint8Array => {
  const { width, height, bitsPerPixel, compression = 0, masks = [], palette = [], pixels } = fields;
  const offset = 54 + masks.length * 4 + palette.length * 4;
  const bytes = new Uint8Array(offset + pixels.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(10, offset, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, bitsPerPixel, true);
  view.setUint32(30, compression, true);
  view.setUint32(46, palette.length, true);
  for (const [i, value] of [...masks, ...palette].entries()) view.setUint32(54 + i * 4, value, true);
  bytes.set(pixels, offset);
  return bytes;
};

const BLACK_WHITE = [0x000000, 0xffffff];

describe('BMP decoder', () => {
  it('has all of its fixtures', () => {
    assert.lengthOf(good, 29);
    assert.lengthOf(broken, 11);
    assert.sameMembers(Object.keys(expected), good);
    assert.sameMembers(Object.keys(REFUSALS), broken);
  });

  for (const name of good) {
    it(`decodes ${name}`, () => {
      const want = expected[name] as Expected;
      const { format, width, height, data } = decodeBmp(read(name), MAX_PIXELS);
      assert.deepEqual({ format, width, height }, { format: 'bmp', width: want.width, height: want.height });
      assert.lengthOf(data, want.rgba.length);
      if (want.tolerance === 0) assert.deepEqual([...data], want.rgba);
      const worst = Math.max(...want.rgba.map((value, i) => Math.abs(value - (data[i] as number))));
      assert.isAtMost(worst, want.tolerance);
    });
  }

  for (const name of broken) {
    it(`refuses ${name}`, () => {
      const [code, text] = REFUSALS[name] as readonly [ErrorCode, string];
      const refusal = refusalOf(read(name));
      assert.equal(refusal.code, code);
      assert.include(refusal.message, text);
    });
  }

  it('tells the size from the header alone, before anything is allocated', () => {
    const header = read('bad_huge_dims.bmp').slice(0, 54);
    assert.equal(refusalOf(header).code, 'IMAGE_TOO_LARGE');
    new DataView(header.buffer).setInt32(18, 2 ** 31 - 1, true);
    new DataView(header.buffer).setInt32(22, -(2 ** 31), true);
    assert.include(refusalOf(header).message, '2147483647 x 2147483648');
  });

  it('takes a picture of exactly the limit and no pixel more', () => {
    assert.equal(decodeBmp(read('case_24.bmp'), 91).width, 13);
    assert.equal(refusalOf(read('case_24.bmp'), 90).code, 'IMAGE_TOO_LARGE');
  });

  it('reads a file whose last row lacks its padding', () => {
    const bytes = read('case_24.bmp');
    assert.deepEqual(decodeBmp(bytes.slice(0, -1), MAX_PIXELS), decodeBmp(bytes, MAX_PIXELS));
    assert.include(refusalOf(bytes.slice(0, -2)).message, 'cut short');
  });

  it('shows a picture whose declared alpha is nowhere set as opaque', () => {
    const bytes = read('case_32_V4_alpha.bmp');
    for (let at = 122 + 3; at < bytes.length; at += 4) bytes[at] = 0;
    const { data } = decodeBmp(bytes, MAX_PIXELS);
    assert.isTrue(data.every((value, i) => i % 4 !== 3 || value === 255));
  });

  it('scales channels of any width to the full range', () => {
    const tenBits = { masks: [0x3ff00000, 0xffc00, 0x3ff], compression: 3, bitsPerPixel: 32, width: 2, height: 1 };
    const { data } = decodeBmp(
      bmp({ ...tenBits, pixels: [0xff, 0xff, 0xff, 0x3f, 0x00, 0x00, 0x08, 0x00] }),
      MAX_PIXELS,
    );
    assert.deepEqual([...data], [255, 255, 255, 255, 0, 128, 0, 255]);
  });

  it('refuses masks with a gap, that overlap, or without any colour', () => {
    const masked = (masks: number[]) =>
      refusalOf(bmp({ width: 1, height: 1, bitsPerPixel: 32, compression: 3, masks, pixels: [0, 0, 0, 0] })).message;
    assert.include(masked([0xf0f, 0xf0000, 0xf00000]), 'gap');
    assert.include(masked([0xff, 0x1fe, 0xff0000]), 'overlap');
    assert.include(masked([0, 0, 0]), 'none');
  });

  it('refuses a pixel whose colour the palette does not have, and says which', () => {
    const bytes = bmp({ width: 2, height: 1, bitsPerPixel: 8, palette: BLACK_WHITE, pixels: [1, 2, 0, 0] });
    assert.include(refusalOf(bytes).message, 'the pixel at 1, 0 has colour 2, and the palette ends at 1');
  });

  it('needs no end mark after the last pixel of run-length data', () => {
    const run = (pixels: number[]) =>
      bmp({ width: 2, height: 2, bitsPerPixel: 8, compression: 1, palette: BLACK_WHITE, pixels });
    assert.deepEqual(
      decodeBmp(run([2, 1, 0, 0, 2, 1]), MAX_PIXELS),
      decodeBmp(run([2, 1, 0, 0, 2, 1, 0, 1]), MAX_PIXELS),
    );
    assert.include(refusalOf(run([2, 1, 0, 0, 1, 1])).message, 'cut short');
    assert.include(refusalOf(run([2, 1, 0, 0, 2, 1, 0, 0, 1, 1])).message, 'go on after the last');
    assert.include(refusalOf(run([0, 2, 0, 9, 1, 1])).message, 'outside the picture');
  });

  it('answers any bytes with pixels or a ServiceError', () => {
    const sources = names.filter((name) => name.endsWith('.bmp')).map(read);
    const random = createSeededRandom(20_261);
    let decoded = 0;
    const refusals = new Map<string, number>();
    for (let round = 0; round < 500; round++) {
      for (const source of sources) {
        const mutated = mutateBytes(source, random);
        try {
          const { width, height, data } = decodeBmp(mutated, 10_000);
          assert.equal(data.length, width * height * 4);
          decoded++;
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          refusals.set(error.code, (refusals.get(error.code) ?? 0) + 1);
        }
      }
    }
    assert.equal(
      [...refusals.values()].reduce((sum, n) => sum + n, decoded),
      500 * 40,
    );
    assert.isAbove(decoded, 1_000);
    assert.sameMembers([...refusals.keys()], ['UNREADABLE_IMAGE', 'IMAGE_TOO_LARGE', 'UNSUPPORTED_IMAGE']);
  });
});
