import { mutateBytes } from '#test/support/mutate-bytes.js';
import type { Leaving } from '#test/support/raw-connection.js';
import type { Choices } from './choices.js';
import { type FuzzRequest, type RequestSources, requestFrom } from './random-requests.js';

/** One connection: what is sent over it, in pieces as they are written, and what the client does then. */
export interface RawCase {
  /** In a word or two, for the counts. */
  readonly kind: string;
  readonly pieces: readonly Buffer[];
  readonly leaving: Leaving;
}

const LINE = '\r\n';
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** The body in chunks of random sizes, with an extension here and there. */
function chunked(body: Buffer, choices: Choices): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const size = 1 + choices.below(Math.min(body.length - at, choices.pick([8, 500, 70_000])));
    const extension = choices.chance(0.05) ? `;${choices.pick(['a', 'a=b', 'a="b"', 'x'.repeat(200)])}` : '';
    parts.push(latin1(`${size.toString(16)}${extension}${LINE}`), body.subarray(at, at + size), latin1(LINE));
    at += size;
    // A body in single bytes is a thousand parts; the rest goes in one piece.
    if (parts.length > 600) {
      const rest = body.subarray(at);
      if (rest.length > 0) parts.push(latin1(`${rest.length.toString(16)}${LINE}`), rest, latin1(LINE));
      break;
    }
  }
  return Buffer.concat([...parts, latin1(`0${LINE}${choices.chance(0.1) ? `x-trailer: y${LINE}` : ''}${LINE}`)]);
}

/** The same, with one thing wrong that the format of chunks does not allow. */
function brokenChunks(body: Buffer, choices: Choices): Buffer {
  const sound = chunked(body, choices);
  const broken: readonly (() => Buffer)[] = [
    () => latin1(`zz${LINE}abc${LINE}0${LINE}${LINE}`),
    () => latin1(`-1${LINE}abc${LINE}0${LINE}${LINE}`),
    () => latin1(`ffffffffffffffff1${LINE}abc`),
    () => latin1(`7fffffff${LINE}abc`),
    () => latin1(`5${LINE}abc${LINE}0${LINE}${LINE}`),
    () => latin1(`2${LINE}abc${LINE}0${LINE}${LINE}`),
    () => latin1(`3\nabc\n0\n\n`),
    () => latin1(`3;${'x'.repeat(choices.pick([2000, 20_000]))}${LINE}abc${LINE}0${LINE}${LINE}`),
    () => latin1(`0${LINE}${'t: x\r\n'.repeat(3000)}${LINE}`),
    () => sound.subarray(0, choices.below(sound.length + 1)),
    () => Buffer.from(mutateBytes(sound, choices.random)),
  ];
  return choices.pick(broken)();
}

/** How a body says where it ends: rightly for the most part. The bytes that follow the head, and the head's lines. */
function framed(
  body: Buffer,
  choices: Choices,
): { readonly kind: string; readonly lines: string[]; readonly bytes: Buffer } {
  const length = `content-length: ${body.length}`;
  const way = choices.pick(['length', 'length', 'length', 'chunks', 'chunks', 'broken chunks', 'lies', 'contradicts']);
  switch (way) {
    case 'length':
      return { kind: way, lines: [length], bytes: body };
    case 'chunks':
      return { kind: way, lines: ['transfer-encoding: chunked'], bytes: chunked(body, choices) };
    case 'broken chunks':
      return { kind: way, lines: ['transfer-encoding: chunked'], bytes: brokenChunks(body, choices) };
    case 'lies': {
      const said = choices.pick([
        '0',
        '1',
        `${body.length + 10}`,
        `${body.length >> 1}`,
        '-1',
        '+5',
        '1e3',
        '0x10',
        '',
        '9'.repeat(30),
      ]);
      return { kind: way, lines: [`content-length: ${said}`], bytes: body };
    }
    default: {
      const lines = choices.pick([
        [length, 'transfer-encoding: chunked'],
        ['transfer-encoding: chunked', 'content-length: 3'],
        [length, 'content-length: 3'],
        [`content-length: ${body.length}, ${body.length}`],
        ['transfer-encoding: gzip, chunked'],
        ['transfer-encoding: chunked, gzip'],
        ['transfer-encoding: xchunked'],
        ['transfer-encoding : chunked'],
        ['transfer-encoding:\u000bchunked'],
        ['transfer-encoding: chunked', 'transfer-encoding: identity'],
      ]);
      return { kind: way, lines: [...lines], bytes: choices.chance(0.5) ? chunked(body, choices) : body };
    }
  }
}

/** A line of a head that servers have stumbled over. */
const strangeLine = (choices: Choices): string =>
  choices.pick([
    'host: two.example',
    'Host:',
    ' folded: line',
    'a : b',
    'a\tb: c',
    ': nameless',
    'no-colon',
    'nul: a\u0000b',
    'bare: a\rb',
    'x: \u00ff\u00fe',
    'expect: 100-continue',
    'expect: something',
    'upgrade: h2c',
    'upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-version: 13',
    'connection: upgrade, http2-settings',
    'http2-settings: AAMAAABkAAQAAP__',
    'content-type: multipart/form-data; boundary=a; boundary=b',
    `content-type: multipart/form-data; boundary=${'b'.repeat(300)}`,
    'content-encoding: deflate',
    `cookie: ${'a=b; '.repeat(500)}`,
    `long: ${'x'.repeat(choices.pick([8000, 17_000, 70_000]))}`,
    Array.from({ length: choices.pick([100, 3000]) }, (_, i) => `h${i}: ${i}`).join(LINE),
    'proxy-connection: keep-alive',
    'te: trailers',
    'trailer: x-trailer',
    'x-forwarded-host: evil.example',
    'x-http-method-override: DELETE',
  ]);

