import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '#application/caller.js';
import { type CallerRules, requireCaller, requireKnownOrigin } from '../caller-guards.js';

/** One message of the Model Context Protocol, to be answered on the response itself. */
export interface McpRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: unknown;
  readonly caller: Caller;
}
export type McpDoor = (message: McpRequest) => Promise<void>;

export interface McpRouteDeps {
  readonly mcp: McpDoor;
  readonly callers: CallerRules;
  /** Pictures come in base64. */
  readonly maxRequestBytes: number;
}

/** The transport says that every connection is kept; whether this one is, its client and the service's own end decide. */
function leaveConnectionAlone(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response);
  const without = (status: number, headers: Readonly<Record<string, string>> = {}) =>
    writeHead(status, Object.fromEntries(Object.entries(headers).filter(([name]) => !/^connection$/i.test(name))));
  response.writeHead = without as typeof response.writeHead;
}

/** POST /mcp: the Streamable HTTP transport, one request at a time. GET and DELETE are 405: there are no sessions. */
export function registerMcp(app: FastifyInstance, { mcp, callers, maxRequestBytes }: McpRouteDeps): void {
  app.post(
    '/mcp',
    {
      bodyLimit: maxRequestBytes,
      onRequest: async (request) => {
        requireCaller(request, callers);
        // Browsers send their cookies and keys along wherever a page tells them to.
        requireKnownOrigin(request, callers);
      },
    },
    async (request, reply) => {
      const response = reply.raw;
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) response.setHeader(name, value);
      leaveConnectionAlone(response);
      reply.hijack();
      await mcp({ request: request.raw, response, body: request.body, caller: request.caller });
    },
  );
}
