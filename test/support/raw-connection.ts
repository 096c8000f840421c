import { connect } from 'node:net';

/** What a client does when it has sent its bytes. */
export type Leaving =
  /** Reads until the service closes the connection. */
  | 'reads'
  /** Says that nothing more comes, and reads on. */
  | 'half-closes'
  /** Is gone at once. */
  | 'leaves';

export interface RawAnswer {
  readonly bytes: Buffer;
  /** The service had not closed the connection by then. */
  readonly timedOut: boolean;
}

/** Sends these bytes over a connection of its own, and resolves with all that comes back until it is closed. */
export function talkRaw(
  port: number,
  pieces: readonly (Buffer | string)[],
  { leaving = 'reads', withinMs = 50_000 }: { readonly leaving?: Leaving; readonly withinMs?: number } = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let timedOut = false;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const timer = setTimeout(() => {
      timedOut = true;
      socket.destroy();
    }, withinMs);
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A service that has heard enough closes while the rest is still being sent.
    socket.on('error', () => {});
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ bytes: Buffer.concat(chunks), timedOut });
    });
    for (const [i, piece] of pieces.entries()) {
      const last = i === pieces.length - 1;
      socket.write(piece, 'latin1', () => last && leaving === 'leaves' && socket.destroy());
    }
    if (leaving === 'half-closes') socket.end();
  });
}

/** The statuses of the answers in what came back, in their order. */
export const statusesOf = (bytes: Buffer): readonly number[] =>
  [...bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
