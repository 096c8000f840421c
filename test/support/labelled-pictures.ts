import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { PACKAGE_ROOT } from './package-root.js';
import { drawSprite, enlargeSprite, seeded } from './pixel-grids.js';
import { renderSvg } from './render-svg.js';

/** `art` stands for flat art and illustrations: how many colors make one the other is no matter of truth. */
export type Label = 'pixel_art' | 'line_art' | 'art' | 'photo' | 'scan' | 'screenshot';

export interface LabelledPicture {
  readonly label: Label;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

async function pixelsOf(image: Sharp) {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

const toSharp = ({ width, height, data }: { width: number; height: number; data: Uint8Array }) =>
  sharp(data, { raw: { width, height, channels: 4 } });

async function someFiles(folder: string, count: number, keep: (name: string) => boolean): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.svg') && keep(name)).sort();
  return Array.from({ length: count }, (_, k) => names[Math.floor((k * names.length) / count)] as string);
}

const jpeg = async (image: Sharp, quality: number) =>
  pixelsOf(sharp(await image.flatten({ background: '#fff' }).jpeg({ quality }).toBuffer()));

const ICONS = join(PACKAGE_ROOT, 'node_modules', 'bootstrap-icons', 'icons');
const FLAGS = join(PACKAGE_ROOT, 'node_modules', 'flag-icons', 'flags', '4x3');

/** Uneven light, yellow paper, blur, noise and JPEG, as a phone's picture of a sheet has them. */
export async function asScan(picture: { width: number; height: number; data: Uint8Array }, seed: number) {
  const { width, height } = picture;
  const random = seeded(seed);
  const [slopeX, slopeY, warmth] = [random() * 0.25 - 0.12, random() * 0.25 - 0.12, 0.85 + random() * 0.12];
  const blurred = await sharp(picture.data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#fff' })
    .blur(0.5 + random() * 0.3)
    .raw()
    .toBuffer();
  const data = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const light = 0.86 + slopeX * ((i % width) / width - 0.5) + slopeY * (Math.floor(i / width) / height - 0.5);
    const grain = (random() + random() + random() - 1.5) * 9;
    for (let c = 0; c < 3; c++) {
      const ink = 28 + ((blurred[i * 3 + c] as number) * 222) / 255;
      data[i * 3 + c] = Math.min(255, Math.max(0, Math.round(ink * light * (c === 2 ? warmth : 1) + grain)));
    }
  }
  return jpeg(sharp(data, { raw: { width, height, channels: 3 } }), 72 + Math.floor(random() * 20));
}

/** Hills, clouds and grain: smooth tones with detail at every size, as photographs have. */
export function inventPhoto(width: number, height: number, seed: number) {
  const random = seeded(seed);
  const layers = Array.from({ length: 7 }, (_, octave) => {
    const size = 3 + 2 ** (octave + 1);
    return { size, values: Float32Array.from({ length: size * size * 3 }, () => random() - 0.5) };
  });
  const base = [90 + random() * 90, 90 + random() * 90, 90 + random() * 90];
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) {
        let value = base[c] as number;
        layers.forEach(({ size, values }, octave) => {
          const [u, v] = [(x / width) * (size - 2), (y / height) * (size - 2)];
          const [i, j] = [Math.floor(u), Math.floor(v)];
          const [s, t] = [u - i, v - j];
          // Channels mostly go together, as they do under one light.
          const at = (a: number, b: number, ch: number) => values[(b * size + a) * 3 + ch] as number;
          const mix = (ch: number) =>
            (at(i, j, ch) * (1 - s) + at(i + 1, j, ch) * s) * (1 - t) +
            (at(i, j + 1, ch) * (1 - s) + at(i + 1, j + 1, ch) * s) * t;
          value += (190 / 1.55 ** octave) * (0.75 * mix(0) + 0.25 * mix(c));
        });
        data[(y * width + x) * 4 + c] = Math.min(255, Math.max(0, Math.round(value + (random() - 0.5) * 5)));
      }
    }
  }
  return { width, height, data };
}

