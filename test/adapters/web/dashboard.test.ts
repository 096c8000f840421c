import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import {
  type BrowserService,
  createBrowser,
  describeInBrowser,
  LIGHTHOUSE,
  startBrowserService,
  tabTo,
} from '#test/support/browser.js';

const linkIn = (printed: string) => /https?:\S+sign-in\?token=\S+/.exec(printed)?.[0] as string;
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describeInBrowser('the dashboard', () => {
  let service: BrowserService;
  let browser: Awaited<ReturnType<typeof createBrowser>>;

  before(async () => {
    [service, browser] = await Promise.all([startBrowserService(), createBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  const convertWith = (key: string) => {
    const form = new FormData();
    form.append('imageFile', new Blob([readFileSync(LIGHTHOUSE)]), 'lighthouse.png');
    return fetch(`${service.url}/api/v1/convert`, { method: 'POST', headers: { 'x-api-key': key }, body: form });
  };

  /** What curl answers: the status, and the body. */
  const curl = async (key: string) => {
    const args = ['-sS', '-w', '\n%{http_code}', '-H', `X-API-Key: ${key}`, '-F', `imageFile=@${LIGHTHOUSE}`];
    const { stdout } = await promisify(execFile)('curl', [
      ...args,
      '-F',
      'output=svg',
      `${service.url}/api/v1/convert`,
    ]);
    const at = stdout.lastIndexOf('\n');
    return { status: Number(stdout.slice(at + 1)), body: stdout.slice(0, at) };
  };

  it('makes a key that works until it is revoked', async () => {
    const { page, end } = await browser.open(`${service.url}/dashboard`);
    const keys = region(page, 'API keys');
    await keys.getByLabel('Name of a new key').fill('Build <server>');
    await keys.getByRole('button', { name: 'Create key' }).click();
    const secret = await keys.locator('.secret code').innerText();
    expect(secret).to.match(/^brn_live_/);
    const answer = await curl(secret);
    expect(answer.status).to.equal(200);
    expect(answer.body).to.match(/^<svg /);

    await page.reload();
    expect(await keys.getByText(secret).count()).to.equal(0);
    const row = keys.getByRole('row', { name: /Build <server>/ });
    await row.getByText('never').waitFor({ state: 'detached' });
    await row.getByRole('button', { name: 'Revoke Build <server>' }).click();
    await row.getByRole('button', { name: 'Revoke for good' }).click();
    await row.getByText('revoked').waitFor();
    const refused = await curl(secret);
    expect(refused.status).to.equal(401);
    expect(JSON.parse(refused.body)).to.include({ code: 'UNAUTHORIZED' });
    await end();
  });

  it('makes and revokes a key by keyboard alone', async () => {
    const { page, end } = await browser.open(`${service.url}/dashboard`);
    const keys = region(page, 'API keys');
    await keys.getByLabel('Name of a new key').waitFor();
    await tabTo(page, keys.getByLabel('Name of a new key'));
    await page.keyboard.type('By hand');
    await page.keyboard.press('Enter');
    const secret = await keys.locator('.secret code').innerText();
    expect((await curl(secret)).status).to.equal(200);
    await tabTo(page, keys.getByRole('button', { name: 'Revoke By hand' }));
    await page.keyboard.press('Enter');
    await tabTo(page, keys.getByRole('button', { name: 'Revoke for good' }));
    await page.keyboard.press('Enter');
    await keys
      .getByRole('row', { name: /By hand/ })
      .getByText('revoked')
      .waitFor();
    expect((await curl(secret)).status).to.equal(401);
    await end();
  });

  it('signs in by the link, chooses a password, signs out and in again by keyboard alone', async () => {
    // A service with a public address asks the owner to sign in, too.
    const other = await startBrowserService({ BURIN_PUBLIC_URL: 'http://127.0.0.1:1' });
    const link = new URL(linkIn(other.printed));
    const { page, end } = await browser.open(`${other.url}${link.pathname}${link.search}`);
    const type = async (label: string, text: string) => {
      await page.getByLabel(label, { exact: true }).waitFor();
      await tabTo(page, page.getByLabel(label, { exact: true }));
      await page.keyboard.type(text);
    };
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).waitFor();
      await tabTo(page, page.getByRole('button', { name, exact: true }));
      await page.keyboard.press('Enter');
    };
    await press('Sign in');
    await region(page, 'Balance').waitFor();
    await type('Email', 'ada@example.org');
    await type('Password', 'engraved by hand');
    await page.keyboard.press('Enter');
    await region(page, 'Account').getByText('Saved.').waitFor();
    await press('Sign out');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();

    await type('Email', 'ada@example.org');
    await type('Password', 'engraved by hand');
    await page.keyboard.press('Enter');
    await region(page, 'Balance').waitFor();
    await end();
    await other.stop();
  });

  it('signs in by the printed link once, then by email and password, and out again', async () => {
    const link = linkIn(service.printed);
    const { page, end } = await browser.open(link, { refusals: true });
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await region(page, 'Balance').waitFor();
    expect(page.url()).to.equal(`${service.url}/dashboard`);

    const account = region(page, 'Account');
    await account.getByLabel('Email').fill('ada@example.org');
    await account.getByLabel('Password', { exact: true }).fill('engraved by hand');
    await account.getByRole('button', { name: 'Save' }).click();
    await account.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('Owner, on this machine').waitFor();

    await page.goto(link);
    await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
    await end();
  });

  it('invites somebody, who chooses a password, is given a pack by the owner, and signs in', async () => {
    const { page, end } = await browser.open(`${service.url}/dashboard`);
    const accounts = region(page, 'Accounts and packs');
    await accounts.getByLabel('Invite by email').fill('grace@example.org');
    await accounts.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await accounts.locator('.secret code').innerText();
    await accounts.getByRole('button', { name: 'Grant 1,500 credits to grace@example.org' }).click();
    await accounts.getByRole('row', { name: /grace/ }).getByRole('cell', { name: '1,550', exact: true }).waitFor();
    await end();

    const guest = await browser.open(link, { refusals: true });
    await guest.page.getByLabel('New password').fill('short');
    await guest.page.getByRole('button', { name: 'Sign in' }).click();
    await guest.page
      .locator('.door .refusal')
      .getByText(/password/)
      .waitFor();
    await guest.page.getByLabel('New password').fill('compilers are fun');
    await guest.page.getByRole('button', { name: 'Sign in' }).click();
    await region(guest.page, 'Balance').getByText('1,550').waitFor();
    expect(await region(guest.page, 'Accounts and packs').count()).to.equal(0);
    await guest.end();
  });

  it('shows usage, charges, health, and refusals with their request ids', async () => {
    const { page, end } = await browser.open(`${service.url}/dashboard`);
    const keys = region(page, 'API keys');
    await keys.getByLabel('Name of a new key').fill('Errors');
    await keys.getByRole('button', { name: 'Create key' }).click();
    const secret = await keys.locator('.secret code').innerText();
    await convertWith(secret);
    const refused = await fetch(`${service.url}/api/v1/convert`, {
      method: 'POST',
      headers: { 'x-api-key': secret },
      body: new FormData(),
    });
    expect(refused.status).to.equal(400);
    await page.reload();
    await region(page, 'Recent errors')
      .getByText(refused.headers.get('x-request-id') as string)
      .waitFor();
    await region(page, 'Credits in and out').getByText('Conversion').first().waitFor();
    await region(page, 'Queue and health').getByText('Everything works.').waitFor();
    await region(page, 'Usage').getByRole('radio', { name: 'Credits' }).check();
    await region(page, 'Usage')
      .getByText(/^[1-9]\d* in 30 days$/)
      .waitFor();
    await end();
  });
});
