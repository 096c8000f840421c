import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { circle, rectangle } from '#test/support/outlines.js';
import { fixturePath } from '#test/support/package-root.js';
import { layer, paint } from '#test/support/pictures.js';
import type { PictureKind } from './mutate-picture.js';

export interface SamplePicture {
  readonly kind: PictureKind;
  readonly bytes: Uint8Array;
}

/** Small sound files of every kind and most of its forms, made anew; before any decoder of ours is loaded. */
export async function samplePictures(): Promise<readonly SamplePicture[]> {
  const { width, height, data } = paint(23, 17, 0xf4c430, [
    layer(0xe63946, circle(10.3, 8.2, 6)),
    { color: 0x1d3557, opacity: 0.5, outline: [rectangle(8, 3, 12, 11)] },
  ]);
  const from = () => sharp(data, { raw: { width, height, channels: 4 } });
  const frames = sharp(Buffer.concat([data, data, data].map((part) => Uint8Array.from(part))), {
    raw: { width, height: height * 3, channels: 4, pageHeight: height },
  });
  const files: readonly (readonly [PictureKind, Promise<Uint8Array>])[] = [
    ['png', from().png().toBuffer()],
    ['png', from().png({ palette: true, colors: 4 }).toBuffer()],
    ['png', from().png({ progressive: true }).toBuffer()],
    ['png', from().toColourspace('rgb16').png().toBuffer()],
    ['png', from().greyscale().withIccProfile('p3').png().toBuffer()],
    ['jpeg', from().flatten().jpeg().toBuffer()],
    ['jpeg', from().flatten().withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer()],
    ['jpeg', from().flatten().toColourspace('cmyk').jpeg().toBuffer()],
    ['jpeg', from().flatten().withIccProfile('p3').jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()],
    ['webp', from().flatten().webp().toBuffer()],
    ['webp', from().webp().toBuffer()],
    ['webp', from().webp({ lossless: true }).toBuffer()],
    ['webp', frames.webp({ loop: 0, delay: [10, 10, 10] }).toBuffer()],
    ['avif', from().flatten().avif({ effort: 0 }).toBuffer()],
    ['avif', from().avif({ effort: 0, lossless: true }).toBuffer()],
  ];
  const made = await Promise.all(files.map(async ([kind, bytes]) => ({ kind, bytes: Uint8Array.from(await bytes) })));
  const folder = fixturePath('bmp');
  const bmps = readdirSync(folder)
    .filter((name) => /^case.*\.bmp$/.test(name))
    .map((name) => ({ kind: 'bmp' as const, bytes: Uint8Array.from(readFileSync(`${folder}/${name}`)) }));
  if (bmps.length < 10) throw new Error(`only ${bmps.length} BMP files to begin with`);
  return [...made, ...bmps];
}
