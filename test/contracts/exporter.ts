import { expect } from 'chai';
import type { Exporter } from '#application/ports/exporter.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { ServiceError } from '#domain/errors.js';
import { createDrawingBuilder, rectOf, shapeOf, solid, strokeOf } from '#test/support/drawing-builder.js';

/** A drawing with one of everything. */
export function everythingDrawing(): Drawing {
  const builder = createDrawingBuilder(60, 40);
  const curves = builder.path([
    ['M', 2, 2],
    ['L', 20, 2.5],
    ['Q', 25, 10, 20, 20],
    ['C', 15, 25, 5, 25, 4, 18],
    ['A', 6, 4, 20, 0, 1, 3, 10],
    ['Z'],
  ]);
  const ring = builder.path(
    [
      ...([['M', 30, 4], ['L', 44, 4], ['L', 44, 18], ['L', 30, 18], ['Z']] as const),
      ...([['M', 34, 8], ['L', 40, 8], ['L', 40, 14], ['L', 34, 14], ['Z']] as const),
    ],
    true,
  );
  const stops = [
    { offset: 0, color: 0xffffff, opacity: 1 },
    { offset: 1, color: 0x123456, opacity: 0.5 },
  ];
  return builder.drawing([
    shapeOf(rectOf(0, 0, 60, 40), solid(0xf0f0f0)),
    shapeOf(curves, solid(0xff0000)),
    shapeOf(ring, solid(0x00aa00, 0.75)),
    shapeOf(rectOf(46, 4, 10, 10, 3), { kind: 'linear', x1: 46, y1: 4, x2: 56, y2: 14, stops }),
    shapeOf(
      { kind: 'circle', cx: 50, cy: 28, r: 6 },
      { kind: 'radial', cx: 50, cy: 28, r: 6, fx: 48, fy: 26, matrix: [1, 0, 0, 0.5, 0, 14], stops },
      strokeOf(solid(0, 0.5), 1.5, { cap: 'round', join: 'bevel', dashes: [2, 1], dashOffset: 0.5 }),
    ),
    {
      kind: 'group',
      opacity: 0.5,
      clip: [{ kind: 'circle', cx: 20, cy: 32, r: 6 }, ring],
      items: [shapeOf({ kind: 'ellipse', cx: 20, cy: 32, rx: 9, ry: 4, rotation: 15 }, solid(0x0000ff))],
    },
  ]);
}

const never = new AbortController().signal;

async function refusalOf(work: () => unknown): Promise<ServiceError> {
  try {
    await work();
  } catch (error) {
    expect(error).to.be.instanceOf(ServiceError);
    return error as ServiceError;
  }
  throw new Error('nothing was refused');
}

/** What every export format must do. */
export function describeExporter(exporter: Exporter): void {
  const { format } = exporter;
  describe(`the export format ${format.id}`, () => {
    it('describes itself as the capabilities report needs it', async () => {
      expect(format.id).to.match(/^[a-z][a-z0-9]*$/);
      expect(format.label).to.not.equal('');
      expect(format.mediaType).to.match(/^[a-z]+\/[a-z0-9.+-]+$/);
      expect(format.extension).to.match(/^[a-z0-9]+$/);
      expect(format.features).to.be.an('array').that.is.not.empty;
      expect(exporter.optionsSchema).to.include({ type: 'object', additionalProperties: false });
      expect(await exporter.availability()).to.have.property('state');
    });

    it('fills in every option, and its own result parses to itself', () => {
      const options = exporter.parseOptions({});
      const names = Object.keys((exporter.optionsSchema as { properties: object }).properties);
      expect(Object.keys(options)).to.have.members(names);
      expect(Object.keys(exporter.rows)).to.have.members(names);
      expect(exporter.parseOptions(undefined)).to.deep.equal(options);
      expect(exporter.parseOptions(options)).to.deep.equal(options);
    });

    it('refuses unknown options by name, and anything that is no object', async () => {
      const unknown = await refusalOf(() => exporter.parseOptions({ noSuchOption: 1 }));
      expect([unknown.code, unknown.field]).to.deep.equal(['INVALID_REQUEST', 'noSuchOption']);
      for (const input of ['text', 7, [], true])
        expect((await refusalOf(() => exporter.parseOptions(input))).code).to.equal('INVALID_REQUEST');
    });

    it('encodes one of everything, twice to the same bytes', async () => {
      const options = exporter.parseOptions({});
      const first = await exporter.encode(everythingDrawing(), options, never);
      const second = await exporter.encode(everythingDrawing(), options, never);
      expect(first.bytes.byteLength).to.be.above(0);
      expect(Buffer.compare(first.bytes, second.bytes)).to.equal(0);
      expect(second.warnings).to.deep.equal(first.warnings);
    });

    it('encodes a drawing without shapes', async () => {
      const empty = createDrawingBuilder(1, 5000).drawing();
      const { bytes } = await exporter.encode(empty, exporter.parseOptions({}), never);
      expect(bytes.byteLength).to.be.above(0);
    });

    it('gives up when it is told to before it began', async () => {
      const refusal = await refusalOf(() =>
        exporter.encode(everythingDrawing(), exporter.parseOptions({}), AbortSignal.abort()),
      );
      expect(refusal.code).to.equal('CANCELLED');
    });
  });
}
