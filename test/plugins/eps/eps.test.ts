import { expect } from 'chai';
import type { Drawing, Paint } from '#domain/drawing/drawing.js';
import { ServiceError } from '#domain/errors.js';
import { ascii85Lines, runLengthEncoded } from '#plugins/eps/images.js';
import { eps } from '#plugins/eps/index.js';
import { averaged, differenceOf, referencePicture } from '#test/support/compare-pictures.js';
import { createDrawingBuilder, rectOf, shapeOf, solid } from '#test/support/drawing-builder.js';
import { featureDrawings } from '#test/support/feature-drawings.js';
import { createSeededRandom } from '#test/support/seeded-random.js';
import { writeRgbaPng } from '#test/support/write-png.js';
import { hasGhostscript, renderEps } from './render-eps.js';

const never = new AbortController().signal;
const encode = async (drawing: Drawing, options: object = {}) => {
  const { bytes, ...rest } = await eps.encode(drawing, eps.parseOptions(options), never);
  return { ...rest, bytes, text: new TextDecoder().decode(bytes) };
};
const plain = (width: number, height: number) =>
  createDrawingBuilder(width, height).drawing([shapeOf(rectOf(0, 0, width, height), solid(0x336699))]);

/** Ghostscript smooths fills but not the edges of clips, of which these small pictures have a lot. */
const UNSMOOTHED = ['a gradient stroke', 'a clipped gradient'];

describe('the EPS document', () => {
  it('keeps to the document structuring conventions', async () => {
    let lines = 0;
    for (const { drawing } of featureDrawings) {
      const { text } = await encode(drawing, { title: 'Größe (1)' });
      expect(text).to.match(/^%!PS-Adobe-3\.0 EPSF-3\.0\n%%Creator: Burin\n%%Title: Gr\?\?e \(1\)\n%%BoundingBox: /);
      const order = ['%%EndComments', '%%BeginProlog', '%%EndProlog', '%%Page: 1 1', 'showpage', '%%Trailer', '%%EOF'];
      const at = order.map((mark) => text.indexOf(`${mark}\n`));
      expect(at).to.deep.equal([...at].sort((a, b) => a - b));
      expect(at).to.not.include(-1);
      for (const line of text.split('\n')) {
        expect(line.length).to.be.at.most(255);
        expect(line).to.match(/^[\x20-\x7e]*$/);
        lines++;
      }
      // Operators that an embedded file must not use.
      expect(text).to.not.match(/\b(initclip|initgraphics|setpagedevice|erasepage|initmatrix)\b/);
    }
    expect(lines).to.be.above(1000);
  });

  it('states its size exactly, in points', async () => {
    const cases: [object, string, string][] = [
      [{ dpi: 72 }, '0 0 34 24', '0 0 33.5 23.5'],
      [{}, '0 0 26 18', '0 0 25.125 17.625'],
      [{ width: 100, unit: 'mm' }, '0 0 284 199', '0 0 283.4646 198.8483'],
      [{ width: 2, height: 2, unit: 'in' }, '0 0 144 102', '0 0 144 101.0149'],
      [{ width: 2, height: 2, unit: 'in', fit: 'overflow' }, '0 0 144 144', '0 0 144 144'],
      [{ width: 72, height: 36, unit: 'pt', fit: 'stretch' }, '0 0 72 36', '0 0 72 36'],
      [{ dpi: 72, scale: 2 }, '0 0 67 47', '0 0 67 47'],
    ];
    for (const [options, box, hiRes] of cases) {
      const { text } = await encode(plain(33.5, 23.5), options);
      expect(text).to.include(`\n%%BoundingBox: ${box}\n%%HiResBoundingBox: ${hiRes}\n`, JSON.stringify(options));
    }
    expect((await encode(plain(10, 20), { width: 5, unit: 'cm' })).size).to.deep.equal({
      width: 5,
      height: 10,
      unit: 'cm',
    });
  });

  it('uses shadings at level 3 and none at level 2', async () => {
    const ramps = featureDrawings.filter(({ needs }) => needs.includes('gradients'));
    expect(ramps).to.have.length.above(6);
    for (const { drawing } of ramps) {
      expect((await encode(drawing)).text)
        .to.include('shfill')
        .and.to.include('%%LanguageLevel: 3');
      expect((await encode(drawing, { level: 2 })).text).to.not.match(/shfill|Shading|FunctionType/);
    }
  });

  it('says where opacity was mixed with the background, and mixes it', async () => {
    const drawing = createDrawingBuilder(10, 10).drawing([shapeOf(rectOf(0, 0, 10, 10), solid(0xff0000, 0.5))]);
    const white = await encode(drawing);
    expect(white.warnings.map(({ code }) => code)).to.deep.equal(['opacity-flattened']);
    expect(white.text).to.include('1 .5 .5 rg');
    expect((await encode(drawing, { background: '#0000ff' })).text).to.include('.5 0 .5 rg');
    expect((await encode(plain(10, 10))).warnings).to.deep.equal([]);
  });

  it('refuses what it cannot honour, and says what it can', () => {
    expect(() => eps.parseOptions({ svg_version: '1.1' })).to.throw(
      ServiceError,
      /^svg_version: eps cannot honour svg_version; it honours scale, width, .*level$/,
    );
    expect(() => eps.parseOptions({ level: 1 })).to.throw(
      ServiceError,
      'level: 1 is out of range; it takes a whole number from 2 to 3',
    );
    expect(() => eps.parseOptions({ levl: 2 })).to.throw(ServiceError, 'the nearest for eps is level');
    expect(() => eps.parseOptions({ scale: 2, width: 100 })).to.throw(ServiceError, 'scale: cannot be given together');
    expect(() => eps.parseOptions({ fit: 'stretch', width: 100 })).to.throw(ServiceError, 'fit: stretch needs both');
  });
});

