import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accountOf, type Caller, callerId } from '#application/caller.js';
import type { Digest } from '#application/ports/digest.js';
import type { RateLimiter } from '#application/ports/rate-limiter.js';
import type { UsageMeter } from '#application/ports/usage-meter.js';
import type { ConvertForCaller } from '#application/use-cases/convert-for-caller.js';
import { ServiceError } from '#domain/errors.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { parseSettings } from '#domain/presets/settings.js';
import type { TierId } from '#domain/tiers/tier.js';
import { peekBody, readArrivedForm } from './arrived-form.js';
import { keyOf, rateHeaders } from './callers.js';
import { creditHeaders } from './credit-headers.js';
import { toProblem } from './problem.js';
import { createRefusalNotes } from './refusal-notes.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives back the place that is kept for it until it stands in line, where one is. */
    releasePlace: (() => void) | null;
    /** Refused at the door, and noted there with others of its kind. */
    wasRefusedEarly: boolean;
  }
}

export interface EarlyRefusalDeps {
  readonly convertForCaller: Pick<ConvertForCaller, 'isCrowded' | 'claimPlace' | 'remaining'>;
  readonly rateLimiter: RateLimiter;
  readonly usage: UsageMeter;
  readonly digest: Digest;
  readonly requestsPerKey: number;
  /** Milliseconds of a clock that only goes forward; the process's own where left out. */
  readonly nowMs?: () => number;
}

const ROUTE = '/api/v1/convert';
const FILE_FIELD = 'imageFile';
/** Larger pictures are refused when they have been read. */
const MAX_BODY_BYTES = 1024 * 1024;
/** For so long a key is known at the door after it was looked up. It opens nothing there: who is not refused is looked up again. */
const KNOWN_FOR_MS = 10_000;
const MAX_KNOWN = 1000;
/** What somebody can spend is told as it was up to so long ago. */
const REMAINING_FOR_MS = 1000;
const MAX_REMEMBERED_FORMS = 200;

interface KnownCaller {
  readonly caller: Caller;
  readonly untilMs: number;
  /** Undefined until it was told once. */
  remaining: number | undefined;
  asking: Promise<number | undefined>;
  askedMs: number;
}

/** The first goes when there are more than so many. */
function setBounded<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value as K);
}

