import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { loadConfig } from '#config/env.js';
import { type RunningService, startService } from '#config/service.js';
import { fixturePath } from './package-root.js';

const executablePath = process.env.BURIN_TEST_CHROMIUM;
/** A thing that never comes is given up after so long: what a busy machine takes for a trace and then some, in milliseconds. */
const PATIENCE_MS = Number(process.env.BURIN_TEST_PATIENCE_MS ?? 45_000);

/** A suite that needs a browser; pending, with the reason in its title, where there is none. */
export const describeInBrowser = (title: string, tests: () => void): void => {
  if (executablePath === undefined) describe.skip(`${title} (pending: BURIN_TEST_CHROMIUM is not set)`, tests);
  else describe(title, tests);
};

export const LIGHTHOUSE = fixturePath('lighthouse.png');

/** The whole service, as `npm start` runs it, on a database of its own. */
export interface BrowserService extends RunningService {
  /** What the first start printed: how to get in. */
  readonly printed: string;
}

export async function startBrowserService(env: Readonly<Record<string, string>> = {}): Promise<BrowserService> {
  const folder = mkdtempSync(join(tmpdir(), 'burin-browser-'));
  let printed = '';
  const variables = { BURIN_PORT: '0', BURIN_DATA_DIR: folder, BURIN_LOG_LEVEL: 'fatal', ...env };
  const service = await startService(loadConfig(variables), (text) => {
    printed += text;
  });
  return {
    url: service.url,
    printed,
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A page, and everything that was wrong with it. */
export interface WatchedPage {
  readonly page: Page;
  /** Console errors, uncaught errors, requests to another origin, and breaches of the page's policy. */
  readonly faults: readonly string[];
  /** Asserts that there were none, and closes the page. */
  end(): Promise<void>;
}

/** What the browser itself writes to the console where an answer is a refusal that the test asked for. */
const REFUSED = /^Failed to load resource: the server responded with a status of \d+/;
const UNREACHABLE = /^Failed to load resource: net::ERR_/;

/** Run in the page before anything else; text, because the page's globals are not those of the tests. */
const TELL_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  tellViolation(violatedDirective + ' ' + blockedURI));`;
const SKIP_TOUR = "localStorage.setItem('burin-tour-seen', 'yes');";

export interface PageOptions extends BrowserContextOptions {
  /** The first-run tour, which is not what most tests are about. */
  readonly tour?: boolean;
  /** The test makes the service refuse, or stops it. */
  readonly refusals?: boolean;
}

export async function createBrowser(): Promise<{
  open(url: string, options?: PageOptions): Promise<WatchedPage>;
  close(): Promise<void>;
}> {
  const browser: Browser = await chromium.launch({ executablePath: executablePath as string, args: ['--no-sandbox'] });
  return {
    async open(url, { tour = false, refusals = false, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const faults: string[] = [];
      const { origin } = new URL(url);
      page.on('console', (message) => {
        if (message.type() !== 'error') return;
        if (refusals && (REFUSED.test(message.text()) || UNREACHABLE.test(message.text()))) return;
        faults.push(`console: ${message.text()}`);
      });
      page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
      page.on('dialog', (dialog) => {
        faults.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('request', (request) => {
        const address = request.url();
        if (!/^(blob|data):/.test(address) && new URL(address).origin !== origin) faults.push(`asked ${address}`);
      });
      await page.exposeFunction('tellViolation', (text: string) => faults.push(`policy: ${text}`));
      await page.addInitScript({ content: tour ? TELL_VIOLATIONS : TELL_VIOLATIONS + SKIP_TOUR });
      await page.goto(url);
      return {
        page,
        faults,
        async end() {
          await context.close();
          expect(faults).to.deep.equal([]);
        },
      };
    },
    close: () => browser.close(),
  };
}

/** Opens pictures as a person picks them. */
export const pickFiles = (page: Page, files: Parameters<Page['setInputFiles']>[1]): Promise<void> =>
  page.setInputFiles('input[type=file]', files);

/** Drops files on the page. */
export async function dropFiles(
  page: Page,
  files: readonly { readonly name: string; readonly type: string; readonly bytes: Uint8Array }[],
): Promise<void> {
  const sent = files.map(({ name, type, bytes }) => ({ name, type, base64: Buffer.from(bytes).toString('base64') }));
  const transfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    for (const { name, type, base64 } of ${JSON.stringify(sent)}) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      data.items.add(new File([bytes], name, { type }));
    }
    return data;
  })()`);
  for (const event of ['dragenter', 'dragover', 'drop'] as const)
    await page.dispatchEvent('main', event, { dataTransfer: transfer });
}

/** Waits until the stage shows a trace that nothing is being done about. */
export async function traced(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Result', exact: true }).waitFor();
  await page.locator('.work progress').waitFor({ state: 'detached' });
}

/** Waits until the studio has kept its session, so that it is there after a reload. */
export const kept = (page: Page): Promise<void> => page.locator('html[data-kept="yes"]').waitFor({ state: 'attached' });

/** Waits until the stage stands still and shows the trace with its own lines. */
export const rested = (page: Page): Promise<void> => page.locator('.viewer canvas[data-rests="yes"]').waitFor();

/** A figure of the result, by its name. */
export const figure = (page: Page, name: string): Promise<string> =>
  page
    .locator('.figures div', { has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .innerText();

const MOST_STEPS = 150;

/** Goes to an element with the Tab key alone. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step++) {
    if ((await target.and(page.locator(':focus')).count()) === 1) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key does not reach ${target}.`);
}

const ASK_EVERY_MS = 25;

/** Waits until something can be seen to hold. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It never came to hold: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
