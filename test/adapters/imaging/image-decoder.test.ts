import { assert } from 'chai';
import sharp from 'sharp';
import { createImageDecoder } from '#adapters/imaging/image-decoder.js';
import type { DecodedImage } from '#application/ports/image-decoder.js';
import { ServiceError } from '#domain/errors.js';
import { describeImageDecoder, refusalOf } from '#test/contracts/image-decoder.js';
import { mutateBytes } from '#test/support/mutate-bytes.js';
import { createSeededRandom } from '#test/support/seeded-random.js';
import { writeBmp } from '#test/support/write-bmp.js';
import { writePng } from '#test/support/write-png.js';

describeImageDecoder('The decoder of five kinds', () => createImageDecoder());

const decoder = createImageDecoder();

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const paint = (width: number, height: number, colorAt: (x: number, y: number) => readonly number[]): Picture => {
  const data = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) data.set(colorAt(i % width, Math.floor(i / width)), i * 4);
  return { width, height, data };
};

const encoderOf = ({ width, height, data }: Picture) => sharp(data, { raw: { width, height, channels: 4 } });
const pixelAt = ({ width, data }: Picture | DecodedImage, x: number, y: number) => [
  ...data.slice((y * width + x) * 4, (y * width + x) * 4 + 4),
];
const isNear = (actual: readonly number[], wanted: readonly number[], tolerance: number, what = '') =>
  assert.isTrue(
    actual.length === wanted.length && actual.every((value, i) => Math.abs(value - (wanted[i] ?? 0)) <= tolerance),
    `${what} ${actual} is not within ${tolerance} of ${wanted}`,
  );
const meanDifference = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] as number) - (b[i] as number));
  return sum / a.length;
};

const RED = [230, 30, 40, 255];
const GREEN = [20, 180, 60, 255];
const BLUE = [40, 70, 220, 255];
const GREY = [128, 128, 128, 255];
/** One colour per quarter, so that every turn and flip differs. */
const quarters = (width: number, height: number) =>
  paint(width, height, (x, y) => (y < height / 2 ? (x < width / 2 ? RED : GREEN) : x < width / 2 ? BLUE : GREY));
/** Smooth, with alpha from 55 to 255. */
const soft = paint(64, 48, (x, y) => [x * 4, y * 5, 255 - x * 2 - y, 55 + x * 3 + Math.floor(y / 5)]);

const encodings: Readonly<Record<string, (picture: Picture) => Promise<Uint8Array>>> = {
  jpeg: (picture) => encoderOf(picture).removeAlpha().jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer(),
  png: (picture) => encoderOf(picture).png().toBuffer(),
  webp: (picture) => encoderOf(picture).webp({ lossless: true, exact: true }).toBuffer(),
  avif: (picture) => encoderOf(picture).avif({ quality: 90, effort: 1, chromaSubsampling: '4:4:4' }).toBuffer(),
  bmp: async ({ width, height, data }) => writeBmp(width, height, data),
};

const encoded = (kind: string, picture: Picture) => (encodings[kind] as (p: Picture) => Promise<Uint8Array>)(picture);

describe('Image decoder: one picture in five kinds', () => {
  const opaque = paint(64, 48, (x, y) => [x * 4, y * 5, 255 - x * 2 - y, 255]);

  for (const kind of Object.keys(encodings)) {
    it(`gives the same pixels from ${kind}, up to its compression`, async () => {
      const decoded = await decoder.decode(await encoded(kind, opaque));
      assert.deepEqual([decoded.format, decoded.width, decoded.height], [kind, 64, 48]);
      assert.lengthOf(decoded.data, opaque.data.length);
      if (kind === 'jpeg' || kind === 'avif') assert.isBelow(meanDifference(decoded.data, opaque.data), 1.5);
      else assert.deepEqual([...decoded.data], [...opaque.data]);
    });

    if (kind === 'jpeg') continue;
    it(`keeps alpha from ${kind}, colours not multiplied by it`, async () => {
      const decoded = await decoder.decode(await encoded(kind, soft));
      if (kind === 'avif') assert.isBelow(meanDifference(decoded.data, soft.data), 1.5);
      else assert.deepEqual([...decoded.data], [...soft.data]);
    });
  }

  it('decodes pictures one pixel wide or high', async () => {
    const sizes: [number, number][] = [
      [1, 1],
      [1, 5000],
      [5000, 1],
    ];
    for (const [width, height] of sizes) {
      const thin = paint(width, height, (x, y) => [(x + y) % 256, 90, 200, 255]);
      for (const kind of ['png', 'webp', 'bmp']) {
        const decoded = await decoder.decode(await encoded(kind, thin));
        assert.deepEqual([...decoded.data], [...thin.data], `${kind} ${width} x ${height}`);
      }
      for (const kind of ['jpeg', 'avif']) {
        const decoded = await decoder.decode(await encoded(kind, thin));
        assert.deepEqual([decoded.width, decoded.height], [width, height], kind);
      }
    }
  });
});

