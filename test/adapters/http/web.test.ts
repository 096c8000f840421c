import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { expectProblem } from '#test/support/expect-problem.js';
import { createTestService } from '#test/support/http-service.js';

const SCRIPT = 'export const a = 1;';

describe('the pages over HTTP', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'burin-web-'));
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), '<title>studio</title>');
    writeFileSync(join(folder, 'dashboard.html'), '<title>dashboard</title>');
    writeFileSync(join(folder, 'assets', 'a-1.js'), SCRIPT);
    writeFileSync(join(folder, 'assets', 'a-1.js.gz'), gzipSync(SCRIPT));
  });
  after(() => rmSync(folder, { recursive: true }));
  const service = () => createTestService({ server: { webFolder: folder } }).app;

  for (const [path, title] of [
    ['/', 'studio'],
    ['/dashboard', 'dashboard'],
    ['/dashboard/sign-in?token=x', 'dashboard'],
  ] as const)
    it(`answer ${path} with a page that may use nothing but the service's own`, async () => {
      const answer = await service().inject(path);
      expect(answer.statusCode).to.equal(200);
      expect(answer.body).to.equal(`<title>${title}</title>`);
      expect(answer.headers['content-type']).to.match(/^text\/html/);
      const policy = answer.headers['content-security-policy'];
      expect(policy).to.include("default-src 'none'").and.to.include("script-src 'self';");
      expect(policy).not.to.match(/unsafe|https?:|\*/);
      expect(answer.headers).to.include({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache',
        'referrer-policy': 'same-origin',
      });
      expect(answer.headers).to.include.keys('x-ratelimit-limit', 'x-ratelimit-remaining', 'x-request-id');
    });

  it('answer their files for good, compressed where the browser takes that, and uncounted', async () => {
    const app = service();
    const plain = await app.inject('/assets/a-1.js');
    expect(plain.body).to.equal(SCRIPT);
    expect(plain.headers['cache-control']).to.match(/max-age=31536000, immutable/);
    expect(plain.headers['content-type']).to.match(/^(text|application)\/javascript/);
    expect(plain.headers['x-content-type-options']).to.equal('nosniff');
    const before = plain.headers['x-ratelimit-remaining'];
    const packed = await app.inject({ url: '/assets/a-1.js', headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers).to.include({ 'content-encoding': 'gzip', 'x-ratelimit-remaining': before });
    expect(packed.headers.vary).to.match(/accept-encoding/i);
  });

  for (const range of ['bytes=9999999999-', 'bytes=0-3', 'bytes=-0'])
    it(`are answered whole where ${range} is asked for: they are small, and no part of one is of use`, async () => {
      for (const url of ['/', '/dashboard', '/assets/a-1.js']) {
        const answer = await service().inject({ url, headers: { range } });
        expect(answer.statusCode, url).to.equal(200);
        expect(answer.headers, url).not.to.have.any.keys('accept-ranges', 'content-range');
      }
    });

  for (const path of ['/assets/none.js', '/assets/../index.html', '/assets/%2e%2e/index.html', '/index.html'])
    it(`answer ${path} with a 404 like every other`, async () => {
      expectProblem(await service().inject(path), 404, 'NOT_FOUND');
    });

  it('take GET alone', async () => {
    const answer = await service().inject({ method: 'POST', url: '/' });
    expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.allow).to.match(/GET/);
  });

  it('are not there where nothing was built', async () => {
    expectProblem(await createTestService().app.inject('/'), 404, 'NOT_FOUND');
  });
});