describe('pictures in an EPS', () => {
  /** Red, half of a green, nothing, blue. */
  const PIXELS = Uint8Array.of(255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 0, 0, 0, 0, 255, 255);
  const drawingOfPixels = (): Drawing => {
    const image = {
      kind: 'image',
      mediaType: 'image/png',
      bytes: writeRgbaPng(4, 1, PIXELS),
      width: 4,
      height: 1,
      matrix: [10, 0, 0, 10, 0, 5],
      pixelated: true,
    } as const;
    return createDrawingBuilder(40, 20).drawing([shapeOf(rectOf(0, 0, 40, 20), solid(0xffff00)), image]);
  };

  it('have runs that another reader unpacks to what they were', () => {
    const random = createSeededRandom(3);
    for (const length of [0, 1, 2, 127, 128, 129, 1000]) {
      for (const values of [1, 2, 256]) {
        const data = Uint8Array.from({ length }, () => Math.floor(random() * values));
        expect(unpackedRuns(runLengthEncoded(data))).to.deep.equal([...data]);
      }
    }
    expect(runLengthEncoded(new Uint8Array(10_000)).length).to.be.below(200);
  });

  it('are written in printable lines, the last one closed', () => {
    expect(ascii85Lines(Uint8Array.of(0, 0, 0, 0, 77, 97, 110, 32, 105, 115))).to.deep.equal(['z9jqo^Bla~>']);
    for (const line of ascii85Lines(Uint8Array.from({ length: 3000 }, (_, i) => (i * 37) & 255)))
      expect(line).to.match(/^[\x20-\x7e]{1,121}$/);
  });

  for (const level of [2, 3])
    (hasGhostscript ? it : it.skip)(
      `are painted where they lie at level ${level}${hasGhostscript ? '' : ' (needs gs)'}`,
      async () => {
        const { bytes, text, warnings } = await encode(drawingOfPixels(), { dpi: 72, level });
        expect(warnings.map(({ code }) => code)).to.deep.equal(['opacity-flattened']);
        expect(text.includes('FlateDecode')).to.equal(level === 3);
        expect(text.includes('ImageType 3')).to.equal(level === 3);
        const { picture, said } = renderEps(bytes, 72);
        expect(said).to.equal('');
        const { data, width } = picture;
        const at = (x: number, y: number) => [...data.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)];
        expect(at(5, 2)).to.deep.equal([255, 255, 0]);
        expect(at(5, 10)).to.deep.equal([255, 0, 0]);
        for (const [c, value] of at(15, 10).entries()) expect(value).to.be.closeTo([127, 255, 127][c]!, 2);
        // Level 2 cannot leave pixels out, and mixes them with the white that it assumes beneath.
        expect(at(25, 10)).to.deep.equal(level === 3 ? [255, 255, 0] : [255, 255, 255]);
        expect(at(35, 10)).to.deep.equal([0, 0, 255]);
        expect(at(35, 17)).to.deep.equal([255, 255, 0]);
      },
    );
});

function unpackedRuns(data: Uint8Array): number[] {
  const out: number[] = [];
  for (let at = 0; data[at] !== 128; ) {
    const length = data[at++]!;
    if (length > 128) out.push(...Array<number>(257 - length).fill(data[at++]!));
    else for (let i = 0; i <= length; i++) out.push(data[at++]!);
  }
  return out;
}