describe('Image decoder: orientation', () => {
  /** The colours at the top left, top right, bottom left and bottom right that each EXIF value must show. */
  const CORNERS: Readonly<Record<number, readonly (readonly number[])[]>> = {
    1: [RED, GREEN, BLUE, GREY],
    2: [GREEN, RED, GREY, BLUE],
    3: [GREY, BLUE, GREEN, RED],
    4: [BLUE, GREY, RED, GREEN],
    5: [RED, BLUE, GREEN, GREY],
    6: [BLUE, RED, GREY, GREEN],
    7: [GREY, GREEN, BLUE, RED],
    8: [GREEN, GREY, RED, BLUE],
  };

  for (const [value, corners] of Object.entries(CORNERS)) {
    it(`turns a picture with EXIF orientation ${value} upright`, async () => {
      const orientation = Number(value);
      const picture = quarters(200, 120);
      for (const kind of ['jpeg', 'png', 'webp'] as const) {
        const bytes = await encoderOf(picture)
          .removeAlpha()
          .withMetadata({ orientation })
          [kind]({ quality: 95 })
          .toBuffer();
        assert.equal((await sharp(bytes).metadata()).orientation, orientation);
        const decoded = await decoder.decode(bytes);
        const { width, height } = decoded;
        assert.deepEqual([width, height], orientation < 5 ? [200, 120] : [120, 200]);
        const seen = [pixelAt(decoded, 4, 4), pixelAt(decoded, width - 5, 4)];
        seen.push(pixelAt(decoded, 4, height - 5), pixelAt(decoded, width - 5, height - 5));
        for (const [i, pixel] of seen.entries()) isNear(pixel, corners[i] as readonly number[], 8, `${kind}, ${i}:`);
      }
    });
  }
});

