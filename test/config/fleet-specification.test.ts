import { expect } from 'chai';
import Value from 'typebox/value';
import { systemClock } from '#adapters/clock/system-clock.js';
import {
  BatchConversionAnswer,
  ConversionAnswer,
  ErrorAnswer,
  EstimateAnswer,
  ReadinessAnswer,
  StatusAnswer,
  UsageAnswer,
} from '#adapters/http/schemas/answers.js';
import {
  CapabilitiesAnswer,
  DescriptionAnswer,
  ExportAnswer,
  HealthAnswer,
  JobAnswer,
  LivenessAnswer,
  ZipAnswer,
} from '#adapters/http/schemas/service-answers.js';
import { createDatabase, type Database } from '#adapters/persistence/create-database.js';
import { createKnexStores } from '#adapters/persistence/stores.js';
import { createManageKeys } from '#application/use-cases/manage-keys.js';
import { sumEntries } from '#domain/credits/balance.js';
import { POSTGRES_MISSING, postgresSchema } from '#test/support/databases.js';
import { type Fleet, startFleet } from '#test/support/fleet.js';
import { convertForm, MULTIPART_TYPE, multipartBody } from '#test/support/multipart.js';
import { missingForRedis, type OwnRedis, startRedis } from '#test/support/own-redis.js';
import { discPng } from '#test/support/png-files.js';
import { S3_BUCKET, S3_CREDENTIALS, type S3Server, startS3Server } from '#test/support/s3-server.js';

/** What the published description promises, asked of two doors in turn; the whole table, code by code, is specification.test.ts. */

interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: any body, which the schemas check
  json(): any;
}
interface ParameterSchema {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: { readonly enum?: readonly string[] };
}
interface OptionRow {
  readonly type: string;
  readonly values?: readonly unknown[];
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
}

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="red"/></svg>';
const FORMATS = ['svg', 'pdf', 'eps', 'dxf', 'png', 'jpg', 'webp', 'avif'];

/** Values of a parameter as a form has them: some that are taken, and some that are not. */
function formSamples({ type, enum: names, minimum, maximum, items }: ParameterSchema): readonly [string[], string[]] {
  if (names !== undefined) return [[...names], ['no-such-value']];
  if (items?.enum !== undefined) return [[items.enum[0] as string, items.enum.join(',')], ['no-such-value']];
  if (type === 'array') return [['#ff0000,#00ff00', '["#ff0000"]'], ['red-ish']];
  if (type === 'boolean') return [['true', 'false'], ['perhaps']];
  const [least, most] = [minimum as number, maximum ?? (minimum as number) + 1000];
  return [
    [String(least), String(most)],
    [String(least - 1), ...(maximum === undefined ? [] : [String(most + 1)]), 'much'],
  ];
}

/** The same for an option of an export, as JSON has it. */
function optionSamples({ type, values, min, max, maxLength }: OptionRow): readonly [unknown[], unknown[]] {
  if (values !== undefined) return [[...values], ['no-such-value']];
  if (type === 'boolean') return [[true, false], ['perhaps']];
  if (type === 'color') return [['#fff', 'none'], ['light']];
  if (type === 'text') return [['Some text'], ['x'.repeat((maxLength as number) + 1)]];
  return [
    [min, Math.min(max as number, (min as number) + 2)],
    [(min as number) - 1, (max as number) + 1],
  ];
}

const missing = POSTGRES_MISSING ?? missingForRedis;
const title = 'the specification, asked of two API and two worker processes on PostgreSQL, Redis and S3';

