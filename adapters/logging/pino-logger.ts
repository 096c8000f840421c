import { type DestinationStream, type Logger as PinoLogger, pino, stdSerializers } from 'pino';

export interface PinoLoggerOptions {
  readonly level: string;
  /** Standard output when left out. */
  readonly destination?: DestinationStream;
}

/** Headers that prove who somebody is, wherever a logged object may carry them. */
const SECRET_HEADERS = ['authorization', 'cookie', '["x-api-key"]', '["set-cookie"]'];
const CARRIERS = ['headers', 'req.headers', 'request.headers', 'res.headers', 'err.headers'];
const REDACTED = [
  ...CARRIERS.flatMap((carrier) =>
    SECRET_HEADERS.map((header) => (header.startsWith('[') ? `${carrier}${header}` : `${carrier}.${header}`)),
  ),
  'apiKey',
  '*.apiKey',
];

/** One JSON line per entry, on standard output. Keys and cookies never get there; of an address, the path alone. */
export const createPinoLogger = ({ level, destination }: PinoLoggerOptions): PinoLogger =>
  pino(
    {
      level,
      redact: { paths: REDACTED, censor: '[secret]' },
      serializers: {
        err: stdSerializers.errWithCause,
        req: ({ method, url }: { method: string; url: string }) => ({ method, path: url.split('?', 1)[0] }),
      },
    },
    ...(destination ? [destination] : []),
  );
