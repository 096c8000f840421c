import { expect } from 'chai';
import { createChoices, seedOfCase } from './choices.js';
import { mutatePicture, PICTURE_KINDS, splitsWhole } from './mutate-picture.js';
import { runFuzz } from './run-fuzz.js';
import { samplePictures } from './sample-pictures.js';
import { SURFACE_NAMES, type SurfaceName } from './surfaces/index.js';

/** The share of every run of the tests; `npm run fuzz` takes as many as there is time for. */
const CASES: Readonly<Record<SurfaceName, number>> = {
  pictures: 1200,
  svg: 1000,
  settings: 10_000,
  tracing: 250,
  http: 700,
  'http-socket': 600,
};
/** Of what came of the cases, at least one each: a share that is refused at the door shows nothing. */
const EXPECTED: Readonly<Record<SurfaceName, readonly RegExp[]>> = {
  pictures: PICTURE_KINDS.flatMap((kind) => [new RegExp(`^${kind} decoded`), new RegExp(`^${kind} UNREADABLE`)]),
  svg: [/^read$/, /^read, pdf/, /^read, dxf/, /^INVALID_SVG/],
  settings: [/^accepted/, /^INVALID_REQUEST/],
  tracing: [/^traced/],
  http: [/^convert 200/, /^convert 422/, /^export 200/, /^export 422/, /^batch/, /^mcp 200/, /^other 404/],
  'http-socket': [
    /^(length|chunks) 200/,
    /^no body 200/,
    /^broken chunks 400/,
    /^contradicts 400/,
    /^pipelined several/,
    /^cut off/,
  ],
};

describe('hostile input, by seeds', () => {
  for (const surface of SURFACE_NAMES)
    it(`breaks nothing: ${surface}`, async () => {
      const { cases, outcomes, finds } = await runFuzz({ surface, seed: 20_261, cases: CASES[surface] });
      expect(finds.map(({ index, what, error }) => `case ${index} ${what}: ${error}`)).to.deep.equal([]);
      expect(cases).to.equal(CASES[surface]);
      for (const wanted of EXPECTED[surface])
        expect(
          Object.keys(outcomes).some((outcome) => wanted.test(outcome)),
          `${wanted} in ${JSON.stringify(outcomes)}`,
        ).to.equal(true);
    });

  it('is changed in what it is understood to be, the same way for a seed', async () => {
    const samples = await samplePictures();
    for (const { kind, bytes } of samples) {
      expect(splitsWhole(kind, bytes), kind).to.equal(true);
      const made = (index: number) => mutatePicture(kind, bytes, createChoices(seedOfCase(3, index)));
      expect(made(5)).to.deep.equal(made(5));
      expect(new Set(Array.from({ length: 20 }, (_, i) => Buffer.from(made(i)).toString('base64'))).size).to.be.above(
        8,
      );
    }
  });
});
