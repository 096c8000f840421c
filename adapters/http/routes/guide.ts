import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError } from '#domain/errors.js';

/** Answers what is behind `/docs` and an address below it, without a slash in front; undefined where nothing is. */
export type GuideFiles = (path: string) => { readonly type: string; readonly body: string | Uint8Array } | undefined;

/** Pages without a script: they may show our pictures in our style, and nothing else. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
} as const;

/** GET /docs and what is below it: the guide. */
export function registerGuide(app: FastifyInstance, guide: GuideFiles): void {
  const send = (path: string, reply: FastifyReply) => {
    const file = guide(path);
    if (file === undefined) throw new ServiceError('NOT_FOUND', { what: 'This page of the guide' });
    return reply.headers(HEADERS).type(file.type).send(file.body);
  };
  app.get('/docs', async (_request, reply) => send('', reply));
  app.get<{ Params: { '*': string } }>('/docs/*', async ({ params }, reply) => send(params['*'], reply));
}