describe('Image decoder: colour', () => {
  /** A JPEG without its segments of one marker. */
  const withoutSegments = (jpeg: Uint8Array, marker: number): Uint8Array => {
    const kept: number[] = [0xff, 0xd8];
    let removed = 0;
    let at = 2;
    while (jpeg[at + 1] !== 0xda) {
      const end = at + 2 + (jpeg[at + 2] as number) * 256 + (jpeg[at + 3] as number);
      if (jpeg[at + 1] === marker) removed++;
      else kept.push(...jpeg.subarray(at, end));
      at = end;
    }
    assert.isAbove(removed, 0, 'there was such a segment');
    return Uint8Array.from([...kept, ...jpeg.subarray(at)]);
  };
  const APP2_PROFILE = 0xe2;
  const APP14_ADOBE = 0xee;
  const flat = (color: readonly number[]) => paint(16, 16, () => color);
  const cmykJpeg = (color: readonly number[]) =>
    encoderOf(flat(color)).removeAlpha().withIccProfile('cmyk').jpeg({ quality: 95 }).toBuffer();

  it('converts a CMYK JPEG by its own profile', async () => {
    const bytes = await cmykJpeg(GREY);
    const { space, hasProfile } = await sharp(bytes).metadata();
    assert.deepEqual({ space, hasProfile }, { space: 'cmyk', hasProfile: true });
    // The profile's own two tables differ by this much there and back.
    isNear(pixelAt(await decoder.decode(bytes), 8, 8), GREY, 16);
  });

  it('converts a CMYK JPEG that has no profile', async () => {
    const bytes = withoutSegments(await cmykJpeg([190, 80, 90, 255]), APP2_PROFILE);
    assert.isFalse((await sharp(bytes).metadata()).hasProfile);
    isNear(pixelAt(await decoder.decode(bytes), 8, 8), [190, 80, 90, 255], 20);
  });

  it("reads CMYK as inverted, as browsers do, with Adobe's mark and without", async () => {
    for (const color of [
      [255, 255, 255, 255],
      [190, 80, 90, 255],
    ]) {
      const marked = withoutSegments(await cmykJpeg(color), APP2_PROFILE);
      const unmarked = withoutSegments(marked, APP14_ADOBE);
      isNear(pixelAt(await decoder.decode(marked), 8, 8), color, 20);
      isNear(pixelAt(await decoder.decode(unmarked), 8, 8), color, 20);
    }
  });

  it('converts Display P3 to sRGB in PNG, JPEG and WEBP', async () => {
    for (const kind of ['png', 'jpeg', 'webp'] as const) {
      const bytes = await encoderOf(flat(RED)).removeAlpha().withIccProfile('p3')[kind]({ quality: 100 }).toBuffer();
      const stored = [...(await sharp(bytes, { ignoreIcc: true }).raw().toBuffer()).subarray(0, 3)];
      assert.isAbove(meanDifference(stored, RED.slice(0, 3)), 5, 'the file holds other numbers');
      isNear(pixelAt(await decoder.decode(bytes), 8, 8), RED, 4, kind);
    }
  });

  it('brings 16 bits to 8, alpha too', async () => {
    const rows = [[0xff, 0xff, 0, 0, 0x80, 0x80, 0x40, 0x40]];
    const { data } = await decoder.decode(writePng({ width: 1, height: 1, bitDepth: 16, colorType: 6, rows }));
    assert.deepEqual([...data], [255, 0, 128, 64]);
  });

  it('reads grey of 1, 2, 4, 8 and 16 bits, and grey with alpha', async () => {
    const grey = async (bitDepth: number, colorType: number, width: number, row: number[]) => [
      ...(await decoder.decode(writePng({ width, height: 1, bitDepth, colorType, rows: [row] }))).data,
    ];
    assert.deepEqual(await grey(1, 0, 2, [0b01000000]), [0, 0, 0, 255, 255, 255, 255, 255]);
    assert.deepEqual(await grey(2, 0, 2, [0b01100000]), [85, 85, 85, 255, 170, 170, 170, 255]);
    assert.deepEqual(await grey(4, 0, 2, [0x2e]), [34, 34, 34, 255, 238, 238, 238, 255]);
    assert.deepEqual(await grey(8, 0, 2, [7, 200]), [7, 7, 7, 255, 200, 200, 200, 255]);
    assert.deepEqual(await grey(16, 0, 1, [0x64, 0x64]), [100, 100, 100, 255]);
    assert.deepEqual(await grey(8, 4, 2, [7, 100, 200, 0]), [7, 7, 7, 100, 200, 200, 200, 0]);
    assert.deepEqual(await grey(16, 4, 1, [0x64, 0x64, 0x80, 0x80]), [100, 100, 100, 128]);
  });

  it('reads palettes, transparent entries and transparent colours', async () => {
    const read = async (parts: Parameters<typeof writePng>[0]) => [...(await decoder.decode(writePng(parts))).data];
    const base = { width: 2, height: 1, bitDepth: 8 };
    const palette: [string, number[]] = ['PLTE', [10, 20, 30, 40, 50, 60]];
    assert.deepEqual(
      await read({ ...base, colorType: 3, rows: [[1, 0]], chunks: [palette, ['tRNS', [77]]] }),
      [40, 50, 60, 255, 10, 20, 30, 77],
    );
    assert.deepEqual(
      await read({ ...base, colorType: 2, rows: [[1, 2, 3, 9, 9, 9]], chunks: [['tRNS', [0, 1, 0, 2, 0, 3]]] }),
      [1, 2, 3, 0, 9, 9, 9, 255],
    );
    assert.deepEqual(
      await read({ ...base, colorType: 0, rows: [[5, 6]], chunks: [['tRNS', [0, 6]]] }),
      [5, 5, 5, 255, 6, 6, 6, 0],
    );
  });

  it('reads an interlaced PNG and a progressive JPEG', async () => {
    const png = await encoderOf(soft).png({ progressive: true }).toBuffer();
    assert.equal(png[28], 1, 'the header says interlaced');
    assert.deepEqual([...(await decoder.decode(png)).data], [...soft.data]);
    const jpeg = await encoderOf(quarters(64, 48)).removeAlpha().jpeg({ progressive: true, quality: 95 }).toBuffer();
    assert.isTrue((await sharp(jpeg).metadata()).isProgressive);
    isNear(pixelAt(await decoder.decode(jpeg), 10, 10), RED, 6);
  });

  it('shows the first frame of an animated WEBP', async () => {
    const frames = paint(8, 24, (_, y) => (y < 8 ? RED : y < 16 ? GREEN : BLUE));
    const bytes = await sharp(frames.data, { raw: { width: 8, height: 24, channels: 4, pageHeight: 8 } })
      .webp({ lossless: true, delay: [50, 50, 50] })
      .toBuffer();
    assert.equal((await sharp(bytes, { animated: true }).metadata()).pages, 3);
    const decoded = await decoder.decode(bytes);
    assert.deepEqual([decoded.width, decoded.height], [8, 8]);
    assert.isTrue(decoded.data.every((value, i) => value === RED[i % 4]));
  });
});