if (missing !== undefined) it(`${title} (${missing})`);
else
  describe(title, function () {
    this.timeout(120_000);
    let redis: OwnRedis;
    let schema: Awaited<ReturnType<typeof postgresSchema>>;
    let server: S3Server;
    let database: Database;
    let fleet: Fleet;
    let picture: Buffer;
    let turn = 0;

    before(async () => {
      redis = await startRedis();
      schema = await postgresSchema();
      server = await startS3Server();
      picture = await discPng(40);
      fleet = await startFleet({
        apis: 2,
        workers: 2,
        redisUrl: redis.url,
        databaseUrl: schema.url,
        storageUrl: `s3://${S3_BUCKET}/specification?endpoint=${server.endpoint}`,
        env: {
          BURIN_CONCURRENT_PER_KEY: '4',
          BURIN_RATE_PER_KEY: '100000',
          BURIN_RATE_ANONYMOUS: '100000',
          AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
          AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
        },
      });
      database = createDatabase(schema.url);
    });
    after(async () => {
      await fleet?.remove();
      await database?.close();
      await server?.close();
      await schema?.remove();
      await redis?.remove();
    });

    /** Asks one door, then the other. */
    const ask = async (
      method: string,
      path: string,
      headers: Record<string, string> = {},
      body?: Buffer | object,
    ): Promise<Asked> => {
      const isForm = Buffer.isBuffer(body);
      const answer = await fetch(fleet.urls[turn++ % 2] + path, {
        method,
        headers: {
          'x-api-key': fleet.key,
          ...(body !== undefined && { 'content-type': isForm ? MULTIPART_TYPE : 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isForm ? new Uint8Array(body) : JSON.stringify(body) }),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      for (const header of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id'])
        expect(answer.headers.get(header), `${header} of ${path}`).to.match(/^[\w-]+$/);
      return { status: answer.status, headers: answer.headers, bytes, json: () => JSON.parse(bytes.toString()) };
    };
    const get = (path: string, headers: Record<string, string> = {}) => ask('GET', path, headers);
    const convert = (
      settings: Record<string, string> = {},
      headers: Record<string, string> = {},
      file: Uint8Array = picture,
    ) => ask('POST', '/api/v1/convert', headers, convertForm(file, settings, 'disc.png'));
    const expectBody = (answer: Asked, schemaOf: object, status = 200) => {
      expect(answer.status, answer.bytes.toString().slice(0, 300)).to.equal(status);
      expect([...Value.Errors(schemaOf as never, answer.json())], answer.bytes.toString().slice(0, 300)).to.deep.equal(
        [],
      );
      return answer.json();
    };
    const expectProblem = (answer: Asked, status: number, code: string) => {
      const body = expectBody(answer, ErrorAnswer, status);
      expect(body.code).to.equal(code);
      expect(body.request_id).to.equal(answer.headers.get('x-request-id'));
      expect(answer.headers.get('retry-after')).to.equal(body.retry_after_seconds?.toString() ?? null);
      return body;
    };
    const download = (basename: string, name: string) =>
      get(`/download-file?${new URLSearchParams({ fileBasename: basename, actualFilename: name })}`);

    it('takes every value of every parameter, and names the one that is wrong', async () => {
      const { parameters } = (await get('/api/v1/capabilities')).json() as {
        parameters: Record<string, ParameterSchema>;
      };
      expect(Object.keys(parameters).length).to.be.above(25);
      for (const [name, parameter] of Object.entries(parameters)) {
        const [taken, refused] = formSamples(parameter);
        const beside: Record<string, string> = {
          ...(name !== 'dry_run' && { dry_run: 'true' }),
          ...(name === 'palette_count_mode' && { palette_count: '8' }),
        };
        for (const value of taken) {
          const answer = await convert({ ...beside, [name]: value });
          if (name === 'dry_run' && value === 'false') expectBody(answer, ConversionAnswer);
          else expectBody(answer, EstimateAnswer);
        }
        for (const value of refused)
          expect(expectProblem(await convert({ ...beside, [name]: value }), 400, 'INVALID_REQUEST').field).to.equal(
            name,
          );
      }
    });

    it('converts in every tier, by every preset, as JSON and as SVG, and gives the file at the other door', async () => {
      const { presets } = (await get('/api/v1/capabilities')).json() as { presets: { id: string }[] };
      for (const [i, { id }] of presets.entries()) {
        const quality_tier = ['fast', 'balanced_crisp', 'high_precision'][i % 3] as string;
        const body = expectBody(await convert({ preset: id, quality_tier, fidelity: 'true' }), ConversionAnswer);
        const file = await download(body.downloadPathBasename, body.downloadActualFilename);
        expect([file.bytes.toString(), file.bytes.length]).to.deep.equal([body.svg, body.convertedFileSize]);
        expect(file.headers.get('content-disposition')).to.match(/^attachment; filename="disc.svg"/);
        expect(file.headers.get('x-content-type-options')).to.equal('nosniff');
        expect(file.headers.get('content-security-policy')).to.include("default-src 'none'");
      }
      const svg = await convert({ output: 'svg' });
      expect(svg.headers.get('content-type')).to.equal('image/svg+xml');
      for (const name of ['engine', 'shapes', 'total-ms', 'queued-ms', 'download-basename'])
        expect(svg.headers.get(`x-burin-${name}`), name).to.match(/./);
    });

    it('exports what one door made at the other, in every format, by every option', async () => {
      const { downloadPathBasename: sourceSvgBasename } = (await convert()).json();
      const { exportOptions } = (await get('/api/v1/capabilities')).json() as {
        exportOptions: { name: string; formats: Record<string, OptionRow | null> }[];
      };
      const send = (format: string, options: object) =>
        ask('POST', '/api/v1/export', {}, { sourceSvgBasename, format, exportOptions: options });
      for (const format of FORMATS) {
        const made = expectBody(await send(format, {}), ExportAnswer);
        const file = await download(made.downloadPathBasename, made.downloadActualFilename);
        expect([file.status, file.bytes.length, made.actualFormat]).to.deep.equal([
          200,
          made.convertedFileSize,
          format,
        ]);
      }
      let taken = 0;
      for (const { name, formats } of exportOptions) {
        const [format, row] = Object.entries(formats).find(([, of]) => of !== null) as [string, OptionRow];
        const [good, bad] = optionSamples(row);
        const beside = {
          ...(name === 'fit' && { width: 9, height: 9 }),
          ...(name === 'unit' && { width: 9 }),
          ...(name === 'gap_width' && { gap_cleanup: 'stroke' }),
        };
        for (const value of good) {
          expectBody(await send(format, { ...beside, [name]: value }), ExportAnswer);
          taken++;
        }
        for (const value of bad)
          expectProblem(await send(format, { ...beside, [name]: value }), 400, 'INVALID_REQUEST');
      }
      expect(taken).to.be.above(40);
    });

    it('makes batches and archives, and says what of them failed', async () => {
      const files = [picture, Buffer.from('text')].map((value, i) => ({
        name: 'imageFiles',
        value,
        fileName: `${i}.png`,
      }));
      const batch = expectBody(
        await ask('POST', '/api/v1/convert-batch', {}, multipartBody(files)),
        BatchConversionAnswer,
      );
      expect([batch.succeeded, batch.failed]).to.deep.equal([1, 1]);
      const items = [
        { svg: SVG, format: 'pdf' },
        { svg: '<svg', format: 'svg' },
      ];
      const zip = expectBody(await ask('POST', '/api/v1/batch', {}, { items }), ZipAnswer);
      expect([zip.itemCount, zip.failed.length]).to.deep.equal([1, 1]);
      expect((await download(zip.zipBasename, zip.zipFilename)).bytes.subarray(0, 2).toString()).to.equal('PK');
    });

    it('has jobs that every door knows', async () => {
      const begun = await convert({}, { prefer: 'respond-async' });
      const { links } = expectBody(begun, JobAnswer, 202);
      expect(begun.headers.get('location')).to.equal(links.self);
      const events = await get(links.events);
      expect(events.bytes.toString()).to.include('succeeded');
      for (let door = 0; door < 2; door++) {
        const job = expectBody(await get(links.self), JobAnswer);
        expect(job.state).to.equal('succeeded');
        expect([...Value.Errors(ConversionAnswer as never, job.result)]).to.deep.equal([]);
      }
    });

    it('describes itself alike at both doors', async () => {
      for (const [path, schemaOf] of [
        ['/api/v1', DescriptionAnswer],
        ['/api/v1/capabilities', CapabilitiesAnswer],
        ['/api/v1/status', StatusAnswer],
        ['/api/v1/usage', UsageAnswer],
        ['/health', HealthAnswer],
        ['/livez', LivenessAnswer],
        ['/readyz', ReadinessAnswer],
      ] as const)
        for (let door = 0; door < 2; door++) expectBody(await get(path), schemaOf);
      expect((await get('/api/v1/capabilities')).bytes.equals((await get('/api/v1/capabilities')).bytes)).to.equal(
        true,
      );
    });

    it('refuses by the codes of the table', async () => {
      const huge = Buffer.from(picture);
      huge.writeUInt32BE(60_000, 16);
      huge.writeUInt32BE(60_000, 20);
      const post = (path: string, body: Buffer | object, headers = {}) => ask('POST', path, headers, body);
      const eleven = Array.from({ length: 11 }, () => ({ name: 'imageFiles', value: picture, fileName: 'a.png' }));
      const free = await createManageKeys(createKnexStores(database, systemClock)).create({ plan: 'free' });
      const poor = { 'x-api-key': free.secret };
      const { credits } = createKnexStores(database, systemClock);
      await (await credits.hold(free.account.id, 50)).settle();
      const anonymous = { 'x-api-key': 'brn_live_nobody' };
      for (const [status, code, answer] of [
        [415, 'UNSUPPORTED_IMAGE', await convert({}, {}, Buffer.from('text'))],
        [422, 'UNREADABLE_IMAGE', await convert({}, {}, picture.subarray(0, 60))],
        [413, 'IMAGE_TOO_LARGE', await convert({}, {}, huge)],
        [413, 'PAYLOAD_TOO_LARGE', await convert({}, {}, new Uint8Array(26 * 1024 * 1024))],
        [413, 'TOO_MANY_FILES', await post('/api/v1/convert-batch', multipartBody(eleven))],
        [415, 'UNSUPPORTED_MEDIA_TYPE', await post('/api/v1/convert', { preset: 'logo' })],
        [422, 'INVALID_SVG', await post('/api/v1/export', { svg: '<svg', format: 'svg' })],
        [400, 'UNSUPPORTED_FORMAT', await post('/api/v1/export', { svg: SVG, format: 'gif' })],
        [422, 'EXPORT_FAILED', await post('/api/v1/batch', { items: [{ svg: '<svg', format: 'svg' }] })],
        [401, 'UNAUTHORIZED', await get('/api/v1/usage', anonymous)],
        [403, 'PLAN_REQUIRED', await post('/api/v1/export', { svg: SVG, format: 'dxf' }, poor)],
        [402, 'INSUFFICIENT_CREDITS', await convert({}, poor)],
        [403, 'FORBIDDEN', await get('/api/v1/accounts', poor)],
        [404, 'NOT_FOUND', await get('/download-file?fileBasename=x&actualFilename=y')],
        [405, 'METHOD_NOT_ALLOWED', await get('/api/v1/convert')],
      ] as const)
        expectProblem(answer, status, code);
    });

    it('answers a retry at the other door with what the first was answered, and charges once', async () => {
      const keyed = { 'idempotency-key': 'order 7' };
      const unseen = Buffer.concat([picture, Buffer.from('unseen')]);
      const first = await convert({}, keyed, unseen);
      const again = await convert({}, keyed, unseen);
      expect([first.status, again.status, again.headers.get('idempotent-replayed')]).to.deep.equal([200, 200, 'true']);
      expect(again.bytes.equals(first.bytes)).to.equal(true);
      expect(first.headers.get('x-credits-charged')).to.equal('2');
      expectProblem(await convert({ preset: 'logo' }, keyed, unseen), 409, 'IDEMPOTENCY_CONFLICT');
      const fresh = { 'idempotency-key': 'order 8' };
      const both = await Promise.all([convert({}, fresh, unseen), convert({}, fresh, unseen)]);
      expect(both.map(({ status }) => status).sort()).to.be.deep.oneOf([
        [200, 200],
        [200, 409],
      ]);
    });

    it('has a ledger that adds up after all this, and nothing left in a queue', async () => {
      const { accounts, credits } = createKnexStores(database, systemClock);
      for (const { id } of await accounts.list())
        expect(sumEntries(await credits.entries(id))).to.deep.equal(await credits.balance(id));
      expect(await database.knex('credit_holds').select('id')).to.deep.equal([]);
      expect(await fleet.leftovers()).to.deep.equal([]);
    });
  });
