import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReportStatus } from '#application/use-cases/report-status.js';
import type { MetricsText } from './routes/metrics.js';

export interface ProbeServerDeps {
  readonly host: string;
  readonly port: number;
  readonly metrics: MetricsText;
  readonly reportStatus: ReportStatus;
}

export interface ProbeServer {
  readonly url: string;
  close(): Promise<void>;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * What a process answers that serves nobody: /livez, /readyz, /health and /metrics, for whoever reaches its port. Resolves when it
 * listens.
 */
export async function createProbeServer({ host, port, metrics, reportStatus }: ProbeServerDeps): Promise<ProbeServer> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    if (request.method !== 'GET') return answer(405, JSON_TYPE, '{"status":"method not allowed"}');
    switch (request.url) {
      case '/livez':
        return answer(200, JSON_TYPE, '{"status":"ok"}');
      case '/health':
      case '/readyz': {
        const checks = reportStatus.checks();
        const failing = Object.values(checks).includes('failing');
        const status = failing ? 'unavailable' : 'ok';
        return answer(failing ? 503 : 200, JSON_TYPE, JSON.stringify({ status, checks }));
      }
      case '/metrics':
        return answer(200, metrics.contentType, await metrics.text());
      default:
        return answer(404, JSON_TYPE, '{"status":"not found"}');
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { address, family, port: found } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${found}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
