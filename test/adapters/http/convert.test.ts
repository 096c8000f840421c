import { expect } from 'chai';
import Value from 'typebox/value';
import { ConversionAnswer, EstimateAnswer } from '#adapters/http/schemas/answers.js';
import { settingNames } from '#domain/presets/settings.js';
import { expectProblem } from '#test/support/expect-problem.js';
import { createTestService } from '#test/support/http-service.js';
import { convertForm, multipartBody } from '#test/support/multipart.js';
import { discRaster } from '#test/support/rasters.js';
import { toPpm } from '#test/support/run-tracer.js';

const picture = toPpm(discRaster(24));

describe('POST /api/v1/convert', () => {
  it('answers with everything the specification and the decisions name, and nothing else', async () => {
    const { convert } = createTestService();
    const answer = await convert(convertForm(picture, { preset: 'logo', fidelity: 'true' }, 'My disc.PPM'));
    expect(answer.statusCode, answer.body).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
    const body = answer.json();
    const faults = [...Value.Errors(ConversionAnswer, body)].map(
      ({ instancePath, message }) => `${instancePath} ${message}`,
    );
    expect(faults).to.deep.equal([]);
    expect(body.svg).to.match(/^<svg /);
    expect(body.stats).to.deep.equal(body.traceStats);
    expect(body.downloadActualFilename).to.equal('My-disc.svg');
    expect(body.convertedFileSize).to.equal(Buffer.byteLength(body.svg)).and.to.equal(body.traceStats.svgBytes);
    expect(body.colorPalette).to.have.length(2);
    expect(Object.keys(body.qualityDiagnostics.settings)).to.have.members([...settingNames('tracing')]);
    expect(body.qualityDiagnostics.fidelity.psnr).to.equal(99);
  });

  it('answers the SVG itself when asked, with its figures in the headers', async () => {
    const { convert, app } = createTestService();
    const answer = await convert(convertForm(picture, { output: 'svg', quality_tier: 'fast' }, 'größe.png'));
    expect(answer.statusCode, answer.body).to.equal(200);
    expect(answer.body).to.match(/^<svg /);
    expect(answer.headers).to.include({
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
      'content-disposition': `attachment; filename="gro__e.svg"; filename*=UTF-8''gr%C3%B6%C3%9Fe.svg`,
      'x-burin-width': '24',
      'x-burin-svg-bytes': String(Buffer.byteLength(answer.body)),
    });
    const figures = Object.keys(answer.headers).filter((name) => name.startsWith('x-burin-'));
    expect(figures.length).to.be.at.least(10);
    const again = await app.inject({
      url: '/download-file',
      query: {
        fileBasename: String(answer.headers['x-burin-download-basename']),
        actualFilename: decodeURIComponent(String(answer.headers['x-burin-download-filename'])),
      },
    });
    expect(again.body).to.equal(answer.body);
  });

  it('gives large drawings whole', async () => {
    const svg = `<svg>${'"é\u{1F600}\\\n'.repeat(100_000)}</svg>`;
    const bytesOf = (text: string) => new TextEncoder().encode(text).slice();
    const { convert } = createTestService({
      vectorizeToFile: async ({ settings }) => {
        expect(settings).to.deep.equal({});
        return {
          svgFile: new Uint8Array(1),
          json: { svg: bytesOf(JSON.stringify(svg)), colorPalette: bytesOf('[]'), colorGroups: bytesOf('[]') },
          drawingFile: new Uint8Array(4),
          qualityDiagnostics: { engineVersion: 'x', fidelity: null } as never,
          traceStats: { svgBytes: 1, timingsMs: {} } as never,
        };
      },
    });
    const answer = await convert(convertForm(picture));
    expect(answer.json().svg).to.equal(svg);
    expect(answer.json().downloadActualFilename).to.equal('picture.svg');
  });

  it('says what it would do, and does nothing, for a dry run', async () => {
    const { convert, queue } = createTestService();
    const answer = await convert(convertForm(undefined, { dry_run: 'true', quality_tier: 'high_precision' }));
    expect(answer.statusCode, answer.body).to.equal(200);
    expect([...Value.Errors(EstimateAnswer, answer.json())]).to.deep.equal([]);
    expect(answer.json()).to.include({ dryRun: true, credits: 5 });
    expect(queue.load().high_precision.running).to.equal(0);
  });

  describe('refuses', () => {
    const form = (settings: Record<string, string>) => convertForm(picture, settings);
    const cases: [string, Buffer, number, string, string | undefined, RegExp][] = [
      ['no file', form({}).subarray(0, 0), 400, 'INVALID_REQUEST', 'imageFile', /missing/],
      [
        'a form without a file',
        convertForm(undefined, { preset: 'logo' }),
        400,
        'INVALID_REQUEST',
        'imageFile',
        /missing/,
      ],
      ['an empty file', convertForm(new Uint8Array()), 400, 'INVALID_REQUEST', 'imageFile', /empty/],
      [
        'two files',
        multipartBody([1, 2].map(() => ({ name: 'imageFile', value: picture, fileName: 'a.ppm' }))),
        400,
        'INVALID_REQUEST',
        'imageFile',
        /once/,
      ],
      [
        'many files',
        multipartBody([1, 2, 3, 4, 5].map(() => ({ name: 'imageFile', value: picture, fileName: 'a.ppm' }))),
        400,
        'INVALID_REQUEST',
        'imageFile',
        /once/,
      ],
      [
        'a file of another name',
        multipartBody([{ name: 'image', value: picture, fileName: 'a.ppm' }]),
        400,
        'INVALID_REQUEST',
        'image',
        /imageFile/,
      ],
      [
        'a part without a name',
        Buffer.from(
          multipartBody([{ name: 'x', value: 'logo' }])
            .toString()
            .replace('; name="x"', ''),
        ),
        400,
        'INVALID_REQUEST',
        'body',
        /part without a name/,
      ],
      [
        'a picture as a value',
        multipartBody([{ name: 'imageFile', value: 'abc' }]),
        400,
        'INVALID_REQUEST',
        'imageFile',
        /file/,
      ],
      [
        'a setting as a file',
        multipartBody([{ name: 'preset', value: 'logo', fileName: 'preset.txt' }]),
        400,
        'INVALID_REQUEST',
        'preset',
        /value/,
      ],
      ['text', convertForm(Buffer.from('hello, world')), 415, 'UNSUPPORTED_IMAGE', undefined, /bytes decide/],
      ['a cut picture', convertForm(picture.slice(0, 500)), 422, 'UNREADABLE_IMAGE', undefined, /cut short/],
      [
        'a vast picture',
        convertForm(Buffer.from('P6\n60000 60000\n255\n')),
        413,
        'IMAGE_TOO_LARGE',
        undefined,
        /60000 x 60000/,
      ],
      ['too many bytes', convertForm(new Uint8Array(1_000_001)), 413, 'PAYLOAD_TOO_LARGE', undefined, /1000000 bytes/],
      [
        'far too many bytes',
        convertForm(new Uint8Array(4_000_000)),
        413,
        'PAYLOAD_TOO_LARGE',
        undefined,
        /1000000 bytes/,
      ],
      [
        'an unknown parameter',
        form({ presett: 'logo' }),
        400,
        'INVALID_REQUEST',
        'presett',
        /nearest known one is preset$/,
      ],
      [
        'an unknown preset',
        form({ preset: 'foo' }),
        400,
        'INVALID_REQUEST',
        'preset',
        /"foo" is not one of auto, logo/,
      ],
      ['palette_count=65', form({ palette_count: '65' }), 400, 'INVALID_REQUEST', 'palette_count', /2 to 64/],
      [
        'two palette counts',
        form({ paletteCount: '64', palette_count: '32' }),
        400,
        'INVALID_REQUEST',
        'palette_count',
        /disagrees/,
      ],
      [
        'a setting twice',
        multipartBody(['logo', 'photo'].map((value) => ({ name: 'preset', value }))),
        400,
        'INVALID_REQUEST',
        'preset',
        /more than once/,
      ],
      ['a very long value', form({ preset: 'x'.repeat(70_000) }), 400, 'INVALID_REQUEST', 'preset', /longer than/],
      [
        'a thousand fields',
        multipartBody(Array.from({ length: 1000 }, () => ({ name: 'preset', value: 'logo' }))),
        400,
        'INVALID_REQUEST',
        'body',
        /too many fields/,
      ],
      ['__proto__', multipartBody([{ name: '__proto__', value: 'x' }]), 400, 'INVALID_REQUEST', 'body', /not allowed/],
      ['a broken form', convertForm(picture).subarray(0, 400), 400, 'INVALID_REQUEST', 'body', /well-formed/],
      ['no form at all', Buffer.from('nonsense'), 400, 'INVALID_REQUEST', 'body', /well-formed/],
    ];
    it('in as many ways as there are here', () => expect(cases).to.have.length(24));

    for (const [name, body, status, code, field, message] of cases)
      it(`${name}, and serves the next`, async () => {
        const { convert, queue } = createTestService();
        const problem = expectProblem(await convert(body), status, code, field);
        expect(problem.error).to.match(message);
        expect((await convert(convertForm(picture))).statusCode).to.equal(200);
        expect(queue.load().balanced_crisp).to.include({ running: 0, waiting: 0 });
      });

    it('a body that is no form', async () => {
      const { convert, app } = createTestService();
      for (const type of ['application/json', 'text/plain', 'image/png', 'application/x-www-form-urlencoded'])
        expect(
          expectProblem(await convert(Buffer.from('{}'), { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE')
            .error,
        ).to.equal('The request body must be multipart/form-data.');
      expectProblem(await app.inject({ method: 'POST', url: '/api/v1/convert' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
      const boundless = await convert(convertForm(picture), { 'content-type': 'multipart/form-data' });
      expectProblem(boundless, 400, 'INVALID_REQUEST', 'body');
    });

    it('parameters in the address, where nobody would read them', async () => {
      const { app } = createTestService();
      const answer = await app.inject({ method: 'POST', url: '/api/v1/convert?preset=logo' });
      expectProblem(answer, 400, 'INVALID_REQUEST', 'preset');
    });

    it('what is more than the queue holds, and says when to come again', async () => {
      const entered: (() => void)[] = [];
      const { convert, queue, createKey } = createTestService({
        waiting: 1,
        vectorizeToFile: () => new Promise((_, reject) => entered.push(() => reject(new Error('enough')))),
      });
      const { headers } = await createKey();
      const running = convert(convertForm(picture), headers);
      const waiting = convert(convertForm(picture), headers);
      const until = async (done: () => boolean) => {
        while (!done()) await new Promise((resolve) => setImmediate(resolve));
      };
      await until(() => queue.load().balanced_crisp.waiting === 1);
      const refused = expectProblem(await convert(convertForm(picture), headers), 429, 'QUEUE_FULL');
      expect(refused.retry_after_seconds).to.be.greaterThan(0);
      entered[0]?.();
      expectProblem(await running, 500, 'INTERNAL_ERROR');
      await until(() => entered.length === 2);
      entered[1]?.();
      expectProblem(await waiting, 500, 'INTERNAL_ERROR');
    });

    it('work past its time, saying when to come again', async () => {
      const { ServiceError } = await import('#domain/errors.js');
      const { convert } = createTestService({
        vectorizeToFile: async () => {
          throw new ServiceError('CONVERSION_TIMEOUT', { limitMs: 30_000, tier: 'fast' });
        },
      });
      expectProblem(await convert(convertForm(picture)), 504, 'CONVERSION_TIMEOUT');
    });

    it('to keep more than there is room for', async () => {
      const { convert } = createTestService({ capBytes: 10 });
      expectProblem(await convert(convertForm(picture)), 507, 'STORAGE_FULL');
    });

    it('to tell what went wrong inside, but logs it whole', async () => {
      const { convert, logged } = createTestService();
      const answer = await convert(convertForm(toPpm(discRaster(8), 'throw')));
      const { error, request_id } = expectProblem(answer, 500, 'INTERNAL_ERROR');
      expect(error).to.equal('Internal error.');
      expect(answer.body).not.to.include('secret');
      const line = logged.map((text) => JSON.parse(text)).find(({ level }) => level === 50);
      expect(line).to.include({ request_id });
      expect(JSON.stringify(line)).to.include('a fault inside the tracer').and.to.include('run-tracer');
    });
  });
});
