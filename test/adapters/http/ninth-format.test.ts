import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { composeEncodeDrawing } from '#config/compose-export.js';
import { composeExporting } from '#config/compose-exporting.js';
import { exporters } from '#plugins/index.js';
import { createTestService } from '#test/support/http-service.js';
import { measure } from '#test/support/measure-exporter.js';
import { runMemoryCli } from '#test/support/memory-cli.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="30" height="20"/></svg>';

/** A folder and a line: everything else reads the list. */
const all = [...exporters, measure];

describe('a ninth format, by being in the list', () => {
  const service = () =>
    createTestService({ exporters: all, encodeDrawing: composeEncodeDrawing({ exporters: all }) }).app;

  it('is in the capabilities, with its options in the matrix', async () => {
    const { exportFormats, exportOptions } = (await service().inject('/api/v1/capabilities')).json();
    expect(exportFormats.map(({ id }: { id: string }) => id)).to.deep.equal([
      ...exporters.map(({ format }) => format.id),
      'measure',
    ]);
    const cells = exportOptions.map(({ name, formats }: { name: string; formats: Record<string, unknown> }) => [
      name,
      formats.measure !== null,
    ]);
    expect(cells.filter(([, honoured]: [string, boolean]) => honoured).map(([name]: [string]) => name)).to.deep.equal([
      'scale',
      'unit',
      'title',
    ]);
  });

  it('is in the OpenAPI document, wherever formats and options are named', async () => {
    const document = (await service().inject('/api/v1/openapi.json')).json();
    const { ExportRequest, ExportOptions } = document.components.schemas;
    expect(ExportRequest.properties.format.enum).to.include('measure');
    expect(JSON.stringify(ExportOptions.properties.title)).to.include('measure');
    expect(JSON.stringify(ExportOptions.properties.quality)).to.not.include('measure');
  });

  it('works over HTTP: export, refusal of what it cannot honour, and download', async () => {
    const app = service();
    const post = (payload: object) => app.inject({ method: 'POST', url: '/api/v1/export', payload });
    const answer = await post({ svg: SVG, format: 'measure', scale: 2, exportOptions: { title: 'A' } });
    expect(answer.statusCode, answer.body).to.equal(200);
    const { downloadPathBasename, downloadActualFilename } = answer.json();
    expect(downloadActualFilename).to.match(/\.measure$/);
    const file = await app.inject({
      url: '/download-file',
      query: { fileBasename: downloadPathBasename, actualFilename: downloadActualFilename },
    });
    expect([file.headers['content-type'], file.body]).to.deep.equal(['text/x-measure', 'A: 80 x 40 px']);
    const refused = (await post({ svg: SVG, format: 'measure', quality: 5 })).json();
    expect([refused.code, refused.field]).to.deep.equal(['INVALID_REQUEST', 'quality']);
  });

  it("is in the command line's help, and works there", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'burin-ninth-'));
    try {
      const [input, output] = [join(folder, 'in.svg'), join(folder, 'out.measure')];
      writeFileSync(input, SVG);
      const run = (...argv: string[]) =>
        runMemoryCli(argv, () => Promise.reject(new Error('nothing is traced')), {
          exporting: async () => ({
            ...composeExporting(),
            exporters: all,
            encodeDrawing: composeEncodeDrawing({ exporters: all }),
          }),
        });
      const help = (await run('export', '--help')).stdout.replaceAll(/\s+/g, ' ');
      expect(help)
        .to.match(/avif \| measure/)
        .and.to.match(/Title written into the file\. \([^)]*\) \[svg [^\]]*measure\]/);
      expect((await run('export', input, '-o', output, '--scale', '3')).exitCode).to.equal(0);
      expect(readFileSync(output, 'utf8')).to.equal('drawing: 120 x 60 px');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
