import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createZipArchiveWriter } from '#adapters/archive/zip-archive-writer.js';
import type { Exporter } from '#application/ports/exporter.js';
import { createExportZip } from '#application/use-cases/export-zip.js';
import type { PlanId } from '#domain/credits/plans.js';
import { measure } from '#test/support/measure-exporter.js';
import { refusalOf } from '#test/support/refusal-of.js';
import { setUpExports } from './set-up-exports.js';

const hasUnzip = spawnSync('unzip', ['-v']).status === 0;
const SVG = '<svg width="20" height="10"/>';

function setUp(more: readonly Exporter[] = []) {
  const parts = setUpExports(more);
  const faults: unknown[] = [];
  const exportZip = createExportZip({
    ...parts,
    archives: createZipArchiveWriter(parts),
    onFault: (fault) => faults.push(fault),
  });
  const run = (items: unknown, plan: PlanId = 'pro', signal?: AbortSignal) =>
    exportZip({ body: { items }, plan }, signal);
  return { ...parts, faults, exportZip, run };
}

/** Names in the archive's directory at its end. */
function namesIn(zip: Uint8Array): string[] {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = zip.length - 22;
  expect(view.getUint32(end, true)).to.equal(0x06054b50);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  return Array.from({ length: count }, () => {
    expect(view.getUint32(at, true)).to.equal(0x02014b50);
    const length = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(zip.subarray(at + 46, at + 46 + length));
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    return name;
  });
}

