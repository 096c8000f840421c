import { expect } from 'chai';
import { contentDisposition } from '#adapters/http/file-headers.js';
import { expectProblem } from '#test/support/expect-problem.js';
import { createTestService } from '#test/support/http-service.js';

const setUp = async (fileName = 'logo.svg') => {
  const service = createTestService();
  const { basename } = await service.artifacts.put({
    bytes: Buffer.from('<svg/>'),
    mediaType: 'image/svg+xml',
    fileName,
    lifetimeMs: 1000,
  });
  const download = (fileBasename: string, actualFilename: string) =>
    service.app.inject({ url: '/download-file', query: { fileBasename, actualFilename } });
  return { ...service, basename, download };
};

describe('GET /download-file', () => {
  it('gives the file, to be saved and never run', async () => {
    const { download, basename } = await setUp('größe "x".svg');
    const answer = await download(basename, 'größe "x".svg');
    expect(answer.statusCode).to.equal(200);
    expect(answer.body).to.equal('<svg/>');
    expect(answer.headers).to.include({
      'content-type': 'image/svg+xml',
      'content-length': '6',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
      'content-disposition': contentDisposition('größe "x".svg'),
    });
  });

  it('tells of a file without giving it', async () => {
    const { app, basename } = await setUp();
    const url = `/download-file?fileBasename=${basename}&actualFilename=logo.svg`;
    const head = await app.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.body, head.headers['content-length']]).to.deep.equal([200, '', '6']);
  });

  it('answers every file that is not there the same', async () => {
    const { download, basename, clock } = await setUp();
    const answers = [
      await download(basename, 'other.svg'),
      await download(basename, '../logo.svg'),
      await download(`../${basename}`, 'logo.svg'),
      await download('../../../../etc/passwd', 'passwd'),
      await download('A'.repeat(22), 'logo.svg'),
      await download('', ''),
    ];
    clock.advance(1000);
    answers.push(await download(basename, 'logo.svg'));
    expect(answers).to.have.length(7);
    const told = answers.map((answer) => {
      const { request_id: _, ...body } = expectProblem(answer, 404, 'NOT_FOUND');
      const { 'x-request-id': __, ...headers } = answer.headers;
      return { body, headers };
    });
    for (const one of told) expect(one).to.deep.equal(told[0]);
  });

  it('names the parameter that is missing, given twice or unknown', async () => {
    const { app } = await setUp();
    const get = (url: string) => app.inject({ url });
    expectProblem(await get('/download-file'), 400, 'INVALID_REQUEST', 'fileBasename');
    expectProblem(await get('/download-file?fileBasename=a'), 400, 'INVALID_REQUEST', 'actualFilename');
    expectProblem(
      await get('/download-file?fileBasename=a&fileBasename=b&actualFilename=c'),
      400,
      'INVALID_REQUEST',
      'fileBasename',
    );
    const unknown = await get('/download-file?fileBasename=a&actualFilename=b&actualFileName=c');
    expect(expectProblem(unknown, 400, 'INVALID_REQUEST', 'actualFileName').error).to.match(/nearest.*actualFilename/);
  });

  it('says a file name as RFC 6266 has it', () => {
    const cases: [string, string][] = [
      ['logo.svg', `attachment; filename="logo.svg"; filename*=UTF-8''logo.svg`],
      ['日本.svg', `attachment; filename="__.svg"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.svg`],
      ['a"b\\c%.svg', `attachment; filename="a_b_c_.svg"; filename*=UTF-8''a%22b%5Cc%25.svg`],
      ["it's (1)*.svg", `attachment; filename="it's (1)*.svg"; filename*=UTF-8''it%27s%20%281%29%2A.svg`],
      ['a\r\nX: y.svg', `attachment; filename="a__X: y.svg"; filename*=UTF-8''a%0D%0AX%3A%20y.svg`],
    ];
    for (const [name, header] of cases) expect(contentDisposition(name)).to.equal(header);
  });
});
