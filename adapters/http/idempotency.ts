import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ownerId } from '#application/caller.js';
import type { Digest } from '#application/ports/digest.js';
import type { IdempotencyStore, IdempotentWork } from '#application/ports/idempotency-store.js';
import { requestFingerprint } from '#application/request-fingerprint.js';
import { invalid, ServiceError } from '#domain/errors.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its answers hold a secret, and are not kept to be given again. */
    answersSecret?: boolean;
  }
  interface FastifyRequest {
    /** Work under an Idempotency-Key that is not ended yet. */
    idempotentWork: (IdempotentWork & { stopRenewing(): void }) | null;
  }
}

export interface IdempotencyDeps {
  readonly idempotency: IdempotencyStore;
  readonly digest: Digest;
}

/** Well within the lease of two minutes: a conversion may wait and run for longer than that. */
const RENEW_EVERY_MS = 40_000;
/** Belong to one exchange rather than to the answer. */
const NOT_KEPT =
  /^(x-request-id|x-ratelimit-.*|access-control-.*|vary|date|connection|content-length|transfer-encoding)$/;

/**
 * Begins what a request with an Idempotency-Key asks for; true where it was answered already and that answer has been sent again.
 * Rejects with IDEMPOTENCY_CONFLICT, REQUEST_IN_PROGRESS, or INVALID_REQUEST for a key that is none.
 */
export type BeginOnce = (
  request: FastifyRequest,
  reply: FastifyReply,
  asked: { readonly fields: unknown; readonly files?: readonly Uint8Array[] },
) => Promise<boolean>;

const createBeginOnce =
  ({ idempotency, digest }: IdempotencyDeps): BeginOnce =>
  async (request, reply, asked) => {
    const key = request.headers['idempotency-key'];
    if (key === undefined) return false;
    if (request.routeOptions.config.answersSecret)
      throw invalid('Idempotency-Key', 'is not taken here: the answer holds a secret and is not kept');
    const operation = `${request.method} ${request.routeOptions.url}`;
    const state = await idempotency.begin({
      caller: ownerId(request.caller),
      key: String(key),
      fingerprint: requestFingerprint(digest, { operation, ...asked }),
    });
    switch (state.state) {
      case 'conflict':
        throw new ServiceError('IDEMPOTENCY_CONFLICT');
      case 'in-flight':
        throw new ServiceError('REQUEST_IN_PROGRESS');
      case 'replay': {
        const { status, headers, body } = state.answer;
        reply.code(status).headers(headers).header('idempotent-replayed', 'true').send(Buffer.from(body));
        return true;
      }
      case 'new': {
        const renewing = setInterval(() => void state.renew().catch(() => {}), RENEW_EVERY_MS).unref();
        request.idempotentWork = Object.assign(state, { stopRenewing: () => clearInterval(renewing) });
        return false;
      }
    }
  };

/**
 * Answers POSTs with an Idempotency-Key once. JSON bodies are looked at here; the routes of forms call what is returned, when
 * they have read theirs.
 */
export function answerOnce(app: FastifyInstance, deps: IdempotencyDeps): BeginOnce {
  const beginOnce = createBeginOnce(deps);
  app.decorateRequest('idempotentWork', null);
  app.addHook('preHandler', async (request, reply) => {
    if (request.method === 'POST' && !request.is404 && !request.isMultipart())
      await beginOnce(request, reply, { fields: request.body });
  });
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const work = request.idempotentWork;
    if (work === null) return;
    request.idempotentWork = null;
    work.stopRenewing();
    const whole = typeof payload === 'string' || payload instanceof Uint8Array;
    if (reply.statusCode < 200 || reply.statusCode > 299 || !whole) return work.free();
    const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      NOT_KEPT.test(name) || value === undefined ? [] : [[name, String(value)] as const],
    );
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    await work
      .finish({ status: reply.statusCode, headers: Object.fromEntries(headers), body })
      .catch((err: unknown) => request.log.error({ err }, 'an answer could not be kept for its Idempotency-Key'));
  });
  return beginOnce;
}
