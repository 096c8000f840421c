import type { FastifyReply } from 'fastify';

/** Aborts when the client goes away before it has its whole answer. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const aborting = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) aborting.abort(new Error('the client has gone'));
  });
  return aborting.signal;
}
