import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { nearestName } from '#domain/nearest-name.js';
import { failureResult, toFailure } from './failures.js';
import { getPrompt, PROMPTS } from './prompts.js';
import { RESOURCES, readResource } from './resources.js';
import type { Tool, ToolDeps } from './tool.js';
import { createExportSvgTool } from './tools/export-svg.js';
import { createReportTools } from './tools/reports.js';
import { createVectorizeBatchTool } from './tools/vectorize-batch.js';
import { createVectorizeImageTool } from './tools/vectorize-image.js';

export interface McpServerDeps extends ToolDeps {
  readonly version: string;
  /** Told what nobody expected. */
  readonly onFault: (error: unknown) => void;
}

const INSTRUCTIONS =
  'Burin turns pictures into clean SVG. Call vectorize_image with a preset that fits the picture (logo, illustration, photo, pixel_art, technical_drawing; auto when unsure), then look at delta_e, shapes and notes; get_capabilities lists every parameter.';

/** The tools, in the order in which they are listed. */
export const createTools = (deps: ToolDeps): readonly Tool[] => [
  createVectorizeImageTool(deps),
  createVectorizeBatchTool(deps),
  createExportSvgTool(deps),
  ...createReportTools(deps),
];

/** A server of the Model Context Protocol, to be connected to a transport. Schemas are JSON schemas of our own tables, so that every door refuses alike. */
export function createMcpServer(deps: McpServerDeps): Server {
  const { backend, version, onFault } = deps;
  const tools = createTools(deps);
  const server = new Server(
    { name: 'burin', title: 'Burin', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
  );

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, title, description, inputSchema, outputSchema, readOnly }) => ({
      name,
      title,
      description,
      inputSchema,
      outputSchema,
      annotations: { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false },
    })) as never,
  }));

  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) {
      const nearest = nearestName(
        params.name,
        tools.map(({ name }) => name),
      );
      throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}; the nearest is ${nearest}.`);
    }
    const progressToken = params._meta?.progressToken;
    let last = 0;
    const progress = (done: number, total: number, message: string) => {
      // The protocol wants it to rise.
      if (progressToken === undefined || done <= last) return;
      last = done;
      const note = {
        method: 'notifications/progress',
        params: { progressToken, progress: done, total, message },
      } as const;
      sendNotification(note).catch(() => {});
    };
    const fail = (error: unknown) => toFailure(error, onFault);
    try {
      const {
        text,
        structured,
        more = [],
      } = await tool.call(params.arguments ?? {}, { signal, progress, toFailure: fail });
      return { content: [{ type: 'text', text }, ...more], structuredContent: structured };
    } catch (error) {
      return failureResult(fail(error));
    }
  });

  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const text = await readResource(uri, backend);
    if (text === undefined) {
      const known = RESOURCES.map((resource) => resource.uri).join(', ');
      throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}; there are ${known}.`);
    }
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  });

  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    const prompt = getPrompt(name, given);
    if (prompt === undefined)
      throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${name}, or it needs more arguments.`);
    return prompt;
  });
  return server;
}
