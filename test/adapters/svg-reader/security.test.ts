import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { parseMarkup } from '#adapters/svg-reader/parse-markup.js';
import { sanitize } from '#adapters/svg-reader/sanitize.js';
import { markupOf } from '#adapters/svg-reader/svg-node.js';
import { WarningList } from '#adapters/svg-reader/warning-list.js';
import type { Exporter } from '#application/ports/exporter.js';
import { exporters } from '#plugins/index.js';
import { refusalOf } from '#test/support/refusal-of.js';
import { svgReader } from '#test/support/svg-pictures.js';
import { writeRgbaPng } from '#test/support/write-png.js';

const never = new AbortController().signal;
const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const svg = (content: string, attributes = 'width="40" height="40"') =>
  `<svg ${NAMESPACES} ${attributes}>${content}</svg>`;
const SHAPE = '<rect width="9" height="9" fill="#123456"/>';

/** Every way known to us in which markup names something outside itself. */
function outsideReferences(target: string): Readonly<Record<string, string>> {
  const ref = (content: string) => svg(content + SHAPE);
  return {
    'image href': ref(`<image width="9" height="9" href="${target}"/>`),
    'image xlink:href': ref(`<image width="9" height="9" xlink:href="${target}"/>`),
    'image in a pattern': ref(
      `<pattern id="p" width="9" height="9"><image width="9" height="9" href="${target}"/></pattern><rect width="9" height="9" fill="url(#p)"/>`,
    ),
    feImage: ref(`<filter id="f"><feImage href="${target}"/></filter><rect width="9" height="9" filter="url(#f)"/>`),
    use: ref(`<use href="${target}#a"/>`),
    tref: ref(`<text><tref xlink:href="${target}#a"/></text>`),
    textPath: ref(`<text><textPath href="${target}#a">x</textPath></text>`),
    'font-face-uri': ref(
      `<font-face><font-face-src><font-face-uri xlink:href="${target}"/></font-face-src></font-face>`,
    ),
    'color-profile': ref(`<color-profile name="c" xlink:href="${target}"/>`),
    cursor: ref(`<cursor xlink:href="${target}"/>`),
    script: ref(`<script href="${target}"/>`),
    'gradient href': ref(`<linearGradient id="g" href="${target}#a"/><rect width="9" height="9" fill="url(#g)"/>`),
    fill: ref(`<rect width="9" height="9" fill="url(${target}#a)"/>`),
    'quoted fill': ref(`<rect width="9" height="9" fill="url('${target}#a') red"/>`),
    'fill with spaces': ref(`<rect width="9" height="9" fill="URL( ${target}#a )"/>`),
    filter: ref(`<rect width="9" height="9" filter="url(${target}#a)"/>`),
    mask: ref(`<rect width="9" height="9" style="mask:url(${target}#a)"/>`),
    'clip-path': ref(`<rect width="9" height="9" clip-path="url(${target}#a)"/>`),
    marker: ref(`<path d="M0 0h9" marker-end="url(${target}#a)"/>`),
    'hidden by a backslash': ref(`<rect width="9" height="9" style="fill:u\\72l(${target}#a)"/>`),
    'style @import': ref(`<style>@import url(${target}); @import "${target}";</style>`),
    'style @font-face': ref(
      `<style>@font-face{font-family:x;src:url(${target})} text{font-family:x}</style><text y="9">x</text>`,
    ),
    'style rule': ref(`<style>rect{fill:url(${target}#a)}</style>`),
    'style behind a comment': ref(`<style>rect{fill:/**/url(/**/${target}#a)}</style>`),
    'style image': ref(`<style>rect{background-image:url(${target})}</style>`),
    'xml-stylesheet': `<?xml version="1.0"?><?xml-stylesheet href="${target}" type="text/css"?>${ref('')}`,
    'xml:base': `<svg ${NAMESPACES} width="40" height="40" xml:base="${target}"><image width="9" height="9" href="#a"/>${SHAPE}</svg>`,
    'xi:include': ref(`<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${target}" parse="text"/>`),
    'nested svg in a data URL': ref(
      `<image width="9" height="9" href="data:image/svg+xml;base64,${Buffer.from(svg(`<image width="9" height="9" href="${target}"/>`)).toString('base64')}"/>`,
    ),
    iframe: ref(
      `<foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${target}"/></foreignObject>`,
    ),
    object: ref(`<object xmlns="http://www.w3.org/1999/xhtml" data="${target}"/>`),
    link: ref(`<link xmlns="http://www.w3.org/1999/xhtml" rel="stylesheet" href="${target}"/>`),
    'entity-encoded': ref(
      `<image width="9" height="9" href="${[...target].map((c) => `&#${c.charCodeAt(0)};`).join('')}"/>`,
    ),
  };
}

