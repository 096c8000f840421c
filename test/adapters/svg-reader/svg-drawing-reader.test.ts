import { expect } from 'chai';
import { createImageDecoder } from '#adapters/imaging/image-decoder.js';
import { createSvgDrawingReader } from '#adapters/svg-reader/svg-drawing-reader.js';
import type { Drawing, Group, ImageItem, Shape } from '#domain/drawing/drawing.js';
import { shapesOf } from '#domain/drawing/drawing.js';
import { refusalOf } from '#test/support/refusal-of.js';
import { svgReader } from '#test/support/svg-pictures.js';

const svg = (content: string, attributes = 'width="100" height="80"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;
const read = async (content: string, attributes?: string) => svgReader.read(svg(content, attributes));
const only = (drawing: Drawing) => {
  expect(drawing.items).to.have.lengthOf(1);
  return drawing.items[0] as Shape;
};
const codes = (notes: readonly { readonly code: string }[]) => notes.map(({ code }) => code);

describe('the size of an SVG', () => {
  const CASES: readonly (readonly [string, number, number])[] = [
    ['width="30" height="20px"', 30, 20],
    ['width="72pt" height="6pc"', 96, 96],
    ['width="25.4mm" height="5.08cm"', 96, 192],
    ['width="1in" height="101.6q"', 96, 96],
    ['viewBox="0 0 40 30"', 40, 30],
    ['width="80" viewBox="0 0 40 30"', 80, 60],
    ['height="15" viewBox="0 0 40 30"', 20, 15],
    ['width="100%" height="50%" viewBox="5 5 40 30"', 40, 15],
    ['width="2em" height="1e2"', 32, 100],
  ];
  for (const [attributes, width, height] of CASES)
    it(`is ${width} x ${height} for ${attributes}`, async () => {
      const { drawing } = await read('<rect width="1" height="1"/>', attributes);
      expect(drawing.width).to.be.closeTo(width, 1e-9);
      expect(drawing.height).to.be.closeTo(height, 1e-9);
    });

  it('is that of what it shows where it states none, and says so', async () => {
    const { drawing, warnings } = await read('<rect x="10" y="5" width="30" height="20"/>', '');
    expect([drawing.width, drawing.height]).to.deep.equal([40, 25]);
    expect(codes(warnings)).to.deep.equal(['size-from-content']);
  });

  for (const attributes of [
    'width="0" height="5"',
    'width="-3" height="5"',
    'width="9e9" height="5"',
    'width="1e-7" height="65.5"',
    'viewBox="0 0 0 5"',
    'width="a"',
  ])
    it(`is refused for ${attributes}`, async () => {
      expect((await refusalOf(read('', attributes))).code).to.equal('INVALID_SVG');
    });

  const ASPECTS: readonly (readonly [string, number, number, number, number])[] = [
    ['', 20, 0, 60, 60],
    ['xMinYMin', 0, 0, 60, 60],
    ['xMaxYMid meet', 40, 0, 60, 60],
    ['none', 0, 0, 100, 60],
    ['xMidYMid slice', 0, -20, 100, 100],
  ];
  for (const [aspect, x, y, width, height] of ASPECTS)
    it(`places a viewBox by preserveAspectRatio="${aspect}"`, async () => {
      const attributes = `width="100" height="60" viewBox="0 0 10 10"${aspect ? ` preserveAspectRatio="${aspect}"` : ''}`;
      const { geometry } = only((await read('<rect width="10" height="10"/>', attributes)).drawing);
      expect(geometry).to.deep.equal({ kind: 'rect', x, y, width, height, radius: 0 });
    });
});

describe('outlines of an SVG', () => {
  const CASES: readonly (readonly [string, object])[] = [
    ['<circle cx="10.125" cy="20" r="5"/>', { kind: 'circle', cx: 10.125, cy: 20, r: 5 }],
    ['<ellipse cx="10" cy="20" rx="5" ry="3"/>', { kind: 'ellipse', cx: 10, cy: 20, rx: 5, ry: 3, rotation: 0 }],
    ['<rect x="1" y="2" width="9" height="8" rx="3"/>', { kind: 'rect', x: 1, y: 2, width: 9, height: 8, radius: 3 }],
    [
      '<g transform="translate(1 2) scale(2)"><circle cx="3" cy="4" r="5"/></g>',
      { kind: 'circle', cx: 7, cy: 10, r: 10 },
    ],
    [
      '<g transform="scale(2 1)"><circle cx="3" cy="4" r="5"/></g>',
      { kind: 'ellipse', cx: 6, cy: 4, rx: 10, ry: 5, rotation: 0 },
    ],
    [
      '<rect transform="scale(-1 1)" x="-10" width="4" height="3"/>',
      { kind: 'rect', x: 6, y: 0, width: 4, height: 3, radius: 0 },
    ],
  ];
  for (const [markup, geometry] of CASES)
    it(`stay what they are: ${markup}`, async () => {
      expect(only((await read(markup)).drawing).geometry).to.deep.equal(geometry);
    });

  it('are known again as circles and rectangles where a use has turned them into curves', async () => {
    const used =
      '<defs><g id="a"><circle cx="5" cy="6" r="3"/><rect x="1" y="2" width="4" height="5"/></g></defs><use href="#a" x="10"/>';
    const { drawing } = await read(used);
    const [circle, rect] = [...shapesOf(drawing.items)].map(({ geometry }) => geometry);
    expect(rect).to.deep.equal({ kind: 'rect', x: 11, y: 2, width: 4, height: 5, radius: 0 });
    if (circle?.kind !== 'circle') throw new Error(`a ${circle?.kind} came back`);
    expect(circle.cx).to.be.closeTo(15, 1e-3);
    expect(circle.cy).to.be.closeTo(6, 1e-3);
    expect(circle.r).to.be.closeTo(3, 1e-3);
  });

  it('turn with their ellipse', async () => {
    const { geometry } = only(
      (await read('<ellipse cx="30" cy="20" rx="9" ry="4" transform="rotate(25 30 20)"/>')).drawing,
    );
    if (geometry.kind !== 'ellipse') throw new Error(`a ${geometry.kind} came back`);
    const wanted = { cx: 30, cy: 20, rx: 9, ry: 4, rotation: 25 };
    for (const [name, value] of Object.entries(wanted))
      expect(geometry[name as keyof typeof wanted], name).to.be.closeTo(value, 1e-4);
  });
});

describe('paint of an SVG', () => {
  it('is resolved: style sheets, inheritance, currentColor, opacity', async () => {
    const { drawing } = await read(
      '<style>.a{fill:#abc} #z{fill-opacity:.5}</style><g color="#123456" stroke="currentColor"><rect id="z" class="a" width="9" height="9" stroke-width="3"/></g>',
    );
    const { fill, stroke } = only(drawing);
    expect(fill).to.deep.equal({ kind: 'solid', color: 0xaabbcc, opacity: 0.5 });
    expect(stroke?.paint).to.deep.equal({ kind: 'solid', color: 0x123456, opacity: 1 });
    expect(stroke?.width).to.equal(3);
  });

  it('has strokes scaled with their group, and kept where they must not scale', async () => {
    const { drawing } = await read(
      '<g transform="scale(4)" stroke="red" stroke-dasharray="1 2"><path d="M0 0h9"/><path d="M0 5h9" vector-effect="non-scaling-stroke"/></g>',
    );
    const [scaled, kept] = drawing.items as readonly Shape[];
    expect([scaled?.stroke?.width, scaled?.stroke?.dashes]).to.deep.equal([4, [4, 8]]);
    expect([kept?.stroke?.width, kept?.stroke?.dashes]).to.deep.equal([1, [1, 2]]);
  });

  it('keeps a group that fades as a whole, and gives a lone shape its opacity', async () => {
    const { drawing } = await read(
      '<g opacity=".5"><rect width="9" height="9"/><rect x="4" width="9" height="9"/></g><rect width="2" height="2" opacity=".25"/>',
    );
    const [group, shape] = drawing.items as readonly [Group, Shape];
    expect([group.opacity, group.items.length]).to.deep.equal([0.5, 2]);
    expect(shape.fill).to.deep.equal({ kind: 'solid', color: 0, opacity: 0.25 });
  });

  it('leads a gradient across a slanting matrix', async () => {
    const { drawing } = await read(
      '<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="10" y2="0"><stop offset="0"/><stop offset="1" stop-color="#fff"/></linearGradient><g transform="matrix(1 0 1 1 0 0)"><rect width="10" height="10" fill="url(#g)"/></g>',
    );
    const { fill } = only(drawing);
    if (fill?.kind !== 'linear') throw new Error(`a ${fill?.kind} paint came back`);
    // x' = x + y: lines of one color run along (1, 1), so the ramp runs along (1, -1) and is 10 / sqrt 2 long.
    expect(fill.x1).to.be.closeTo(0, 1e-6);
    expect(fill.x2).to.be.closeTo(5, 1e-5);
    expect(fill.y2).to.be.closeTo(-5, 1e-5);
  });
});

describe('markers of an SVG', () => {
  it('look along their line, and backwards at its start where they are to', async () => {
    const { drawing } = await read(
      '<marker id="m" orient="auto-start-reverse" refX="2" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" overflow="visible"><rect width="2" height="1"/></marker><path d="M20 40H60" stroke="red" marker-start="url(#m)" marker-end="url(#m)"/>',
    );
    const boxes = [...shapesOf(drawing.items)].slice(1).map(({ geometry }) => geometry);
    // Both lie behind their tips: from 20 to the right and above, from 60 to the left and below.
    expect(boxes).to.deep.equal([
      { kind: 'rect', x: 20, y: 39, width: 2, height: 1, radius: 0 },
      { kind: 'rect', x: 58, y: 40, width: 2, height: 1, radius: 0 },
    ]);
  });
});

describe('what an SVG cannot keep', () => {
  const CASES: readonly (readonly [string, string])[] = [
    ['<script>alert(1)</script>', 'script-dropped'],
    ['<rect width="5" height="5" onclick="alert(1)"/>', 'script-dropped'],
    [
      '<foreignObject width="9" height="9"><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>',
      'element-dropped',
    ],
    ['<rect width="5" height="5"><animate attributeName="x" to="5"/></rect>', 'animation-dropped'],
    ['<filter id="f"><feGaussianBlur/></filter><rect width="5" height="5" filter="url(#f)"/>', 'filter-dropped'],
    ['<rect width="5" height="5" style="mix-blend-mode:multiply"/>', 'blend-mode-dropped'],
    ['<image width="5" height="5" href="data:image/png;base64,AAAA"/>', 'image-dropped'],
    ['<image width="5" height="5" href="data:image/svg+xml;base64,AAAA"/>', 'image-dropped'],
    ['<rect width="5" height="5" fill="url(http://example.org/#a)"/>', 'external-reference-dropped'],
    ['<style>@import "x.css"; rect{fill:red}</style>', 'style-rule-dropped'],
    ['<rect width="5" height="5" madeUp="1"/>', 'attribute-dropped'],
  ];
  for (const [markup, code] of CASES)
    it(`is told of: ${code} for ${markup.slice(0, 50)}`, async () => {
      const { warnings } = await read(markup);
      expect(codes(warnings)).to.deep.equal([code]);
      expect(warnings[0]?.message).to.match(/^\d+ .*\.$/);
    });

  it("is nothing for an editor's own notes, titles and metadata", async () => {
    const { warnings } = await read(
      '<title>t</title><metadata><x xmlns="urn:x"/></metadata><n:view xmlns:n="urn:n" zoom="2"/><rect width="1" height="1" data-a="1"/>',
    );
    expect(warnings).to.deep.equal([]);
  });
});

describe('pictures in an SVG', () => {
  const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  it('are decoded and placed', async () => {
    const { drawing } = await read(
      `<g transform="translate(5 0)"><image x="10" y="20" width="30" height="40" preserveAspectRatio="none" href="data:image/png;base64,${PNG}"/></g>`,
    );
    const image = drawing.items[0] as ImageItem;
    expect([image.kind, image.width, image.height, image.mediaType]).to.deep.equal(['image', 1, 1, 'image/png']);
    expect([...image.matrix]).to.deep.equal([30, 0, 0, 40, 15, 20]);
  });

  it('are let through by a use as well, each with its own', async () => {
    const { drawing } = await read(
      `<defs><image id="i" width="3" height="3" xlink:href="data:image/png;base64,${PNG}"/></defs><use href="#i"/><use href="#i" x="50"/>`,
    );
    expect((drawing.items as readonly ImageItem[]).map(({ matrix }) => matrix[4])).to.deep.equal([0, 50]);
  });
});

describe('text of an SVG', () => {
  it('becomes outlines of the fonts that came with the program, without a word where they are what is asked for', async () => {
    for (const family of [
      '',
      'font-family="DejaVu Sans"',
      'font-family="serif"',
      'style="font: bold 12px monospace"',
    ]) {
      const { drawing, warnings } = await read(`<text x="5" y="20" ${family}>Größe</text>`);
      expect(warnings, family).to.deep.equal([]);
      const outlines = [...shapesOf(drawing.items)];
      expect(outlines, family).to.have.length.of.at.least(1);
      for (const { geometry } of outlines) expect(geometry.kind).to.equal('path');
    }
  });

  const SUBSTITUTED: readonly (readonly [string, string])[] = [
    ['<text y="9" font-family="\'Comic Sans MS\', serif">a</text>', 'Comic Sans MS'],
    ['<text y="9" style="font-family: Nowhere">a</text>', 'Nowhere'],
    ['<style>text{font: italic 12px/1.5 Helvetica, Arial}</style><text y="9">a</text>', 'Helvetica'],
  ];
  for (const [markup, family] of SUBSTITUTED)
    it(`says that another font stands in for ${family}`, async () => {
      const { drawing, warnings } = await read(markup);
      expect(warnings.map(({ code, message }) => [code, message.includes(family)])).to.deep.equal([
        ['font-substituted', true],
      ]);
      expect([...shapesOf(drawing.items)]).to.have.length(1);
    });

  it('says which characters no font has', async () => {
    const { warnings } = await read('<text y="9">a 図 b</text>');
    expect(warnings.map(({ code, message }) => [code, message])).to.deep.equal([
      ['glyph-missing', '1 character(s) have no glyph here: 図.'],
    ]);
  });

  it('is left out, which is said, where there are no fonts', async () => {
    const bare = createSvgDrawingReader({ decoder: createImageDecoder(), fontFiles: [] });
    const markup = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">a</text></svg>';
    const { drawing, warnings } = await bare.read(markup);
    expect(codes(warnings)).to.deep.equal(['text-dropped']);
    expect([...shapesOf(drawing.items)]).to.deep.equal([]);
  });
});
