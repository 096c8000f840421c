import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IdSource } from '#application/ports/id-source.js';
import { invalid, ServiceError } from '#domain/errors.js';
import { createAllowedMethods } from './allowed-methods.js';
import { toRefusal } from './framework-refusal.js';
import { bodyMediaType } from './openapi/body-media-type.js';
import { type Problem, type ProblemBody, toProblem } from './problem.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What it was refused with, where it was. */
    refusal: ProblemBody | null;
  }
}

/** Answers an error, whatever it is, and logs it as loudly as it deserves. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { bodyLimit = 0, url } = request.routeOptions ?? {};
  const refusal = toRefusal(error, { bodyLimitBytes: bodyLimit, mediaType: bodyMediaType(request.method, url) });
  const { status, headers, body } = toProblem(refusal, request.id);
  request.refusal = body;
  if (!(refusal instanceof ServiceError)) request.log.error({ err: refusal }, 'a request failed');
  else if (refusal.kind === 'cancelled')
    request.log.info({ path: request.url.split('?', 1)[0] }, 'the client has gone');
  else if (status >= 500) request.log.warn({ err: refusal }, 'a request was refused');
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** Errors, unknown addresses and methods that an address does not take, all in one form. Before any route is registered. */
export function answerEveryError(app: FastifyInstance): void {
  const allowedMethods = createAllowedMethods(app);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const { method } = request;
    const allowed = allowedMethods(request.url);
    if (allowed.length === 0)
      return answerError(new ServiceError('NOT_FOUND', { what: 'The address' }), request, reply);
    if (method === 'OPTIONS') return reply.code(204).header('allow', allowed.join(', ')).send();
    return answerError(new ServiceError('METHOD_NOT_ALLOWED', { method, allowed }), request, reply);
  });
}

/** What Node's own parser refuses, before there is a request. */
const parserProblem = (code: string | undefined, maxHeaderBytes: number, requestId: string): Problem => {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const refusal = new ServiceError('PAYLOAD_TOO_LARGE', { what: 'The request header', limitBytes: maxHeaderBytes });
    return { ...toProblem(refusal, requestId), status: 431 };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { ...toProblem(invalid('body', 'did not arrive in time'), requestId), status: 408 };
  return toProblem(invalid('body', 'the request is not well-formed HTTP'), requestId);
};

/** Answers on the bare connection what never became a request. */
export const createParserErrorAnswer =
  (
    ids: IdSource,
    maxHeaderBytes: number,
    rateHeaders: (address: string) => Promise<Readonly<Record<string, string>>>,
  ) =>
  async (error: Error & { readonly code?: string }, socket: Socket): Promise<void> => {
    // The other side has gone, or an answer is on its way: there is nobody to tell, or no place to.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy();
      return;
    }
    const id = ids.next();
    const { status, headers, body } = parserProblem(error.code, maxHeaderBytes, id);
    const text = JSON.stringify(body);
    const rates = await rateHeaders(socket.remoteAddress ?? '');
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(text)}`,
      `x-request-id: ${id}`,
      ...Object.entries({ ...rates, ...headers }).map(([name, value]) => `${name}: ${value}`),
      'connection: close',
    ];
    socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
  };
