import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import {
  type BrowserService,
  createBrowser,
  describeInBrowser,
  eventually,
  LIGHTHOUSE,
  pickFiles,
  startBrowserService,
  traced,
} from '#test/support/browser.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';

const PICTURE = join(PACKAGE_ROOT, '.github/images/studio.png');
/** Widths of the window: telephone, laptop, desk. */
const WIDTHS = [390, 1280, 2560] as const;

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
    for (const path of ['/', '/dashboard'])
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        if (!page.url().endsWith(path)) await page.goto(service.url + path);
        await page.getByRole('region', { name: path === '/' ? 'Settings' : 'Balance', exact: true }).waitFor();
        if (path === '/dashboard') await page.getByRole('row', { name: /first key/ }).waitFor();
        // Nothing stands out to the right.
        await eventually(async () => (await page.evaluate('document.documentElement.scrollWidth')) === width);
      }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${service.url}/`);
    await traced(page);
    // Painted with its own lines again once the window has come to rest.
    await page.waitForTimeout(400);
    const shot = await sharp(await page.screenshot())
      .png({ palette: true })
      .toBuffer();
    expect(await sharp(shot).metadata()).to.include({ width: 1280, height: 800 });
    if (process.env.UPDATE_SCREENSHOT === '1') writeFileSync(PICTURE, shot);
    await end();
  });
});
