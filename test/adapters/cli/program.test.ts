import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ImageDecoder } from '#application/ports/image-decoder.js';
import { createVectorizeImage } from '#application/use-cases/vectorize-image.js';
import { ServiceError } from '#domain/errors.js';
import { publishedNames, settingNames } from '#domain/presets/settings.js';
import { createManualClock } from '#test/support/manual-clock.js';
import { runMemoryCli } from '#test/support/memory-cli.js';
import { plainSvgExporter } from '#test/support/plain-svg-exporter.js';
import { createSingleColorTracer, singleColorRaster } from '#test/support/single-color-tracer.js';

/** "Decodes" text of the form `WIDTHxHEIGHT`; anything else is refused as its first letter says. */
const decoder: ImageDecoder = {
  async decode(bytes) {
    const text = new TextDecoder().decode(bytes);
    const size = /^(\d+)x(\d+)$/.exec(text);
    if (size) return { ...singleColorRaster(Number(size[1]), Number(size[2]), 0x0000ffff), format: 'png' };
    if (text === 'broken') throw new ServiceError('UNREADABLE_IMAGE', { format: 'jpeg', problem: 'it ends early' });
    if (text === 'cancel') throw new ServiceError('CANCELLED');
    if (text === 'bug') throw new Error('line one\nline two');
    throw new ServiceError('UNSUPPORTED_IMAGE');
  },
};

