import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Connections that were made through it so far. */
  readonly connections: number;
  /** Breaks every connection and every new one: the server has been stopped. */
  cut(): void;
  /** Takes connections and bytes and answers nothing more: the network swallows them. */
  stall(): void;
  /** Breaks what hung, and passes on again what comes. */
  restore(): void;
  close(): Promise<void>;
}

/** Stands before a server on this machine, and goes away as servers and networks do. */
export async function startTcpProxy(targetPort: number, targetHost = '127.0.0.1'): Promise<TcpProxy> {
  let state: 'open' | 'cut' | 'stalled' = 'open';
  let connections = 0;
  const pairs = new Set<readonly [client: Socket, upstream: Socket]>();
  const breakAll = () => {
    for (const [client, upstream] of pairs) {
      client.destroy();
      upstream.destroy();
    }
  };
  const server = createServer((client) => {
    client.on('error', () => {});
    if (state === 'cut') {
      client.destroy();
      return;
    }
    connections++;
    const upstream = connect(targetPort, targetHost);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    client.on('data', (chunk) => {
      if (state === 'open') upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (state === 'open') client.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    cut() {
      state = 'cut';
      breakAll();
    },
    stall() {
      state = 'stalled';
    },
    restore() {
      breakAll();
      state = 'open';
    },
    async close() {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}
