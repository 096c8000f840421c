import { Resvg } from '@resvg/resvg-js';
import { expect } from 'chai';
import { renderDrawing } from '#adapters/tracing/fidelity/rasterize.js';
import { colorGroupsOf } from '#domain/drawing/color-groups.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { ServiceError } from '#domain/errors.js';
import { writeSvg } from '#domain/exports/svg-document.js';
import { svgOptions } from '#plugins/svg/options.js';
import { everythingDrawing } from '#test/contracts/exporter.js';
import { createDrawingBuilder, rectOf, shapeOf, solid, strokeOf } from '#test/support/drawing-builder.js';
import { featureDrawings } from '#test/support/feature-drawings.js';

const write = (drawing: Drawing, precision = 2) => writeSvg(drawing, svgOptions.parseOptions({ precision })).text;
const rectangles = (...colors: number[]) =>
  createDrawingBuilder(90, 90).drawing(colors.map((color, i) => shapeOf(rectOf(i * 30, 0, 1, 1), solid(color))));

describe('the SVG document', () => {
  it('is exactly this, for one of everything', () => {
    expect(write(everythingDrawing())).to.equal(
      [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40" width="60" height="40">',
        '<defs>',
        '<linearGradient id="g1" gradientUnits="userSpaceOnUse" x1="46" y1="4" x2="56" y2="14"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#123456" stop-opacity=".5"/></linearGradient>',
        '<radialGradient id="g2" gradientUnits="userSpaceOnUse" cx="50" cy="28" r="6" fx="48" fy="26" gradientTransform="matrix(1 0 0 .5 0 14)"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#123456" stop-opacity=".5"/></radialGradient>',
        '<clipPath id="k1"><circle cx="20" cy="32" r="6"/><path clip-rule="evenodd" d="m30 4h14v14H30zm4 4h6v6h-6z"/></clipPath>',
        '</defs>',
        '<g id="c-f0f0f0" fill="#f0f0f0">',
        '<rect id="s1" width="60" height="40"/>',
        '</g>',
        '<g id="c-ff0000" fill="#f00">',
        '<path id="s2" d="m2 2 18 .5Q25 10 20 20c-5 5-15 5-16-2a6 4 20 01-1-8z"/>',
        '</g>',
        '<g id="c-00aa00" fill="#0a0" fill-opacity=".75">',
        '<path id="s3" fill-rule="evenodd" d="m30 4h14v14H30zm4 4h6v6h-6z"/>',
        '</g>',
        '<g id="c-899aab" fill="url(#g1)">',
        '<rect id="s4" x="46" y="4" width="10" height="10" rx="3"/>',
        '</g>',
        '<g id="c-899aab-2" fill="url(#g2)" stroke="#000" stroke-opacity=".5" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="bevel" stroke-dasharray="2 1" stroke-dashoffset=".5">',
        '<circle id="s5" cx="50" cy="28" r="6"/>',
        '</g>',
        '<g opacity=".5" clip-path="url(#k1)">',
        '<g id="c-0000ff" fill="#00f">',
        '<ellipse id="s6" cx="20" cy="32" rx="9" ry="4" transform="rotate(15 20 32)"/>',
        '</g>',
        '</g>',
        '</svg>',
        '',
      ].join('\n'),
    );
  });

  it('looks the same to another renderer as to our own', () => {
    const drawing = everythingDrawing();
    const scale = 8;
    const theirs = new Resvg(write(drawing, 4), { fitTo: { mode: 'zoom', value: scale } }).render();
    expect([theirs.width, theirs.height]).to.deep.equal([60 * scale, 40 * scale]);
    const { pixels } = theirs;
    const ours = renderDrawing(drawing, 60 * scale, 40 * scale);
    const far = ours.filter((value, i) => Math.abs(value - pixels[i]!) > 40).length;
    expect(far / ours.length).to.be.below(0.002);
  });

  for (const group_by of ['none', 'color'] as const)
    it(`does not turn a gradient with its ellipse (group_by ${group_by})`, () => {
      const { drawing } = featureDrawings.find(({ name }) => name === 'a turned ellipse with a gradient')!;
      const text = writeSvg(drawing, svgOptions.parseOptions({ group_by })).text;
      expect(text).to.not.match(/ transform=/);
      const { pixels, width, height } = new Resvg(text, { fitTo: { mode: 'zoom', value: 4 } }).render();
      const ours = renderDrawing(drawing, width, height);
      const far = ours.filter((value, i) => Math.abs(value - pixels[i]!) > 40).length;
      expect(far / ours.length).to.be.below(0.02);
    });

  it('shortens colors and merges equal gradients', () => {
    const stops = [{ offset: 0, color: 0xabcdef, opacity: 1 }];
    const ramp = { kind: 'linear', x1: 0, y1: 0, x2: 1, y2: 1, stops } as const;
    const drawing = createDrawingBuilder(10, 10).drawing([
      shapeOf(rectOf(0, 0, 1, 1), ramp),
      shapeOf(rectOf(0, 0, 1, 1), solid(0x112233)),
      shapeOf(rectOf(0, 0, 1, 1), { ...ramp, stops: [...stops] }),
    ]);
    const text = write(drawing);
    expect(text.match(/<linearGradient/g)).to.have.length(1);
    expect(text.match(/url\(#g1\)/g)).to.have.length(2);
    expect(text).to.include('fill="#123"').and.to.include('stop-color="#abcdef"');
  });

  it('has the ids that the color groups say', () => {
    const drawing = rectangles(0xff0000, 0x0000ff, 0xff0000);
    const text = write(drawing);
    const ids = colorGroupsOf(drawing).flatMap(({ id, shapeIds }) => [id, ...shapeIds]);
    expect(ids).to.have.length(5);
    for (const id of ids) expect(text.match(new RegExp(` id="${id}"`, 'g'))).to.have.length(1);
    expect(text.match(/ id="/g)).to.have.length(ids.length);
  });

  it('says the even-odd rule once for a group that wants it throughout', () => {
    const builder = createDrawingBuilder(100, 100);
    const ring = (x: number) =>
      builder.path(
        [['M', x, 0], ['L', x + 9, 0], ['L', x, 9], ['Z'], ['M', x + 1, 1], ['L', x + 4, 1], ['L', x + 1, 4], ['Z']],
        true,
      );
    const items = [0, 20, 40].map((x) => shapeOf(ring(x), solid(0)));
    expect(write(builder.drawing(items)).match(/evenodd/g)).to.have.length(1);
    const plain = shapeOf(builder.path([['M', 60, 0], ['L', 70, 0], ['L', 70, 9], ['Z']]), solid(0));
    expect(write(builder.drawing([...items, plain])).match(/evenodd/g)).to.have.length(3);
    const unfilled = [shapeOf(ring(0), null, strokeOf(solid(0), 1))];
    expect(write(builder.drawing(unfilled))).to.not.include('evenodd');
  });

  it('asks for crisp edges where the drawing does, and keeps its size at any precision', () => {
    const crisp = createDrawingBuilder(10.5, 20).drawing([], true);
    expect(write(crisp, 0)).to.equal(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10.5 20" width="10.5" height="20" shape-rendering="crispEdges">\n</svg>\n',
    );
  });

  it('writes as many digits as it is asked for', () => {
    const drawing = createDrawingBuilder(10, 10).drawing([
      shapeOf({ kind: 'circle', cx: 1.23456, cy: 2, r: 3.5 }, solid(0)),
    ]);
    expect(write(drawing, 0)).to.include('cx="1" cy="2" r="4"');
    expect(write(drawing, 2)).to.include('cx="1.23" cy="2" r="3.5"');
    expect(write(drawing, 4)).to.include('cx="1.2346" cy="2" r="3.5"');
  });

  it('never writes a number that is none', () => {
    const broken = createDrawingBuilder(10, 10).drawing([shapeOf(rectOf(Number.NaN, 0, 1, 1), solid(0))]);
    expect(() => write(broken)).to.throw(RangeError);
  });
});

describe('the SVG options', () => {
  it('are two digits unless asked otherwise', () => {
    expect(svgOptions.parseOptions({}).precision).to.equal(2);
    expect(svgOptions.parseOptions({ precision: 4 }).precision).to.equal(4);
  });

  for (const precision of [-1, 5, 1.5, 'two', null, Number.NaN])
    it(`refuse a precision of ${JSON.stringify(precision)}`, () => {
      expect(() => svgOptions.parseOptions({ precision })).to.throw(
        ServiceError,
        /^precision: .* a whole number from 0 to 4$/,
      );
    });

  it('name the nearest option to a misspelled one', () => {
    expect(() => svgOptions.parseOptions({ presision: 2 })).to.throw(ServiceError, 'the nearest for svg is precision');
  });
});
