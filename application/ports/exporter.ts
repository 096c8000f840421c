import type { PlanId } from '#domain/credits/plans.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import type { ExportOption, ExportOptionName } from '#domain/exports/export-options.js';
import type { LengthUnit } from '#domain/exports/output-size.js';

export interface FormatDescriptor {
  readonly id: string;
  readonly label: string;
  readonly mediaType: string;
  /** Without the dot. */
  readonly extension: string;
  /** The plan an account needs for it. */
  readonly plan: PlanId;
  readonly features: readonly string[];
}

export type Availability = { readonly state: 'available' } | { readonly state: 'unavailable'; readonly reason: string };

/** A file that was made of a drawing. */
export interface EncodedFile {
  readonly bytes: Uint8Array;
  /** What the format could not keep. */
  readonly warnings: readonly Note[];
  /** The size that the file has, where it has one. */
  readonly size?: { readonly width: number; readonly height: number; readonly unit: LengthUnit };
}

/** One export format. Each lives in a folder of its own under plugins/ and is listed once, in plugins/index.ts. */
export interface Exporter<Options extends object = object> {
  readonly format: FormatDescriptor;
  /** The options that it honours, with its own defaults; `defineExportOptions` makes these three. */
  readonly rows: Readonly<Partial<Record<ExportOptionName, ExportOption>>>;
  /** JSON schema of the options, for OpenAPI, MCP and the CLI's help. */
  readonly optionsSchema: Readonly<Record<string, unknown>>;
  /** The only place that sees unchecked options; throws INVALID_REQUEST on anything unknown or out of range. */
  parseOptions(input: unknown): Options;
  /** Says whether it can run here, e.g. when it needs an optional package. */
  availability(): Promise<Availability>;
  encode(drawing: Drawing, options: Options, signal: AbortSignal): Promise<EncodedFile>;
}
