import { expect } from 'chai';
import { createNormalizer } from '#adapters/svg-reader/normalizer.js';
import { refusalOf } from '#test/support/refusal-of.js';
import { svgReader } from '#test/support/svg-pictures.js';

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40">${content}</svg>`;

/** The library ends its process over a clip that is clipped by a clip without an outline. */
const FATAL = svg(
  '<clipPath id="a" clip-path="url(#b)"><circle r="30"/></clipPath><clipPath id="b"><rect transform="rotate(10)"/></clipPath><g clip-path="url(#a)"><rect width="9" height="9"/></g>',
);
/** And works for ever on an arc to such a place. */
const ENDLESS = svg('<path d="M80 20a30 15 25 0 1 50 20a30 15 25 1 1 1e40-20z"/>');
const PLAIN = svg('<rect width="9" height="9"/>');

describe('the process that normalises', () => {
  const ask = (markup: string) => ({ markup, fontFiles: [] });

  it('answers, one request after the other', async () => {
    const { normalize } = createNormalizer(20_000);
    const answers = await Promise.all([
      normalize(ask(PLAIN)),
      normalize(ask(svg('<circle r="3"/>'))),
      normalize(ask(PLAIN)),
    ]);
    expect(answers[0]).to.include('M 0 0 L 9 0 L 9 9 L 0 9 Z');
    expect(answers[1]).to.include(' C ');
    expect(answers[2]).to.equal(answers[0]);
  });

  it('may end without taking anything with it, and begins anew', async () => {
    const { normalize } = createNormalizer(20_000);
    const [fatal, plain] = await Promise.all([refusalOf(normalize(ask(FATAL))), normalize(ask(PLAIN))]);
    expect([fatal.code, fatal.message]).to.deep.equal([
      'INVALID_SVG',
      'The SVG cannot be used: it cannot be resolved.',
    ]);
    expect(plain).to.include('<path');
  });

  it('is ended when it works for too long', async () => {
    const { normalize } = createNormalizer(300);
    const refusal = await refusalOf(normalize(ask(ENDLESS)));
    expect([refusal.code, refusal.message]).to.deep.equal([
      'INVALID_SVG',
      'The SVG cannot be used: it takes more than 0.3 s to resolve.',
    ]);
  });

  it('is ended when nobody wants its answer any more', async () => {
    const { normalize } = createNormalizer(60_000);
    const controller = new AbortController();
    const refusal = refusalOf(normalize(ask(ENDLESS), controller.signal));
    const next = normalize(ask(PLAIN));
    controller.abort();
    expect((await refusal).code).to.equal('CANCELLED');
    expect(await next).to.include('<path');
  });

  it('says what it does not understand', async () => {
    const refusal = await refusalOf(createNormalizer(20_000).normalize(ask('<svg')));
    expect(refusal.code).to.equal('INVALID_SVG');
  });

  it('stands behind the reader, which refuses the same', async () => {
    expect((await refusalOf(svgReader.read(FATAL))).code).to.equal('INVALID_SVG');
    const large = await refusalOf(svgReader.read(ENDLESS));
    expect(large.message).to.match(/d holds the number 1e\+40; at most 10000000 are accepted \(line 1\)/);
  });
});
