import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  type BrowserService,
  createBrowser,
  describeInBrowser,
  dropFiles,
  kept,
  LIGHTHOUSE,
  startBrowserService,
  traced,
} from '#test/support/browser.js';

const NAME = '<img src=x onerror=alert(1)>.png';

describeInBrowser('what is hostile', () => {
  let service: BrowserService;
  let browser: Awaited<ReturnType<typeof createBrowser>>;

  before(async () => {
    [service, browser] = await Promise.all([startBrowserService(), createBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  it('is a name that is shown as text, wherever it is shown', async () => {
    // Dialogs, errors and breaches of the policy are faults of the page: `end` asserts that there are none.
    const { page, end } = await browser.open(`${service.url}/`);
    const bytes = readFileSync(LIGHTHOUSE);
    await dropFiles(page, [
      { name: NAME, type: 'image/png', bytes },
      { name: `two ${NAME}`, type: 'image/png', bytes },
    ]);
    await traced(page);
    expect(await page.locator('.card-title').first().innerText()).to.equal(NAME);
    expect(await page.locator('img[src="x"]').count()).to.equal(0);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export SVG' }).click();
    await downloading;
    await page.locator('.done').waitFor();
    await kept(page);
    await page.reload();
    await traced(page);
    expect(await page.locator('.card-title').first().innerText()).to.equal(NAME);
    await end();
  });

  it('is a drawing that is painted, and of which nothing runs and nothing is fetched', async () => {
    let fetched = 0;
    const listener = createServer((_, answer) => {
      fetched++;
      answer.end();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const away = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="100" onload="alert(1)">
      <script>alert(2)</script><style>@import url("${away}/a.css");</style>
      <rect width="200" height="100" fill="#204060"/><circle cx="60" cy="50" r="30" fill="#e0a030" onclick="alert(3)"/>
      <image href="${away}/a.png" width="10" height="10"/><image xlink:href="${away}/b.png" width="10" height="10"/>
      <foreignObject width="50" height="50"><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="alert(4)"/></foreignObject>
    </svg>`;
    const { page, end } = await browser.open(`${service.url}/`);
    await dropFiles(page, [{ name: 'evil.svg', type: 'image/svg+xml', bytes: Buffer.from(svg) }]);
    await traced(page);
    expect(await page.locator('.swatch').count()).to.be.above(1);
    expect(fetched).to.equal(0);
    listener.close();
    await end();
  });

  it('is a file that is no picture, which is refused in words', async () => {
    const { page, end } = await browser.open(`${service.url}/`, { refusals: true });
    await dropFiles(page, [{ name: 'broken.svg', type: 'image/svg+xml', bytes: Buffer.from('<svg') }]);
    await page.getByRole('alert').getByText('broken.svg is not a drawing that can be shown.').waitFor();
    await dropFiles(page, [{ name: 'notes.png', type: 'image/png', bytes: Buffer.from('no picture') }]);
    await page
      .getByRole('alert')
      .getByText(/is not a JPG, PNG, BMP, WEBP or AVIF image/)
      .waitFor();
    await end();
  });
});