/** A window with a bar, a list, buttons and paragraphs; letters are little strokes, so that no font is needed. */
export function drawScreen(seed: number): { readonly svg: string; readonly width: number } {
  const random = seeded(seed);
  const [width, height] = [480 + Math.floor(random() * 400), 360 + Math.floor(random() * 300)];
  const dark = random() < 0.3;
  const [ground, panel, text] = dark ? ['#1e1e24', '#2a2b33', '#d8dae0'] : ['#ffffff', '#f1f3f6', '#24292f'];
  const accent = ['#0969da', '#1a7f37', '#bf3989', '#cf222e'][Math.floor(random() * 4)] as string;
  const parts: string[] = [`<rect width="${width}" height="${height}" fill="${ground}"/>`];
  const line = (x: number, y: number, length: number, size: number, color: string) => {
    let d = '';
    for (let at = x; at < x + length; at += size * 0.62) {
      if (random() < 0.15) continue;
      const top = random() < 0.4 ? y - size * 0.75 : y - size * 0.5;
      d += `M${at.toFixed(1)} ${top.toFixed(1)}V${y.toFixed(1)}`;
      if (random() < 0.75) d += `h${(size * 0.36).toFixed(1)}V${(y - size * 0.5).toFixed(1)}`;
    }
    parts.push(`<path d="${d}" fill="none" stroke="${color}" stroke-width="${(size / 9).toFixed(2)}"/>`);
  };
  const bar = 36 + Math.floor(random() * 20);
  const side = 120 + Math.floor(random() * 60);
  parts.push(`<rect width="${width}" height="${bar}" fill="${accent}"/>`);
  line(16, bar / 2 + 6, 160, 15, '#fff');
  parts.push(`<rect y="${bar}" width="${side}" height="${height - bar}" fill="${panel}"/>`);
  for (let y = bar + 26; y < height - 12; y += 26) line(14, y, side * (0.4 + random() * 0.4), 12, text);
  for (let y = bar + 30; y < height - 60; ) {
    line(side + 24, y, (width - side) * 0.4, 19, text);
    y += 24;
    for (let k = 0; k < 3 + random() * 3 && y < height - 50; k++, y += 19)
      line(side + 24, y, (width - side - 60) * (0.6 + random() * 0.4), 12, text);
    y += 14;
  }
  parts.push(`<rect x="${side + 24}" y="${height - 42}" width="90" height="28" rx="5" fill="${accent}"/>`);
  line(side + 40, height - 23, 55, 12, '#fff');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join('')}</svg>`;
  return { svg, width };
}

/** `each` pictures of every label, drawn here or by the icon packages that are installed for tests. */
export async function makeLabelledPictures(each: number): Promise<LabelledPicture[]> {
  const made: LabelledPicture[] = [];
  const add = (label: Label, name: string, picture: { width: number; height: number; data: Uint8Array }) =>
    made.push({ label, name, ...picture });
  const icons = await someFiles(ICONS, each * 2, (name) => !name.includes('-fill'));
  const flags = await someFiles(FLAGS, each, () => true);
  for (let k = 0; k < each; k++) {
    const random = seeded(k * 31 + 5);
    const size = 96 + Math.floor(random() * 300);
    const icon = icons[2 * k] as string;
    const drawing = await readFile(join(ICONS, icon), 'utf8');
    const ground = k % 4 === 0 ? undefined : k % 4 === 2 ? '#f6f1df' : '#fff';
    const drawn = renderSvg(drawing, size, ground);
    if (k % 4 === 3)
      for (let i = 0; i < drawn.data.length; i++) if (i % 4 !== 3) drawn.data[i] = 255 - (drawn.data[i] as number);
    add('line_art', `${icon} ${k % 4 === 3 ? 'inverse' : `on ${ground ?? 'nothing'}`}`, drawn);

    const flag = flags[k] as string;
    const waved = renderSvg(await readFile(join(FLAGS, flag), 'utf8'), 160 + Math.floor(random() * 480));
    if (k % 3 === 2) add('art', `${flag} as JPEG`, await jpeg(toSharp(waved), 75 + Math.floor(random() * 20)));
    else add('art', flag, waved);

    add(
      'photo',
      `landscape ${k}`,
      inventPhoto(200 + Math.floor(random() * 200), 180 + Math.floor(random() * 120), k + 3),
    );

    const sprite = drawSprite(k + 40);
    const step = 1 + Math.floor(random() * 10);
    add(
      'pixel_art',
      `sprite ${k} x ${step}`,
      enlargeSprite(sprite, { kernel: 'nearest', step, cropX: 0, cropY: 0, drift: 0 }, k),
    );

    const sheet = icons[2 * k + 1] as string;
    const glyph = renderSvg(await readFile(join(ICONS, sheet), 'utf8'), 260, '#fff');
    const paper = await pixelsOf(
      toSharp(glyph).extend({ top: 40, bottom: 60, left: 50, right: 50, background: '#fff' }),
    );
    add('scan', `${sheet} scanned`, await asScan(paper, k + 9));

    const screen = drawScreen(k + 1);
    add('screenshot', `screen ${k}`, renderSvg(screen.svg, screen.width));
  }
  return made;
}
