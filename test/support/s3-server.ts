import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of the package s3rver that is used; it brings no types. */
interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
type S3rverClass = new (options: Readonly<Record<string, unknown>>) => S3rver;

export const S3_CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
export const S3_BUCKET = 'burin-test';

export interface S3Server {
  /** Of the server itself. */
  readonly endpoint: string;
  readonly port: number;
  close(): Promise<void>;
}

/** A server that speaks S3, with one bucket, in a folder of its own. */
export async function startS3Server(): Promise<S3Server> {
  const Server = createRequire(import.meta.url)('s3rver') as S3rverClass;
  const directory = mkdtempSync(join(tmpdir(), 'burin-s3-'));
  const server = new Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: S3_BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    port,
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export interface FailingStore {
  readonly endpoint: string;
  /** Requests that came, and those of them that were failed. */
  readonly seen: { requests: number; failed: number; bytesUp: number };
  /** What happens to each request from now on: passed on, answered with 500, or never answered. */
  become(state: 'whole' | 'failing' | 'silent'): void;
  close(): Promise<void>;
}

/** Stands before a store and answers with 500, or not at all, when it is told to. */
export async function startFailingStore(targetPort: number): Promise<FailingStore> {
  let state: 'whole' | 'failing' | 'silent' = 'whole';
  const seen = { requests: 0, failed: 0, bytesUp: 0 };
  const pass = (
    incoming: IncomingMessage,
    respond: (status: number, headers: object, body: IncomingMessage) => void,
  ) => {
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port: targetPort, method, path: url, headers }, (answer) =>
      respond(answer.statusCode ?? 500, answer.headers, answer),
    );
    onward.on('error', () => incoming.socket.destroy());
    incoming.on('data', (chunk: Buffer) => {
      seen.bytesUp += chunk.length;
    });
    incoming.pipe(onward);
  };
  const server: Server = createServer((incoming, response) => {
    seen.requests++;
    if (state === 'whole') {
      pass(incoming, (status, headers, body) => {
        response.writeHead(status, headers as Record<string, string>);
        body.pipe(response);
      });
      return;
    }
    seen.failed++;
    incoming.resume();
    if (state === 'failing')
      incoming.on('end', () =>
        response.writeHead(500, { 'content-type': 'application/xml' }).end('<Error><Code>InternalError</Code></Error>'),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    become(next) {
      state = next;
      if (next === 'whole') server.closeIdleConnections();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
