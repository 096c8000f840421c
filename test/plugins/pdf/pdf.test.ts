import { expect } from 'chai';
import { vectorize } from '#config/main/library.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { pdf } from '#plugins/pdf/index.js';
import { everythingDrawing } from '#test/contracts/exporter.js';
import { averagedPicture, differenceOf, referencePicture } from '#test/support/compare-pictures.js';
import { createDrawingBuilder, rectOf, shapeOf, solid } from '#test/support/drawing-builder.js';
import { featureDrawings } from '#test/support/feature-drawings.js';
import { testPictures } from '#test/support/pictures.js';
import { featureSvgs, realSvgs } from '#test/support/svg-corpus.js';
import { referenceOfMarkup, svgReader } from '#test/support/svg-pictures.js';
import { hasPoppler, pdfInfo, renderPdf } from './render-pdf.js';

const never = new AbortController().signal;
const encode = async (drawing: Drawing, options: object = {}) =>
  (await pdf.encode(drawing, pdf.parseOptions(options), never)).bytes;
const plain = (width: number, height: number) =>
  createDrawingBuilder(width, height).drawing([shapeOf(rectOf(0, 0, width, height), solid(0x336699))]);
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const withPoppler = hasPoppler ? it : (title: string) => it(`${title} (needs pdftoppm)`);

const DPI = 576;
/** 576 dpi averaged to 144. */
const AVERAGED = 4;
const PX_PER_UNIT = 144 / 96;

interface Allowed {
  readonly mean: number;
  readonly far: number;
  readonly why?: string;
}
const LIMITS: Allowed = { mean: 1.5, far: 0.005 };
/** Where the two renderers do not agree on what a file says. */
const EXCEPTIONS: Readonly<Record<string, Allowed>> = {
  images: { mean: 12, far: 0.2, why: 'the reference knows no WEBP, and each enlarges pixels in its own way' },
  gradients: { mean: 1.5, far: 0.012, why: 'poppler paints ramps in 256 steps, so that hard edges within them move' },
};

/** Pages so small that most of their pixels are edges are drawn larger: poppler widens every edge by a part of a pixel. */
const LEAST_SIDE = 192;
const scaleFor = ({ width, height }: Drawing) =>
  Math.min(8, Math.max(1, Math.ceil(LEAST_SIDE / Math.min(width, height))));

describe('the PDF document', () => {
  withPoppler('has a page of exactly the size asked for, in points', async () => {
    const CASES: readonly (readonly [object, string])[] = [
      [{}, '75.00    60.00'],
      [{ dpi: 72 }, '100.00    80.00'],
      [{ width: 100, unit: 'mm' }, '283.46   226.77'],
      [{ width: 2, height: 1, unit: 'in', fit: 'stretch' }, '144.00    72.00'],
      [{ width: 2, height: 2, unit: 'in', fit: 'overflow' }, '144.00   144.00'],
      [{ scale: 8 }, '600.00   480.00'],
    ];
    for (const [options, box] of CASES) {
      const info = pdfInfo(await encode(plain(100, 80), options));
      expect(info.MediaBox?.replace(/\s+/g, ' '), JSON.stringify(options)).to.equal(
        `0.00 0.00 ${box.replace(/\s+/g, ' ')}`,
      );
      expect(info.Pages).to.equal('1');
    }
  });

  withPoppler('says what it was told to say, in any language, and the version it has', async () => {
    const options = { title: 'Größe (1) \\', author: 'Ž', subject: '図', keywords: 'a, b', pdf_version: '1.4' };
    const info = pdfInfo(await encode(plain(9, 9), options));
    expect(info).to.include({
      Title: options.title,
      Author: options.author,
      Subject: options.subject,
      Keywords: options.keywords,
      'PDF version': '1.4',
      Producer: 'Burin',
    });
    expect(pdfInfo(await encode(plain(9, 9)))).to.include({ 'PDF version': '1.7' });
  });

  it('has gradients, opacity and clips as such, and no pictures', async () => {
    const text = textOf(await encode(everythingDrawing()));
    for (const part of ['/PatternType 2', '/ShadingType 2', '/ShadingType 3', '/SMask', '/S /Transparency', '/ca 0.5'])
      expect(text).to.include(part);
    expect(text).to.not.match(/\/Subtype \/Image|\/Font\b/);
  });

  it('has the same bytes whenever it is made', async () => {
    const first = textOf(await encode(everythingDrawing()));
    expect(first).to.include('(D:19700101000000Z)');
    expect(textOf(await encode(everythingDrawing()))).to.equal(first);
  });

  it('holds ten thousand paths in under 300 bytes each', async () => {
    const builder = createDrawingBuilder(1000, 1000);
    const items = Array.from({ length: 10_000 }, (_, i) => {
      const [x, y] = [(i % 100) * 10, Math.floor(i / 100) * 10];
      return shapeOf(builder.path([['M', x, y], ['C', x + 3, y, x + 9, y + 4, x + 9, y + 9], ['Z']]), solid(i * 1601));
    });
    const bytes = await encode(builder.drawing(items));
    expect(bytes.length).to.be.within(10_000, 3_000_000);
  });
});

describe('the PDF, rendered', () => {
  for (const { name, drawing } of featureDrawings)
    withPoppler(`looks as the drawing does: ${name}`, async () => {
      const scale = scaleFor(drawing);
      const ours = await averagedPicture(renderPdf(await encode(drawing, { scale }), DPI), AVERAGED);
      const { mean, far } = differenceOf(ours, referencePicture(drawing, PX_PER_UNIT * scale));
      expect(mean).to.be.at.most(LIMITS.mean);
      expect(far).to.be.at.most(LIMITS.far);
    });

  const files = realSvgs();
  for (const { name, markup } of [...featureSvgs(), ...files]) {
    withPoppler(`looks as the SVG does: ${name}`, async () => {
      const { drawing } = await svgReader.read(markup);
      const scale = scaleFor(drawing);
      const ours = await averagedPicture(renderPdf(await encode(drawing, { scale }), DPI), AVERAGED);
      const { mean, far } = differenceOf(ours, await referenceOfMarkup(markup, PX_PER_UNIT * scale, AVERAGED));
      const allowed = EXCEPTIONS[name] ?? LIMITS;
      expect(mean).to.be.at.most(allowed.mean);
      expect(far).to.be.at.most(allowed.far);
    });
  }

  withPoppler('looks as every kind of trace does', async () => {
    let seen = 0;
    for (const { name, raster } of await testPictures()) {
      const { svg } = await vectorize(raster);
      const { drawing } = await svgReader.read(svg);
      if (drawing.width * drawing.height > 400 * 400) continue;
      const scale = scaleFor(drawing);
      const ours = await averagedPicture(renderPdf(await encode(drawing, { scale }), DPI), AVERAGED);
      const { mean, far } = differenceOf(ours, await referenceOfMarkup(svg, PX_PER_UNIT * scale, AVERAGED));
      expect(mean, name).to.be.at.most(LIMITS.mean);
      expect(far, name).to.be.at.most(LIMITS.far);
      seen++;
    }
    expect(seen).to.be.at.least(8);
  });
});
