import type { FastifyInstance } from 'fastify';
import type { ReportUsage } from '#application/use-cases/report-usage.js';
import { ServiceError } from '#domain/errors.js';
import { UsageAnswer } from '../schemas/answers.js';

/** GET /api/v1/usage: takes the header X-API-Key and nothing else. */
export function registerUsage(app: FastifyInstance, reportUsage: ReportUsage): void {
  app.get('/api/v1/usage', { schema: { response: { 200: UsageAnswer } } }, async ({ caller, headers }) => {
    if (caller.kind !== 'key' || headers['x-api-key'] === undefined)
      throw new ServiceError('UNAUTHORIZED', { problem: 'This needs an API key, in the header X-API-Key.' });
    return reportUsage(caller.account, caller.keyPrefix);
  });
}
