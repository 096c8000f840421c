import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a proxy does to one request. */
export const FAULTS = ['429', '503', 'drop-before', 'drop-after', 'drop-within', '502-page'] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultProxy {
  readonly url: string;
  /** What was done to every request that came, in order. */
  readonly seen: readonly { readonly path: string; readonly fault: Fault | 'none'; readonly key: string | undefined }[];
  close(): Promise<void>;
}

/** Answers in the service's own form, with a Retry-After. */
function refuse(response: ServerResponse, status: number, code: string): void {
  const body = JSON.stringify({ error: `${code} by the proxy`, code, retry_after_seconds: 7, request_id: 'proxy' });
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' }).end(body);
}

/**
 * Stands before a service and fails as networks and busy services do: refuses, breaks the connection before the service
 * hears of the request, after it has answered, or within the answer. `next` says what happens to each request.
 */
export async function startFaultProxy(
  target: string,
  next: (request: IncomingMessage) => Fault | 'none',
  files: (path: string) => { readonly type: string; readonly bytes: Uint8Array } | undefined = () => undefined,
): Promise<FaultProxy> {
  const seen: { path: string; fault: Fault | 'none'; key: string | undefined }[] = [];
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    const file = files(path);
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': file.type }).end(file.bytes);
      return;
    }
    const fault = next(incoming);
    seen.push({ path, fault, key: incoming.headers['idempotency-key'] as string | undefined });
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => {});
    incoming.on('end', () => {
      if (fault === '429') return refuse(response, 429, 'QUEUE_FULL');
      if (fault === '503') return refuse(response, 503, 'AT_CAPACITY');
      if (fault === '502-page') {
        response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
        return;
      }
      if (fault === 'drop-before') {
        incoming.socket.destroy();
        return;
      }
      const { host: _, connection: __, ...headers } = incoming.headers;
      const onward = request(`${target}${path}`, { method: incoming.method, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        // Only what the service has finished, charge and all, is broken here.
        answer.on('end', () => {
          const body = Buffer.concat(parts);
          if (fault === 'drop-after') {
            incoming.socket.destroy();
            return;
          }
          response.writeHead(answer.statusCode ?? 500, { ...answer.headers, 'content-length': String(body.length) });
          if (fault === 'drop-within')
            response.write(body.subarray(0, body.length >> 1), () => incoming.socket.destroy());
          else response.end(body);
        });
      });
      onward.on('error', () => incoming.socket.destroy());
      onward.end(Buffer.concat(chunks));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
