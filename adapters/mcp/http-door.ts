import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpServer, type McpServerDeps } from './server.js';

/**
 * Answers one POST of the Streamable HTTP transport. Nothing is kept between requests, so that any process of a fleet can answer
 * any of them; when the client goes, what it asked for is given up.
 */
export async function answerMcp(
  deps: McpServerDeps,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): Promise<void> {
  const server = createMcpServer(deps);
  // The SDK says statelessness by leaving the generator out, which its own type does not foresee under exactOptionalPropertyTypes.
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined } as never);
  response.once('close', () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport as never);
  await transport.handleRequest(request, response, body);
}
