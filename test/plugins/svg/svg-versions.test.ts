import { Resvg } from '@resvg/resvg-js';
import { expect } from 'chai';
import { renderDrawing } from '#adapters/tracing/fidelity/rasterize.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { ServiceError } from '#domain/errors.js';
import { svg } from '#plugins/svg/index.js';
import { everythingDrawing } from '#test/contracts/exporter.js';
import { createDrawingBuilder, rectOf, shapeOf, solid, strokeOf } from '#test/support/drawing-builder.js';
import { featureDrawings } from '#test/support/feature-drawings.js';
import { breachesOf, TINY, VERSIONS } from './version-rules.js';

const encode = async (drawing: Drawing, options: object = {}) => {
  const { bytes, ...rest } = await svg.encode(drawing, svg.parseOptions(options), new AbortController().signal);
  return { ...rest, text: new TextDecoder().decode(bytes) };
};

const drawings = [...featureDrawings, { name: 'one of everything', drawing: everythingDrawing() }];

/** Mean difference of 255 between how another renderer paints an SVG and how ours paints the drawing. */
function meanDifference(text: string, drawing: Drawing): number {
  const { pixels, width, height } = new Resvg(text, { fitTo: { mode: 'zoom', value: 4 } }).render();
  const ours = renderDrawing(drawing, width, height);
  return ours.reduce((sum, value, i) => sum + Math.abs(value - pixels[i]!), 0) / ours.length;
}

describe('SVG of a version that is asked for', () => {
  for (const [version, allowed] of Object.entries(VERSIONS)) {
    it(`has only elements and attributes of ${version}`, async () => {
      let seen = 0;
      for (const { name, drawing } of drawings)
        for (const group_by of ['none', 'color', 'path']) {
          const { text } = await encode(drawing, { svg_version: version, group_by, title: 'A & B' });
          const { elements, breaches } = breachesOf(text, allowed);
          expect(breaches, name).to.deep.equal([]);
          expect(text).to.match(
            version === 'tiny1.2' ? /version="1\.2" baseProfile="tiny"/ : new RegExp(`version="${version}"`),
          );
          seen += elements;
        }
      expect(seen).to.be.above(500);
    });
  }

  it('is told from what the versions do not have', () => {
    expect(breachesOf('<svg><g opacity=".5"/><use/></svg>', TINY).breaches).to.deep.equal(['g opacity', 'use']);
    expect(breachesOf('<path d="M0 0a1 1 0 0 1 2 2"/>', TINY).breaches).to.deep.equal(['an arc']);
  });

  it('looks the same in Tiny where Tiny can, and says so where it cannot', async () => {
    let alike = 0;
    for (const { name, drawing } of drawings) {
      const { text, warnings } = await encode(drawing, { svg_version: 'tiny1.2', precision: 4 });
      const codes = warnings.map(({ code }) => code);
      if (name === 'a radial gradient with a focus' || name === 'an elliptic gradient' || name === 'one of everything')
        expect(codes, name).to.include('gradient-simplified');
      else {
        expect(codes, name).to.deep.equal([]);
        expect(meanDifference(text, drawing), name).to.be.below(0.5);
        alike++;
      }
    }
    expect(alike).to.be.above(25);
  });

  it('looks the same flattened, without transforms or groups with an opacity', async () => {
    for (const { name, drawing } of drawings) {
      const { text } = await encode(drawing, { flatten: true, precision: 4 });
      expect(text, name).to.not.match(/ transform=|<g[^>]* opacity=|<use/);
      expect(meanDifference(text, drawing), name).to.be.below(0.5);
    }
    const turned = featureDrawings.find(({ name }) => name === 'circles and ellipses')!.drawing;
    expect((await encode(turned)).text).to.include(' transform=');
  });

  it('says where a turned picture keeps its transform', async () => {
    const picture = (b: number): Drawing =>
      createDrawingBuilder(40, 40).drawing([
        {
          kind: 'image',
          mediaType: 'image/png',
          bytes: Uint8Array.of(1),
          width: 1,
          height: 1,
          matrix: [9, b, -b, 9, 20, 20],
          pixelated: false,
        },
      ]);
    const upright = await encode(picture(0), { flatten: true });
    expect(upright.text).to.not.include('transform=');
    expect(upright.warnings).to.deep.equal([]);
    const turned = await encode(picture(5), { flatten: true });
    expect(turned.warnings.map(({ code }) => code)).to.deep.equal(['transform-kept']);
  });

  it('says where a group that fades shows through itself', async () => {
    const group = (x: number) => ({
      kind: 'group' as const,
      opacity: 0.5,
      clip: null,
      items: [shapeOf(rectOf(0, 0, 10, 10), solid(0)), shapeOf(rectOf(x, 0, 10, 10), solid(0xff0000))],
    });
    const of = (x: number) => createDrawingBuilder(40, 10).drawing([group(x)]);
    expect((await encode(of(20), { flatten: true })).warnings).to.deep.equal([]);
    expect((await encode(of(5), { flatten: true })).warnings.map(({ code }) => code)).to.deep.equal([
      'group-opacity-on-shapes',
    ]);
  });
});

