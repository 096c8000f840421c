import type { FastifyInstance } from 'fastify';
import { PAGE, SCRIPT, STYLE } from '../reference-page/page.js';

/** The page may use what this service gives it, and nothing else. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  // The service must see that its own page asks.
  'referrer-policy': 'same-origin',
} as const;

const FILES = [
  ['/docs/api', 'text/html; charset=utf-8', PAGE],
  ['/docs/api/reference.css', 'text/css; charset=utf-8', STYLE],
  ['/docs/api/reference.js', 'text/javascript; charset=utf-8', SCRIPT],
] as const;

/** GET /docs/api: a page that shows the description and runs requests. */
export function registerReference(app: FastifyInstance): void {
  for (const [path, type, text] of FILES)
    app.get(path, async (_request, reply) => reply.headers(HEADERS).type(type).send(text));
}