/** A first line that is not as it should be. */
const strangeStart = ({ method, url }: FuzzRequest, choices: Choices): string =>
  choices.pick([
    `${method} ${url} HTTP/1.0`,
    `${method} ${url} HTTP/0.9`,
    `${method} ${url} HTTP/2.0`,
    `${method} ${url} HTTP/1.10`,
    `${method} ${url}`,
    `${method}  ${url} HTTP/1.1`,
    `${method.toLowerCase()} ${url} HTTP/1.1`,
    `${method} http://evil.example${url} HTTP/1.1`,
    `${method} //evil.example${url} HTTP/1.1`,
    `${method} * HTTP/1.1`,
    `CONNECT evil.example:443 HTTP/1.1`,
    `TRACE ${url} HTTP/1.1`,
    `PROPFIND ${url} HTTP/1.1`,
    `M-SEARCH ${url} HTTP/1.1`,
    `${'A'.repeat(5000)} ${url} HTTP/1.1`,
    `${method} ${url}${'a'.repeat(choices.pick([8000, 20_000]))} HTTP/1.1`,
    `${method} ${url}\u0000 HTTP/1.1`,
    `${method} ${url}\t HTTP/1.1`,
    `${method} ${url} HTTP/1.1 `,
    `\r\n\r\n${method} ${url} HTTP/1.1`,
  ]);

/** Bytes of one request. */
function serialize(request: FuzzRequest, closes: boolean, choices: Choices) {
  const { payload, headers } = request;
  const { kind, lines, bytes } =
    payload === undefined ? { kind: 'no body', lines: [], bytes: Buffer.of() } : framed(payload, choices);
  const head = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  head.push(...lines);
  if (closes) head.push('connection: close');
  const strangeLines = choices.chance(0.15);
  if (strangeLines) head.splice(choices.below(head.length + 1), 0, strangeLine(choices));
  const ended = choices.chance(0.98);
  const started = choices.chance(0.93);
  const start = started ? `${request.method} ${request.url} HTTP/1.1` : strangeStart(request, choices);
  const end = ended ? LINE + LINE : choices.pick(['\n\n', LINE, '\r\r', '']);
  return {
    kind: !started ? 'strange start' : strangeLines || !ended ? 'strange head' : kind,
    bytes: Buffer.concat([latin1([start, ...head].join(LINE) + end), bytes]),
  };
}

/** What is no HTTP at all. */
const NO_HTTP: readonly Buffer[] = [
  Buffer.of(),
  latin1('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from('16030100f4010000f00303', 'hex'),
  Buffer.from('0000000c04000000000000', 'hex'),
  latin1('SSH-2.0-OpenSSH_9.6\r\n'),
  latin1('\u0000'.repeat(100)),
  latin1('GET'),
  latin1('GET / HTTP/1.1\r\nhost: localhost\r\n'),
  latin1('\r\n'.repeat(50)),
];

/** In a few pieces, wherever they fall. */
function cut(bytes: Buffer, choices: Choices): Buffer[] {
  const cuts = Array.from({ length: choices.pick([0, 0, 0, 1, 3]) }, () => choices.below(bytes.length + 1));
  const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((to, i) => bytes.subarray(at[i], to));
}

/** One connection as hostile or broken clients make them. */
export function rawCaseFrom(choices: Choices, sources: RequestSources): RawCase {
  const whole = (kind: string, bytes: Buffer, leaving: Leaving): RawCase => ({
    kind,
    pieces: cut(bytes, choices),
    leaving,
  });
  const one = (closes: boolean) => serialize(requestFrom(choices, sources), closes, choices);
  // Whoever may have said that more comes than does is not waited for: that would be the request's time limit.
  const leaving = (): Leaving => (choices.chance(0.85) ? 'half-closes' : 'leaves');
  if (choices.chance(0.02)) return whole('no HTTP', choices.pick(NO_HTTP), leaving());
  if (choices.chance(0.12)) {
    const count = 2 + choices.below(4);
    const all = Array.from({ length: count }, (_, i) => one(i === count - 1).bytes);
    return whole('pipelined', Buffer.concat(all), leaving());
  }
  const { kind, bytes } = one(true);
  if (choices.chance(0.12)) return whole('changed bytes', Buffer.from(mutateBytes(bytes, choices.random)), leaving());
  if (choices.chance(0.08)) return whole('cut off', bytes.subarray(0, choices.below(bytes.length)), leaving());
  const sound = kind === 'length' || kind === 'chunks' || kind === 'no body';
  return whole(kind, bytes, sound && choices.chance(0.95) ? 'reads' : leaving());
}
