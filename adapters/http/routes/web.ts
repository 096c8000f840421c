import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** A page may use what this service gives it and pictures it made itself, and nothing else; no other page may frame it. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  // Requests to the service itself still say where they come from: its Origin check needs that.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const;

const PAGES = { '/': 'index.html', '/dashboard': 'dashboard.html', '/dashboard/sign-in': 'dashboard.html' } as const;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** GET /, GET /dashboard and its sign-in by a link, and the files that the two pages consist of, from the folder that the build made. */
export function registerWeb(app: FastifyInstance, folder: string): void {
  app.register(async (pages) => {
    await pages.register(fastifyStatic, {
      root: folder,
      serve: false,
      preCompressed: true,
      acceptRanges: false,
    });
    for (const [path, file] of Object.entries(PAGES))
      pages.get(path, async (_request, reply: FastifyReply) =>
        reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-cache' }).sendFile(file, { cacheControl: false }),
      );
  });
  app.register(async (assets) => {
    // Names carry a hash of what is in the file, so a name never means anything else.
    await assets.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      wildcard: false,
      preCompressed: true,
      acceptRanges: false,
      cacheControl: false,
      setHeaders: (reply) => {
        reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
        reply.header('x-content-type-options', 'nosniff');
      },
    });
  });
}
