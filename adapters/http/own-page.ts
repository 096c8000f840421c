import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

export interface PageRules {
  /** Whether only this machine can reach the service. */
  readonly loopback: boolean;
  readonly publicUrl: URL | null;
  readonly trustProxy: boolean | readonly string[];
}

const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Whether a Host header, with or without a port, names this machine. */
export const isLocalHost = (host: string): boolean => LOCAL_NAMES.has(host.replace(/:\d*$/, '').toLowerCase());

const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && (address === '::1' || /^(?:::ffff:)?127\./.test(address));

/** Asked on this machine itself, not only through a proxy that runs here. */
export const isFromThisMachine = ({ socket, headers }: FastifyRequest): boolean =>
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined &&
  headers.via === undefined &&
  isLoopbackAddress(socket.remoteAddress ?? '');

/** Whether an origin, or the address of a page, is the service's own. */
export function isOwnOrigin(page: string, { headers }: FastifyRequest, publicUrl: URL | null): boolean {
  if (!URL.canParse(page)) return false;
  const { host, origin } = new URL(page);
  return origin === publicUrl?.origin || host === headers.host?.toLowerCase();
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
export const isReading = ({ method }: FastifyRequest): boolean => READING.has(method);

/** What a browser says of the page that asks; `none` is an address that somebody typed. */
const isCalledSameOrigin = ({ headers }: FastifyRequest): boolean =>
  ['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined);

/** Whether the session in a request's cookie may speak: its page is ours. Browsers send an Origin with all but reads. */
export function mayUseCookie(request: FastifyRequest, { publicUrl }: PageRules): boolean {
  if (!isCalledSameOrigin(request)) return false;
  const { origin } = request.headers;
  return origin === undefined ? isReading(request) : isOwnOrigin(origin, request, publicUrl);
}

/**
 * Whether a page of ours asks at the machine that the service runs on and serves alone. A service with a public address or a
 * proxy before it serves others too. Reads have no Origin, but a Referer.
 */
export function isAtHome(request: FastifyRequest, { loopback, publicUrl, trustProxy }: PageRules): boolean {
  if (!loopback || publicUrl !== null || trustProxy !== false) return false;
  const { host = '', origin, referer } = request.headers;
  const page = origin ?? referer;
  return (
    isLocalHost(host) &&
    isFromThisMachine(request) &&
    isCalledSameOrigin(request) &&
    page !== undefined &&
    isOwnOrigin(page, request, null)
  );
}
