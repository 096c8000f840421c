import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_LIFETIMES_MS } from '#application/ports/session-store.js';

export const SESSION_COOKIE = 'burin_session';

/** Where everything goes over TLS the browser is held to it, and to this host alone. */
const isSecure = ({ protocol }: FastifyRequest, publicUrl: URL | null): boolean =>
  publicUrl === null ? protocol === 'https' : publicUrl.protocol === 'https:';

const nameOf = (secure: boolean) => (secure ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE);

/** The token in a request's session cookie. */
export function sessionTokenOf(request: FastifyRequest, publicUrl: URL | null): string | undefined {
  const name = nameOf(isSecure(request, publicUrl));
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** Gives the browser a session, or with undefined takes it away. No script and no other site ever gets at it. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: URL | null,
  token: string | undefined,
): void {
  const secure = isSecure(request, publicUrl);
  const age = token === undefined ? 0 : SESSION_LIFETIMES_MS.whole / 1000;
  const rules = ['Path=/', `Max-Age=${age}`, 'HttpOnly', 'SameSite=Strict', ...(secure ? ['Secure'] : [])];
  reply.header('set-cookie', [`${nameOf(secure)}=${token ?? ''}`, ...rules].join('; '));
}
