import { expect } from 'chai';
import type { Exporter } from '#application/ports/exporter.js';
import { exporters } from '#plugins/index.js';
import { averaged, differenceOf, type RgbPicture, readPicture } from '#test/support/compare-pictures.js';
import { drawingOf, exportSet, type SetFile, scaleFor } from '#test/support/export-set.js';
import { referenceOfMarkup, svgReader } from '#test/support/svg-pictures.js';
import { expectedDxf } from './dxf/expected-dxf.js';
import { extentsOf, readDxf } from './dxf/read-dxf.js';
import { hasGhostscript, renderEps } from './eps/render-eps.js';
import { hasPoppler, renderPdf } from './pdf/render-pdf.js';
import { breachesOf, VERSIONS } from './svg/version-rules.js';

const never = new AbortController().signal;

async function encode(id: string, file: SetFile, options: object = {}): Promise<Uint8Array> {
  const exporter = (exporters as readonly Exporter[]).find(({ format }) => format.id === id)!;
  return (await exporter.encode(await drawingOf(file), exporter.parseOptions(options), never)).bytes;
}

const DPI = 576;
/** 576 dpi averaged to 144. */
const AVERAGED = 4;
const PX_PER_UNIT = 144 / 96;
const RASTER_SCALE = 2;

interface Allowed {
  readonly mean: number;
  readonly far: number;
}
const LIMITS: Allowed = { mean: 1.5, far: 0.005 };
const MIXED = 'PostScript has no opacity: it is mixed with the white beneath, as the answer says';
const OTHER_PICTURES = 'the reference knows no WEBP, and each renderer enlarges pixels in its own way';

/** Every file that may differ by more, with its reason. */
const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, Allowed & { readonly why: string }>>>> = {
  pdf: { images: { mean: 8, far: 0.1, why: OTHER_PICTURES } },
  eps: {
    images: { mean: 8.5, far: 0.1, why: OTHER_PICTURES },
    groups: { mean: 19, far: 0.16, why: `${MIXED}, and there are no masks` },
    gradients: { mean: 1.5, far: 0.025, why: MIXED },
    strokes: { mean: 1.5, far: 0.015, why: MIXED },
  },
  png: {
    images: { mean: 5.5, far: 0.1, why: OTHER_PICTURES },
    references: {
      mean: 0.5,
      far: 0.01,
      why: 'the reference paints patterns from one tile of pixels, turned with the rest',
    },
  },
};
/** What the codecs themselves lose at their default quality, on average; a page of 12 pixels is all edges. */
const CODEC_LOSS = { jpg: 3.5, webp: 5.5, avif: 2.5 } as const;
/** WEBP keeps colors at half the resolution: a checkerboard of saturated colors is nothing but what that loses. */
const CHECKERED_LOSS = { ...CODEC_LOSS, webp: 10 };

const set = await exportSet();

/** The reference at 144 dpi, rendered once for each file. */
const references = new Map<string, RgbPicture>();
async function referenceOf(file: SetFile): Promise<RgbPicture> {
  const scale = PX_PER_UNIT * scaleFor(await drawingOf(file));
  const known = references.get(file.name) ?? referenceOfMarkup(file.markup, scale, AVERAGED);
  references.set(file.name, known);
  return known;
}

function expectAlike(id: string, { name }: SetFile, a: RgbPicture, b: RgbPicture): void {
  const { mean, far } = differenceOf(a, b);
  const allowed = EXCEPTIONS[id]?.[name] ?? LIMITS;
  expect(mean, `${id} of ${name}: mean difference of 255`).to.be.at.most(allowed.mean);
  expect(far, `${id} of ${name}: share of pixels far off`).to.be.at.most(allowed.far);
}

