import type { McpBackend, WorkContext } from './backend.js';
import type { OpenedFolders } from './opened-folders.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolDeps {
  readonly backend: McpBackend;
  readonly folders: OpenedFolders;
  readonly maxFileBytes: number;
  readonly exportFormats: readonly ExportFormat[];
}

/** What a tool needs to know of a format. */
export interface ExportFormat {
  readonly id: string;
  readonly label: string;
  readonly extension: string;
  readonly optionsSchema: JsonSchema;
}

export type Content =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

export interface ToolAnswer {
  /** Short, for a model to read. */
  readonly text: string;
  /** As the tool's output schema says. */
  readonly structured: Readonly<Record<string, unknown>>;
  readonly more?: readonly Content[];
}

/** Says how far it is: `done` of `total`. */
export type Progress = (done: number, total: number, message: string) => void;

export interface ToolContext extends Pick<WorkContext, 'signal'> {
  readonly progress: Progress;
  /** The short form of an error, where one picture of several failed. */
  readonly toFailure: (error: unknown) => { readonly code: string; readonly error: string; readonly fix: string };
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema: JsonSchema & { readonly type: 'object' };
  /** Changes nothing anywhere. */
  readonly readOnly: boolean;
  /** Rejects with ServiceErrors and ToolFailures. */
  call(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolAnswer>;
}
