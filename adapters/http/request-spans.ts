import type { FastifyInstance } from 'fastify';
import type { Span, Telemetry } from '#application/ports/telemetry.js';

/** A span for every request, from its first line to the last byte of its answer, within the caller's where it sends one. */
export function traceRequests(app: FastifyInstance, telemetry: Telemetry): void {
  const spans = new WeakMap<object, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const attributes = { 'http.request.method': method, 'http.route': route, 'burin.request_id': request.id };
    const parent = request.headers.traceparent;
    const within = (span: Span) => {
      spans.set(request, span);
      done();
    };
    telemetry.begin(`${method} ${route}`, attributes, within, typeof parent === 'string' ? parent : undefined);
  });
  app.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request);
    span?.set({ 'http.response.status_code': reply.statusCode });
    const { code } = request.refusal ?? {};
    if (code !== undefined) span?.set({ 'burin.refusal': code });
    // What the caller did wrong is no fault of ours.
    span?.end(reply.statusCode >= 500 ? (code ?? 'INTERNAL_ERROR') : undefined);
  });
  app.addHook('onRequestAbort', async (request) => {
    spans.get(request)?.set({ 'burin.client_gone': true });
  });
}
