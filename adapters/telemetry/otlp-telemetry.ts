import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Span as OtelSpan } from '@opentelemetry/api';
import type { Span, Telemetry } from '#application/ports/telemetry.js';
import { ServiceError } from '#domain/errors.js';

export interface OtlpTelemetryOptions {
  /** Of a collector that takes OTLP over HTTP; spans go to `v1/traces` below it. */
  readonly endpoint: URL;
  /** How many of the traces that begin here are kept, 0..1; those that begin elsewhere are kept as they were there. */
  readonly ratio: number;
  readonly serviceName: string;
  readonly version: string;
  /** What this process is among others. */
  readonly attributes?: Readonly<Record<string, string>>;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** Leaving is not held up by a collector that does not answer. */
const CLOSE_LIMIT_MS = 3000;

/** Sends spans to an OpenTelemetry collector. Loads OpenTelemetry, which nothing else here does. */
export async function createOtlpTelemetry(options: OtlpTelemetryOptions): Promise<Telemetry> {
  const [api, sdk, resources, exporters] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const { endpoint, ratio, serviceName, version, attributes = {} } = options;
  const url = new URL('v1/traces', endpoint.href.endsWith('/') ? endpoint : `${endpoint.href}/`);
  const provider = new sdk.TracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': serviceName, 'service.version': version, ...attributes })
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go before ours.
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new exporters.OTLPTraceExporter({ url: url.href }) })],
  });
  const tracer = provider.getTracer('burin', version);
  const present = new AsyncLocalStorage<Context>();

  const parentOf = (traceparent: string | undefined): Context => {
    const inherited = present.getStore() ?? api.ROOT_CONTEXT;
    const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
    if (traceId === undefined || spanId === undefined) return inherited;
    const remote = { traceId, spanId, traceFlags: Number.parseInt(flags as string, 16), isRemote: true };
    return api.isSpanContextValid(remote) ? api.trace.setSpanContext(inherited, remote) : inherited;
  };
  const spanOf = (span: OtelSpan): Span => ({
    set: (more) => void span.setAttributes(more),
    end(code) {
      if (code !== undefined)
        span.setAttribute('error.type', code).setStatus({ code: api.SpanStatusCode.ERROR, message: code });
      span.end();
    },
  });

  const begin: Telemetry['begin'] = (name, given, within, traceparent) => {
    const parent = parentOf(traceparent);
    const kind =
      traceparent === undefined && present.getStore() !== undefined ? api.SpanKind.INTERNAL : api.SpanKind.SERVER;
    const span = tracer.startSpan(name, { attributes: given, kind }, parent);
    return present.run(api.trace.setSpan(parent, span), () => within(spanOf(span)));
  };
  return {
    begin,
    span: (name, given, work) =>
      begin(name, given, async (span) => {
        try {
          const answer = await work();
          span.end();
          return answer;
        } catch (error) {
          span.end(error instanceof ServiceError ? error.code : 'INTERNAL_ERROR');
          throw error;
        }
      }),
    record(name, given, startMs, endMs) {
      tracer
        .startSpan(name, { attributes: given, startTime: startMs }, present.getStore() ?? api.ROOT_CONTEXT)
        .end(endMs);
    },
    traceparent() {
      const context = present.getStore();
      const span = context && api.trace.getSpanContext(context);
      if (span === undefined || !api.isSpanContextValid(span)) return undefined;
      return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
    },
    async close() {
      // What cannot be sent is lost; the process ends all the same.
      await provider.forceFlush({ timeoutMillis: CLOSE_LIMIT_MS }).catch(() => {});
      void provider.shutdown().catch(() => {});
    },
  };
}
