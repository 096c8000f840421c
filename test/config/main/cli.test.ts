import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { expect } from 'chai';
import sharp from 'sharp';

const CLI = fileURLToPath(import.meta.resolve('#config/main/cli.js'));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real command as a process of its own. */
function burin(argv: readonly string[], input?: Uint8Array): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...argv]);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    child.stdin.on('error', () => {}); // it may exit without reading
    child.stdin.end(input);
  });
}

/** A PNG that says it is this large and holds next to nothing. */
function pngHeader(width: number, height: number): Uint8Array {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('the burin command', () => {
  let folder: string;
  let png: Buffer;
  let jpeg: Buffer;
  const at = (name: string) => join(folder, name);

  before(async () => {
    const flat = sharp({ create: { width: 24, height: 16, channels: 3, background: '#c03020' } });
    png = await flat.clone().png().toBuffer();
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    jpeg = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#000', noise } })
      .jpeg()
      .toBuffer();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'burin-command-'));
    writeFileSync(at('good.png'), png);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('turns a picture file into an SVG file', async () => {
    const { code, stdout, stderr } = await burin(['trace', at('good.png'), '-o', at('good.svg'), '--preset', 'logo']);
    expect({ code, stdout }, stderr).to.deep.equal({ code: 0, stdout: '' });
    const svg = readFileSync(at('good.svg'), 'utf8');
    expect(svg)
      .to.include('<svg')
      .and.to.include('24')
      .and.to.match(/c03020/i);
  });

  it('takes a picture from a pipe and gives the SVG to one', async () => {
    const { code, stdout } = await burin(['trace', '-', '-q'], png);
    expect(code).to.equal(0);
    expect(stdout).to.include('<svg').and.to.include('</svg>');
  });

  it('refuses bad input with one clear line, the right code, and nothing half-written', async () => {
    const bad: readonly [name: string, bytes: Uint8Array, code: number, says: RegExp][] = [
      ['text.png', Buffer.from('this is no picture\n'), 4, /not a JPG, PNG, BMP, WEBP or AVIF/],
      ['truncated.jpg', jpeg.subarray(0, Math.floor(jpeg.length / 2)), 5, /JPEG image cannot be read/],
      ['huge.png', pngHeader(60_000, 60_000), 6, /60000 x 60000 pixels; at most \d+/],
      ['empty.png', new Uint8Array(), 4, /not a JPG, PNG, BMP, WEBP or AVIF/],
    ];
    for (const [name, bytes, wanted, says] of bad) {
      writeFileSync(at(name), bytes);
      const { code, stdout, stderr } = await burin(['trace', at(name), '-o', at('out.svg')]);
      expect({ code, stdout }, `${name}: ${stderr}`).to.deep.equal({ code: wanted, stdout: '' });
      expect(stderr).to.match(says);
      expect(stderr).to.match(/^burin: [^\n]+\n$/);
      rmSync(at(name));
    }
    expect(readdirSync(folder)).to.deep.equal(['good.png']);
  });

  it('refuses bad arguments likewise', async () => {
    const bad: readonly [argv: string[], code: number, says: RegExp][] = [
      [['--palete-count', '3'], 2, /--palete-count: unknown option; the nearest known one is --palette-count/],
      [['--palette-count', '65'], 2, /--palette-count: "65" is out of range.*2 to 64/],
      [['--preset', 'foo'], 2, /--preset: "foo" is not one of auto, logo/],
      [['-o', join('no', 'such', 'folder', 'x.svg')], 7, /cannot be written: no such file or folder/],
    ];
    for (const [argv, wanted, says] of bad) {
      const { code, stdout, stderr } = await burin(['trace', at('good.png'), ...argv]);
      expect({ code, stdout }, stderr).to.deep.equal({ code: wanted, stdout: '' });
      expect(stderr).to.match(says);
      expect(stderr).to.match(/^burin: [^\n]+\n$/);
    }
    expect(readdirSync(folder)).to.deep.equal(['good.png']);
  });

  it('traces the good ones of several and says which were not', async () => {
    writeFileSync(at('text.png'), 'text');
    const { code, stderr } = await burin(['trace', at('text.png'), at('good.png'), '-o', at('out'), '-q']);
    expect(code).to.equal(4);
    expect(stderr.trim().split('\n').length).to.equal(1);
    expect(readdirSync(at('out'))).to.deep.equal(['good.svg']);
  });

  it('is executable and knows its version', async () => {
    expect(statSync(CLI).mode & 0o111).to.not.equal(0);
    const { code, stdout } = await burin(['--version']);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  it('ends at an interrupt and leaves nothing behind', async () => {
    const child = spawn(process.execPath, [CLI, 'trace', '-', '-o', at('never.svg')]);
    // It waits for the picture; once it has asked for it nothing more than a signal will come.
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      child.on('close', (_code, signal) => resolve(signal)),
    );
    child.stdin.write(png.subarray(0, 10), () => child.kill('SIGINT'));
    expect(await ended).to.equal('SIGINT');
    expect(readdirSync(folder)).to.deep.equal(['good.png']);
  });
});
