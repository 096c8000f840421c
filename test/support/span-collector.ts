import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly durationMs: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly service: unknown;
}

type Value = Readonly<Record<string, unknown>>;
interface RawAttribute {
  readonly key: string;
  readonly value: Value;
}
interface RawSpan extends Omit<CollectedSpan, 'attributes' | 'failed' | 'durationMs' | 'service'> {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: number };
  readonly attributes: readonly RawAttribute[];
}
interface RawTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly RawAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

const FAILED = 2;
const toObject = (attributes: readonly RawAttribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Takes spans as an OpenTelemetry collector does, in JSON. */
export async function startSpanCollector() {
  const spans: CollectedSpan[] = [];
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(`${request.method} ${request.url}`);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as RawTraces;
      for (const { resource, scopeSpans } of resourceSpans)
        for (const raw of scopeSpans.flatMap((scope) => scope.spans)) {
          const { startTimeUnixNano, endTimeUnixNano, status, attributes, ...span } = raw;
          spans.push({
            ...span,
            durationMs: Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6,
            failed: status?.code === FAILED,
            attributes: toObject(attributes),
            service: toObject(resource.attributes)['service.name'],
          });
        }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: spans as readonly CollectedSpan[],
    paths: paths as readonly string[],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