describe('the command line', () => {
  let folder: string;
  const at = (...names: string[]) => join(folder, ...names);
  const put = (name: string, content: string) => {
    writeFileSync(at(name), content);
    return at(name);
  };
  const tracer = createSingleColorTracer({ decoder });
  const vectorize = createVectorizeImage({
    tracers: [tracer],
    exporters: { get: () => plainSvgExporter },
    clock: createManualClock(1),
  });
  const run = (argv: readonly string[], options?: { stdin?: Uint8Array; isTTY?: boolean }) =>
    runMemoryCli(argv, vectorize, options);
  const lines = (text: string) => text.split('\n').filter((line) => line !== '');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'burin-cli-'));
    tracer.requests.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('traces one picture to the file that was named', async () => {
    const { exitCode, stdout, stderr } = await run(['trace', put('a.png', '8x4'), '-o', at('b.svg')]);
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 0, stdout: '' });
    expect(readFileSync(at('b.svg'), 'utf8')).to.equal('<svg width="8" height="4"/>');
    expect(lines(stderr).length).to.equal(1);
    expect(readdirSync(folder)).to.have.members(['a.png', 'b.svg']);
  });

  it('writes beside the picture, or into a folder that exists or ends in a slash', async () => {
    const input = put('a.png', '8x4');
    mkdirSync(at('there'));
    for (const argv of [[input], [input, '-o', at('there')], [input, '-o', `${at('new')}/`]])
      expect((await run(['trace', ...argv, '-q'])).exitCode).to.equal(0);
    for (const path of [at('a.svg'), at('there', 'a.svg'), at('new', 'a.svg')])
      expect(existsSync(path), path).to.equal(true);
  });

  it('goes on past a picture that fails and exits with the code of the first failure', async () => {
    const inputs = [
      put('a.png', '2x2'),
      put('text.png', 'hello'),
      put('b.png', '3x3'),
      put('c.jpg', 'broken'),
      at('none.png'),
    ];
    const { exitCode, stderr } = await run(['trace', ...inputs, '-o', at('out'), '--quiet']);
    expect(exitCode).to.equal(4);
    expect(readdirSync(at('out'))).to.have.members(['a.svg', 'b.svg']);
    const said = lines(stderr);
    expect(said.length).to.equal(3);
    expect(said[0]).to.include('text.png').and.to.include('not a JPG, PNG, BMP, WEBP or AVIF');
    expect(said[1]).to.include('c.jpg').and.to.include('it ends early');
    expect(said[2]).to.include('none.png').and.to.include('no such file');
  });

  it('reads and writes pipes', async () => {
    const stdin = new TextEncoder().encode('5x6');
    for (const argv of [['-'], ['-', '-o', '-']]) {
      const { exitCode, stdout } = await run(['trace', ...argv, '-q'], { stdin });
      expect({ exitCode, stdout }).to.deep.equal({ exitCode: 0, stdout: '<svg width="5" height="6"/>' });
    }
  });

  it('answers with JSON, one object a line, refusals included, and writes SVG only where asked', async () => {
    const inputs = [put('a.png', '2x3'), put('text.png', 'hello')];
    const { exitCode, stdout } = await run(['trace', ...inputs, '--json', '-q']);
    expect(exitCode).to.equal(4);
    const [first, second, ...rest] = lines(stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rest).to.deep.equal([]);
    expect(first).to.have.all.keys('input', 'svg', 'colorPalette', 'colorGroups', 'qualityDiagnostics', 'traceStats');
    expect(second).to.include({ input: inputs[1], code: 'UNSUPPORTED_IMAGE' });
    expect(readdirSync(folder)).to.have.members(['a.png', 'text.png']);

    const withFile = await run(['trace', inputs[0]!, '--json', '-o', at('x.svg'), '-q']);
    expect(JSON.parse(withFile.stdout)).to.include({ output: at('x.svg') });
    expect(existsSync(at('x.svg'))).to.equal(true);
  });

  it('takes every parameter of the table as an option', async () => {
    const input = put('a.png', '2x2');
    const names = settingNames('tracing');
    const samples: Record<string, string[]> = {
      enum: ['auto'],
      number: ['0.5'],
      integer: ['4'],
      boolean: [],
      colors: ['#123456'],
      list: ['line'],
    };
    let given = 0;
    for (const name of names)
      for (const { name: published, row } of publishedNames(name)) {
        const value =
          row.type === 'enum'
            ? [row.values.find((known) => known !== 'potrace' && known !== 'manual')!]
            : samples[row.type]!;
        const max = name === 'max_bytes' ? ['5000'] : value;
        const { exitCode, stdout, stderr } = await run([
          'trace',
          input,
          '--json',
          '-q',
          `--${published.replaceAll('_', '-')}`,
          ...max,
        ]);
        expect(exitCode, `${published}: ${stderr}`).to.equal(0);
        const { settings } = (
          JSON.parse(stdout) as { qualityDiagnostics: { settings: Record<string, { origin: string }> } }
        ).qualityDiagnostics;
        expect(settings[name]!.origin, published).to.equal('explicit');
        given++;
      }
    expect(given).to.equal(names.length + 1);
    await run(['trace', input, '-q', '--no-fidelity', '--no-preprocess-sharpen']);
    expect(tracer.requests.at(-1)!.settings.values).to.include({ fidelity: false, preprocess_sharpen: false });
  });

  it('says usage errors in one line that names the option and the nearest known one, and begins nothing', async () => {
    const input = put('a.png', '2x2');
    const cases: [string[], RegExp][] = [
      [
        ['trace', input, '--pallete-count', '3'],
        /^burin: --pallete-count: unknown option; the nearest known one is --palette-count$/,
      ],
      [['trace', input, '--palette-count', '65'], /^burin: --palette-count: .*from 2 to 64$/],
      [['trace', input, '--palette-count', '3', '--paletteCount', '4'], /^burin: --paletteCount: .*disagrees/],
      [['trace', input, '--preset', 'foo'], /^burin: --preset: .*auto, logo.*did you mean logo\?$/],
      [['trace', input, '--preset'], /^burin: --preset: needs a value/],
      [['trace', input, '--no-fidelity=yes'], /^burin: --no-fidelity: takes no value/],
      [['trace', input, '--fidelity=yes'], /^burin: --fidelity: takes no value; give --fidelity or --no-fidelity$/],
      [['trace'], /^burin: IN: no picture/],
      [['trcae', input], /^burin: trcae: unknown command; the nearest known one is trace$/],
      [['trace', '-', '-'], /^burin: IN: - is given more than once/],
      [['trace', input, '-o', '-', '--json'], /^burin: -o: /],
      [['trace', input, input, '-o', '-'], /^burin: -o: - takes one picture/],
      [['trace', input, '-o', ''], /^burin: -o: is empty/],
      [['trace', input, '-o', input], /^burin: -o: .* is the picture itself/],
      [['trace', input, at('a.jpg')], /^burin: IN: .* would both be written to/],
    ];
    for (const [argv, wanted] of cases) {
      const { exitCode, stdout, stderr } = await run(argv);
      expect(exitCode, argv.join(' ')).to.equal(2);
      expect(stdout).to.equal('');
      expect(lines(stderr).length, stderr).to.equal(1);
      expect(lines(stderr)[0]).to.match(wanted);
    }
    expect(tracer.requests).to.deep.equal([]);
    expect(readdirSync(folder)).to.deep.equal(['a.png']);
  });

  it('refuses an output that cannot be written before it traces', async () => {
    const input = put('a.png', '2x2');
    mkdirSync(at('taken.svg'));
    mkdirSync(at('folder', 'a.svg'), { recursive: true });
    for (const path of [at('none', 'a.svg'), at('a.png', 'a.svg'), at('folder')]) {
      const { exitCode, stderr } = await run(['trace', input, '-o', path]);
      expect(exitCode, path).to.equal(7);
      expect(lines(stderr).length).to.equal(1);
      expect(stderr).to.include('cannot be written');
    }
    expect((await run(['trace', input, at('b.png'), '-o', input])).exitCode).to.equal(7);
    expect(tracer.requests).to.deep.equal([]);
  });

  it('replaces a file whole, and what a link leads to', async () => {
    const input = put('a.png', '2x2');
    put('real.svg', 'old');
    symlinkSync(at('real.svg'), at('link.svg'));
    expect((await run(['trace', input, '-o', at('link.svg'), '-q'])).exitCode).to.equal(0);
    expect(readFileSync(at('real.svg'), 'utf8')).to.equal('<svg width="2" height="2"/>');
    put('text.png', 'hello');
    expect((await run(['trace', at('text.png'), '-o', at('real.svg'), '-q'])).exitCode).to.equal(4);
    expect(readFileSync(at('real.svg'), 'utf8')).to.equal('<svg width="2" height="2"/>');
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).to.deep.equal([]);
  });

  it('stops at once when cancelled', async () => {
    const inputs = [put('a.png', 'cancel'), put('b.png', '2x2')];
    const { exitCode } = await run(['trace', ...inputs]);
    expect(exitCode).to.equal(130);
    expect(readdirSync(folder)).to.have.members(['a.png', 'b.png']);
  });

  it('says a fault of its own in one line', async () => {
    const { exitCode, stderr } = await run(['trace', put('a.png', 'bug')]);
    expect(exitCode).to.equal(1);
    expect(lines(stderr).length).to.equal(1);
    expect(stderr).to.include('line one line two');
  });

  it('shows progress on a terminal only, and takes it away', async () => {
    const input = put('a.png', '2x2');
    const shown = await run(['trace', input, '-q'], { isTTY: true });
    expect(shown.stderr).to.include('decode').and.to.include('a.png').and.to.include('░');
    expect(shown.stderr.endsWith('\u001b[2K')).to.equal(true);
    expect((await run(['trace', input, '-q'])).stderr).to.equal('');
  });

  it('keeps terminal controls in file names from the terminal', async () => {
    const { stderr } = await run(['trace', at('\u001b[31mred.png')]);
    expect(stderr).to.include('[31mred.png').and.to.not.include('\u001b');
  });

  it('prints version and help, with every option of the table and the exit codes', async () => {
    expect(await run(['--version'])).to.deep.include({ exitCode: 0, stdout: '1.2.3\n' });
    const { exitCode, stdout } = await run(['trace', '--help']);
    expect(exitCode).to.equal(0);
    const names = settingNames('tracing').flatMap((name) => publishedNames(name));
    expect(names.length).to.be.greaterThan(25);
    for (const { name } of names) expect(stdout).to.include(`--${name.replaceAll('_', '-')}`);
    for (const absent of ['--output <name>', '--dry-run']) expect(stdout).to.not.include(absent);
    expect(stdout).to.include('Exit codes:').and.to.include('--no-fidelity');
    expect((await run([])).stdout).to.include('trace');
  });
});
