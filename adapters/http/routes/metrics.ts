import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accountOf } from '#application/caller.js';
import { ServiceError } from '#domain/errors.js';
import '../callers.js';
import { isFromThisMachine } from '../own-page.js';

/** What a Prometheus server reads. */
export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

const isOwner = ({ caller }: FastifyRequest): boolean => accountOf(caller)?.role === 'owner';

/** GET /metrics: on this machine, or for the owner. */
export function registerMetrics(app: FastifyInstance, metrics: MetricsText): void {
  app.get('/metrics', async (request, reply) => {
    if (!isFromThisMachine(request) && !isOwner(request))
      throw new ServiceError('FORBIDDEN', { problem: "Metrics are for this machine, or for the owner's key." });
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}