describe('the set that exports are measured with', () => {
  it('has files of every feature, own traces and real files of others', () => {
    const count = (kind: SetFile['kind']) => set.filter((file) => file.kind === kind).length;
    expect(set.length).to.be.at.least(40);
    expect(count('real')).to.be.at.least(20);
    expect(count('feature')).to.equal(10);
    expect(count('trace')).to.be.at.least(18);
    expect(new Set(set.map(({ name }) => name)).size).to.equal(set.length);
  });

  it('is where every exception belongs', () => {
    for (const exceptions of Object.values(EXCEPTIONS))
      for (const name of Object.keys(exceptions)) expect(set.map((file) => file.name)).to.include(name);
  });
});

for (const file of set) {
  const { name, markup } = file;
  describe(`exports of ${name} (${file.kind})`, () => {
    (hasPoppler ? it : it.skip)(`look the same as PDF${hasPoppler ? '' : ' (needs pdftoppm)'}`, async () => {
      const bytes = await encode('pdf', file, { scale: scaleFor(await drawingOf(file)) });
      expectAlike('pdf', file, averaged(renderPdf(bytes, DPI), AVERAGED), await referenceOf(file));
    });

    (hasGhostscript ? it : it.skip)(`look the same as EPS${hasGhostscript ? '' : ' (needs gs)'}`, async () => {
      const bytes = await encode('eps', file, { scale: scaleFor(await drawingOf(file)) });
      const { picture, said } = renderEps(bytes, DPI);
      expect(said).to.equal('');
      expectAlike('eps', file, averaged(picture, AVERAGED), await referenceOf(file));
    });

    it('look the same as PNG, and but for the loss of their codecs as JPG, WEBP and AVIF', async () => {
      const options = { scale: RASTER_SCALE };
      const png = await readPicture(await encode('png', file, options));
      expectAlike('png', file, png, referenceOfMarkup(markup, RASTER_SCALE));
      for (const [id, loss] of Object.entries(name === 'checkerboard' ? CHECKERED_LOSS : CODEC_LOSS)) {
        const lossy = await readPicture(await encode(id, file, options));
        expect(differenceOf(lossy, png).mean, id).to.be.at.most(loss);
      }
    });

    it('have true contours, size and area as DXF', async () => {
      const drawing = await drawingOf(file);
      const wanted = expectedDxf(drawing);
      const { contours } = readDxf(await encode('dxf', file));
      const box = extentsOf(contours);
      const slack = 1e-4 * Math.max(wanted.box.maxX - wanted.box.minX, wanted.box.maxY - wanted.box.minY);
      if (contours.length > 0)
        for (const side of ['minX', 'minY', 'maxX', 'maxY'] as const)
          expect(box[side]).to.be.closeTo(wanted.box[side], slack, side);
      const rounding = 1e-7 * (wanted.box.maxX - wanted.box.minX) * (wanted.box.maxY - wanted.box.minY) + 1e-9;
      for (const [layer, { sum, absolute }] of wanted.areas) {
        const filled = contours.filter((contour) => contour.layer === layer && contour.closed);
        const area = filled.reduce((total, contour) => total + contour.area, 0);
        // Contours that cross themselves have areas that cancel out; what is left of them then is rounding.
        expect(Math.abs(area - sum)).to.be.at.most(1e-3 * absolute + rounding, layer);
      }
    });

    it('are SVG that is written alike when it is read again', async () => {
      const first = Buffer.from(await encode('svg', file)).toString();
      const { drawing, warnings } = await svgReader.read(first);
      expect(warnings).to.deep.equal([]);
      const again = await encode('svg', { ...file, name: `${name} again`, markup: first });
      expect(Buffer.from(again).toString()).to.equal(first);
      expect(drawing.width).to.be.above(0);
    });

    it('have no transform where they are flattened, and only what their version has', async () => {
      const flat = Buffer.from(await encode('svg', file, { flatten: true })).toString();
      expect(flat).to.not.match(/<(?!image)[a-z]+[^>]* transform=|<g[^>]* opacity=|<use/);
      for (const [svg_version, allowed] of Object.entries(VERSIONS)) {
        const text = Buffer.from(await encode('svg', file, { svg_version })).toString();
        expect(breachesOf(text, allowed).breaches, svg_version).to.deep.equal([]);
      }
    });
  });
}
