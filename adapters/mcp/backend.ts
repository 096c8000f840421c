import type { TraceStage } from '#application/ports/tracer.js';
import type { QualityDiagnostics, TraceStats } from '#application/use-cases/vectorize-answer.js';
import type { PaletteColor } from '#domain/diagnostics/color-palette.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';

/** A picture file, or SVG, as it goes in. */
export interface NamedBytes {
  readonly bytes: Uint8Array;
  readonly fileName: string;
}

export interface ToolVectorization {
  readonly svg: string;
  readonly colorPalette: readonly PaletteColor[];
  readonly qualityDiagnostics: QualityDiagnostics;
  readonly traceStats: TraceStats;
  /** Where somebody pays. */
  readonly creditsCharged?: number;
}

export interface ToolExport {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly extension: string;
  readonly warnings: readonly Note[];
}

export interface WorkContext {
  readonly signal: AbortSignal;
  /** `fraction` 0..1 of the whole. */
  readonly onProgress?: ((stage: TraceStage | 'work', fraction: number) => void) | undefined;
}

/** What the tools work with: the engine in this process, or a service. Rejects with ServiceErrors and ToolFailures. */
export interface McpBackend {
  /** For people and models: where the work is done. */
  readonly place: string;
  vectorize(
    picture: NamedBytes,
    settings: Readonly<Record<string, unknown>>,
    context: WorkContext,
  ): Promise<ToolVectorization>;
  exportSvg(
    svg: NamedBytes,
    format: string,
    options: Readonly<Record<string, unknown>>,
    context: WorkContext,
  ): Promise<ToolExport>;
  /** Null where nobody counts. */
  usage(): Promise<object | null>;
  capabilities(): Promise<object>;
  status(): Promise<object>;
}

/** A refusal of a service that was asked, in its own words. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: string;
  readonly field: string | undefined;

  constructor(code: string, message: string, field?: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.field = field;
  }
}
