import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { exporters } from '#plugins/index.js';
import { expectProblem } from '#test/support/expect-problem.js';
import { createTestService, type TestServiceOptions } from '#test/support/http-service.js';
import { convertForm } from '#test/support/multipart.js';
import { discRaster } from '#test/support/rasters.js';
import { toPpm } from '#test/support/run-tracer.js';

const DxfParser = createRequire(import.meta.url)('dxf-parser') as new () => {
  parseSync(text: string): { readonly entities: readonly unknown[] };
};

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="30" height="20" fill="#c03"/><circle cx="30" cy="10" r="8" fill="#06c"/></svg>';

function serviceOf(options: TestServiceOptions = {}) {
  const service = createTestService({ plan: 'pro', ...options });
  const post = (url: string, payload: unknown) =>
    service.app.inject({
      method: 'POST',
      url: `/api/v1/${url}`,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    });
  const download = (fileBasename: string, actualFilename: string) =>
    service.app.inject({ url: '/download-file', query: { fileBasename, actualFilename } });
  return { ...service, post, download };
}

/** What a file of each format looks like to a program of somebody else's. */
const LOOKS: Readonly<Record<string, (bytes: Buffer) => unknown>> = {
  svg: (bytes) => expect(bytes.toString()).to.match(/^<svg [^>]*width="40"/),
  pdf: (bytes) => expect(bytes.toString('latin1')).to.match(/^%PDF-1\.7[\s\S]*%%EOF\s*$/),
  eps: (bytes) =>
    expect(bytes.toString('latin1')).to.match(/^%!PS-Adobe-3\.\d EPSF-3\.0[\s\S]*%%BoundingBox: 0 0 30 15/),
  dxf: (bytes) => expect(new DxfParser().parseSync(bytes.toString()).entities).to.have.length(2),
  png: async (bytes) => expect(await sharp(bytes).metadata()).to.include({ format: 'png', width: 40, height: 20 }),
  jpg: async (bytes) => expect(await sharp(bytes).metadata()).to.include({ format: 'jpeg', width: 40, height: 20 }),
  webp: async (bytes) => expect(await sharp(bytes).metadata()).to.include({ format: 'webp', width: 40, height: 20 }),
  avif: async (bytes) => expect(await sharp(bytes).metadata()).to.include({ format: 'heif', width: 40, height: 20 }),
};

