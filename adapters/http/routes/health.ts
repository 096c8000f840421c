import type { FastifyInstance } from 'fastify';
import type { ReportStatus } from '#application/use-cases/report-status.js';
import { ReadinessAnswer, StatusAnswer } from '../schemas/answers.js';

const RETRY_AFTER_SECONDS = 2;

/** GET /api/v1/status for people, /livez and /readyz for what watches the process. */
export function registerHealth(app: FastifyInstance, reportStatus: ReportStatus): void {
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
