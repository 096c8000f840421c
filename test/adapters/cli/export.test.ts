import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Exporter } from '#application/ports/exporter.js';
import { composeEncodeDrawing } from '#config/compose-export.js';
import { composeExporting } from '#config/compose-exporting.js';
import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { EXPORT_OPTION_NAMES } from '#domain/exports/export-options.js';
import { exporters } from '#plugins/index.js';
import { runMemoryCli } from '#test/support/memory-cli.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="30" height="20"/></svg>';

describe('burin export', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  const run = (...argv: string[]) =>
    runMemoryCli(argv, () => Promise.reject(new Error('nothing is traced')), {
      exporting: async () => composeExporting(),
      stdin: Buffer.from(SVG),
    });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'burin-export-'));
    writeFileSync(at('in.svg'), SVG);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('writes every format, chosen by the name of the file', async () => {
    const starts: Record<string, string> = { pdf: '%PDF', eps: '%!PS', svg: '<svg', png: '\x89PNG' };
    for (const { format } of exporters) {
      const { exitCode, stderr } = await run('export', at('in.svg'), '-o', at(`out.${format.extension}`));
      expect(exitCode, stderr).to.equal(0);
      const bytes = readFileSync(at(`out.${format.extension}`));
      expect(bytes.length).to.be.above(50);
      expect(bytes.toString('latin1')).to.satisfy((text: string) => text.startsWith(starts[format.id] ?? ''));
    }
  });

  it('answers as JSON, takes standard input, and writes beside the SVG', async () => {
    const piped = await run('export', '-', '-o', at('x.png'), '--scale', '2', '--json', '-q');
    expect(JSON.parse(piped.stdout)).to.deep.include({ format: 'png', size: { width: 80, height: 40, unit: 'px' } });
    expect(piped.stderr).to.equal('');
    expect((await run('export', at('in.svg'), '--format', 'pdf')).exitCode).to.equal(0);
    expect(readFileSync(at('in.pdf')).toString('latin1')).to.match(/^%PDF/);
  });

  it('has an option for every row of the table, with the formats that take it', async () => {
    const { stdout } = await run('export', '--help');
    for (const name of EXPORT_OPTION_NAMES) expect(stdout).to.include(`--${name.replaceAll('_', '-')} `);
    expect(stdout.replaceAll(/\s+/g, ' ')).to.include('Quality of a lossy picture. (1 to 100) [jpg webp avif]');
  });

  const refusals: readonly [string[], RegExp][] = [
    [['--quality', '2', '-o', 'x.png'], /quality: png cannot honour quality/],
    [['--scale', '9', '-o', 'x.png'], /scale/],
    [['--scael', '2'], /nearest known one is --scale/],
    [['-o', 'x.gif'], /no export format "gif"/],
    [[], /--format/],
    [['--format', 'svg'], /over itself/],
  ];
  for (const [argv, message] of refusals)
    it(`refuses ${argv.join(' ') || 'no format'}`, async () => {
      const { exitCode, stderr } = await run('export', at('in.svg'), ...argv);
      expect(exitCode).not.to.equal(0);
      expect(stderr)
        .to.match(message)
        .and.to.match(/^burin: [^\n]*\n$/);
    });

  it('has a format of another plugin in its help, and exports to it', async () => {
    const { rows, optionsSchema, parseOptions } = defineExportOptions('txt', ['title']);
    const txt: Exporter = {
      format: { id: 'txt', label: 'Text', mediaType: 'text/plain', extension: 'txt', plan: 'anonymous', features: [] },
      rows,
      optionsSchema,
      parseOptions,
      availability: async () => ({ state: 'available' }),
      encode: async ({ width }) => ({ bytes: Buffer.from(`${width}`), warnings: [] }),
    };
    const all = [...exporters, txt];
    const exporting = async () => ({
      ...composeExporting(),
      exporters: all,
      encodeDrawing: composeEncodeDrawing({ exporters: all }),
    });
    const runWith = (...argv: string[]) =>
      runMemoryCli(argv, () => Promise.reject(new Error('nothing is traced')), { exporting });
    expect((await runWith('export', '--help')).stdout).to.match(/avif \|\s+txt/);
    expect((await runWith('export', at('in.svg'), '-o', at('o.txt'))).exitCode).to.equal(0);
    expect(readFileSync(at('o.txt'), 'utf8')).to.equal('40');
  });

  it('says what there is', async () => {
    const { stdout } = await run('capabilities');
    for (const { format } of exporters) expect(stdout).to.include(format.label);
    const { exportFormats } = JSON.parse((await run('capabilities', '--json')).stdout);
    expect(exportFormats).to.have.length(exporters.length);
  });
});
