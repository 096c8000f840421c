import type { AddressInfo } from 'node:net';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import createClient from 'openapi-fetch';
import Value from 'typebox/value';
import { PUBLISHED_CODES } from '#adapters/http/openapi/document.js';
import { OPERATIONS } from '#adapters/http/openapi/operations.js';
import { CapabilitiesAnswer, DescriptionAnswer, HealthAnswer } from '#adapters/http/schemas/service-answers.js';
import type { Exporter } from '#application/ports/exporter.js';
import { defineExportOptions } from '#domain/exports/define-export-options.js';
import { EXPORT_OPTION_NAMES } from '#domain/exports/export-options.js';
import { publishedNames, settingNames } from '#domain/presets/settings.js';
import { exporters } from '#plugins/index.js';
import { expectProblem } from '#test/support/expect-problem.js';
import { createTestService } from '#test/support/http-service.js';
import { discRaster } from '#test/support/rasters.js';
import { toPpm } from '#test/support/run-tracer.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="30" height="20"/></svg>';

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly security?: readonly object[] }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties: Record<string, unknown> }>> };
}

const documentOf = async ({ app }: ReturnType<typeof createTestService>) =>
  (await app.inject('/api/v1/openapi.json')).json<Document>();
const faultsOf = (schema: object, value: unknown) =>
  [...Value.Errors(schema as never, value)].map(({ instancePath, message }) => `${instancePath} ${message}`);

/** A format of a plugin that came later. */
const text = ((): Exporter => {
  const { rows, optionsSchema, parseOptions } = defineExportOptions('txt', ['title']);
  return {
    format: { id: 'txt', label: 'Text', mediaType: 'text/plain', extension: 'txt', plan: 'anonymous', features: [] },
    rows,
    optionsSchema,
    parseOptions,
    availability: async () => ({ state: 'available' }),
    encode: async ({ width, height }) => ({ bytes: new TextEncoder().encode(`${width} x ${height}`), warnings: [] }),
  };
})();

describe('the published description', () => {
  it('is OpenAPI 3.1.0 in the opinion of others', async () => {
    const document = await documentOf(createTestService());
    expect(document.openapi).to.equal('3.1.0');
    expect(document.info.version).to.equal('1.2.0');
    const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
    expect(errors, JSON.stringify(errors)).to.equal(undefined);
    expect(valid).to.equal(true);
    expect((await new Validator().validate({ ...document, paths: 1 } as never)).valid).to.equal(false);
  });

  it('has every reference that it makes', async () => {
    const document = await documentOf(createTestService());
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path as string,
    );
    expect(references.length).to.be.above(50);
    for (const path of references)
      expect(
        path.split('/').reduce((at, part) => (at as Record<string, unknown>)?.[part], document as unknown),
        path,
      ).to.be.an('object');
  });

  it('has the operations that the server has, and no other', async () => {
    const service = createTestService();
    const routes = new Set<string>();
    service.app.addHook('onRoute', ({ method, url }) => {
      const path = url.replaceAll(/:(\w+)/g, '{$1}');
      for (const one of [method].flat()) if (one !== 'HEAD') routes.add(`${one} ${path}`);
    });
    await service.app.ready();
    const document = await documentOf(service);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).to.have.members(OPERATIONS.map(({ method, path }) => `${method.toUpperCase()} ${path}`));
    // Pages are for people.
    const ofMachines = [...routes].filter((route) => !route.startsWith('GET /docs') && route !== 'POST /mcp');
    expect(ofMachines.length).to.be.above(10);
    expect(described).to.include.members(ofMachines);
    const missing = described.filter((operation) => !routes.has(operation));
    expect(missing).to.deep.equal([]);
  });

  it('names every code, parameter and option that there is', async () => {
    const document = await documentOf(createTestService());
    const { schemas } = document.components;
    const codes = new Set(OPERATIONS.flatMap(({ errors }) => errors));
    expect([...codes]).to.have.members(PUBLISHED_CODES);
    const parameters = settingNames().flatMap((name) => publishedNames(name).map((published) => published.name));
    expect(Object.keys(schemas.ConversionForm?.properties ?? {})).to.have.members(['imageFile', ...parameters]);
    expect(Object.keys(schemas.ExportRequest?.properties ?? {})).to.include.members([...EXPORT_OPTION_NAMES]);
    for (const { format } of exporters) expect(schemas).to.have.property(`ExportOptions.${format.id}`);
  });

  it('lets anybody in by key, bearer or nothing, and usage by the header alone', async () => {
    const { security, paths } = await documentOf(createTestService());
    expect(security).to.deep.equal([{ ApiKey: [] }, { Bearer: [] }, {}]);
    expect(paths['/api/v1/usage']?.get?.security).to.deep.equal([{ ApiKey: [] }]);
    expect(paths['/api/v1/export']?.post).not.to.have.property('security');
  });

  it('is enough for a client that knows nothing else', async () => {
    const { app, createKey } = createTestService();
    await app.listen({ port: 0, host: '127.0.0.1' });
    try {
      const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
      const client = createClient<Record<string, never>>({ baseUrl }) as unknown as Record<
        'GET' | 'POST',
        (
          path: string,
          init?: object,
        ) => Promise<{ data?: Record<string, unknown>; error?: unknown; response: Response }>
      >;
      const body = new FormData();
      body.append('imageFile', new Blob([new Uint8Array(toPpm(discRaster(24)))]), 'disc.png');
      const converted = await client.POST('/api/v1/convert', { body });
      expect(converted.response.status, JSON.stringify(converted.error)).to.equal(200);
      const exported = await client.POST('/api/v1/export', {
        body: { sourceSvgBasename: converted.data?.downloadPathBasename, format: 'svg', filenameBase: 'disc' },
      });
      expect(exported.response.status, JSON.stringify(exported.error)).to.equal(200);
      const { downloadPathBasename: fileBasename, downloadActualFilename: actualFilename } = exported.data ?? {};
      const file = await client.GET('/download-file', {
        params: { query: { fileBasename, actualFilename } },
        parseAs: 'text',
      });
      expect(String(file.data)).to.match(/^<svg /);
      const key = await createKey();
      const usage = await client.GET('/api/v1/usage', { headers: key.headers });
      expect(usage.data).to.include({ plan: 'pro', monthly_credits_quota: 500 });
      expect((await client.GET('/api/v1/usage')).response.status).to.equal(401);
    } finally {
      await app.close();
    }
  });
});

