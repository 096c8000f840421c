import type { Drawing } from '#domain/drawing/drawing.js';

export interface FormatDescriptor {
  readonly id: string;
  readonly label: string;
  readonly mediaType: string;
  /** Without the dot. */
  readonly extension: string;
  /** The plan an account needs for it. */
  readonly plan: 'anonymous' | 'pro';
  readonly features: readonly string[];
}

export type Availability = { readonly state: 'available' } | { readonly state: 'unavailable'; readonly reason: string };

/** One export format. Each lives in a folder of its own under plugins/ and is listed once, in plugins/index.ts. */
export interface Exporter<Options extends object = object> {
  readonly format: FormatDescriptor;
  /** JSON schema of the options, for OpenAPI, MCP and the CLI's help. */
  readonly optionsSchema: Readonly<Record<string, unknown>>;
  /** The only place that sees unchecked options; throws INVALID_REQUEST on anything unknown or out of range. */
  parseOptions(input: unknown): Options;
  /** Says whether it can run here, e.g. when it needs an optional package. */
  availability(): Promise<Availability>;
  encode(drawing: Drawing, options: Options, signal: AbortSignal): Promise<Uint8Array>;
}
