import type { FastifyInstance } from 'fastify';
import { accountOf } from '#application/caller.js';
import type { UsageMeter } from '#application/ports/usage-meter.js';
import './early-refusals.js';

/** Routes whose answers are counted as exports; conversions are counted where they are charged. */
const EXPORTS: ReadonlySet<string> = new Set(['/api/v1/export', '/api/v1/batch']);

/** Notes for an account's history and dashboard what came of its requests. */
export function recordUsage(app: FastifyInstance, usage: UsageMeter): void {
  app.decorateRequest('refusal', null);
  app.addHook('onResponse', async (request, reply) => {
    const { caller, refusal, method, routeOptions } = request;
    const accountId = caller && accountOf(caller)?.id;
    if (accountId === undefined || request.wasRefusedEarly || refusal?.code === 'CANCELLED') return;
    const isExport = method === 'POST' && EXPORTS.has(routeOptions.url ?? '');
    const replayed = reply.getHeader('idempotent-replayed') !== undefined;
    try {
      if (refusal !== null) {
        const { code, error: message, request_id: requestId } = refusal;
        const operation = `${method} ${routeOptions.url ?? 'unknown address'}`;
        await usage.recordError({ accountId, requestId, code, message, operation });
      }
      if (isExport && !replayed)
        await usage.record({ accountId, kind: refusal === null ? 'export' : 'failure', credits: 0 });
    } catch (err) {
      request.log.warn({ err }, 'usage could not be noted');
    }
  });
}