describe('exporting several drawings into a ZIP', () => {
  it('makes the archive of twenty items of which two are broken, and says which', async () => {
    const { run, download } = setUp();
    const formats = ['svg', 'measure', 'eps', 'dxf'];
    const items = Array.from({ length: 20 }, (_, i) => ({
      svg: i === 7 ? '<svg/>' : SVG,
      format: i === 13 ? 'doc' : formats[i % formats.length],
      filenameBase: `icon ${i}`,
    }));
    const { failed, ...result } = await run(items);
    expect(result).to.deep.equal({ zipBasename: 'id-1', zipFilename: 'burin-export.zip', itemCount: 18, warnings: [] });
    expect(failed.map(({ index, filenameBase, code, format }) => [index, filenameBase, code, format])).to.deep.equal([
      [7, 'icon 7', 'INVALID_SVG', 'dxf'],
      [13, 'icon 13', 'UNSUPPORTED_FORMAT', 'doc'],
    ]);
    for (const { error } of failed) expect(error).to.not.equal('');
    const zip = await download('id-1', 'burin-export.zip');
    expect(namesIn(zip)).to.have.length(18).and.to.include('icon-0.svg');
  });

  it(`is sound to Info-ZIP${hasUnzip ? '' : ' (pending: unzip is not installed)'}`, async function () {
    if (!hasUnzip) this.skip();
    const { run, download } = setUp();
    await run([
      { svg: SVG, format: 'svg', filenameBase: 'größe' },
      { svg: SVG, format: 'measure', exportOptions: { scale: 4 } },
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'burin-zip-'));
    try {
      const path = join(folder, 'a.zip');
      writeFileSync(path, await download('id-1', 'burin-export.zip'));
      const tested = spawnSync('unzip', ['-t', path], { encoding: 'utf8' });
      expect(tested.stdout).to.include('No errors detected');
      expect(tested.status).to.equal(0);
      const text = spawnSync('unzip', ['-p', path, 'drawing.measure'], { encoding: 'utf8' }).stdout;
      expect(text).to.equal('drawing: 80 x 40 px');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('gives every file a safe name of its own', async () => {
    const { run, download } = setUp();
    const names = ['../../etc/passwd', 'Logo', 'logo', 'LOGO', 'C:\\windows\\x', '', undefined, '\u0000\u202e'];
    await run(
      names.map((filenameBase) => ({
        svg: SVG,
        format: 'measure',
        ...(filenameBase !== undefined && { filenameBase }),
      })),
    );
    const found = namesIn(await download('id-1', 'burin-export.zip'));
    expect(found).to.deep.equal([
      'passwd.measure',
      'Logo.measure',
      'logo-2.measure',
      'LOGO-3.measure',
      'x.measure',
      'drawing.measure',
      'drawing-2.measure',
      'drawing-3.measure',
    ]);
  });

  it('refuses when every item fails, and keeps nothing', async () => {
    const { run, artifacts } = setUp();
    const refusal = await refusalOf(
      run([
        { svg: '<svg/>', format: 'svg' },
        { svg: SVG, format: 'svg', exportOptions: { no: 1 } },
      ]),
    );
    expect(refusal.code).to.equal('EXPORT_FAILED');
    expect(refusal.message).to.include('all 2 items').and.to.include('it has no size');
    expect(await artifacts.get('id-1', 'burin-export.zip')).to.equal(undefined);
  });

  it('tells faults to whoever runs it, and nothing of them to the caller', async () => {
    const fault = new Error('secret detail');
    const broken: Exporter = {
      ...(measure as unknown as Exporter),
      format: { ...measure.format, id: 'broken' },
      encode: async () => {
        throw fault;
      },
    };
    const { run, faults } = setUp([broken]);
    const { failed, itemCount } = await run([
      { svg: SVG, format: 'measure' },
      { svg: SVG, format: 'broken' },
    ]);
    expect(itemCount).to.equal(1);
    expect(failed).to.deep.equal([
      { index: 1, filenameBase: null, error: 'Internal error.', code: 'INTERNAL_ERROR', format: 'broken' },
    ]);
    expect(faults).to.deep.equal([fault]);
  });

  it('names the field of an item that is at fault', async () => {
    const { run } = setUp();
    const { failed } = await run([
      { svg: SVG, format: 'measure' },
      { format: 'svg' },
      { svg: SVG, format: 'svg', colour: 1 },
      { svg: SVG, format: 'measure', exportOptions: { scale: 99 } },
      { svg: SVG, format: 'svg', sourceSvgBasename: 'x' },
    ]);
    expect(failed.map(({ index, error }) => `${index} ${error}`)).to.deep.equal([
      '1 items[1].svg: is missing; give SVG markup, or sourceSvgBasename of a conversion',
      '2 items[2].colour: unknown parameter; the nearest known one is format',
      '3 scale: 99 is out of range; it takes a number from 1 to 8',
      '4 items[4].svg: cannot be given together with sourceSvgBasename; leave one out',
    ]);
  });

  it('refuses what is no list of items, too many of them, and other plans', async () => {
    const { run, exportZip } = setUp();
    const item = { svg: SVG, format: 'measure' };
    expect((await refusalOf(run(Array.from({ length: 21 }, () => item)))).code).to.equal('TOO_MANY_FILES');
    expect((await run(Array.from({ length: 20 }, () => item))).itemCount).to.equal(20);
    for (const [items, field] of [
      [[], 'items'],
      ['x', 'items'],
      [undefined, 'items'],
      [[item, 5], 'items[1]'],
    ] as const)
      expect((await refusalOf(run(items))).field).to.equal(field);
    expect((await refusalOf(exportZip({ body: [], plan: 'pro' }))).field).to.equal('body');
    expect((await refusalOf(exportZip({ body: { items: [item], name: 1 }, plan: 'pro' }))).field).to.equal('name');
    for (const plan of ['anonymous', 'free'] as const)
      expect((await refusalOf(run([item], plan))).code).to.equal('PLAN_REQUIRED');
  });

  it('passes on warnings by item', async () => {
    const { warnings } = await setUp().run([
      { svg: SVG, format: 'measure' },
      { svg: `${SVG}<text/>`, format: 'measure' },
    ]);
    expect(warnings).to.deep.equal([{ index: 1, warnings: [{ code: 'text-dropped', message: 'Text was left out.' }] }]);
  });

  it('stops between items when it is told to, and keeps nothing', async () => {
    const controller = new AbortController();
    let encoded = 0;
    const stopping: Exporter = {
      ...(measure as unknown as Exporter),
      format: { ...measure.format, id: 'stopping' },
      encode: async () => {
        encoded++;
        controller.abort();
        return { bytes: new Uint8Array([1]), warnings: [] };
      },
    };
    const { run, artifacts } = setUp([stopping]);
    const items = Array.from({ length: 5 }, () => ({ svg: SVG, format: 'stopping' }));
    expect((await refusalOf(run(items, 'pro', controller.signal))).code).to.equal('CANCELLED');
    expect(encoded).to.equal(1);
    expect(await artifacts.get('id-1', 'burin-export.zip')).to.equal(undefined);
  });
});
