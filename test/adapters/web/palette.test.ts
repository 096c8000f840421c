import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  type BrowserService,
  createBrowser,
  describeInBrowser,
  eventually,
  LIGHTHOUSE,
  pickFiles,
  rested,
  startBrowserService,
  tabTo,
  traced,
  type WatchedPage,
} from '#test/support/browser.js';

const swatches = (page: Page) => page.locator('.swatch');
const hexOf = async (page: Page, at: number): Promise<string> =>
  ((await swatches(page).nth(at).getAttribute('aria-label')) as string).slice(0, 7);

/** How many pixels of the stage have a color, to the bit. */
const pixelsOf = (page: Page, hex: string): Promise<number> =>
  page.evaluate<number>(`(() => {
    const canvas = document.querySelector('.viewer canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt('${hex}'.slice(at, at + 2), 16));
    let count = 0;
    for (let i = 0; i < data.length; i += 4)
      if (data[i] === red && data[i + 1] === green && data[i + 2] === blue) count++;
    return count;
  })()`);

describeInBrowser('the palette of the studio', () => {
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
    await pickFiles(page, LIGHTHOUSE);
    await traced(page);
  });
  afterEach(() => open.end());

  const exported = async (): Promise<string> => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export SVG' }).click();
    return readFileSync(await (await downloading).path(), 'utf8');
  };

  it('shows where a color is, and nothing else, while somebody points at it', async () => {
    await page.getByRole('radio', { name: 'Trace' }).check();
    await rested(page);
    const [pointed, other] = [await hexOf(page, 0), await hexOf(page, 1)];
    const before = [await pixelsOf(page, pointed), await pixelsOf(page, other)] as const;
    expect(before[0]).to.be.above(1000);
    expect(before[1]).to.be.above(1000);

    await swatches(page).first().hover();
    await eventually(async () => (await pixelsOf(page, other)) === 0);
    await rested(page);
    // On smoothed edges a trace of another color is rounded off, or not, by how far that is from this one.
    expect(await pixelsOf(page, pointed)).to.be.closeTo(before[0], before[0] / 1000);

    await page.mouse.move(5, 5);
    await eventually(async () => (await pixelsOf(page, other)) === before[1]);
  });

  it('merges two colors: what was of the one is of the other, on the stage and in the file', async () => {
    const [kept, gone] = [await hexOf(page, 0), await hexOf(page, 1)];
    const count = await swatches(page).count();
    expect(await exported()).to.include(gone);
    await page.getByRole('radio', { name: 'Trace' }).check();
    await rested(page);
    const pixels = (await pixelsOf(page, kept)) + (await pixelsOf(page, gone));
    await swatches(page).nth(1).click();
    await page.getByLabel(`Merge ${gone} into`).selectOption(kept);
    await page.getByRole('button', { name: 'Merge', exact: true }).click();
    expect(await swatches(page).count()).to.equal(count - 1);
    await page.mouse.move(5, 5);
    await eventually(async () => (await pixelsOf(page, gone)) === 0 && (await pixelsOf(page, kept)) >= pixels);
    const after = await exported();
    expect(after).not.to.include(gone);
    expect(after).to.include(kept);
  });

  it('traces again with a pasted palette, and with nothing else than its colors', async () => {
    await page.getByLabel('Your palette').fill('#0b2545 #f4d35e #ee964b #ffffff');
    await page.getByRole('button', { name: 'Trace with it' }).click();
    await eventually(async () => new URL(page.url()).searchParams.has('fixed_palette'));
    await eventually(async () => (await swatches(page).count()) <= 4);
    const colors = new Set((await exported()).match(/#[0-9a-f]{3,6}\b/g));
    expect(colors.size).to.be.above(1);
    for (const color of colors) expect(color).to.be.oneOf(['#0b2545', '#f4d35e', '#ee964b', '#ffffff', '#fff']);
  });

  it('does all of it by keyboard alone', async () => {
    const count = await swatches(page).count();
    const press = async (name: string) => {
      await tabTo(page, page.getByRole('button', { name, exact: true }));
      await page.keyboard.press('Enter');
    };
    // The color that has the focus is shown alone.
    const other = await hexOf(page, 1);
    await tabTo(page, page.getByRole('radio', { name: 'Compare' }));
    await page.keyboard.press('ArrowRight');
    await rested(page);
    expect(await pixelsOf(page, other)).to.be.above(1000);
    await tabTo(page, swatches(page).first());
    await eventually(async () => (await pixelsOf(page, other)) === 0);

    await page.keyboard.press('Enter');
    await tabTo(page, page.getByLabel('Hex of the new color'));
    await page.keyboard.press('Control+a');
    await page.keyboard.type('#123456');
    await page.keyboard.press('Enter');
    expect(await hexOf(page, 0)).to.equal('#123456');
    // The focus stays with the color, so that the next change begins there.
    await eventually(async () => (await swatches(page).first().and(page.locator(':focus')).count()) === 1);

    await press('Remove');
    expect(await swatches(page).count()).to.equal(count - 1);
    await page.keyboard.press('Control+z');
    expect(await swatches(page).count()).to.equal(count);
    await page.keyboard.press('Control+Shift+z');
    expect(await swatches(page).count()).to.equal(count - 1);

    await tabTo(page, page.getByLabel('Keep only'));
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    expect(await swatches(page).count()).to.equal(3);

    await tabTo(page, page.getByLabel('Your palette'));
    await page.keyboard.type('#000 #d9a441');
    await press('Apply here');
    expect(await swatches(page).count()).to.equal(2);
    expect(new Set([await hexOf(page, 0), await hexOf(page, 1)])).to.deep.equal(new Set(['#000000', '#d9a441']));

    await press('Export SVG');
    await page.locator('.done').waitFor();
  });
});
