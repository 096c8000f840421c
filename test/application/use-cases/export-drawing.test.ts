import { expect } from 'chai';
import { packDrawing } from '#application/drawing-file.js';
import type { Exporter } from '#application/ports/exporter.js';
import { createExportDrawing } from '#application/use-cases/export-drawing.js';
import type { PlanId } from '#domain/credits/plans.js';
import { createDrawingBuilder } from '#test/support/drawing-builder.js';
import { measure } from '#test/support/measure-exporter.js';
import { refusalOf } from '#test/support/refusal-of.js';
import { setUpExports } from './set-up-exports.js';

const SVG = '<svg width="20" height="10"/>';

function setUp(more: readonly Exporter[] = []) {
  const parts = setUpExports(more);
  const exportDrawing = createExportDrawing(parts);
  const run = (body: unknown, plan: PlanId = 'pro', signal?: AbortSignal) => exportDrawing({ body, plan }, signal);
  return { ...parts, run };
}

describe('exporting a drawing', () => {
  it('answers as the interface says, and keeps the file for the download', async () => {
    const { run, download } = setUp();
    const result = await run({
      svg: SVG,
      format: 'measure',
      filenameBase: 'My Logo!.svg',
      exportOptions: { scale: 2 },
    });
    expect(result).to.deep.equal({
      downloadPathBasename: 'id-1',
      downloadActualFilename: 'My-Logo.measure',
      convertedFileSize: 19,
      actualFormat: 'measure',
      warnings: [],
    });
    const bytes = await download('id-1', 'My-Logo.measure');
    expect(new TextDecoder().decode(bytes)).to.equal('drawing: 40 x 20 px');
  });

  it('exports the very drawing that was kept beside a conversion', async () => {
    const { run, artifacts, download } = setUp();
    const drawing = createDrawingBuilder(12.345678, 9).drawing();
    const { basename } = await artifacts.put({
      bytes: new Uint8Array(),
      mediaType: 'image/svg+xml',
      fileName: 'a.svg',
      lifetimeMs: 60_000,
      companion: packDrawing(drawing),
    });
    const result = await run({ sourceSvgBasename: basename, format: 'measure' });
    const text = new TextDecoder().decode(await download(result.downloadPathBasename, result.downloadActualFilename));
    expect(text).to.equal('drawing: 12.345678 x 9 px');
  });

  it('answers alike for a basename that never was and one that has expired', async () => {
    const { run, artifacts, clock } = setUp();
    const { basename } = await artifacts.put({
      bytes: new Uint8Array(),
      mediaType: 'image/svg+xml',
      fileName: 'a.svg',
      lifetimeMs: 100,
      companion: packDrawing(createDrawingBuilder(1, 1).drawing()),
    });
    clock.advance(101);
    const refusals = await Promise.all(
      [basename, 'never'].map((sourceSvgBasename) => refusalOf(run({ sourceSvgBasename, format: 'svg' }))),
    );
    expect(refusals.map(({ code }) => code)).to.deep.equal(['NOT_FOUND', 'NOT_FOUND']);
    expect(refusals[0]!.message).to.equal(refusals[1]!.message);
  });

  it('takes options at the top level too, and refuses two that differ', async () => {
    const { run, download } = setUp();
    const { downloadPathBasename, downloadActualFilename } = await run({
      svg: SVG,
      format: 'measure',
      scale: 3,
      exportOptions: { title: 'T', scale: 3 },
    });
    const text = new TextDecoder().decode(await download(downloadPathBasename, downloadActualFilename));
    expect(text).to.equal('T: 60 x 30 px');
    const refusal = await refusalOf(run({ svg: SVG, format: 'measure', scale: 3, exportOptions: { scale: 2 } }));
    expect([refusal.code, refusal.field]).to.deep.equal(['INVALID_REQUEST', 'scale']);
  });

  it('wants the pro plan for EPS and DXF, and for nothing else', async () => {
    const { run, exporters } = setUp();
    let asked = 0;
    for (const { format } of exporters.all) {
      const pro = format.id === 'eps' || format.id === 'dxf';
      expect(format.plan).to.equal(pro ? 'pro' : 'anonymous');
      for (const plan of ['anonymous', 'free'] as const) {
        const body = { svg: SVG, format: format.id };
        if (pro) expect((await refusalOf(run(body, plan))).code).to.equal('PLAN_REQUIRED');
        else expect((await run(body, plan)).actualFormat).to.equal(format.id);
        asked++;
      }
      expect((await run({ svg: SVG, format: format.id }, 'pro')).convertedFileSize).to.be.above(0);
    }
    expect(asked).to.be.at.least(10);
  });

  it('refuses a wrong request before any work, naming the field', async () => {
    const { run } = setUp();
    const cases: [unknown, string, string][] = [
      ['text', 'INVALID_REQUEST', 'body'],
      [{ svg: SVG }, 'INVALID_REQUEST', 'format'],
      [{ format: 'svg' }, 'INVALID_REQUEST', 'svg'],
      [{ format: 'svg', svg: '' }, 'INVALID_REQUEST', 'svg'],
      [{ format: 'svg', svg: 5 }, 'INVALID_REQUEST', 'svg'],
      [{ format: 'svg', svg: SVG, sourceSvgBasename: 'x' }, 'INVALID_REQUEST', 'svg'],
      [{ format: 'svg', svg: SVG, exportOptions: [] }, 'INVALID_REQUEST', 'exportOptions'],
      [{ format: 'svg', svg: SVG, exportOptions: { nosuch: 1 } }, 'INVALID_REQUEST', 'nosuch'],
      [{ format: 'svg', svg: SVG, formatt: 1 }, 'INVALID_REQUEST', 'formatt'],
      [{ format: 'svg', svg: SVG, filenameBase: 'x'.repeat(201) }, 'INVALID_REQUEST', 'filenameBase'],
      [{ format: 'measure', svg: SVG, quality: 5 }, 'INVALID_REQUEST', 'quality'],
      [{ format: 'measure', svg: SVG, scale: 9 }, 'INVALID_REQUEST', 'scale'],
    ];
    for (const [body, code, field] of cases) {
      const refusal = await refusalOf(run(body));
      expect([refusal.code, refusal.field], JSON.stringify(body).slice(0, 80)).to.deep.equal([code, field]);
    }
    const unknown = await refusalOf(run({ svg: SVG, format: 'doc' }));
    expect(unknown.code).to.equal('UNSUPPORTED_FORMAT');
    expect(unknown.message).to.include('svg, ').and.to.include('measure');
  });

  it('refuses markup over the limit by its bytes', async () => {
    const parts = setUpExports();
    const exportDrawing = createExportDrawing({ ...parts, maxSvgBytes: 40 });
    const run = (svg: string) => exportDrawing({ body: { svg, format: 'measure' }, plan: 'pro' });
    expect((await run(`${SVG}${' '.repeat(11)}`)).convertedFileSize).to.be.above(0);
    expect((await refusalOf(run(`${SVG}${' '.repeat(12)}`))).code).to.equal('PAYLOAD_TOO_LARGE');
    expect((await refusalOf(run(`${SVG}€€€€`))).code).to.equal('PAYLOAD_TOO_LARGE');
  });

  it('passes on what reading and writing could not keep, and the size with its unit', async () => {
    const { run } = setUp();
    const result = await run({ svg: `${SVG}<text/>`, format: 'dxf', exportOptions: { width: 50 } });
    expect(result.warnings.map(({ code }) => code)).to.deep.equal(['text-dropped']);
    expect(result.size).to.deep.equal({ width: 50, height: 25, unit: 'mm' });
  });

  it('refuses broken markup, formats that cannot run here, and gives up when it is told to', async () => {
    const absent: Exporter = {
      ...(measure as unknown as Exporter),
      format: { ...measure.format, id: 'absent' },
      availability: async () => ({ state: 'unavailable', reason: 'its package is missing' }),
    };
    const { run } = setUp([absent]);
    expect((await refusalOf(run({ svg: '<svg/>', format: 'measure' }))).code).to.equal('INVALID_SVG');
    const refusal = await refusalOf(run({ svg: SVG, format: 'absent' }));
    expect([refusal.field, refusal.message.includes('its package is missing')]).to.deep.equal(['format', true]);
    expect((await refusalOf(run({ svg: SVG, format: 'measure' }, 'pro', AbortSignal.abort()))).code).to.equal(
      'CANCELLED',
    );
  });
});
