import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, ServiceError } from '#domain/errors.js';
import './callers.js';
import { isLocalHost, isOwnOrigin, type PageRules } from './own-page.js';

export interface CallerRules extends PageRules {
  /** Web pages of these origins may call. */
  readonly corsOrigins: readonly string[];
  /** Whether work is done for callers without a key. */
  readonly anonymous: boolean;
}

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
];
const ACCEPTED = ['content-type', 'authorization', 'x-api-key', 'idempotency-key', 'prefer'];
const PREFLIGHT_SECONDS = 600;

/** Refuses names that are not ours (DNS rebinding), and lets the pages in that were named (CORS). */
export function guardCallers(app: FastifyInstance, rules: CallerRules): void {
  const { loopback, publicUrl, corsOrigins } = rules;
  app.addHook('onRequest', async (request) => {
    const { host } = request.headers;
    if (host === undefined || host === '') {
      if (request.raw.httpVersion === '1.0') return;
      throw invalid('Host', 'the header is missing');
    }
    // On loopback a strange name is a web page that has rebound its own.
    if (!loopback || isLocalHost(host) || host.replace(/:\d*$/, '').toLowerCase() === publicUrl?.hostname) return;
    throw new ServiceError('FORBIDDEN', {
      problem:
        'This service listens for this machine only and does not know itself by that Host; set BURIN_PUBLIC_URL where a proxy stands before it.',
    });
  });

  if (corsOrigins.length === 0) return;
  // Not by `register`, which would add its hook behind those of this file's callers: refusals must be readable too.
  cors(
    app,
    {
      origin: [...corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      allowedHeaders: ACCEPTED,
      exposedHeaders: EXPOSED,
      maxAge: PREFLIGHT_SECONDS,
      // OPTIONS without a preflight's headers is answered like one, not with a page of text.
      strictPreflight: false,
    },
    (error) => {
      if (error) throw error;
    },
  );
}

/** A browser says from which page it sends; other programs say nothing. */
function requireKnownOrigin(request: FastifyRequest, { publicUrl, corsOrigins }: CallerRules): void {
  const { origin } = request.headers;
  if (origin === undefined || corsOrigins.includes(origin)) return;
  if (!isOwnOrigin(origin, request, publicUrl))
    throw new ServiceError('FORBIDDEN', {
      problem: 'Web pages of this origin may not call the service; name it in BURIN_CORS_ORIGINS to let them.',
    });
}

/** Who may have work done: who has an account, or anybody while that is allowed. Throws UNAUTHORIZED or FORBIDDEN. */
export function requireCaller(request: FastifyRequest, rules: CallerRules): void {
  if (request.caller.kind !== 'anonymous') return;
  if (!rules.anonymous)
    throw new ServiceError('UNAUTHORIZED', { problem: 'This needs an API key, in the header X-API-Key.' });
  requireKnownOrigin(request, rules);
}
