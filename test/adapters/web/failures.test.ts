import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import {
  createBrowser,
  describeInBrowser,
  figure,
  kept,
  LIGHTHOUSE,
  pickFiles,
  startBrowserService,
  traced,
} from '#test/support/browser.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { createSeededRandom } from '#test/support/seeded-random.js';

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** The service in a process of its own, which can be killed; resolves when it answers. */
function startProcess(port: number, folder: string): Promise<ChildProcess> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BURIN_'));
  const child = spawn(process.execPath, [join(PACKAGE_ROOT, 'dist/config/main/http.js')], {
    env: { ...Object.fromEntries(inherited), BURIN_PORT: String(port), BURIN_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      if (String(chunk).includes('"msg":"ready"')) resolve(child);
    });
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)));
  });
}

/** Nothing but noise: seconds of work. */
function noisePng(size: number): Promise<Buffer> {
  const random = createSeededRandom(8);
  const data = Uint8Array.from({ length: size * size * 3 }, () => Math.floor(random() * 256));
  return sharp(data, { raw: { width: size, height: size, channels: 3 } })
    .png()
    .toBuffer();
}

describeInBrowser('when something fails', () => {
  let browser: Awaited<ReturnType<typeof createBrowser>>;
  before(async () => {
    browser = await createBrowser();
  });
  after(() => browser.close());

  it('says at the control what the service has against a setting, and keeps the drawing', async () => {
    const service = await startBrowserService();
    const { page, end } = await browser.open(`${service.url}/`, { refusals: true });
    await pickFiles(page, LIGHTHOUSE);
    await traced(page);
    const shapes = await figure(page, 'Shapes');
    await kept(page);
    await page.goto(`${service.url}/?palette_count=999`);
    const refusal = page.locator('.setting', { hasText: 'Palette count' }).locator('.refusal');
    await refusal.getByText(/999.* from 2 to 64/).waitFor();
    await page
      .getByRole('alert')
      .getByText(/palette_count/)
      .waitFor();
    expect(await figure(page, 'Shapes')).to.equal(shapes);
    await page.locator('.setting').getByRole('button', { name: 'Reset Palette count' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await end();
    await service.stop();
  });

  it('says that the service does not answer when it dies mid-trace, keeps everything, and goes on when it is back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'burin-dying-'));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const first = await startProcess(port, folder);
    const { page, end } = await browser.open(`${url}/`, { refusals: true });
    await pickFiles(page, LIGHTHOUSE);
    await traced(page);
    const shapes = await figure(page, 'Shapes');
    await pickFiles(page, { name: 'noise.png', mimeType: 'image/png', buffer: await noisePng(900) });
    await page
      .locator('.work')
      .getByText(/Finding areas|Fitting curves/)
      .waitFor();
    first.kill('SIGKILL');
    await page
      .getByRole('alert')
      .getByText(/does not answer/)
      .waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page
      .getByRole('alert')
      .getByText(/does not answer/)
      .waitFor();
    await page.locator('.card-open').first().click();
    expect(await figure(page, 'Shapes')).to.equal(shapes);

    const second = await startProcess(port, folder);
    await page.locator('.card-open').last().click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.locator('.work progress').waitFor();
    await end();
    second.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('stops on the server what nobody waits for any more, and keeps the old drawing until the new one is there', async () => {
    const service = await startBrowserService({ BURIN_FAST_RUN_LIMIT: '1min' });
    const { page, end } = await browser.open(`${service.url}/`, { refusals: true });
    await pickFiles(page, { name: 'noise.png', mimeType: 'image/png', buffer: await noisePng(280) });
    await page
      .locator('.work')
      .getByText(/Finding areas|Fitting curves/)
      .waitFor();
    const stopping = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await page.getByRole('radio', { name: /^Fast/ }).check();
    expect(await (await stopping).json()).to.include({ state: 'cancelled' });
    await traced(page);
    expect(await figure(page, 'Cost')).to.equal('1 credit');
    const shapes = await figure(page, 'Shapes');
    await page.getByRole('radio', { name: 'Logo' }).check();
    await page.locator('.work progress').waitFor();
    expect(await figure(page, 'Shapes')).to.equal(shapes);
    await end();
    await service.stop();
  });

  it('waits as long as a busy service says, and then goes on by itself', async () => {
    const service = await startBrowserService({
      BURIN_FAST_WAITING: '0',
      BURIN_FAST_RUNNING: '1',
      BURIN_FAST_RUN_LIMIT: '5min',
    });
    const other = await browser.open(`${service.url}/?quality_tier=fast`);
    const starting = other.page.waitForResponse((answer) => answer.request().method() === 'POST');
    // More than anybody gets done: the service stays busy until it is told to stop.
    await pickFiles(other.page, { name: 'noise.png', mimeType: 'image/png', buffer: await noisePng(2000) });
    await other.page
      .locator('.work')
      .getByText(/Finding areas|Fitting curves/)
      .waitFor();
    const { page, end } = await browser.open(`${service.url}/?quality_tier=fast`, { refusals: true });
    await pickFiles(page, LIGHTHOUSE);
    await page.getByRole('alert').getByText('It is tried again by itself then.').waitFor();
    const { links } = await (await starting).json();
    expect(
      await other.page.evaluate<number>(`fetch('${links.self}', { method: 'DELETE' }).then((a) => a.status)`),
    ).to.equal(200);
    await traced(page);
    expect(await page.getByRole('alert').count()).to.equal(0);
    await end();
    await other.end();
    await service.stop();
  });

  it('says that there are no credits left, charges nothing, and keeps the drawing', async () => {
    const service = await startBrowserService();
    const owner = await browser.open(`${service.url}/dashboard`);
    const accounts = owner.page.getByRole('region', { name: 'Accounts and packs' });
    await accounts.getByLabel('Invite by email').fill('poor@example.org');
    await accounts.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await accounts.locator('.secret code').innerText();
    await owner.end();

    const { page, end } = await browser.open(link, { refusals: true });
    await page.getByLabel('New password').fill('spends everything');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('region', { name: 'Balance' }).waitFor();
    await page.goto(`${service.url}/?quality_tier=high_precision`);
    // 50 credits of the free plan: ten pictures at five each, all of them different.
    const picture = async (shade: number) => ({
      name: `shade-${shade}.png`,
      mimeType: 'image/png',
      buffer: await sharp({
        create: { width: 24, height: 24, channels: 3, background: { r: 20 * shade, g: 90, b: 60 } },
      })
        .png()
        .toBuffer(),
    });
    await pickFiles(page, await Promise.all(Array.from({ length: 10 }, (_, shade) => picture(shade))));
    await page.getByRole('button', { name: 'ZIP all 10' }).and(page.locator(':enabled')).waitFor();
    await page.getByRole('button', { name: 'Close shade-9.png' }).click();
    await pickFiles(page, await picture(10));
    await page.getByRole('alert').getByText('This needs 5 credits and 0 are left.').waitFor();
    await page.getByText('Nothing was charged').waitFor();
    await page.locator('.card-open').first().click();
    expect(Number(await figure(page, 'Shapes'))).to.be.above(0);
    await end();
    await service.stop();
  });
});
