import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import {
  type BrowserService,
  createBrowser,
  describeInBrowser,
  eventually,
  kept,
  LIGHTHOUSE,
  pickFiles,
  rested,
  startBrowserService,
  traced,
} from '#test/support/browser.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';

const PICTURE = join(PACKAGE_ROOT, '.github/images/studio.png');
/** Widths of the window: telephone, laptop, desk, 4K. */
const WIDTHS = [390, 1280, 2560, 3840] as const;
const PAGES = ['/', '/dashboard', '/docs', '/docs/parameters', '/docs/running', '/docs/api'] as const;
/** In the page: how many tables have more to the right than is to be seen. */
const CUT_OFF = `[...document.querySelectorAll('.table')].filter((each) => each.scrollWidth > each.clientWidth).length`;

describeInBrowser('the look of the studio', () => {
  let service: BrowserService;
  let browser: Awaited<ReturnType<typeof createBrowser>>;

  before(async () => {
    [service, browser] = await Promise.all([startBrowserService(), createBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  it('fits every window, and is what the README shows (UPDATE_SCREENSHOT=1 rewrites that picture)', async () => {
    const { page, end } = await browser.open(`${service.url}/`);
    await pickFiles(page, LIGHTHOUSE);
    await traced(page);
    // It is there again when the studio is opened last.
    await kept(page);
    for (const path of PAGES)
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        if (new URL(page.url()).pathname !== path) await page.goto(service.url + path);
        if (path === '/') await page.getByRole('region', { name: 'Settings', exact: true }).waitFor();
        else if (path === '/dashboard') await page.getByRole('row', { name: /first key/ }).waitFor();
        else await page.locator('h1').waitFor();
        if (path === '/docs/api') await page.locator('#operations section').first().waitFor();
        // Nothing stands out to the right, and no table of the dashboard is cut off there.
        await eventually(async () => (await page.evaluate('document.documentElement.scrollWidth')) === width);
        await eventually(async () => (await page.evaluate<number>(CUT_OFF)) === 0);
      }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${service.url}/`);
    await traced(page);
    // Painted with its own lines again once the window has come to rest.
    await rested(page);
    const shot = await sharp(await page.screenshot())
      .png({ palette: true })
      .toBuffer();
    expect(await sharp(shot).metadata()).to.include({ width: 1280, height: 800 });
    if (process.env.UPDATE_SCREENSHOT === '1') writeFileSync(PICTURE, shot);
    await end();
  });
});
