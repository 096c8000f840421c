import { inflateSync } from 'node:zlib';
import { expect } from 'chai';
import sharp from 'sharp';
import type { EncodedFile } from '#application/ports/exporter.js';
import type { ExportOptionName } from '#domain/exports/export-options.js';
import { extentsOf, readDxf } from './dxf/read-dxf.js';

/** Makes the file of one drawing, 60 x 40 units, with these options. */
export type Make = (options: object) => Promise<EncodedFile>;

const RASTERS = ['png', 'jpg', 'webp', 'avif'];
const isRaster = (id: string) => RASTERS.includes(id);
const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** A PDF with its streams unpacked, an EPS, an SVG: the words in which it says what it draws. */
function wordsOf(id: string, { bytes }: EncodedFile): string {
  if (id !== 'pdf') return latin(bytes);
  return latin(bytes).replace(/stream\r?\n([\s\S]*?)\r?\nendstream/g, (all, packed: string) => {
    try {
      return latin(inflateSync(Buffer.from(packed, 'latin1')));
    } catch {
      return all;
    }
  });
}

/** Width and height as the file itself states them: pixels of raster files, inches of all others at 96 to the inch for px. */
async function statedSize(id: string, file: EncodedFile): Promise<readonly [number, number]> {
  if (isRaster(id)) {
    const { width, height } = await sharp(file.bytes).metadata();
    return [width, height];
  }
  const words = wordsOf(id, file);
  if (id === 'dxf') {
    // There is no page; the file's size is said in the answer, and its drawing spans so much of it.
    const { minX, maxX } = extentsOf(readDxf(file.bytes).contours);
    const perInch = { mm: 25.4, cm: 2.54, in: 1 }[file.size!.unit as 'mm' | 'cm' | 'in'];
    expect(maxX - minX).to.be.closeTo((65 / 60) * file.size!.width, 0.001 * file.size!.width);
    return [file.size!.width / perInch, file.size!.height / perInch];
  }
  if (id === 'svg') {
    const [, width, widthUnit, height] = / width="([\d.]+)([a-z]*)" height="([\d.]+)/.exec(words)!;
    const perInch = { '': 96, pt: 72, mm: 25.4, cm: 2.54, in: 1 }[widthUnit as 'mm'];
    return [Number(width) / perInch, Number(height) / perInch];
  }
  const box = id === 'pdf' ? /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/ : /%%HiResBoundingBox: 0 0 ([\d.]+) ([\d.]+)/;
  const [, width, height] = box.exec(words)!;
  return [Number(width) / 72, Number(height) / 72];
}

async function expectSize(id: string, file: EncodedFile, width: number, height: number): Promise<void> {
  const [w, h] = await statedSize(id, file);
  expect(w).to.be.closeTo(width, 0.001 * width);
  expect(h).to.be.closeTo(height, 0.001 * height);
}

/** In the units of `statedSize`. */
const pixels = (id: string, count: number) => (isRaster(id) ? count : count / 96);
/** An export that is measured in pixels, or for DXF, which has none, in inches. */
const inPixels = (id: string, sides: Readonly<Record<string, number>>) =>
  id === 'dxf'
    ? { unit: 'in', ...Object.fromEntries(Object.entries(sides).map(([side, value]) => [side, value / 96])) }
    : sides;

const rawOf = (file: EncodedFile) => sharp(file.bytes).ensureAlpha().raw().toBuffer();

/** How much paint there is: what raster files cover, how wide the strokes of others are in all. */
async function paintOf(id: string, file: EncodedFile): Promise<number> {
  if (isRaster(id)) {
    const raw = await rawOf(file);
    let sum = 0;
    for (let i = 0; i < raw.length; i += 4) sum += (765 - raw[i]! - raw[i + 1]! - raw[i + 2]!) * raw[i + 3]!;
    return sum;
  }
  const words = wordsOf(id, file);
  const widths = id === 'svg' ? words.matchAll(/stroke-width="([\d.]+)"/g) : words.matchAll(/(?:^|\s)([\d.]+) w\s/g);
  return [...widths].reduce((sum, [, width]) => sum + Number(width), 0);
}

