import type { FastifyInstance } from 'fastify';
import type { ConversionQueue, TierLoad } from '#application/ports/conversion-queue.js';
import type { ReportStatus } from '#application/use-cases/report-status.js';
import { TIER_IDS } from '#domain/tiers/tier.js';
import { ReadinessAnswer, StatusAnswer } from '../schemas/answers.js';
import { HealthAnswer } from '../schemas/service-answers.js';

const RETRY_AFTER_SECONDS = 2;

const NOBODY: TierLoad = { waiting: 0, running: 0, capacity: 0 };

/** Where nobody can say what waits, nothing can run either; why, the checks say. */
const loadOf = (queues: Pick<ConversionQueue, 'load'>) =>
  queues.load().catch(() => Object.fromEntries(TIER_IDS.map((id) => [id, NOBODY])));

/** GET /api/v1/status for people, /health with the queues, /livez and /readyz for what watches the process. */
export function registerHealth(
  app: FastifyInstance,
  reportStatus: ReportStatus,
  queues: Pick<ConversionQueue, 'load'>,
): void {
  app.get('/health', { schema: { response: { 200: HealthAnswer, 503: HealthAnswer } } }, async (_request, reply) => {
    const checks = reportStatus.checks();
    const failing = Object.values(checks).includes('failing');
    if (failing) reply.code(503).header('retry-after', RETRY_AFTER_SECONDS);
    return { status: failing ? 'unavailable' : 'ok', checks, queues: await loadOf(queues) };
  });
  app.get('/api/v1/status', { schema: { response: { 200: StatusAnswer } } }, async () => reportStatus());
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get(
    '/readyz',
    { schema: { response: { 200: ReadinessAnswer, 503: ReadinessAnswer } } },
    async (_request, reply) => {
      const checks = reportStatus.checks();
      if (!Object.values(checks).includes('failing')) return { status: 'ok', checks };
      return reply.code(503).header('retry-after', RETRY_AFTER_SECONDS).send({ status: 'unavailable', checks });
    },
  );
}
