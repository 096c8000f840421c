import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpServerDeps } from './server.js';

/** Serves one client over standard input and output, until it goes. */
export async function serveStdio(deps: McpServerDeps, stdin: Readable, stdout: Writable): Promise<void> {
  const server = createMcpServer(deps);
  const gone = new Promise<void>((resolve) => {
    server.onclose = resolve;
    // The transport does not watch for the end of its input.
    stdin.once('end', resolve).once('close', resolve);
  });
  await server.connect(new StdioServerTransport(stdin, stdout));
  await gone;
  await server.close();
}