/** Requests whose refusal is certain before anything is known but their form: of one try, for an answer now, without files' links. */
const isPlain = ({ method, routeOptions, url, headers }: FastifyRequest): boolean =>
  method === 'POST' &&
  routeOptions.url === ROUTE &&
  url === ROUTE &&
  headers.origin === undefined &&
  headers.cookie === undefined &&
  headers.prefer === undefined &&
  headers['idempotency-key'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers['content-encoding'] === undefined &&
  Number(headers['content-length']) > 0 &&
  Number(headers['content-length']) <= MAX_BODY_BYTES;

/**
 * Says no to conversions for which there is no place, before their key is looked up and their picture is read, while others
 * wait: a crowd that is refused must not take the processor from those who are served. Asked are only keys that were looked up a
 * moment ago, with a form that has arrived whole, and of the queue itself, for this caller and this tier; the answer is the
 * one that the request would have been given further in, and everything else goes there. To be added before all that refuses;
 * returns what is to be told of each request whose key was looked up.
 */
export function refuseEarly(app: FastifyInstance, deps: EarlyRefusalDeps): (request: FastifyRequest) => void {
  const { convertForCaller, rateLimiter, usage, digest, requestsPerKey, nowMs = () => performance.now() } = deps;
  const known = new Map<string, KnownCaller>();
  /** The tier that a form asks for; undefined where it asks for something else than a conversion, or wrongly. */
  const tiers = new Map<string, TierId | undefined>();
  app.decorateRequest('releasePlace', null);
  app.decorateRequest('wasRefusedEarly', false);

  const secretOf = (request: FastifyRequest): string | undefined => {
    try {
      return keyOf(request);
    } catch {
      return undefined;
    }
  };
  const nameOf = (secret: string) => digest(Buffer.from(secret));
  const knownBy = (request: FastifyRequest): KnownCaller | undefined => {
    const secret = secretOf(request);
    const found = secret === undefined ? undefined : known.get(nameOf(secret));
    return found !== undefined && found.untilMs > nowMs() ? found : undefined;
  };

  const tierOf = (fields: Readonly<Record<string, string>>): TierId | undefined => {
    try {
      const settings = parseSettings(fields);
      return settings.dry_run ? undefined : resolveSettings(settings).values.quality_tier;
    } catch {
      return undefined;
    }
  };
  const askedFor = (body: Buffer, contentType: string): TierId | undefined => {
    const form = readArrivedForm(body, contentType, FILE_FIELD);
    if (form === undefined) return undefined;
    if (!tiers.has(form.text)) setBounded(tiers, form.text, tierOf(form.fields), MAX_REMEMBERED_FORMS);
    return tiers.get(form.text);
  };

  /** As it was last told; only who has not been told yet waits for the ledger. */
  const remainingOf = (one: KnownCaller): number | Promise<number | undefined> => {
    if (one.askedMs + REMAINING_FOR_MS <= nowMs()) {
      one.askedMs = nowMs();
      one.asking = convertForCaller.remaining(one.caller).then(
        (credits) => {
          one.remaining = credits;
          return credits;
        },
        // Where the ledger cannot say, the refusal is told all the same.
        () => undefined,
      );
    }
    return one.remaining ?? one.asking;
  };
  const notes = createRefusalNotes({ usage, logger: app.log, operation: `POST ${ROUTE}` });
  app.addHook('onClose', () => notes.flush());
  const refuse = async (refusal: ServiceError, one: KnownCaller, request: FastifyRequest, reply: FastifyReply) => {
    const [rates, remaining] = await Promise.all([
      rateLimiter.take(callerId(one.caller), requestsPerKey),
      remainingOf(one),
    ]);
    const { status, headers, body } = toProblem(refusal, request.id);
    const accountId = accountOf(one.caller)?.id;
    if (accountId !== undefined) notes.add(accountId, body);
    request.caller = one.caller;
    request.refusal = body;
    request.wasRefusedEarly = true;
    reply.headers({ ...rateHeaders(rates), ...headers });
    if (remaining !== undefined) reply.headers(creditHeaders({ charged: 0, remaining }));
    return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
  };

  app.addHook('onRequest', (request, reply, done) => {
    if (!convertForCaller.isCrowded() || !isPlain(request)) return done();
    const one = knownBy(request);
    if (one === undefined) return done();
    peekBody(request.raw, Number(request.headers['content-length']), (body) => {
      if (body === undefined) return done(new ServiceError('CANCELLED'));
      const tier = askedFor(body, request.headers['content-type'] ?? '');
      if (tier === undefined) return done();
      const { caller } = one;
      /** Whether it goes on; where not, it has been answered. */
      const goesOn = async (): Promise<boolean> => {
        // Past its limit it is refused for that, which costs little.
        if ((await rateLimiter.peek(callerId(caller), requestsPerKey)).remaining === 0) return true;
        try {
          request.releasePlace = convertForCaller.claimPlace(caller, tier);
          return true;
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          await refuse(error, one, request, reply);
          return false;
        }
      };
      goesOn().then((goes) => goes && done(), done);
    });
  });
  app.addHook('onResponse', async (request) => request.releasePlace?.());
  app.addHook('onRequestAbort', async (request) => request.releasePlace?.());

  return (request) => {
    const { caller, url } = request;
    const secret = url === ROUTE && caller.kind === 'key' ? secretOf(request) : undefined;
    if (secret === undefined) return;
    const untilMs = nowMs() + KNOWN_FOR_MS;
    const before = known.get(nameOf(secret));
    const told = before ?? {
      remaining: undefined,
      asking: Promise.resolve(undefined),
      askedMs: Number.NEGATIVE_INFINITY,
    };
    setBounded(known, nameOf(secret), { ...told, caller, untilMs }, MAX_KNOWN);
  };
}
