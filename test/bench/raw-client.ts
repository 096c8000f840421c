import { createConnection, type Socket } from 'node:net';

/** An answer as it came. */
export interface RawAnswer {
  /** 0 where the connection ended before there was one. */
  readonly status: number;
  /** The value of a header, by its name in lower case. */
  header(name: string): string | undefined;
  readonly body: Buffer;
}

export interface RawClient {
  /** Sends a request, given as its bytes in pieces, and resolves with the answer; never rejects. */
  send(pieces: readonly (string | Buffer)[]): Promise<RawAnswer>;
  close(): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** `HTTP/1.1 200` */
const STATUS_AT = 9;
const NOTHING = Buffer.alloc(0);
const GONE: RawAnswer = { status: 0, header: () => undefined, body: NOTHING };

const headerOf = (head: string, name: string): string | undefined => {
  const at = head.toLowerCase().indexOf(`\r\n${name}:`);
  if (at < 0) return undefined;
  const from = at + name.length + 3;
  const to = head.indexOf('\r\n', from);
  return head.slice(from, to < 0 ? undefined : to).trim();
};

/**
 * HTTP over bare connections that are kept: a client of the benches shares the machine with the service, and a library for
 * requests costs several times what it takes to write one and to read its answer. Answers must say how long they are.
 */
export function createRawClient(url: string, maxConnections: number): RawClient {
  const { hostname, port } = new URL(url);
  /** The one that was used last is used next: the others grow old and are closed by the service. */
  const idle: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];
  const all = new Set<Connection>();

  interface Connection {
    ask(pieces: readonly (string | Buffer)[], answer: (answer: RawAnswer) => void): void;
    destroy(): void;
  }

  function connect(): Connection {
    const socket: Socket = createConnection({ host: hostname, port: Number(port), noDelay: true });
    let give: ((answer: RawAnswer) => void) | undefined;
    let got: Buffer = NOTHING;
    let pieces: Buffer[] = [];
    let missing = 0;
    let head = '';
    const lose = () => {
      if (!all.delete(connection)) return;
      const at = idle.indexOf(connection);
      if (at >= 0) idle.splice(at, 1);
      give?.(GONE);
      give = undefined;
      const next = waiting.shift();
      if (next !== undefined) next(connect());
    };
    const finish = (body: Buffer) => {
      const [answered, answer] = [give, head];
      give = undefined;
      got = NOTHING;
      pieces = [];
      if (headerOf(answer, 'connection') === 'close') socket.destroy();
      else {
        const next = waiting.shift();
        if (next === undefined) idle.push(connection);
        else next(connection);
      }
      answered?.({
        status: Number(answer.slice(STATUS_AT, STATUS_AT + 3)),
        header: (name) => headerOf(answer, name),
        body,
      });
    };
    socket.on('data', (chunk: Buffer) => {
      if (missing > 0) {
        pieces.push(chunk);
        missing -= chunk.length;
        if (missing <= 0) finish(Buffer.concat(pieces));
        return;
      }
      got = got.length === 0 ? chunk : Buffer.concat([got, chunk]);
      const end = got.indexOf(HEAD_END);
      if (end < 0) return;
      head = got.toString('latin1', 0, end);
      const body = got.subarray(end + HEAD_END.length);
      missing = Number(headerOf(head, 'content-length') ?? Number.NaN) - body.length;
      if (Number.isNaN(missing)) socket.destroy(new Error('an answer does not say how long it is'));
      else if (missing <= 0) finish(body);
      else pieces = [body];
    });
    socket.on('error', lose);
    socket.on('close', lose);
    const connection: Connection = {
      ask(pieces, answer) {
        give = answer;
        socket.cork();
        for (const piece of pieces) socket.write(piece);
        socket.uncork();
      },
      destroy: () => socket.destroy(),
    };
    all.add(connection);
    return connection;
  }

  return {
    send: (pieces) =>
      new Promise((resolve) => {
        const ask = (connection: Connection) => connection.ask(pieces, resolve);
        const ready = idle.pop() ?? (all.size < maxConnections ? connect() : undefined);
        if (ready !== undefined) ask(ready);
        else waiting.push(ask);
      }),
    close() {
      for (const connection of all) connection.destroy();
    },
  };
}