describe(`an EPS rendered by Ghostscript${hasGhostscript ? '' : ' (pending: Ghostscript is not installed)'}`, () => {
  before(function () {
    if (!hasGhostscript) this.skip();
  });

  const rendered = async (drawing: Drawing, options: object, zoom: number) => {
    const { bytes } = await encode(drawing, { dpi: 72, scale: zoom, ...options });
    const { picture, said } = renderEps(bytes, 576);
    expect(said).to.equal('');
    return averaged(picture, 4);
  };
  const expectAlike = async (drawing: Drawing, options: object, name: string) => {
    const { mean, far } = differenceOf(await rendered(drawing, options, 2), referencePicture(drawing, 4));
    expect(mean).to.be.at.most(1.5, name);
    expect(far).to.be.at.most(UNSMOOTHED.includes(name) ? 0.01 : 0.005, name);
  };

  it('shows what gradients that lie on each other on one outline give together, by either level', async () => {
    const geometry = { kind: 'circle', cx: 32, cy: 32, r: 28 } as const;
    const stop = (offset: number, color: number, opacity: number) => ({ offset, color, opacity });
    const paints: readonly Paint[] = [
      { kind: 'linear', x1: 4, y1: 0, x2: 60, y2: 20, stops: [stop(0, 0xff3050, 1), stop(1, 0x3060ff, 1)] },
      {
        kind: 'radial',
        cx: 0,
        cy: 0,
        r: 1,
        fx: 0.2,
        fy: -0.1,
        matrix: [30, 6, -4, 22, 40, 44],
        stops: [stop(0.1, 0xffff80, 0.9), stop(0.6, 0xffd020, 0.4), stop(1, 0xff8000, 0)],
      },
    ];
    const drawing = createDrawingBuilder(64, 64).drawing(paints.map((paint) => shapeOf(geometry, paint)));
    for (const level of [3, 2]) {
      const { mean } = differenceOf(await rendered(drawing, { level }, 2), referencePicture(drawing, 4));
      expect(mean, `level ${level}`).to.be.below(level === 3 ? 2.5 : 4);
      expect((await encode(drawing, { level })).warnings).to.deep.equal([]);
      // An outline without breadth has nothing to fill, and is no reason for the rest not to be shown.
      const flat = paints.map((paint) => shapeOf(rectOf(10, 60, 20, 0), paint));
      const both = createDrawingBuilder(64, 64).drawing([...flat, ...drawing.items]);
      expect(differenceOf(await rendered(both, { level }, 2), referencePicture(drawing, 4)).mean).to.be.below(4);
    }
  });

  for (const { name, drawing } of featureDrawings)
    it(`looks as it should: ${name}`, async () => expectAlike(drawing, {}, name));

  const ramps = featureDrawings.filter(({ needs }) => needs.includes('gradients') && !needs.includes('opacity'));
  for (const { name, drawing } of ramps)
    it(`looks as it should at level 2: ${name}`, async () => expectAlike(drawing, { level: 2 }, name));

  it('bands a level 2 gradient within one step of 255', async () => {
    const stops = [0x000000, 0xffffff].map((color, offset) => ({ offset, color, opacity: 1 }));
    const drawing = createDrawingBuilder(512, 16).drawing([
      shapeOf(rectOf(0, 0, 512, 16), { kind: 'linear', x1: 0, y1: 0, x2: 512, y2: 0, stops }),
    ]);
    const { bytes } = await encode(drawing, { dpi: 72, level: 2 });
    const { width, data } = renderEps(bytes, 72).picture;
    let worst = 0;
    for (let x = 0; x < 512; x++)
      worst = Math.max(worst, Math.abs(data[(8 * width + x) * 3]! - ((x + 0.5) / 512) * 255));
    expect(worst).to.be.at.most(1.5);
  });

  it('paints the background it is asked for', async () => {
    const drawing = createDrawingBuilder(20, 10).drawing([shapeOf(rectOf(0, 0, 10, 10), solid(0xff0000))]);
    const { data } = await rendered(drawing, { background: '#00ff00' }, 1);
    const near = (at: number, wanted: readonly number[]) => {
      for (const [c, value] of wanted.entries()) expect(data[3 * at + c]).to.be.closeTo(value, 2);
    };
    near(0, [255, 0, 0]);
    near(30, [0, 255, 0]);
  });
});