describe('what the service says of itself', () => {
  it('is as described', async () => {
    const { app } = createTestService();
    const capabilities = (await app.inject('/api/v1/capabilities')).json();
    expect(faultsOf(CapabilitiesAnswer, capabilities)).to.deep.equal([]);
    const described = (await app.inject('/api/v1')).json();
    expect(faultsOf(DescriptionAnswer, described)).to.deep.equal([]);
    expect(described.capabilities).to.deep.equal(capabilities);
    expect(Object.keys(described.links)).to.have.members(OPERATIONS.map(({ id }) => id));
  });

  it('has a ninth format everywhere as soon as it is registered', async () => {
    const service = createTestService({ exporters: [...exporters, text] });
    const capabilities = (await service.app.inject('/api/v1/capabilities')).json();
    expect(capabilities.exportFormats.at(-1)).to.include({ id: 'txt', mediaType: 'text/plain' });
    const document = await documentOf(service);
    expect(document.components.schemas.ExportRequest?.properties.format).to.deep.include({
      enum: [...exporters.map(({ format }) => format.id), 'txt'],
    });
    const answer = await service.app.inject({
      method: 'POST',
      url: '/api/v1/export',
      payload: { svg: SVG, format: 'txt', title: 'x' },
    });
    const { downloadPathBasename: fileBasename, downloadActualFilename: actualFilename } = answer.json();
    const file = await service.app.inject({ url: '/download-file', query: { fileBasename, actualFilename } });
    expect(file.body).to.equal('40 x 20');
  });

  it('says in /health what waits and runs, and when it is not well', async () => {
    const { app, queue } = createTestService();
    const slot = await queue.enter('fast', { id: 'a', maxInFlight: 1 });
    const health = (await app.inject('/health')).json();
    expect(faultsOf(HealthAnswer, health)).to.deep.equal([]);
    expect(health.queues.fast).to.deep.equal({ waiting: 0, running: 1, capacity: 1 });
    slot.release();
    const ill = await createTestService({ checks: () => ({ workers: 'failing' }) }).app.inject('/health');
    expect(ill.statusCode).to.equal(503);
    expect(Number(ill.headers['retry-after'])).to.be.above(0);
    expect(ill.json()).to.include({ status: 'unavailable' });
  });

  it('gives figures to this machine, and to nobody behind a proxy', async () => {
    const { app } = createTestService();
    const answer = await app.inject('/metrics');
    expect(answer.headers['content-type']).to.match(/^text\/plain/);
    expect(answer.body).to.match(/burin_queue_conversions\{tier="fast",state="capacity"\} 1/);
    expectProblem(await app.inject({ url: '/metrics', headers: { 'x-forwarded-for': '9.9.9.9' } }), 403, 'FORBIDDEN');
    expectProblem(await app.inject({ url: '/metrics', remoteAddress: '9.9.9.9' }), 403, 'FORBIDDEN');
  });

  it('has a reference page that asks nobody else for anything', async () => {
    const { app } = createTestService();
    const page = await app.inject('/docs/api');
    expect(page.headers['content-security-policy']).to.match(/default-src 'none'; script-src 'self'/);
    const linked = [...page.body.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, url]) => url as string);
    expect(linked).to.include('/docs/api/reference.js');
    for (const url of linked) {
      const file = await app.inject(url);
      expect(file.statusCode, url).to.equal(200);
      if (url !== '/docs') expect(file.body, url).not.to.match(/https?:\/\/(?!www\.w3\.org)/);
    }
    expect(page.body).not.to.match(/<script>|style=|onclick/);
    const { body } = await app.inject('/docs/api/reference.js');
    expect(() => new Function(body)).not.to.throw();
  });
});
