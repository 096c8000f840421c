import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { circle } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { CLI, runBurin, startBurin } from '#test/support/run-burin.js';
import { until } from '#test/support/until.js';
import { pngOf } from '#test/support/write-png.js';

/** A disc of its own for every number. */
const disc = (n: number, size = 48): Buffer =>
  Buffer.from(
    pngOf(paint(size, size, 0xffffff, [layer(0x204080 + n * 7919, circle(size / 2, size / 2, size / 4 + (n % 9)))])),
  );

const allFiles = (folder: string) => readdirSync(folder, { recursive: true }).map(String).sort();

describe('burin trace of a folder, as a process', function () {
  // Processes of their own, on machines that have other things to do.
  this.timeout(120_000);
  let folder: string;
  const at = (...names: string[]) => join(folder, ...names);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'burin-folder-'));
    mkdirSync(at('in', 'below'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('traces 200 pictures two at a time; a broken one does not stop the rest and sets the exit code', async () => {
    const names = Array.from({ length: 200 }, (_, n) => (n % 4 === 0 ? `below/p${n}.png` : `p${n}.png`));
    for (const [n, name] of names.entries())
      writeFileSync(at('in', name), n === 60 ? disc(n).subarray(0, 90) : disc(n));
    const { code, stdout, stderr } = await runBurin(['trace', at('in'), '-o', at('out'), '--jobs', '2']);
    expect(code, stderr).to.equal(5);
    expect(stdout).to.equal('');
    const good = names.filter((_, n) => n !== 60).map((name) => name.replace('.png', '.svg'));
    expect(allFiles(at('out')).filter((name) => name !== 'below')).to.have.members(good);
    for (const name of good) expect(readFileSync(at('out', name), 'utf8')).to.match(/^<svg[\s\S]*<\/svg>\s*$/);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('burin: '))).to.have.length(1);
    expect(lines.find((line) => line.startsWith('burin: ')))
      .to.include('p60.png')
      .and.to.include('cannot be read');
    expect(lines.at(-1)).to.match(/^199 of 200 pictures traced, 1 not; \d+ bytes, [\d.]+ s, [\d.]+ a second$/);
  }).timeout(240_000);

  it('gives the same drawing whether it was traced here or in a process beside', async () => {
    for (let n = 0; n < 4; n++) writeFileSync(at('in', `p${n}.png`), disc(n));
    for (const jobs of ['1', '2'])
      expect((await runBurin(['trace', at('in'), '-o', at(jobs), '--jobs', jobs, '-q'])).code).to.equal(0);
    expect(allFiles(at('1'))).to.deep.equal(['p0.svg', 'p1.svg', 'p2.svg', 'p3.svg']);
    for (const name of allFiles(at('1')))
      expect(readFileSync(at('2', name))).to.deep.equal(readFileSync(at('1', name)));
    const one = await runBurin(['trace', at('in', 'p0.png'), '--json', '-q']);
    const two = await runBurin(['trace', at('in', 'p0.png'), at('in', 'p1.png'), '--json', '--jobs', '2', '-q']);
    const answers = two.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { input: string; svg: string });
    const [alone] = [JSON.parse(one.stdout) as { svg: string }];
    expect(Object.keys(alone)).to.have.members(Object.keys(answers[0]!));
    expect(answers.find(({ input }) => input.endsWith('p0.png'))!.svg).to.equal(alone.svg);
  });

  it('writes every format that is named, and every file that is', async () => {
    writeFileSync(at('in', 'a.png'), disc(1));
    const folderRun = await runBurin([
      'trace',
      at('in'),
      '-o',
      at('out'),
      '--format',
      'svg,pdf,png',
      '--scale',
      '2',
      '-q',
    ]);
    expect(folderRun.code, folderRun.stderr).to.equal(0);
    expect(allFiles(at('out'))).to.deep.equal(['a.pdf', 'a.png', 'a.svg']);
    expect(readFileSync(at('out', 'a.png')).readUInt32BE(16)).to.equal(96);
    const files = await runBurin(['trace', at('in', 'a.png'), '-o', at('x.svg'), '-o', at('x.eps'), '-q']);
    expect(files.code, files.stderr).to.equal(0);
    expect(readFileSync(at('x.eps'), 'latin1')).to.match(/^%!PS/);
    expect(readFileSync(at('x.svg'), 'utf8')).to.include('<svg');
    const refused: readonly [string[], RegExp][] = [
      [['--format', 'gif'], /no export format "gif"/],
      [['--format', 'svg,pdf', '-o', at('one.svg')], /--format: names several/],
      [['--format', 'svg', '--level', '2'], /--level: is honored by none/],
      [['--jobs', '0'], /--jobs: "0"/],
    ];
    for (const [argv, says] of refused) {
      const { code, stderr } = await runBurin(['trace', at('in', 'a.png'), ...argv]);
      expect(code).to.equal(2);
      expect(stderr).to.match(says);
    }
  });

  it('ends at Ctrl-C with 130, whole files only, and says how far it came', async () => {
    for (let n = 0; n < 150; n++) writeFileSync(at('in', `p${String(n).padStart(3, '0')}.png`), disc(n));
    const { child, ended } = startBurin(['trace', at('in'), '-o', at('out'), '--jobs', '2', '--format', 'svg,png']);
    await until(() => existsSync(at('out')) && readdirSync(at('out')).length > 6);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code, stderr).to.equal(130);
    const written = allFiles(at('out'));
    expect(written.filter((name) => name.endsWith('.part'))).to.deep.equal([]);
    expect(written.length).to.be.within(7, 299);
    for (const name of written) {
      const bytes = readFileSync(at('out', name));
      if (name.endsWith('.svg')) expect(bytes.toString(), name).to.match(/<\/svg>\s*$/);
      else expect(bytes.subarray(-8, -4).toString('latin1'), name).to.equal('IEND');
    }
    expect(stderr).to.match(/\d+ of 150 pictures traced, \d+ not/);
  }).timeout(120_000);

  it('watches: traces what comes and what changes, and nothing of its own', async () => {
    writeFileSync(at('in', 'a.png'), disc(1));
    const argv = ['trace', at('in'), '--watch', '--format', 'svg,jpg'];
    const { child, ended } = startBurin(argv);
    let said = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await until(() => said.includes('watching'));
    writeFileSync(at('half'), disc(2));
    renameSync(at('half'), at('in', 'below', 'b.png'));
    await until(() => said.includes('b.svg'));
    const first = readFileSync(at('in', 'a.svg'), 'utf8');
    writeFileSync(at('in', 'a.png'), disc(8));
    await until(() => said.split('a.svg').length > 2);
    child.kill('SIGINT');
    await ended;
    expect(readFileSync(at('in', 'a.svg'), 'utf8')).to.not.equal(first);
    expect(allFiles(at('in'))).to.deep.equal(
      ['a.jpg', 'a.png', 'a.svg', 'below', 'below/b.jpg', 'below/b.png', 'below/b.svg'].sort(),
    );
    expect(said).to.not.include('a.jpg ->');
  }).timeout(120_000);

  it('draws its bars on a terminal only', function (done) {
    writeFileSync(at('in', 'a.png'), disc(1));
    writeFileSync(at('in', 'b.png'), disc(2));
    // `script` gives the command a terminal of its own.
    const child = spawn('script', [
      '-qec',
      `${process.execPath} ${CLI} trace ${at('in')} -o ${at('out')}`,
      '/dev/null',
    ]);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on('error', () => this.skip());
    child.on('close', (code) => {
      expect(code).to.equal(0);
      expect(said).to.include('░').and.to.include('PICTURE').and.to.include('2 pictures traced');
      done();
    });
  });
});