describe('the options of SVG', () => {
  const drawing = createDrawingBuilder(40, 20).drawing([
    shapeOf(rectOf(0, 0, 10, 10), solid(0xff0000)),
    shapeOf(rectOf(20, 0, 10, 10), solid(0x0000ff)),
    shapeOf(rectOf(30, 0, 10, 10), solid(0xff0000), strokeOf(solid(0), 2)),
  ]);
  const tag = (text: string) => /<svg[^>]*>/.exec(text)![0];

  it('group by color, by path, or not at all', async () => {
    const count = (text: string, what: RegExp) => [...text.matchAll(what)].length;
    expect(count((await encode(drawing, { group_by: 'none' })).text, /<g[ >]/g)).to.equal(0);
    const paths = (await encode(drawing, { group_by: 'path' })).text;
    expect([...paths.matchAll(/<g id="([^"]*)">/g)].map(([, id]) => id)).to.deep.equal(['p1', 'p2', 'p3']);
    expect((await encode(drawing)).text).to.include('<g id="c-ff0000" fill="#f00">');
  });

  it('set the size, its unit and how the drawing fits into it', async () => {
    const cases: [object, string][] = [
      [{}, 'viewBox="0 0 40 20" width="40" height="20"'],
      [{ scale: 2 }, 'viewBox="0 0 40 20" width="80" height="40"'],
      [{ unit: 'mm' }, 'viewBox="0 0 40 20" width="10.5833mm" height="5.2917mm"'],
      [{ width: 100, unit: 'mm' }, 'viewBox="0 0 40 20" width="100mm" height="50mm"'],
      [{ height: 100 }, 'viewBox="0 0 40 20" width="200" height="100"'],
      [{ width: 100, height: 100 }, 'viewBox="0 0 40 20" width="100" height="50"'],
      [{ width: 100, height: 100, fit: 'overflow' }, 'viewBox="10 0 20 20" width="100" height="100"'],
      [
        { width: 100, height: 100, fit: 'stretch' },
        'viewBox="0 0 40 20" width="100" height="100" preserveAspectRatio="none"',
      ],
      [{ width: 1, unit: 'in', dpi: 300 }, 'viewBox="0 0 40 20" width="1in" height=".5in"'],
    ];
    for (const [options, wanted] of cases) expect(tag((await encode(drawing, options)).text)).to.include(` ${wanted}`);
  });

  it('keep the width of strokes, where the version can', async () => {
    const kept = (await encode(drawing, { non_scaling_strokes: true })).text;
    expect([...kept.matchAll(/vector-effect="non-scaling-stroke"/g)]).to.have.length(1);
    expect((await encode(drawing, { non_scaling_strokes: true, svg_version: 'tiny1.2' })).text).to.include(
      'vector-effect',
    );
    for (const svg_version of ['1.0', '1.1', 1.1])
      expect(() => svg.parseOptions({ non_scaling_strokes: true, svg_version })).to.throw(
        ServiceError,
        'has no vector-effect',
      );
  });

  it('clip what stands over the canvas, lay a background and write a title', async () => {
    const over = createDrawingBuilder(10, 10).drawing([shapeOf(rectOf(-5, 0, 10, 10), solid(0))]);
    expect((await encode(over, { clip_overflow: true })).text).to.include('clip-path="url(#k1)"');
    const cut = (await encode(over, { clip_overflow: true, svg_version: 'tiny1.2' })).text;
    expect(cut).to.not.include('clip-path');
    expect(cut).to.match(/ d="[^"]+"/);
    expect(meanDifference(cut, over)).to.be.below(0.01);
    expect((await encode(over, { background: 'none' })).text).to.not.include('<rect id="s1" width="10"');
    expect((await encode(over, { background: '#abc' })).text).to.include('fill="#abc"');
    expect((await encode(over, { title: '<a> & "b"' })).text).to.include(
      '<title>&lt;a&gt; &amp; &quot;b&quot;</title>',
    );
  });
});
