import { assert } from 'chai';
import type { ImageDecoder } from '#application/ports/image-decoder.js';
import { type ErrorCode, ServiceError } from '#domain/errors.js';
import { writeBmp } from '#test/support/write-bmp.js';
import { writePng, writeRgbaPng } from '#test/support/write-png.js';

const WIDTH = 5;
const HEIGHT = 3;
/** Every channel varies, alpha too. */
const PIXELS = Uint8Array.from({ length: WIDTH * HEIGHT * 4 }, (_, i) => (i * 37 + 11) % 256);

/** The ServiceError with which the decoder refuses these bytes; anything else fails the test. */
export async function refusalOf(decoder: ImageDecoder, bytes: Uint8Array): Promise<ServiceError> {
  const answer = await decoder.decode(bytes).catch((error: unknown) => error);
  if (!(answer instanceof ServiceError)) throw new Error(`a refusal was expected, not ${String(answer)}`);
  return answer;
}

const ascii = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));

/** What every ImageDecoder must do, whatever library stands behind it. `create` gives one that takes 50 million pixels. */
export function describeImageDecoder(name: string, create: () => ImageDecoder): void {
  describe(`${name} as an ImageDecoder`, () => {
    const isRefused = async (bytes: Uint8Array, code: ErrorCode) =>
      assert.equal((await refusalOf(create(), bytes)).code, code);

    it('decodes a PNG to its very pixels, alpha not premultiplied', async () => {
      const { format, width, height, data } = await create().decode(writeRgbaPng(WIDTH, HEIGHT, PIXELS));
      assert.deepEqual({ format, width, height }, { format: 'png', width: WIDTH, height: HEIGHT });
      assert.deepEqual([...data], [...PIXELS]);
    });

    it('decodes a BMP to its very pixels', async () => {
      const { format, width, height, data } = await create().decode(writeBmp(WIDTH, HEIGHT, PIXELS));
      assert.deepEqual({ format, width, height }, { format: 'bmp', width: WIDTH, height: HEIGHT });
      assert.deepEqual([...data], [...PIXELS]);
    });

    it('decodes bytes that lie inside a larger buffer, and leaves them as they were', async () => {
      const png = writeRgbaPng(WIDTH, HEIGHT, PIXELS);
      const buffer = new Uint8Array(png.length + 20).fill(0xee);
      buffer.set(png, 7);
      const inside = buffer.subarray(7, 7 + png.length);
      assert.deepEqual([...(await create().decode(inside)).data], [...PIXELS]);
      assert.deepEqual([...inside], [...png]);
    });

    it('refuses what is no picture, and nothing at all', async () => {
      await isRefused(new Uint8Array(0), 'UNSUPPORTED_IMAGE');
      await isRefused(Uint8Array.of(0x89), 'UNSUPPORTED_IMAGE');
      await isRefused(ascii('not a picture, whatever its name says'), 'UNSUPPORTED_IMAGE');
      await isRefused(ascii('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'), 'UNSUPPORTED_IMAGE');
      await isRefused(ascii('GIF89a\x01\0\x01\0\0\0\0;'), 'UNSUPPORTED_IMAGE');
      await isRefused(ascii('%PDF-1.7\n'), 'UNSUPPORTED_IMAGE');
    });

    it('refuses a picture that is cut short', async () => {
      const png = writeRgbaPng(WIDTH, HEIGHT, PIXELS);
      const bmp = writeBmp(WIDTH, HEIGHT, PIXELS);
      for (const bytes of [png, bmp]) {
        await isRefused(bytes.subarray(0, 20), 'UNREADABLE_IMAGE');
        await isRefused(bytes.subarray(0, Math.floor(bytes.length * 0.6)), 'UNREADABLE_IMAGE');
      }
    });

    it('refuses a header of 60000 x 60000 pixels, with the figures in the message', async () => {
      for (const bytes of [withPngSize(60_000, 60_000), withBmpSize(60_000, 60_000)]) {
        const refusal = await refusalOf(create(), bytes);
        assert.equal(refusal.code, 'IMAGE_TOO_LARGE');
        assert.include(refusal.message, '60000 x 60000');
        assert.include(refusal.message, '50000000');
      }
    });

    it('goes on decoding after a refusal', async () => {
      const decoder = create();
      await refusalOf(decoder, ascii('no'));
      assert.equal((await decoder.decode(writeRgbaPng(WIDTH, HEIGHT, PIXELS))).width, WIDTH);
    });

    it('answers each of many at once with its own pixels', async () => {
      const decoder = create();
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => decoder.decode(writeRgbaPng(1, 1, Uint8Array.of(i, 2 * i, 3 * i, 255)))),
      );
      assert.deepEqual(
        answers.map(({ data }) => [...data]),
        Array.from({ length: 12 }, (_, i) => [i, 2 * i, 3 * i, 255]),
      );
    });
  });
}

const withPngSize = (width: number, height: number): Uint8Array =>
  writePng({ width, height, bitDepth: 8, colorType: 6, rows: [PIXELS] });

const withBmpSize = (width: number, height: number): Uint8Array => {
  const bytes = writeBmp(WIDTH, HEIGHT, PIXELS);
  const view = new DataView(bytes.buffer);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  return bytes;
};