/** Reads, and writes in every format; everything that comes out. */
async function everythingMadeOf(markup: string): Promise<Uint8Array[]> {
  const { drawing, warnings } = await svgReader.read(markup);
  expect(drawing.items.length).to.be.at.least(1);
  const made: Uint8Array[] = [Buffer.from(JSON.stringify(warnings))];
  for (const exporter of exporters as readonly Exporter[])
    made.push((await exporter.encode(drawing, exporter.parseOptions({}), never)).bytes);
  expect(made.length).to.equal(exporters.length + 1);
  return made;
}

describe('SVG that names what lies outside it', () => {
  let server: Server;
  let port = 0;
  let connections = 0;
  let folder = '';
  let canary = '';
  let canaryBytes = Buffer.of();

  before(async () => {
    server = createServer((socket) => {
      connections++;
      socket.resume();
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as { port: number }).port;
    folder = mkdtempSync(join(tmpdir(), 'burin-canary-'));
    canary = join(folder, 'canary.png');
    // A red square: were it drawn, red would show.
    const red = new Uint8Array(4 * 4 * 4).map((_, i) => (i % 4 === 0 || i % 4 === 3 ? 255 : 0));
    canaryBytes = Buffer.from(writeRgbaPng(4, 4, red));
    writeFileSync(canary, canaryBytes);
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await new Promise((resolve) => server.close(resolve));
  });

  it('is tried in many ways', () => {
    expect(Object.keys(outsideReferences('x'))).to.have.lengthOf(33);
  });

  for (const way of Object.keys(outsideReferences('x'))) {
    it(`calls nobody: ${way}`, async () => {
      const before = connections;
      for (const target of [`http://127.0.0.1:${port}/x`, `//127.0.0.1:${port}/x`])
        await everythingMadeOf(outsideReferences(target)[way]!);
      expect(connections).to.equal(before);
    });

    it(`reads no file: ${way}`, async () => {
      const clean = await everythingMadeOf(svg(SHAPE));
      for (const target of [
        canary,
        pathToFileURL(canary).href,
        'file:///dev/random',
        '/dev/random',
        '../../../../etc/passwd',
      ]) {
        const made = await everythingMadeOf(outsideReferences(target)[way]!);
        for (const bytes of made) {
          expect(Buffer.from(bytes).includes(canary), 'the name').to.equal(false);
          expect(Buffer.from(bytes).includes(canaryBytes), 'the bytes').to.equal(false);
        }
        // Whatever was named added nothing that shows: the pictures are those of the shape alone, or of it and black ones.
        const png = exporters.findIndex(({ format }) => format.id === 'png') + 1;
        if (Buffer.compare(made[png]!, clean[png]!) !== 0)
          expect(await hasRed(made[png]!), 'something red').to.equal(false);
      }
    });
  }

  it('passes no outside reference on to what normalises and paints', () => {
    for (const [way, markup] of Object.entries(outsideReferences('http://outside.example/x'))) {
      const passedOn = markupOf(sanitize(parseMarkup(markup), new WarningList()).root);
      expect(passedOn, way).to.contain('<rect').and.not.contain('outside.example');
    }
  });

  it('would be noticed: the listener counts, and red is seen', async () => {
    const before = connections;
    await fetch(`http://127.0.0.1:${port}/`);
    expect(connections).to.equal(before + 1);
    const red = await everythingMadeOf(svg('<rect width="9" height="9" fill="red"/>'));
    expect(await hasRed(red[exporters.findIndex(({ format }) => format.id === 'png') + 1]!)).to.equal(true);
  });
});

async function hasRed(png: Uint8Array): Promise<boolean> {
  const { default: sharp } = await import('sharp');
  const data = await sharp(png).ensureAlpha().raw().toBuffer();
  for (let i = 0; i < data.length; i += 4)
    if (data[i]! > 128 && data[i + 1]! < 64 && data[i + 2]! < 64 && data[i + 3]! > 128) return true;
  return false;
}

describe('SVG that asks for too much', () => {
  const nest = (depth: number) => `${'<g>'.repeat(depth)}${SHAPE}${'</g>'.repeat(depth)}`;
  const laughs = (levels: number, width: number) => {
    let defs = `<g id="l0">${SHAPE}</g>`;
    for (let i = 1; i <= levels; i++) defs += `<g id="l${i}">${`<use href="#l${i - 1}"/>`.repeat(width)}</g>`;
    return svg(`<defs>${defs}</defs><use href="#l${levels}"/>`);
  };
  const chain = (length: number) => {
    let defs = `<g id="l0">${SHAPE}</g>`;
    for (let i = 1; i <= length; i++) defs += `<g id="l${i}"><use href="#l${i - 1}"/></g>`;
    return svg(`<defs>${defs}</defs><use href="#l${length}"/>`);
  };
  const REFUSED: Readonly<Record<string, readonly [() => string, RegExp]>> = {
    'a DOCTYPE': [() => `<!DOCTYPE svg>${svg(SHAPE)}`, /DOCTYPE.*line 1/],
    'an entity that names a file': [
      () => `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
      /DOCTYPE/,
    ],
    'entities in entities': [
      () => `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${svg('<text>&b;</text>')}`,
      /DOCTYPE/,
    ],
    'an entity nobody declared': [() => svg('<text>&nbsp;</text>'), /not well-formed.*line 1, column \d+/],
    '50,000 elements in one another': [() => svg(nest(50_000)), /more than 64 deep.*line 1, column/],
    '65 elements in one another': [() => svg(nest(64)), /more than 64 deep/],
    'more than 200,000 elements': [() => svg('<g/>'.repeat(200_001)), /more than 200000 elements/],
    'an attribute of 10 MB': [() => svg(`<path d="M0 0${' 1 1'.repeat(2_600_000)}"/>`), /attribute d is longer/],
    'hundreds of attributes': [
      () => svg(`<rect ${Array.from({ length: 300 }, (_, i) => `a${i}="1"`).join(' ')}/>`),
      /more than 256 attributes/,
    ],
    'uses in uses, a thousand million times': [() => laughs(9, 10), /references show \d+ things; at most 10000/],
    'uses in uses, beyond all numbers': [() => laughs(60, 40), /references show more than a million million/],
    'a long chain of uses': [() => chain(5000), /128 elements deep/],
    'a use of itself': [() => svg('<g id="a"><use href="#a"/></g>'), /refers to itself/],
    'two uses of each other': [
      () => svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'),
      /refers to itself/,
    ],
    'a pattern of itself': [
      () =>
        svg(
          '<pattern id="p" width="9" height="9"><rect width="9" height="9" fill="url(#p)"/></pattern><rect width="9" height="9" fill="url(#p)"/>',
        ),
      /refers to itself/,
    ],
    'a mask of itself': [
      () =>
        svg(
          '<mask id="m" mask="url(#m)"><rect width="9" height="9"/></mask><rect width="9" height="9" mask="url(#m)"/>',
        ),
      /refers to itself/,
    ],
    'a marker on 20,000 points': [
      () =>
        svg(
          `<marker id="k"><rect width="1" height="1"/></marker><path marker-mid="url(#k)" d="M0 0${' 1 1'.repeat(20_000)}"/>`,
        ),
      /references/,
    ],
    'a marker by a style sheet on 20,000 points': [
      () =>
        svg(
          `<style>path{marker-mid:url(#k)}</style><marker id="k"><rect width="1" height="1"/></marker><path d="M0 0${' 1 1'.repeat(20_000)}"/>`,
        ),
      /references/,
    ],
    'a hundred times a group of ten thousand': [
      () => svg(`<defs><g id="a">${'<path d="M0 0h1"/>'.repeat(10_000)}</g></defs>${'<use href="#a"/>'.repeat(100)}`),
      /elements of it; at most 200000/,
    ],
    'a canvas beyond all numbers': [() => svg(SHAPE, 'width="1e300" height="1e300"'), /at most 1000000/],
    'no markup': [() => 'hello', /not well-formed/],
    nothing: [() => '', /not well-formed|no root/],
    'another vocabulary': [() => '<html xmlns="http://www.w3.org/1999/xhtml"/>', /its root is <html>/],
    'half a document': [() => svg(SHAPE).slice(0, -9), /not well-formed/],
    'two roots': [() => svg(SHAPE) + svg(SHAPE), /not well-formed/],
    'a control character': [() => svg('<text>\u0001</text>'), /not well-formed/],
  };
  for (const [what, [make, message]] of Object.entries(REFUSED))
    it(`is refused: ${what}`, async () => {
      const refusal = await refusalOf(svgReader.read(make()));
      expect(refusal.code).to.equal('INVALID_SVG');
      expect(refusal.message).to.match(message);
      expect(refusal.message.length).to.be.below(400);
    });

  it('is refused above 25 MB, before it is parsed', async () => {
    const refusal = await refusalOf(svgReader.read(svg(`<!--${' '.repeat(26 * 1024 * 1024)}-->`)));
    expect(refusal.code).to.equal('PAYLOAD_TOO_LARGE');
  });

  it('is refused where an embedded picture has more pixels than a picture may', async () => {
    // The header of a PNG of 30,000 x 30,000 pixels.
    const header = Buffer.from('89504e470d0a1a0a0000000d494844520000753000007530080600000000000000', 'hex');
    const refusal = await refusalOf(
      svgReader.read(svg(`<image width="9" height="9" href="data:image/png;base64,${header.toString('base64')}"/>`)),
    );
    expect(refusal.code).to.equal('IMAGE_TOO_LARGE');
  });

  it('is not painted on a huge canvas, whatever it says of its size', async () => {
    const { drawing } = await svgReader.read(svg(SHAPE, 'width="100000" height="100000"'));
    let refused = 0;
    for (const exporter of exporters as readonly Exporter[]) {
      if (!['png', 'jpg', 'webp', 'avif'].includes(exporter.format.id)) continue;
      const refusal = await refusalOf(exporter.encode(drawing, exporter.parseOptions({}), never));
      expect(refusal.code).to.equal('IMAGE_TOO_LARGE');
      refused++;
    }
    expect(refused).to.equal(4);
  });

  it('is not painted through a filter, however large its region', async () => {
    const filter = '<filter id="f" x="-5e6" y="-5e6" width="1e7" height="1e7"><feFlood flood-color="red"/></filter>';
    const markup = svg(`${filter}<rect width="9" height="9" filter="url(#f)"/>`);
    const { drawing, warnings } = await svgReader.read(markup);
    expect(warnings.map(({ code }) => code)).to.deep.equal(['filter-dropped']);
    const png = (exporters as readonly Exporter[]).find(({ format }) => format.id === 'png')!;
    expect(await hasRed((await png.encode(drawing, png.parseOptions({}), never)).bytes)).to.equal(false);
  });

  it('is not painted in more layers than fit into memory', async () => {
    const nested = `${'<g opacity=".5"><circle r="3"/>'.repeat(40)}${SHAPE}${'</g>'.repeat(40)}`;
    const { drawing } = await svgReader.read(svg(nested, 'width="4000" height="4000"'));
    const png = (exporters as readonly Exporter[]).find(({ format }) => format.id === 'png')!;
    expect((await refusalOf(png.encode(drawing, png.parseOptions({}), never))).code).to.equal('IMAGE_TOO_LARGE');
  });
});

describe('SVG that would run something', () => {
  const CASES: Readonly<Record<string, string>> = {
    script: '<script>alert(1)</script>',
    'script in a CDATA section': '<script><![CDATA[alert(1)]]></script>',
    'event handlers': '<rect width="9" height="9" onload="alert(1)" ONCLICK="alert(2)"/>',
    'a link that is a script': '<a href="javascript:alert(1)"><rect width="9" height="9"/></a>',
    'a link that is an encoded script':
      '<a xlink:href="&#106;&#97;&#118;&#97;script&#58;alert(1)"><rect width="9" height="9"/></a>',
    'an animation of a link':
      '<a><animate attributeName="href" values="javascript:alert(1)"/><rect width="9" height="9"/></a>',
    'a set of an event': '<rect width="9" height="9"><set attributeName="onmouseover" to="alert(1)"/></rect>',
    'a page within': '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(1)"/></foreignObject>',
    'a script of another vocabulary': '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
    'a title that ends early': '<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>',
    'an id that ends early': '<rect id="&quot;/&gt;&lt;script&gt;alert(1)&lt;/script&gt;" width="9" height="9"/>',
    'a style that ends early': '<style>rect{fill:red}&lt;/style&gt;&lt;script&gt;alert(1)</style>',
  };
  for (const [what, content] of Object.entries(CASES))
    it(`runs nothing: ${what}`, async () => {
      const made = await everythingMadeOf(svg(content + SHAPE));
      for (const bytes of made) {
        const text = Buffer.from(bytes).toString('latin1');
        expect(text).to.not.match(/alert|javascript|onload|<script/i);
      }
    });
});
