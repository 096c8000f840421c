import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, ServiceError } from '#domain/errors.js';
import './callers.js';

export interface CallerRules {
  /** Whether only this machine can reach the service: then a strange Host is a web page that has rebound its name. */
  readonly loopback: boolean;
  readonly publicUrl: URL | null;
  /** Web pages of these origins may call. */
  readonly corsOrigins: readonly string[];
  /** Whether work is done for callers without a key. */
  readonly anonymous: boolean;
}

const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** The name in a Host header, without its port. */
const hostName = (host: string): string => host.replace(/:\d*$/, '').toLowerCase();

/** Headers that a page of another origin may read, and those it may send. */
const EXPOSED = [
  'x-request-id',
  'retry-after',
  'content-disposition',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-credits-charged',
  'x-credits-remaining',
  'idempotent-replayed',
].join(', ');
const ACCEPTED = 'content-type, authorization, x-api-key, idempotency-key, prefer';
const PREFLIGHT_SECONDS = '600';

/** Refuses names that are not ours (DNS rebinding), and lets the pages in that were named (CORS). */
export function guardCallers(app: FastifyInstance, rules: CallerRules): void {
  const { loopback, publicUrl, corsOrigins } = rules;
  app.addHook('onRequest', async (request) => {
    const { host } = request.headers;
    if (host === undefined || host === '') {
      if (request.raw.httpVersion === '1.0') return;
      throw invalid('Host', 'the header is missing');
    }
    const name = hostName(host);
    if (!loopback || LOCAL_NAMES.has(name) || name === publicUrl?.hostname) return;
    throw new ServiceError('FORBIDDEN', {
      problem:
        'This service listens for this machine only and does not know itself by that Host; set BURIN_PUBLIC_URL where a proxy stands before it.',
    });
  });

  if (corsOrigins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    reply.header('vary', 'origin');
    if (origin === undefined || !corsOrigins.includes(origin)) return;
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
      reply.headers({
        'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
        'access-control-allow-headers': ACCEPTED,
        'access-control-max-age': PREFLIGHT_SECONDS,
      });
  });
}

/** A browser says from which page it sends; other programs say nothing. */
export function requireKnownOrigin(request: FastifyRequest, { publicUrl, corsOrigins }: CallerRules): void {
  const { origin, host } = request.headers;
  if (origin === undefined || corsOrigins.includes(origin) || origin === publicUrl?.origin) return;
  const own = URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
  if (!own)
    throw new ServiceError('FORBIDDEN', {
      problem: 'Web pages of this origin may not call the service; name it in BURIN_CORS_ORIGINS to let them.',
    });
}

/** Who may have work done: the holder of a key, or anybody while that is allowed. Throws UNAUTHORIZED or FORBIDDEN. */
export function requireCaller(request: FastifyRequest, rules: CallerRules): void {
  if (request.caller.kind === 'key') return;
  if (!rules.anonymous)
    throw new ServiceError('UNAUTHORIZED', { problem: 'This needs an API key, in the header X-API-Key.' });
  requireKnownOrigin(request, rules);
}