const digitsOf = (words: string) =>
  Math.max(
    ...[...words.matchAll(/\.(\d+)(?= (?:[lmc]|-?[\d.])|[ ,a-zA-Z-][^"]*"\/>)/g)].map(([, digits]) => digits!.length),
    0,
  );

const saysText = (name: string) => async (id: string, make: Make) => {
  const words = wordsOf(id, await make({ [name]: 'Some words' }));
  const key = { title: 'Title', author: 'Author', subject: 'Subject', keywords: 'Keywords' }[name];
  const object = new RegExp(`/${key} (\\d+) 0 R`).exec(words)?.[1];
  const wanted = { svg: `<${name}>Some words<`, eps: `%%${key}: Some words`, pdf: `\n${object} 0 obj\n(Some words)` }[
    id
  ];
  expect(words).to.include(wanted);
  expect(wordsOf(id, await make({}))).to.not.include('Some words');
};

/** For each option: that the file of a format shows what the table says of it. */
export const LOOKS: { readonly [Name in ExportOptionName]: (id: string, make: Make) => Promise<void> } = {
  async scale(id, make) {
    await expectSize(id, await make({ scale: 3 }), pixels(id, 180), pixels(id, 120));
  },
  async width(id, make) {
    await expectSize(id, await make(inPixels(id, { width: 90 })), pixels(id, 90), pixels(id, 60));
  },
  async height(id, make) {
    await expectSize(id, await make(inPixels(id, { height: 80 })), pixels(id, 120), pixels(id, 80));
  },
  async fit(id, make) {
    const sides = inPixels(id, { width: 90, height: 90 });
    await expectSize(id, await make({ ...sides, fit: 'inset' }), pixels(id, 90), pixels(id, 60));
    await expectSize(id, await make({ ...sides, fit: 'stretch' }), pixels(id, 90), pixels(id, 90));
    if (id !== 'dxf') await expectSize(id, await make({ ...sides, fit: 'overflow' }), pixels(id, 90), pixels(id, 90));
  },
  async unit(id, make) {
    const inches = isRaster(id) ? 96 : 1;
    await expectSize(id, await make({ width: 3, unit: 'in' }), 3 * inches, 2 * inches);
    // A pixel that is begun counts whole.
    const length = (cm: number) => (isRaster(id) ? Math.ceil((cm / 2.54) * inches) : cm / 2.54);
    await expectSize(id, await make({ width: 3, unit: 'cm' }), length(3), length(2));
  },
  async dpi(id, make) {
    if (isRaster(id)) await expectSize(id, await make({ width: 3, unit: 'in', dpi: 48 }), 144, 96);
    else await expectSize(id, await make({ unit: 'in', dpi: 48 }), 60 / 48, 40 / 48);
  },
  async background(id, make) {
    const file = await make({ background: '#00ff80' });
    if (isRaster(id)) {
      const [r, g, b, alpha] = await rawOf(file);
      expect(r).to.be.below(12);
      expect(g).to.be.above(243);
      expect(b).to.be.within(116, 140);
      expect(alpha).to.equal(255);
      return;
    }
    const wanted = { svg: /fill="#00ff80"/, pdf: /0 1 \.502 rg\n0 0 60 40 re/, eps: /0 1 \.50196 rg 0 0 m 60 0 l/ }[
      id
    ]!;
    expect(wordsOf(id, file)).to.match(wanted);
    expect(wordsOf(id, await make({}))).to.not.match(wanted);
  },
  async group_by(id, make) {
    const count = async (group_by: string, what: RegExp) =>
      [...wordsOf(id, await make({ group_by })).matchAll(what)].length;
    if (id === 'pdf') {
      expect(await count('none', /\/Type \/OCG/g)).to.equal(0);
      expect(await count('color', /\/Type \/OCG/g)).to.equal(5);
      return;
    }
    expect(await count('none', /<g id/g)).to.equal(0);
    expect(await count('color', /<g id="c-/g)).to.equal(5);
    expect(await count('path', /<g id="p\d/g)).to.equal(5);
  },
  async svg_version(id, make) {
    for (const svg_version of ['1.0', '1.1'])
      expect(wordsOf(id, await make({ svg_version }))).to.include(` version="${svg_version}"`);
    expect(wordsOf(id, await make({ svg_version: 'tiny1.2' }))).to.include(' version="1.2" baseProfile="tiny"');
  },
  async flatten(id, make) {
    const moved = / transform=|<g opacity/;
    expect(wordsOf(id, await make({}))).to.match(moved);
    expect(wordsOf(id, await make({ flatten: true }))).to.not.match(moved);
  },
  async clip_overflow(id, make) {
    const file = await make({ clip_overflow: true });
    if (id === 'dxf') {
      const { maxX } = extentsOf(readDxf(file.bytes).contours);
      expect(maxX).to.be.closeTo(file.size!.width, 0.001);
      return;
    }
    const wanted = { svg: /clip-path=/, pdf: /0 0 60 40 re\nW n/, eps: /0 0 m 60 0 l 60 40 l 0 40 l h W/ }[id]!;
    expect(wordsOf(id, file)).to.match(wanted);
    expect(wordsOf(id, await make({}))).to.not.match(wanted);
  },
  async non_scaling_strokes(id, make) {
    expect(wordsOf(id, await make({ non_scaling_strokes: true }))).to.include('vector-effect="non-scaling-stroke"');
    expect(wordsOf(id, await make({}))).to.not.include('vector-effect');
  },
  async gap_cleanup(id, make) {
    const plain = await paintOf(id, await make({}));
    for (const gap_cleanup of ['stroke', 'underlap'])
      expect(await paintOf(id, await make({ gap_cleanup })), gap_cleanup).to.be.above(plain);
  },
  async gap_width(id, make) {
    const narrow = await paintOf(id, await make({ gap_cleanup: 'stroke', gap_width: 0.5 }));
    expect(await paintOf(id, await make({ gap_cleanup: 'stroke', gap_width: 4 }))).to.be.above(narrow * 1.02);
  },
  async precision(id, make) {
    expect(wordsOf(id, await make({ precision: 3 }))).to.match(/5\.125\D/);
    const coarse = wordsOf(id, await make({ precision: 1 }));
    expect(coarse)
      .to.match(/5\.1[^\d]/)
      .and.to.not.match(/5\.12/);
    expect(digitsOf(coarse)).to.be.at.most(8);
  },
  async quality(_, make) {
    const [poor, good] = [await make({ quality: 10 }), await make({ quality: 95 })];
    expect(poor.bytes.length).to.be.below(good.bytes.length);
  },
  async lossless(_, make) {
    const [first, second] = [
      await rawOf(await make({ lossless: true })),
      await rawOf(await make({ lossless: true, quality: 5 })),
    ];
    expect(first.equals(second)).to.equal(true);
    expect((await rawOf(await make({ quality: 5 }))).equals(first)).to.equal(false);
  },
  async pdf_version(_, make) {
    for (const pdf_version of ['1.4', '1.5', '1.6', '1.7'])
      expect(latin((await make({ pdf_version })).bytes)).to.match(
        new RegExp(`^%PDF-${pdf_version.replace('.', '\\.')}`),
      );
  },
  title: saysText('title'),
  author: saysText('author'),
  subject: saysText('subject'),
  keywords: saysText('keywords'),
  async level(id, make) {
    expect(wordsOf(id, await make({ level: 2 })))
      .to.include('%%LanguageLevel: 2')
      .and.to.not.include('shfill');
    expect(wordsOf(id, await make({ level: 3 })))
      .to.include('%%LanguageLevel: 3')
      .and.to.include('shfill');
  },
  async compatibility(_, make) {
    const kinds = async (compatibility: string) => readDxf((await make({ compatibility })).bytes).contours;
    expect((await kinds('lines_only')).every(({ type, arcs }) => type === 'POLYLINE' && arcs === 0)).to.equal(true);
    expect((await kinds('lines_and_arcs')).some(({ arcs }) => arcs > 0)).to.equal(true);
    expect((await kinds('splines')).some(({ type }) => type === 'SPLINE')).to.equal(true);
  },
  async tolerance(_, make) {
    const segments = async (tolerance: number) =>
      readDxf((await make({ tolerance })).bytes).contours.reduce((sum, contour) => sum + contour.segments, 0);
    expect(await segments(0.001)).to.be.above(await segments(0.5));
  },
  async layers(_, make) {
    const names = async (layers: string) =>
      new Set(readDxf((await make({ layers })).bytes).contours.map(({ layer }) => layer));
    expect([...(await names('none'))]).to.deep.equal(['0']);
    expect((await names('color')).size).to.equal(5);
  },
};
