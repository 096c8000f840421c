import type { FastifyInstance } from 'fastify';
import type { ReportCapabilities } from '#application/use-cases/report-capabilities.js';
import { OPERATIONS } from '../openapi/operations.js';

export interface DescriptionRouteDeps {
  readonly version: string;
  readonly reportCapabilities: ReportCapabilities;
  /** Makes the OpenAPI document; asked once, when somebody wants to see it. */
  readonly openApi: () => object;
}

/** GET /api/v1/capabilities, GET /api/v1 and GET /api/v1/openapi.json: what can be asked of the service, and how. */
export function registerDescription(app: FastifyInstance, deps: DescriptionRouteDeps): void {
  const { version, reportCapabilities, openApi } = deps;
  let openApiText: string | undefined;
  const links = Object.fromEntries(
    OPERATIONS.map(({ id, method, path, summary }) => [id, { method: method.toUpperCase(), href: path, summary }]),
  );
  app.get('/api/v1/capabilities', async () => reportCapabilities());
  app.get('/api/v1', async () => ({ name: 'Burin', version, links, capabilities: await reportCapabilities() }));
  app.get('/api/v1/openapi.json', async (_request, reply) => {
    openApiText ??= JSON.stringify(openApi());
    return reply.type('application/json; charset=utf-8').send(openApiText);
  });
}
