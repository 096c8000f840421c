import { expect } from 'chai';
import type { Drawing } from '#domain/drawing/drawing.js';
import { ServiceError } from '#domain/errors.js';
import { pdf } from '#plugins/pdf/index.js';
import { everythingDrawing } from '#test/contracts/exporter.js';
import { averaged, differenceOf, referencePicture } from '#test/support/compare-pictures.js';
import { createDrawingBuilder, rectOf, shapeOf, solid, strokeOf } from '#test/support/drawing-builder.js';
import { drawingOf, scaleFor } from '#test/support/export-set.js';
import { featureDrawings } from '#test/support/feature-drawings.js';
import { featureSvgs } from '#test/support/svg-corpus.js';
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

const LIMITS = { mean: 1.5, far: 0.005 };
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

  it('has a layer for each color where it is asked for, and none otherwise', async () => {
    const layersOf = (text: string) => [...text.matchAll(/\/Type \/OCG\n\/Name \(([^)]*)\)/g)].map(([, name]) => name);
    const text = textOf(await encode(everythingDrawing(), { group_by: 'color' }));
    expect(layersOf(text)).to.deep.equal(['#f0f0f0', '#ff0000', '#00aa00', 'gradients', '#0000ff']);
    expect(text).to.match(/\/OCProperties <<\n\/OCGs \[\d+ 0 R/);
    expect(textOf(await encode(everythingDrawing()))).to.not.include('/OC');
    expect(() => pdf.parseOptions({ group_by: 'color', pdf_version: '1.4' })).to.throw(
      ServiceError,
      'group_by: color needs layers, which PDF has from 1.5 on',
    );
    expect(() => pdf.parseOptions({ group_by: 'path' })).to.throw(ServiceError, 'not one of none, color');
  });

  it('has pictures and masks by svg-to-pdfkit, of our own SVG, and says that they stand on no layers', async () => {
    for (const file of featureSvgs().filter(({ name }) => name === 'images' || name === 'groups')) {
      const drawing = await drawingOf(file);
      const options = pdf.parseOptions({ group_by: 'color' });
      const { bytes, warnings } = await pdf.encode(drawing, options, never);
      expect(warnings.map(({ code }) => code)).to.deep.equal(['layers-dropped']);
      expect(textOf(bytes)).to.match(/\/Subtype \/Image|\/S \/Luminosity/);
      expect(Buffer.compare(bytes, (await pdf.encode(drawing, options, never)).bytes)).to.equal(0);
    }
  });

  it('draws dashes without length beside a mask, which pdfkit alone refuses', async () => {
    const builder = createDrawingBuilder(40, 20);
    const line = builder.path([
      ['M', 5, 10],
      ['L', 35, 10],
    ]);
    const dots = shapeOf(line, null, strokeOf(solid(0), 4, { cap: 'round', dashes: [0, 8] }));
    const mask = [shapeOf(rectOf(0, 0, 40, 20), solid(0xffffff))];
    const bytes = await encode(builder.drawing([{ kind: 'group', opacity: 1, clip: null, mask, items: [dots] }]));
    expect(textOf(bytes)).to.include('/S /Luminosity');
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
      const ours = averaged(renderPdf(await encode(drawing, { scale }), DPI), AVERAGED);
      const { mean, far } = differenceOf(ours, referencePicture(drawing, PX_PER_UNIT * scale));
      expect(mean).to.be.at.most(LIMITS.mean);
      expect(far).to.be.at.most(LIMITS.far);
    });
});
