import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfig } from '#config/env.js';
import { convertForm, MULTIPART_TYPE } from '#test/support/multipart.js';
import { PACKAGE_ROOT } from '#test/support/package-root.js';
import { discPng } from '#test/support/png-files.js';
import { startProcess } from '#test/support/service-process.js';
import { type CollectedSpan, startSpanCollector } from '#test/support/span-collector.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';

describe('traces', () => {
  let folder: string;
  let collector: Awaited<ReturnType<typeof startSpanCollector>>;
  let service: ReturnType<typeof startProcess> | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'burin-traces-'));
    collector = await startSpanCollector();
  });
  afterEach(async () => {
    service?.child.kill('SIGKILL');
    await service?.exited;
    await collector.close();
    await rm(folder, { recursive: true, force: true });
  });
  const start = (env: Record<string, string>) => {
    service = startProcess({ BURIN_PORT: '0', BURIN_DATA_DIR: folder, BURIN_WORKERS: '1', ...env });
    return service;
  };
  const convert = async (url: string, headers: Record<string, string>, settings: Record<string, string> = {}) =>
    fetch(`${url}/api/v1/convert`, {
      method: 'POST',
      headers: { 'content-type': MULTIPART_TYPE, ...headers },
      body: new Uint8Array(convertForm(await discPng(200), settings, 'disc.png')),
    });

  it('go to a collector, a conversion with its wait, stages, store and ledger within the caller’s own', async () => {
    const running = start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SERVICE_NAME: 'drawings' });
    const url = await running.ready;
    const key = running.firstKey();
    const traceparent = `00-${TRACE_ID}-${CALLER_SPAN}-01`;
    const answer = await convert(url, { 'x-api-key': key, traceparent });
    expect(answer.status).to.equal(200);
    const requestId = answer.headers.get('x-request-id');
    const { traceStats } = (await answer.json()) as { traceStats: { timingsMs: Record<string, number> } };
    expect((await convert(url, { 'x-api-key': key }, { paletteCount: '1' })).status).to.equal(400);
    running.child.kill('SIGTERM');
    expect(await running.exited).to.equal(0);

    expect([...new Set(collector.paths)]).to.deep.equal(['POST /v1/traces']);
    const { spans } = collector;
    expect([...new Set(spans.map(({ service: name }) => name))]).to.deep.equal(['drawings']);
    const own = spans.filter(({ traceId }) => traceId === TRACE_ID);
    const named = (name: string): CollectedSpan => {
      const found = own.filter((span) => span.name === name);
      expect(found.length, `${name} of ${own.map((span) => span.name).join(', ')}`).to.equal(1);
      return found[0]!;
    };
    const request = named('POST /api/v1/convert');
    expect(request.parentSpanId).to.equal(CALLER_SPAN);
    expect(request.attributes).to.include({ 'http.route': '/api/v1/convert', 'burin.request_id': requestId });
    expect(Number(request.attributes['http.response.status_code'])).to.equal(200);
    const conversion = named('convert');
    expect(conversion.parentSpanId).to.equal(request.spanId);
    for (const name of ['queue.wait', 'trace.decode', 'trace.segment', 'trace.fit', 'trace.write', 'store.put'])
      expect(named(name).parentSpanId, name).to.equal(conversion.spanId);
    expect(named('trace.fit').durationMs).to.be.closeTo(traceStats.timingsMs.fit!, 0.01);
    expect(named('ledger.hold').parentSpanId).to.equal(conversion.spanId);
    expect(named('ledger.settle').parentSpanId).to.equal(request.spanId);
    expect(own.some(({ failed }) => failed)).to.equal(false);
    // A request without a caller's span begins a trace of its own; what it was refused with is told, and is no failure.
    const refused = spans.filter((span) => span.name === request.name && span.traceId !== TRACE_ID);
    expect(refused.map(({ failed, attributes }) => [failed, attributes['burin.refusal']])).to.deep.equal([
      [false, 'INVALID_REQUEST'],
    ]);
    // Nothing that is secret, and nothing of the picture.
    expect(JSON.stringify(spans)).to.not.include(key).and.to.not.include('disc.png');
  }).timeout(30_000);

  it('are sent for the share of requests that is asked for', async () => {
    const running = start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_TRACES_SAMPLER_ARG: '0' });
    const url = await running.ready;
    await fetch(`${url}/api/v1/status`);
    await fetch(`${url}/api/v1/status`, { headers: { traceparent: `00-${TRACE_ID}-${CALLER_SPAN}-01` } });
    running.child.kill('SIGTERM');
    expect(await running.exited).to.equal(0);
    expect(collector.spans.map(({ name, traceId }) => [name, traceId])).to.deep.equal([
      ['GET /api/v1/status', TRACE_ID],
    ]);
  }).timeout(30_000);

  it('keep nobody waiting for a collector that is not there', async () => {
    await collector.close();
    const running = start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    const url = await running.ready;
    expect((await fetch(`${url}/api/v1/status`)).status).to.equal(200);
    running.child.kill('SIGTERM');
    expect(await running.exited).to.equal(0);
    collector = await startSpanCollector();
  }).timeout(30_000);

  it('cost nothing where they are not asked for: nothing of OpenTelemetry is loaded, nor of S3', () => {
    // prom-client brings OpenTelemetry's API, which does nothing by itself.
    const script = `
      import { createRequire } from 'node:module';
      const { loadConfig } = await import('#config/env.js');
      const { startService } = await import('#config/service.js');
      const service = await startService(loadConfig(process.env), () => {});
      await service.stop();
      const loaded = Object.keys(createRequire(import.meta.url).cache);
      const of = (name) => loaded.filter((file) => file.includes('/node_modules/' + name)).length;
      console.error(JSON.stringify({ fastify: of('fastify/') > 0, sdk: of('@opentelemetry/sdk'), exporter: of('@opentelemetry/exporter'), s3: of('@aws-sdk/') }));
    `;
    const env = {
      ...process.env,
      BURIN_PORT: '0',
      BURIN_DATA_DIR: folder,
      BURIN_WORKERS: '1',
      BURIN_LOG_LEVEL: 'fatal',
    };
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: PACKAGE_ROOT,
      env,
      encoding: 'utf8',
    });
    expect(ran.status, ran.stderr).to.equal(0);
    expect(JSON.parse(ran.stderr.trim())).to.deep.equal({ fastify: true, sdk: 0, exporter: 0, s3: 0 });
  }).timeout(30_000);

  it('take an address and a share, and nothing else', () => {
    const env = (address: string, share = '1') => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: address,
      OTEL_TRACES_SAMPLER_ARG: share,
    });
    expect(loadConfig({}).telemetry).to.equal(null);
    expect(loadConfig({ ...env('http://c:4318'), OTEL_SDK_DISABLED: 'true' }).telemetry).to.equal(null);
    expect(loadConfig(env('http://c:4318', '0.1')).telemetry).to.include({ ratio: 0.1 });
    expect(() => loadConfig(env('c:4318'))).to.throw(/OTEL_EXPORTER_OTLP_ENDPOINT takes/);
    for (const share of ['2', '-1', 'x']) expect(() => loadConfig(env('http://c:4318', share))).to.throw(/SAMPLER_ARG/);
  });
});
