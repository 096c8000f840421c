import { expect } from 'chai';
import type { Drawing } from '#domain/drawing/drawing.js';
import { svg } from '#plugins/svg/index.js';
import { everythingDrawing } from '#test/contracts/exporter.js';
import { featureDrawings } from '#test/support/feature-drawings.js';
import { svgReader } from '#test/support/svg-pictures.js';

const encode = async (drawing: Drawing, options: object) => {
  const { bytes } = await svg.encode(drawing, svg.parseOptions(options), new AbortController().signal);
  return new TextDecoder().decode(bytes);
};

const OPTIONS = [
  {},
  { group_by: 'none' },
  { group_by: 'path' },
  { svg_version: '1.1' },
  { svg_version: 'tiny1.2' },
  { flatten: true },
  { background: '#ffffff' },
  { clip_overflow: true },
  { width: 100, unit: 'mm' },
  { title: 'A title' },
];

describe('SVG to SVG', () => {
  for (const options of OPTIONS)
    it(`gives the same bytes the second time, with ${JSON.stringify(options)}`, async () => {
      let compared = 0;
      for (const { name, drawing } of [...featureDrawings, { name: 'everything', drawing: everythingDrawing() }]) {
        const source = await encode(drawing, options);
        const once = await encode((await svgReader.read(source)).drawing, options);
        const twice = await encode((await svgReader.read(once)).drawing, options);
        expect(twice, name).to.equal(once);
        compared++;
      }
      expect(compared).to.be.above(30);
    });
});