describe('Image decoder: what it refuses', () => {
  const picture = paint(96, 80, (x, y) => [(x * y) % 256, (x * 7 + y * 3) % 256, (x ^ y) % 256, 255]);

  /** Sets the width and height that a file's header states. */
  const withSize = (kind: string, bytes: Uint8Array, width: number, height: number): Uint8Array => {
    const changed = Uint8Array.from(bytes);
    const view = new DataView(changed.buffer);
    const find = (wanted: readonly number[]) =>
      changed.findIndex((_, at) => wanted.every((byte, i) => changed[at + i] === byte));
    if (kind === 'png') {
      view.setUint32(16, width);
      view.setUint32(20, height);
    } else if (kind === 'jpeg') {
      const frame = find([0xff, 0xc0]);
      view.setUint16(frame + 5, height);
      view.setUint16(frame + 7, width);
    } else if (kind === 'avif') {
      const extent = find([0x69, 0x73, 0x70, 0x65]);
      view.setUint32(extent + 8, width);
      view.setUint32(extent + 12, height);
    } else {
      assert.equal(kind, 'bmp');
      view.setInt32(18, width, true);
      view.setInt32(22, height, true);
    }
    return changed;
  };

  for (const kind of ['png', 'jpeg', 'avif', 'bmp']) {
    it(`a ${kind} whose header says 60000 x 60000, by the header alone`, async () => {
      const huge = withSize(kind, await encoded(kind, picture), 60_000, 60_000);
      const refusal = await refusalOf(decoder, huge);
      assert.equal(refusal.code, 'IMAGE_TOO_LARGE');
      assert.include(refusal.message, '60000 x 60000');
    });

    it(`a ${kind} whose header says 0 x 0`, async () => {
      assert.equal(
        (await refusalOf(decoder, withSize(kind, await encoded(kind, picture), 0, 0))).code,
        'UNREADABLE_IMAGE',
      );
    });
  }

  it('a WEBP of each kind that is larger than the limit', async () => {
    const lossless = await encoderOf(picture).webp({ lossless: true }).toBuffer();
    const lossy = await encoderOf(picture).removeAlpha().webp().toBuffer();
    const extended = await encoderOf(picture).withMetadata().webp({ lossless: true }).toBuffer();
    const names = [lossless, lossy, extended].map((bytes) => bytes.toString('latin1', 12, 16));
    assert.deepEqual(names, ['VP8L', 'VP8 ', 'VP8X']);
    for (const bytes of [lossless, lossy, extended]) {
      assert.include((await refusalOf(createImageDecoder({ maxPixels: 96 * 80 - 1 }), bytes)).message, '96 x 80');
      assert.equal((await createImageDecoder({ maxPixels: 96 * 80 }).decode(bytes)).height, 80);
    }
  });

  for (const kind of Object.keys(encodings)) {
    it(`a ${kind} cut short anywhere`, async () => {
      const bytes = await encoded(kind, picture);
      for (const share of [0.1, 0.3, 0.5, 0.7, 0.9, 0.97]) {
        const refusal = await refusalOf(decoder, bytes.subarray(0, Math.floor(bytes.length * share)));
        assert.equal(refusal.code, 'UNREADABLE_IMAGE', `${share}`);
        assert.include(refusal.message, kind.toUpperCase());
        assert.include(refusal.message, 'cut short', `${share}`);
      }
    });
  }

  it('files of other kinds, which it could not even be talked into reading', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
    );
    const others = {
      svg,
      gif: await encoderOf(picture).gif().toBuffer(),
      tiff: await encoderOf(picture).tiff().toBuffer(),
    };
    for (const [kind, bytes] of Object.entries(others)) {
      assert.equal((await refusalOf(decoder, bytes)).code, 'UNSUPPORTED_IMAGE', kind);
      const direct = await sharp(bytes)
        .metadata()
        .catch((error: Error) => error);
      assert.instanceOf(direct, Error, `sharp itself has no reader left for ${kind}`);
    }
    // The container of AVIF with another content.
    const heic = Uint8Array.from([0, 0, 0, 24, ...Buffer.from('ftypheic\0\0\0\0mif1heic')]);
    assert.equal((await refusalOf(decoder, heic)).code, 'UNSUPPORTED_IMAGE');
  });

  it('a limit that is no whole number of pixels', () => {
    for (const maxPixels of [0, -1, 1.5, Number.NaN])
      assert.throws(() => createImageDecoder({ maxPixels }), RangeError);
  });

  it('damaged bytes with a ServiceError and nothing else', async () => {
    const random = createSeededRandom(4_711);
    const small = createImageDecoder({ maxPixels: 100_000 });
    const counts = { decoded: 0, refused: 0 };
    for (const kind of Object.keys(encodings)) {
      const bytes = await encoded(kind, quarters(24, 16));
      for (let round = 0; round < 150; round++) {
        const answer = await small.decode(mutateBytes(bytes, random)).catch((error: unknown) => error);
        if (answer instanceof ServiceError) counts.refused++;
        else if (answer instanceof Error) throw answer;
        else counts.decoded++;
      }
    }
    assert.equal(counts.decoded + counts.refused, 5 * 150);
    assert.isAbove(counts.decoded, 20);
    assert.isAbove(counts.refused, 200);
  });
});
