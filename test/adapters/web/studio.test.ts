import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  type BrowserService,
  createBrowser,
  describeInBrowser,
  dropFiles,
  eventually,
  figure,
  kept,
  LIGHTHOUSE,
  pickFiles,
  startBrowserService,
  tabTo,
  traced,
  type WatchedPage,
} from '#test/support/browser.js';

const lighthouse = (name = 'lighthouse.png') => ({ name, type: 'image/png', bytes: readFileSync(LIGHTHOUSE) });
const swatches = (page: Page) => page.locator('.swatch');
const split = (page: Page) => page.getByRole('slider', { name: 'Split between picture and trace' });

describeInBrowser('the studio', () => {
  let service: BrowserService;
  let browser: Awaited<ReturnType<typeof createBrowser>>;
  let open: WatchedPage;
  let page: Page;

  before(async () => {
    [service, browser] = await Promise.all([startBrowserService(), createBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });
  beforeEach(async () => {
    open = await browser.open(`${service.url}/?quality_tier=fast`);
    page = open.page;
  });
  afterEach(() => open.end());

  const exportAs = async (format: string) => {
    await page.getByLabel('Format', { exact: true }).selectOption(format);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: `Export ${format.toUpperCase()}` }).click();
    return (await downloading).path();
  };

  it('traces what is dropped, compares, changes the preset, merges a color and exports a PDF', async () => {
    await dropFiles(page, [lighthouse()]);
    await traced(page);
    const colors = await swatches(page).count();
    expect(colors).to.be.above(5);
    expect(Number(await figure(page, 'Shapes'))).to.be.above(5);
    expect(await figure(page, 'Cost')).to.match(/^\d credits?$/);

    const handle = await split(page).boundingBox();
    await page.mouse.move(handle!.x + 14, handle!.y + 100);
    await page.mouse.down();
    await page.mouse.move(handle!.x - 150, handle!.y + 100, { steps: 4 });
    await page.mouse.up();
    expect(Number(await split(page).getAttribute('aria-valuenow'))).to.be.within(15, 45);

    await page.locator('summary', { hasText: 'Repairing the picture first' }).click();
    const slider = page.locator('.setting', { hasText: 'Artifact cleanup' }).locator('input[type=range]');
    await slider.scrollIntoViewIfNeeded();
    const track = (await slider.boundingBox())!;
    await slider.click({ position: { x: track.width - 2, y: track.height / 2 } });
    await eventually(async () => page.url().endsWith(`artifact_cleanup=${await slider.getAttribute('max')}`));
    await traced(page);
    await page.getByRole('button', { name: 'Undo' }).click();

    await page.getByRole('radio', { name: /^Technical drawing/ }).check();
    await eventually(async () => (await swatches(page).count()) === 2);
    expect(new URL(page.url()).search).to.equal('?quality_tier=fast&preset=technical_drawing');

    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => (await swatches(page).count()) === colors);
    const first = (await swatches(page).first().getAttribute('aria-label'))!.slice(0, 7);
    await swatches(page).nth(1).click();
    await page.getByLabel(/^Merge #/).selectOption(first);
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    expect(await swatches(page).count()).to.equal(colors - 1);

    const file = await exportAs('pdf');
    const info = execFileSync('pdfinfo', [file], { encoding: 'utf8' });
    expect(info)
      .to.match(/Pages:\s+1\n/)
      .and.to.match(/Page size:\s+144 x 144 pts/);
  });

  it('recolors, removes, keeps a number of colors and takes a palette, each undone again, without tracing', async () => {
    await page.getByRole('button', { name: 'Try the sample' }).click();
    await traced(page);
    const before = await swatches(page).count();
    let conversions = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/convert')) conversions++;
    });
    const exported = async () => readFileSync(await exportAs('svg'), 'utf8');
    const sky = (await swatches(page).first().getAttribute('aria-label'))!.slice(0, 7);

    await swatches(page).first().click();
    await page.getByLabel('Hex of the new color').fill('#123456');
    await page.getByRole('button', { name: 'Recolor' }).click();
    const recolored = await exported();
    expect(recolored).to.include('fill="#123456"').and.not.to.include(sky);

    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    expect(await swatches(page).count()).to.equal(before - 1);
    expect(await exported()).not.to.include('#123456');

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByLabel('Keep only').fill('4');
    await page.getByRole('button', { name: 'Merge the rest' }).click();
    expect(await swatches(page).count()).to.equal(4);

    await page.getByLabel('Your palette').fill('black: #000, gold #d9a441');
    await page.getByRole('button', { name: 'Apply here' }).click();
    const svg = await exported();
    expect(new Set(svg.match(/#[0-9a-f]{3,6}\b/g))).to.deep.equal(new Set(['#000', '#d9a441']));

    for (let step = 0; step < 3; step++) await page.keyboard.press('Control+z');
    expect(await swatches(page).count()).to.equal(before);
    expect(await exported()).to.include(sky);
    expect(conversions).to.equal(0);
  });

  it('brings everything back after a reload, from the browser alone', async () => {
    await pickFiles(page, LIGHTHOUSE);
    await traced(page);
    await page.getByText('Colors', { exact: true }).first().click();
    await page.getByLabel('Palette count colors').fill('6');
    await page.keyboard.press('Tab');
    await eventually(async () => (await swatches(page).count()) <= 6);
    await traced(page);
    await swatches(page).nth(1).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    const count = await swatches(page).count();
    const shapes = await figure(page, 'Shapes');
    await kept(page);
    let conversions = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/convert')) conversions++;
    });
    await page.reload();
    await traced(page);
    expect(await swatches(page).count()).to.equal(count);
    expect(await figure(page, 'Shapes')).to.equal(shapes);
    expect(new URL(page.url()).search).to.equal('?quality_tier=fast&palette_count=6');
    expect(conversions).to.equal(0);
  });

  it('takes its settings from the address', async () => {
    await page.goto(`${service.url}/?preset=logo&palette_count=4&quality_tier=fast`);
    await pickFiles(page, LIGHTHOUSE);
    await traced(page);
    expect(await page.getByRole('radio', { name: /^Logo/ }).isChecked()).to.equal(true);
    expect(await swatches(page).count()).to.be.at.most(4);
  });

  it('traces three pictures as cards and packs them into a ZIP', async () => {
    await dropFiles(page, [lighthouse('one.png'), lighthouse('two.png'), lighthouse('three.png')]);
    await page.getByRole('button', { name: 'ZIP all 3' }).and(page.locator(':enabled')).waitFor();
    expect(await page.locator('.card').count()).to.equal(3);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'ZIP all 3' }).click();
    const names = execFileSync('unzip', ['-Z1', await (await downloading).path()], { encoding: 'utf8' });
    expect(names.trim().split('\n').sort()).to.deep.equal(['one.svg', 'three.svg', 'two.svg']);
    await page.getByRole('button', { name: 'Close two.png' }).click();
    expect(await page.locator('.card').count()).to.equal(2);
  });

  it('shows the worst spot, outlines, the difference and one color alone', async () => {
    await page.goto(`${service.url}/?quality_tier=fast&fidelity=true`);
    await pickFiles(page, LIGHTHOUSE);
    await traced(page);
    const stage = page.locator('.viewer');
    const changed = async (act: () => Promise<unknown>) => {
      const before = await stage.screenshot();
      await act();
      await eventually(async () => !(await stage.screenshot()).equals(before));
    };
    await changed(() => page.getByRole('button', { name: 'Outlines' }).click());
    await changed(() => page.getByRole('radio', { name: 'Difference' }).check());
    await changed(() => page.getByRole('radio', { name: 'Trace' }).check());
    await changed(() => swatches(page).nth(2).hover());
    await changed(() => page.getByRole('button', { name: /^Worst spot/ }).click());
    const zoom = await page.getByLabel('Zoom', { exact: true }).innerText();
    expect(Number.parseInt(zoom, 10)).to.be.above(400);
  });

  it('zooms to 6400 % and no further, and back to the whole', async () => {
    await pickFiles(page, LIGHTHOUSE);
    await traced(page);
    const zoom = async () => Number.parseInt(await page.getByLabel('Zoom', { exact: true }).innerText(), 10);
    const box = (await page.locator('canvas').boundingBox())!;
    await page.mouse.move(box.x + 100, box.y + 200);
    for (let i = 0; i < 12; i++) await page.mouse.wheel(0, -900);
    await eventually(async () => (await zoom()) === 6400);
    await page.getByRole('button', { name: 'Show the whole picture' }).click();
    await eventually(async () => (await zoom()) < 900);
  });

  it('copies the drawing, and calls that trace the same', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await pickFiles(page, LIGHTHOUSE);
    await traced(page);
    const copied = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByText('Copied.').waitFor();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    const svg = await copied('SVG');
    expect(svg).to.match(/^<svg /);
    expect(decodeURIComponent((await copied('Data URI')).replace('data:image/svg+xml,', ''))).to.equal(svg);
    expect(await copied('JavaScript')).to.include(`"${service.url}/api/v1/convert"`);
    expect(await copied('Python')).to.include('requests.post(');
    const curl = await copied('curl');
    const pasted = curl
      .replace("'imageFile=@lighthouse.png'", `'imageFile=@${LIGHTHOUSE}'`)
      .replace('-o drawing.svg', '-o -');
    const key = /brn_live_\S+/.exec(service.printed)?.[0] as string;
    // Not in step: the service runs in this process.
    const { stdout } = await promisify(execFile)('sh', ['-c', pasted], { env: { ...process.env, BURIN_KEY: key } });
    expect(stdout).to.equal(svg);
  });

  it('shows a tour of three cards once', async () => {
    const fresh = await browser.open(`${service.url}/`, { tour: true });
    const tour = fresh.page.getByRole('complementary', { name: 'A short tour' });
    for (const name of ['Next', 'Next', 'Done']) await tour.getByRole('button', { name }).click();
    expect(await tour.count()).to.equal(0);
    await fresh.end();
  });

  it('does all of it by keyboard alone', async () => {
    // As long as somebody listens, the browser hands choosers over instead of opening them.
    page.on('filechooser', () => {});
    await page.getByRole('heading', { name: 'Drop a picture to trace it' }).waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Choose pictures' }));
    const choosing = page.waitForEvent('filechooser');
    await page.keyboard.press('Enter');
    await (await choosing).setFiles(LIGHTHOUSE);
    await traced(page);
    const colors = await swatches(page).count();

    await tabTo(page, split(page));
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('PageDown');
    expect(await split(page).getAttribute('aria-valuenow')).to.equal('38');

    await tabTo(page, page.getByRole('application'));
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('0');

    await tabTo(page, page.locator('summary', { hasText: 'Repairing the picture first' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.locator('input[type=range]').and(page.getByLabel('Artifact cleanup', { exact: true })));
    await page.keyboard.press('ArrowRight');
    await eventually(async () => page.url().endsWith('artifact_cleanup=3'));
    await traced(page);
    await page.keyboard.press('Control+z');
    await eventually(async () => !page.url().includes('artifact_cleanup'));

    await tabTo(page, page.getByRole('radio', { name: /^Auto/ }));
    await page.keyboard.press('ArrowUp');
    await eventually(async () => (await swatches(page).count()) === 2);
    await page.keyboard.press('Control+z');
    await eventually(async () => (await swatches(page).count()) === colors);

    await tabTo(page, swatches(page).nth(1));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByLabel(/^Merge #/));
    await page.keyboard.press('ArrowDown');
    await tabTo(page, page.getByRole('button', { name: 'Merge', exact: true }));
    await page.keyboard.press('Enter');
    expect(await swatches(page).count()).to.equal(colors - 1);

    await tabTo(page, page.getByLabel('Format', { exact: true }));
    await page.keyboard.type('PDF');
    const downloading = page.waitForEvent('download');
    await tabTo(page, page.getByRole('button', { name: 'Export PDF' }));
    await page.keyboard.press('Enter');
    expect(execFileSync('pdfinfo', [await (await downloading).path()], { encoding: 'utf8' })).to.match(/Pages:\s+1\n/);

    // All of it is there again after a reload, and goes on from there.
    await kept(page);
    await page.reload();
    await traced(page);
    expect(await swatches(page).count()).to.equal(colors - 1);
    await tabTo(page, swatches(page).first());
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Remove', exact: true }));
    await page.keyboard.press('Enter');
    expect(await swatches(page).count()).to.equal(colors - 2);

    await tabTo(page, page.getByRole('button', { name: 'Open', exact: true }));
    const more = page.waitForEvent('filechooser');
    await page.keyboard.press('Enter');
    await (await more).setFiles([LIGHTHOUSE, LIGHTHOUSE]);
    await page.getByRole('button', { name: 'ZIP all 3' }).and(page.locator(':enabled')).waitFor();
    const zipping = page.waitForEvent('download');
    await tabTo(page, page.getByRole('button', { name: 'ZIP all 3' }));
    await page.keyboard.press('Enter');
    const names = execFileSync('unzip', ['-Z1', await (await zipping).path()], { encoding: 'utf8' });
    expect(names.trim().split('\n')).to.have.length(3);
  });
});
