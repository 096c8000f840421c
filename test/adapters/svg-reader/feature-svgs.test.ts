import { expect } from 'chai';
import type { Drawing } from '#domain/drawing/drawing.js';
import { exporters } from '#plugins/index.js';
import { averagedPicture, differenceOf } from '#test/support/compare-pictures.js';
import { featureSvgs, realSvgs } from '#test/support/svg-corpus.js';
import { referenceOfMarkup, svgReader } from '#test/support/svg-pictures.js';

const never = new AbortController().signal;

async function encode(id: string, drawing: Drawing, options: object): Promise<Uint8Array> {
  const exporter = exporters.find(({ format }) => format.id === id)!;
  return (await exporter.encode(drawing, exporter.parseOptions(options) as never, never)).bytes;
}

/** Files that the reference itself does not paint as they say, with the share of pixels that may differ for it. */
const REFERENCE_FAULTS: Readonly<
  Record<string, { readonly far: number; readonly mean: number; readonly why: string }>
> = {
  images: { far: 0.1, mean: 6, why: 'the reference knows no WEBP and smooths pixelated pictures' },
  references: {
    far: 0.01,
    mean: 0.5,
    why: 'the reference paints patterns from one tile of pixels, turned with the rest',
  },
};

const svgOf = async (drawing: Drawing) => Buffer.from(await encode('svg', drawing, {})).toString();

describe('SVG that is read', () => {
  const files = realSvgs();
  const features = featureSvgs();

  it('has a file for every family of features', () => {
    expect(features).to.have.lengthOf(10);
  });

  for (const { name, markup } of [...features, ...files]) {
    it(`looks as before: ${name}`, async () => {
      const { drawing } = await svgReader.read(markup);
      const ours = await averagedPicture(await encode('png', drawing, { scale: 2 }), 1);
      const { mean, far } = differenceOf(ours, await referenceOfMarkup(markup, 2));
      const allowed = REFERENCE_FAULTS[name] ?? { mean: 0.5, far: 0.005 };
      expect(mean).to.be.at.most(allowed.mean);
      expect(far).to.be.at.most(allowed.far);
    });

    it(`is written alike when it is read again: ${name}`, async () => {
      const first = await svgOf((await svgReader.read(markup)).drawing);
      const again = await svgReader.read(first);
      expect(await svgOf(again.drawing)).to.equal(first);
      expect(again.warnings).to.deep.equal([]);
    });
  }
});
