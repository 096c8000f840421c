import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, callerId } from '#application/caller.js';
import type { RateLimiter, RateWindow } from '#application/ports/rate-limiter.js';
import type { IdentifyCaller } from '#application/use-cases/identify-caller.js';
import { ServiceError } from '#domain/errors.js';
import { isAtHome, isReading, mayUseCookie, type PageRules } from './own-page.js';
import { rateNameOf } from './rate-name.js';
import { sessionTokenOf } from './session-cookie.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; anonymous until the key was looked at. */
    caller: Caller;
  }
}

export interface RequestsPerMinute {
  readonly key: number;
  readonly anonymous: number;
}

export interface CallerDeps {
  readonly identifyCaller: IdentifyCaller;
  readonly rateLimiter: RateLimiter;
  readonly requestsPerMinute: RequestsPerMinute;
  readonly pages: PageRules;
}

const REFUSED: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'FORBIDDEN']);

/** Requests of the API count; files, pages, downloads and probes tell the limit and do not use it up. */
const counts = ({ method, url }: FastifyRequest) => method !== 'OPTIONS' && /^\/(api|mcp)(\/|\?|$)/.test(url);

/** Looking how things stand leaves an address without a key its few requests for work. */
const isLook = ({ method, routeOptions }: FastifyRequest) =>
  method === 'GET' && /^\/api\/v1\/(status$|jobs\/)/.test(routeOptions.url ?? '');

export const rateHeaders = ({ limit, remaining, resetSeconds }: RateWindow): Readonly<Record<string, string>> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetSeconds),
});

/** The key in either header, as it was sent. Throws UNAUTHORIZED where the two disagree. */
export function keyOf({ headers }: FastifyRequest): string | undefined {
  const { 'x-api-key': header, authorization } = headers;
  const key = header === undefined ? undefined : String(header);
  // What is no bearer token is no key of ours either.
  const bearer = authorization === undefined ? undefined : (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '');
  if (key !== undefined && bearer !== undefined && key !== bearer)
    throw new ServiceError('UNAUTHORIZED', { problem: 'X-API-Key and Authorization name different keys; send one.' });
  return key ?? bearer;
}

/** What a request is let in by. Throws FORBIDDEN where a session would speak for a page that is not ours. */
function credentialsOf(request: FastifyRequest, pages: PageRules) {
  const key = keyOf(request);
  if (key !== undefined) return { key };
  const sessionToken = sessionTokenOf(request, pages.publicUrl);
  const atHome = isAtHome(request, pages);
  if (sessionToken === undefined || mayUseCookie(request, pages)) return { key, sessionToken, atHome };
  if (isReading(request)) return { key };
  throw new ServiceError('FORBIDDEN', {
    problem: 'A session is for the pages of the service itself; send an API key from elsewhere.',
  });
}

/** How a window stands, as headers; none where nobody can say: what is not counted is answered all the same. */
const toldRates = async (rateLimiter: RateLimiter, name: string, limit: number) => {
  try {
    return rateHeaders(await rateLimiter.peek(name, limit));
  } catch (error) {
    if (error instanceof ServiceError) return {};
    throw error;
  }
};

/** The headers of an address's window, for what is answered before there is a request. */
export const createAddressRates =
  ({ rateLimiter, requestsPerMinute }: Pick<CallerDeps, 'rateLimiter' | 'requestsPerMinute'>) =>
  (address: string) =>
    toldRates(rateLimiter, rateNameOf(address), requestsPerMinute.anonymous);

/** Every answer says how the window stands: of the address, until somebody is known. To be added before any other refusal. */
export function tellRates(app: FastifyInstance, deps: Pick<CallerDeps, 'rateLimiter' | 'requestsPerMinute'>): void {
  const ratesOf = createAddressRates(deps);
  app.decorateRequest('caller', null as never);
  app.addHook('onRequest', async (request, reply) => {
    request.caller = { kind: 'anonymous', plan: 'anonymous', address: rateNameOf(request.ip) };
    reply.headers(await ratesOf(request.ip));
  });
}

/**
 * Says who asks, and counts what they ask. A bad key is refused wherever the API is asked, and counts against the address it
 * comes from; where nothing is counted, it is nobody's.
 */
export function identifyCallers(app: FastifyInstance, deps: CallerDeps): void {
  const { identifyCaller, rateLimiter, requestsPerMinute, pages } = deps;

  const tell = async (name: string, limit: number, reply: FastifyReply) =>
    void reply.headers(await toldRates(rateLimiter, name, limit));
  const count = async (name: string, limit: number, request: FastifyRequest, reply: FastifyReply) => {
    if (!counts(request)) return tell(name, limit, reply);
    const decision = await rateLimiter.take(name, limit);
    reply.headers(rateHeaders(decision));
    if (!decision.allowed) throw new ServiceError('RATE_LIMITED', { limit, retryAfterSeconds: decision.resetSeconds });
  };

  app.addHook('onRequest', async (request, reply) => {
    const address = rateNameOf(request.ip);
    try {
      request.caller = await identifyCaller({ ...credentialsOf(request, pages), address });
    } catch (error) {
      if (!(error instanceof ServiceError) || !REFUSED.has(error.code)) throw error;
      await count(address, requestsPerMinute.anonymous, request, reply);
      if (counts(request)) throw error;
      return;
    }
    const { caller } = request;
    if (caller.kind === 'anonymous' && isLook(request)) await tell(address, requestsPerMinute.anonymous, reply);
    else if (caller.kind === 'anonymous') await count(address, requestsPerMinute.anonymous, request, reply);
    else await count(callerId(caller), requestsPerMinute.key, request, reply);
  });
}