describe('POST /api/v1/export', () => {
  it('has a look for every format', () => {
    expect(Object.keys(LOOKS)).to.have.members(exporters.map(({ format }) => format.id));
  });

  for (const [format, look] of Object.entries(LOOKS))
    it(`makes a ${format} file that can be downloaded`, async () => {
      const { post, download } = serviceOf();
      const answer = await post('export', { svg: SVG, format, filenameBase: 'Meine Größe' });
      expect(answer.statusCode, answer.body).to.equal(200);
      const body = answer.json();
      expect(body).to.include({ actualFormat: format }).and.to.have.property('warnings').that.is.an('array');
      expect(body.downloadPathBasename).to.match(/^[\w-]{22}$/);
      const file = await download(body.downloadPathBasename, body.downloadActualFilename);
      expect(file.statusCode).to.equal(200);
      const registered = exporters.find((exporter) => exporter.format.id === format);
      expect(file.headers['content-type']).to.equal(registered?.format.mediaType);
      expect(file.rawPayload.length).to.equal(body.convertedFileSize);
      await look(file.rawPayload);
    });

  it('exports what convert made, from the drawing beside it', async () => {
    const { convert, post, download } = serviceOf();
    const converted = (await convert(convertForm(toPpm(discRaster(24))))).json();
    const answer = await post('export', { sourceSvgBasename: converted.downloadPathBasename, format: 'png', scale: 2 });
    expect(answer.statusCode, answer.body).to.equal(200);
    const { downloadPathBasename, downloadActualFilename } = answer.json();
    const file = await download(downloadPathBasename, downloadActualFilename);
    expect(await sharp(file.rawPayload).metadata()).to.include({ width: 48, height: 48 });
    const unknown = await post('export', { sourceSvgBasename: 'A'.repeat(22), format: 'png' });
    expectProblem(unknown, 404, 'NOT_FOUND');
  });

  it('takes options at either place, and refuses two that differ', async () => {
    const { post } = serviceOf();
    const at = (top: object, nested: object) =>
      post('export', { svg: SVG, format: 'png', ...top, exportOptions: nested });
    expect((await at({ scale: 2 }, { scale: 2 })).statusCode).to.equal(200);
    expect((await at({}, { scale: 2 })).json().size).to.include({ width: 80, height: 40 });
    expectProblem(await at({ scale: 2 }, { scale: 3 }), 400, 'INVALID_REQUEST', 'scale');
    expectProblem(await at({ scale: 9 }, {}), 400, 'INVALID_REQUEST', 'scale');
    expect(expectProblem(await at({ scael: 2 }, {}), 400, 'INVALID_REQUEST', 'scael').error).to.match(/scale/);
  });

  it('takes markup far over the megabyte that the framework would take, and none over its own limit', async () => {
    const { post } = serviceOf({ server: { maxSvgBytes: 3_000_000 } });
    const padded = (bytes: number) => SVG.replace('<rect', `<!--${' '.repeat(bytes - SVG.length - 7)}--><rect`);
    expect((await post('export', { svg: padded(3_000_000), format: 'svg' })).statusCode).to.equal(200);
    expectProblem(await post('export', { svg: padded(3_000_001), format: 'svg' }), 413, 'PAYLOAD_TOO_LARGE');
    expectProblem(await post('export', { svg: padded(7_000_000), format: 'svg' }), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('gates EPS, DXF and ZIP by plan, and nothing else', async () => {
    const refused: string[] = [];
    for (const { format } of exporters) {
      const answer = await serviceOf({ plan: 'anonymous' }).post('export', { svg: SVG, format: format.id });
      if (answer.statusCode === 200) continue;
      expectProblem(answer, 403, 'PLAN_REQUIRED');
      refused.push(format.id);
    }
    expect(refused).to.deep.equal(['eps', 'dxf']);
    const zip = await serviceOf({ plan: 'free' }).post('batch', { items: [{ svg: SVG, format: 'svg' }] });
    expectProblem(zip, 403, 'PLAN_REQUIRED');
  });

  it('refuses what is no request of its kind', async () => {
    const { app, post } = serviceOf();
    expectProblem(await post('export', { svg: SVG, format: 'gif' }), 400, 'UNSUPPORTED_FORMAT', 'format');
    expectProblem(await post('export', { svg: '<svg', format: 'svg' }), 422, 'INVALID_SVG');
    expectProblem(await post('export', { format: 'svg' }), 400, 'INVALID_REQUEST', 'svg');
    expectProblem(await post('export?scale=2', { svg: SVG, format: 'png' }), 400, 'INVALID_REQUEST', 'scale');
    const xml = await app.inject({
      method: 'POST',
      url: '/api/v1/export',
      headers: { 'content-type': 'image/svg+xml' },
      payload: SVG,
    });
    expectProblem(xml, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });
});

describe('POST /api/v1/batch', () => {
  it('makes a ZIP of what could be made, which unzip finds sound', async () => {
    const { post, download } = serviceOf();
    const items: object[] = Array.from({ length: 20 }, (_, i) => ({ svg: SVG, format: i % 2 === 0 ? 'svg' : 'png' }));
    items[3] = { svg: '<svg', format: 'pdf', filenameBase: 'broken' };
    items[7] = { svg: SVG, format: 'png', scale: 99 };
    const answer = await post('batch', { items });
    expect(answer.statusCode, answer.body).to.equal(200);
    const { zipBasename, zipFilename, itemCount, failed } = answer.json();
    expect(itemCount).to.equal(18);
    expect(failed.map(({ error: _, ...rest }: { error: string }) => rest)).to.deep.equal([
      { index: 3, filenameBase: 'broken', format: 'pdf', code: 'INVALID_SVG' },
      { index: 7, filenameBase: null, format: 'png', code: 'INVALID_REQUEST' },
    ]);
    const { rawPayload } = await download(zipBasename, zipFilename);
    const folder = mkdtempSync(join(tmpdir(), 'burin-zip-'));
    try {
      writeFileSync(join(folder, 'a.zip'), rawPayload);
      const said = execFileSync('unzip', ['-t', join(folder, 'a.zip')], { encoding: 'utf8' });
      expect(said).to.match(/No errors detected/);
      expect(said.match(/ OK$/gm)).to.have.length(18);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses more than twenty items, none, and those that all fail', async () => {
    const { post } = serviceOf();
    const many = Array.from({ length: 21 }, () => ({ svg: SVG, format: 'svg' }));
    expectProblem(await post('batch', { items: many }), 413, 'TOO_MANY_FILES');
    expectProblem(await post('batch', { items: [] }), 400, 'INVALID_REQUEST', 'items');
    const broken = { svg: '<svg', format: 'svg' };
    expectProblem(await post('batch', { items: [broken, broken] }), 422, 'EXPORT_FAILED');
  });
});
