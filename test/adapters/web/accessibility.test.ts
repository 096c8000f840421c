import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  type BrowserService,
  createBrowser,
  describeInBrowser,
  LIGHTHOUSE,
  pickFiles,
  startBrowserService,
  traced,
} from '#test/support/browser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeReport {
  readonly passes: readonly unknown[];
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** Asserts that axe-core finds nothing, and that it looked. */
async function expectAccessible(page: Page, what: string): Promise<void> {
  // Colors are measured when nothing fades any more.
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))');
  await page.evaluate(AXE);
  const { passes, violations } = await page.evaluate<AxeReport>('axe.run()');
  const found = violations.map(({ id, nodes }) => `${what}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  expect(found).to.deep.equal([]);
  expect(passes.length).to.be.above(10);
}

const STUDIO: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  [
    'everything unfolded',
    async (page) => {
      await traced(page);
      for (const summary of await page.locator('summary').all()) await summary.click();
      await page.locator('.swatch').nth(1).click();
      await page.getByRole('button', { name: 'Outlines' }).click();
    },
  ],
  [
    'a refusal',
    async (page) => {
      await page.goto(`${page.url().split('?')[0]}?tiny_path_area=-3`);
      await page.getByRole('alert').waitFor();
    },
  ],
  [
    'the list of keys',
    async (page) => {
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    },
  ],
];

describeInBrowser('accessibility', () => {
  let service: BrowserService;
  let browser: Awaited<ReturnType<typeof createBrowser>>;

  before(async () => {
    [service, browser] = await Promise.all([startBrowserService(), createBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has nothing against the studio, ${colorScheme}`, async () => {
      const { page, end } = await browser.open(`${service.url}/`, { colorScheme, tour: true, refusals: true });
      await page.getByRole('heading', { name: 'Drop a picture to trace it' }).waitFor();
      await expectAccessible(page, 'empty');
      await page.getByRole('button', { name: 'Skip' }).click();
      await pickFiles(page, [LIGHTHOUSE, LIGHTHOUSE]);
      for (const [what, go] of STUDIO) {
        await go(page);
        await expectAccessible(page, what);
      }
      await end();
    });

    it(`has nothing against the dashboard, ${colorScheme}`, async () => {
      const { page, end } = await browser.open(`${service.url}/dashboard`, { colorScheme, refusals: true });
      const keys = page.getByRole('region', { name: 'API keys' });
      await keys.getByLabel('Name of a new key').fill(colorScheme);
      await keys.getByRole('button', { name: 'Create key' }).click();
      await keys.locator('.secret').waitFor();
      await expectAccessible(page, 'signed in');
      await page.goto(`${service.url}/dashboard/sign-in?token=none`);
      await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
      await expectAccessible(page, 'a link that is used up');
      await end();
    });

    it(`has nothing against the guide and the reference, ${colorScheme}`, async () => {
      const { page, end } = await browser.open(`${service.url}/docs`, { colorScheme });
      const addresses = await page
        .locator('nav li a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      expect(addresses).to.have.length.above(8).and.to.include('/docs/api');
      for (const address of addresses) {
        await page.goto(service.url + address);
        await page
          .locator(address === '/docs/api' ? '#operations section' : 'main h1')
          .first()
          .waitFor();
        await expectAccessible(page, address as string);
      }
      await end();
    });

    it(`has nothing against the sign-in, ${colorScheme}`, async () => {
      const other = await startBrowserService({ BURIN_PUBLIC_URL: 'http://127.0.0.1:1' });
      const { page, end } = await browser.open(`${other.url}/dashboard`, { colorScheme });
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await expectAccessible(page, 'sign-in');
      await end();
      await other.stop();
    });
  }
});
