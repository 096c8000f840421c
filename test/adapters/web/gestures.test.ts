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
  traced,
} from '#test/support/browser.js';

const zoom = async (page: Page): Promise<number> =>
  Number.parseInt(await page.getByLabel('Zoom', { exact: true }).innerText(), 10);

describeInBrowser('fingers and the clipboard in the studio', () => {
  let service: BrowserService;
  let browser: Awaited<ReturnType<typeof createBrowser>>;

  before(async () => {
    [service, browser] = await Promise.all([startBrowserService(), createBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  it('traces a picture that is pasted', async () => {
    const { page, end } = await browser.open(`${service.url}/?quality_tier=fast`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const base64 = readFileSync(LIGHTHOUSE).toString('base64');
    await page.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0));
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })]);
    })()`);
    await page.keyboard.press('Control+v');
    await traced(page);
    expect(await page.locator('.swatch').count()).to.be.above(5);
    await end();
  });

  it('leaves text that is pasted into a field to the field', async () => {
    const { page, end } = await browser.open(`${service.url}/?quality_tier=fast`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await pickFiles(page, LIGHTHOUSE);
    await traced(page);
    await page.evaluate(`navigator.clipboard.writeText('#123456')`);
    await page.getByLabel('Your palette').focus();
    await page.keyboard.press('Control+v');
    expect(await page.getByLabel('Your palette').inputValue()).to.equal('#123456');
    expect(await page.locator('.card').count()).to.equal(0);
    await end();
  });

  it('zooms between two fingers and moves with one', async () => {
    const { page, end } = await browser.open(`${service.url}/?quality_tier=fast`, {
      hasTouch: true,
      viewport: { width: 390, height: 844 },
    });
    await pickFiles(page, LIGHTHOUSE);
    await page.locator('.swatch').first().waitFor({ state: 'attached' });
    await rested(page);
    const before = await zoom(page);
    const box = (await page.locator('.viewer canvas').boundingBox())!;
    const [x, y] = [Math.round(box.x + box.width / 4), Math.round(box.y + box.height / 3)];
    const device = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: readonly (readonly [number, number])[]) =>
      device.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([left, top], id) => ({ x: left, y: top, id })),
      });
    await touch('touchStart', [x - 20, y], [x + 20, y]);
    for (let apart = 25; apart <= 60; apart += 5) await touch('touchMove', [x - apart, y], [x + apart, y]);
    await touch('touchEnd');
    // Three times as far apart is three times as large, and the page itself has not zoomed.
    await eventually(async () => Math.abs((await zoom(page)) / before - 3) < 0.05);
    expect(await page.evaluate<number>('visualViewport.scale')).to.equal(1);

    await rested(page);
    const shot = await page.locator('.viewer').screenshot();
    const scrolled = await page.evaluate<number>('scrollY');
    await touch('touchStart', [x, y]);
    for (let moved = 10; moved <= 60; moved += 10) await touch('touchMove', [x + moved / 2, y + moved]);
    await touch('touchEnd');
    await rested(page);
    expect((await page.locator('.viewer').screenshot()).equals(shot)).to.equal(false);
    expect(await page.evaluate<number>('scrollY')).to.equal(scrolled);

    await touch('touchStart', [x - 60, y], [x + 60, y]);
    for (let apart = 55; apart >= 20; apart -= 5) await touch('touchMove', [x - apart, y], [x + apart, y]);
    await touch('touchEnd');
    await eventually(async () => Math.abs((await zoom(page)) / before - 1) < 0.05);
    await end();
  });

  it('pinches on a touchpad, which comes as a wheel with Ctrl', async () => {
    const { page, end } = await browser.open(`${service.url}/?quality_tier=fast`);
    await pickFiles(page, LIGHTHOUSE);
    await traced(page);
    const before = await zoom(page);
    const box = (await page.locator('.viewer canvas').boundingBox())!;
    // In the middle, where the split handle lies over the picture.
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -63);
    await page.keyboard.up('Control');
    await eventually(async () => Math.abs((await zoom(page)) / before - 2) < 0.05);
    expect(await page.evaluate<number>('visualViewport.scale')).to.equal(1);
    await end();
  });

  it('glides nowhere for who asked for less motion', async () => {
    const { page, end } = await browser.open(`${service.url}/?quality_tier=fast&fidelity=true`, {
      reducedMotion: 'reduce',
    });
    await pickFiles(page, LIGHTHOUSE);
    await traced(page);
    await page.getByRole('button', { name: /^Worst spot/ }).waitFor();
    await rested(page);
    const seen = await page.evaluate<readonly string[]>(`new Promise((resolve) => {
      const output = document.querySelector('.zoom-level');
      const seen = [];
      new MutationObserver(() => seen.push(output.textContent)).observe(output, { subtree: true, characterData: true, childList: true });
      document.querySelector('.fidelity > .button').click();
      const canvas = document.querySelector('.viewer canvas');
      new MutationObserver(() => { if (seen.length > 0 && canvas.dataset.rests === 'yes') resolve(seen); })
        .observe(canvas, { attributeFilter: ['data-rests'] });
    })`);
    expect(new Set(seen)).to.have.length(1);
    expect(await page.evaluate<number>('document.getAnimations().length')).to.equal(0);
    await end();
  });
});
