import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { composeInspecting } from '#config/compose-inspecting.js';
import { runMemoryCli } from '#test/support/memory-cli.js';
import { circle } from '#test/support/outlines.js';
import { layer, paint } from '#test/support/pictures.js';
import { pngOf } from '#test/support/write-png.js';

const svgOf = (radius: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#ffffff"/><circle cx="32" cy="32" r="${radius}" fill="#cc0000"/></svg>`;

describe('burin inspect and compare', () => {
  let folder: string;
  const at = (name: string) => join(folder, name);
  const run = (...argv: string[]) =>
    runMemoryCli(argv, () => Promise.reject(new Error('nothing is traced')), {
      inspecting: async () => composeInspecting(),
    });
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'burin-inspect-'));
    writeFileSync(at('right.svg'), svgOf(20));
    writeFileSync(at('wrong.svg'), svgOf(14));
    writeFileSync(at('disc.png'), pngOf(paint(64, 64, 0xffffff, [layer(0xcc0000, circle(32, 32, 20))])));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('says of what a drawing consists, and how well it matches', async () => {
    const { exitCode, stdout } = await run('inspect', at('right.svg'), at('disc.png'), '--json');
    expect(exitCode).to.equal(0);
    const found = JSON.parse(stdout);
    expect(found).to.include({ width: 64, height: 64, shapes: 2, primitives: 2, nodes: 8, colors: 2 });
    expect(found.fidelity.deltaE00).to.be.below(0.2);
    const red = found.colorPalette.find(({ hex }: { hex: string }) => hex === '#cc0000');
    expect(red.coverage).to.be.closeTo((Math.PI * 20 * 20) / 64 ** 2, 0.03);
    const people = await run('inspect', at('right.svg'));
    expect(people.stdout)
      .to.include('2 shapes (0 paths, 2 primitives)')
      .and.to.match(/#ffffff +\d+\.\d %/);
    expect(people.stdout).to.not.include('against the picture');
  });

  it('says which of two is closer to the picture', async () => {
    const { stdout } = await run('compare', at('wrong.svg'), at('right.svg'), at('disc.png'));
    expect(stdout).to.match(/^delta E +\d+\.\d+ +\d\.\d+ +B$/m);
    const json = JSON.parse((await run('compare', at('wrong.svg'), at('right.svg'), at('disc.png'), '--json')).stdout);
    expect(json.better).to.include({ 'delta E': 'B', SSIM: 'B', bytes: 'same', nodes: 'same' });
    expect(json.a.fidelity.deltaE00).to.be.above(json.b.fidelity.deltaE00);
  });

  it('refuses what is no SVG, no picture, or not there', async () => {
    const cases: readonly [string[], number][] = [
      [['inspect', at('disc.png')], 5],
      [['inspect', at('right.svg'), at('wrong.svg')], 4],
      [['inspect', at('none.svg')], 3],
      [['compare', at('right.svg'), at('wrong.svg')], 2],
    ];
    for (const [argv, code] of cases) {
      const { exitCode, stdout, stderr } = await run(...argv);
      expect({ exitCode, stdout }, stderr).to.deep.equal({ exitCode: code, stdout: '' });
      expect(stderr).to.match(/^burin: [^\n]+\n$/);
    }
  });
});
