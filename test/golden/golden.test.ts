import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { type VectorizeSettings, vectorize } from '#config/main/library.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { GOLDEN_INPUTS } from './inputs.js';
import { difference, overWhite, render, toPng, triptych } from './render.js';

const CASES = join(PACKAGE_ROOT, 'test', 'golden', 'cases');
const OUTPUT = join(PACKAGE_ROOT, 'test', 'output');
const UPDATING = process.env.UPDATE_GOLDEN === '1';
/** A rendering may differ from the golden one by this much and no more, levels. */
const MEAN_LEVELS = 0.2;
const MOST_LEVELS = 24;
/** A drawing may differ from its picture by this much on average; compression's noise is not drawn. */
const MEAN_FROM_PICTURE = 1.6;
const MEAN_FROM_DAMAGED = 6;

async function decode(png: Buffer) {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

async function update(name: string): Promise<void> {
  const folder = join(CASES, name);
  const { picture, settings = {}, lossy } = GOLDEN_INPUTS[name]!;
  await mkdir(folder, { recursive: true });
  if (!lossy || !existsSync(join(folder, 'input.png')))
    await writeFile(join(folder, 'input.png'), await toPng(await picture()));
  // Lists on one line, as the formatter has them.
  const text = JSON.stringify(settings, null, 2).replace(
    /\[\s+([^\]]*?)\s+\]/g,
    (_, list: string) => `[${list.replace(/\s+/g, ' ')}]`,
  );
  await writeFile(join(folder, 'settings.json'), `${text}\n`);
  const { svg } = await vectorize(await readFile(join(folder, 'input.png')), { ...settings, fidelity: false });
  await writeFile(join(folder, 'expected.svg'), `${svg}\n`);
}

describe('golden drawings', () => {
  before(async function () {
    if (!UPDATING) return;
    this.timeout(120_000);
    for (const name of Object.keys(GOLDEN_INPUTS)) await update(name);
  });

  it('are there: a folder for every input and an input for every folder', async () => {
    const folders = (await readdir(CASES, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).to.deep.equal(Object.keys(GOLDEN_INPUTS).sort());
    expect(folders.length).to.be.at.least(15);
  });

  for (const [
    name,
    { picture, lossy, meanFromPicture = lossy ? MEAN_FROM_DAMAGED : MEAN_FROM_PICTURE },
  ] of Object.entries(GOLDEN_INPUTS))
    it(`${name} is drawn as it was`, async () => {
      const folder = join(CASES, name);
      const input = await readFile(join(folder, 'input.png'));
      const settings: VectorizeSettings = JSON.parse(await readFile(join(folder, 'settings.json'), 'utf8'));
      const expected = (await readFile(join(folder, 'expected.svg'), 'utf8')).trimEnd();
      const decoded = await decode(input);
      if (!lossy) expect(decoded.data, 'the input is what it says').to.deep.equal((await picture()).data);

      const { svg } = await vectorize(input, { ...settings, fidelity: false });
      const wanted = render(expected);
      const actual = render(svg);
      const off = difference(wanted, actual);
      if (svg.trimEnd() !== expected) {
        await mkdir(OUTPUT, { recursive: true });
        await writeFile(join(OUTPUT, `${name}.png`), await triptych(wanted, actual));
        await writeFile(join(OUTPUT, `${name}.svg`), svg);
      }
      expect(off.mean, `mean difference; see test/output/${name}.png`).to.be.at.most(MEAN_LEVELS);
      expect(off.most, `largest difference; see test/output/${name}.png`).to.be.at.most(MOST_LEVELS);
      expect(svg.trimEnd(), `the text; see test/output/${name}.svg`).to.equal(expected);

      // And the golden one is a drawing of the picture.
      if (settings.color_mode === undefined && settings.fixed_palette === undefined) {
        const { mean } = difference(await overWhite(decoded), render(svg, 1));
        expect(mean, 'mean difference from the picture').to.be.at.most(meanFromPicture);
      }
    });
});
