import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '#domain/errors.js';
import '../callers.js';

/** What a Prometheus server reads. */
export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && (address === '::1' || /^(?:::ffff:)?127\./.test(address));

/** On this machine itself, not only through a proxy that runs here. */
const isLocal = ({ socket, headers }: FastifyRequest): boolean =>
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined &&
  isLoopbackAddress(socket.remoteAddress ?? '');

const isOwner = ({ caller }: FastifyRequest): boolean => caller.kind === 'key' && caller.account.role === 'owner';

/** GET /metrics: on this machine, or with the owner's key. */
export function registerMetrics(app: FastifyInstance, metrics: MetricsText): void {
  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request) && !isOwner(request))
      throw new ServiceError('FORBIDDEN', { problem: "Metrics are for this machine, or for the owner's key." });
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}
