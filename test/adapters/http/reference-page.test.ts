import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Browser, chromium } from 'playwright-core';
import { OPERATIONS } from '#adapters/http/openapi/operations.js';
import { createTestService } from '#test/support/http-service.js';
import { discRaster } from '#test/support/rasters.js';
import { toPpm } from '#test/support/run-tracer.js';

const executablePath = process.env.BURIN_TEST_CHROMIUM;
const missing = executablePath === undefined ? ' (pending: BURIN_TEST_CHROMIUM names no Chromium)' : '';

describe(`/docs/api in a browser${missing}`, () => {
  let browser: Browser;
  let folder: string;
  const service = createTestService();
  before(async function () {
    if (executablePath === undefined) return this.skip();
    folder = await mkdtemp(join(tmpdir(), 'burin-reference-'));
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser?.close();
    await service.app.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it('shows every operation and runs requests: one that reads, one with a key, one with a picture', async () => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(`http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}/docs/api`);
    await page.waitForSelector(`#${OPERATIONS.at(-1)?.id}`);
    expect(await page.locator('main > section').count()).to.equal(OPERATIONS.length);

    /** Runs an operation and gives what the page then shows. */
    const run = async (id: string) => {
      const section = page.locator(`#${id}`);
      await section.locator('button[type=submit]').click();
      await section.locator('pre:has-text("HTTP ")').waitFor();
      return section.locator('pre').innerText();
    };
    const status = await run('getStatus');
    expect(status).to.match(/^HTTP 200\n/);
    expect(status).to.include('x-ratelimit-remaining: ').and.to.include('"status": "ok"');

    const { secret, key } = await service.createKey();
    await page.fill('#key', secret);
    expect(await run('getUsage')).to.include(`"key_prefix": "${key.prefix}"`);

    const picture = join(folder, 'disc.ppm');
    await writeFile(picture, toPpm(discRaster(16)));
    await page.setInputFiles('#convert input[name=imageFile]', picture);
    await page.fill('#convert input[name=preset]', 'logo');
    const converted = await run('convert');
    expect(converted).to.match(/^HTTP 200\n/);
    expect(converted).to.include('x-credits-charged: 2').and.to.include('"preset": "logo"');
    expect(faults).to.deep.equal([]);
  });
});
