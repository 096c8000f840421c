import { parseExportRequest } from '#application/export-request.js';
import { fileNameFor } from '#application/file-name.js';
import { keepFile } from '#application/keep-file.js';
import type { AccountFiles } from '#application/ports/account-files.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import type { EncodedFile, Exporter } from '#application/ports/exporter.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import { ServiceError } from '#domain/errors.js';
import type { DrawingSource, EncodeDrawing } from './encode-drawing.js';

/** What an account may have: formats and archives of the pro plan need it. */
export type ExportPlan = 'anonymous' | 'free' | 'pro';

export interface ExportDrawingInput {
  /** The request's body, unchecked. */
  readonly body: unknown;
  readonly plan: ExportPlan;
  /** Whose file it will be; left out where it is nobody's. */
  readonly accountId?: string | undefined;
}

export interface ExportedDrawing {
  readonly downloadPathBasename: string;
  readonly downloadActualFilename: string;
  /** Bytes. */
  readonly convertedFileSize: number;
  /** The id of the format. */
  readonly actualFormat: string;
  /** What could not be kept, of reading and of writing. */
  readonly warnings: readonly Note[];
  /** The size that the file has, where it has one: readers of R12 DXF see no unit. */
  readonly size?: NonNullable<EncodedFile['size']>;
}

/**
 * One export as the service gives it: the file is kept for the download. Rejects with a ServiceError: INVALID_REQUEST and
 * UNSUPPORTED_FORMAT before any work; PLAN_REQUIRED; NOT_FOUND for a basename that never was or has expired; those of
 * EncodeDrawing and ArtifactStore; CANCELLED.
 */
export type ExportDrawing = (input: ExportDrawingInput, signal?: AbortSignal) => Promise<ExportedDrawing>;

export interface ExportDrawingDeps {
  readonly exporters: { get(format: string): Exporter };
  readonly encodeDrawing: EncodeDrawing;
  readonly artifacts: ArtifactStore;
  /** Knows whose files are whose. */
  readonly files: AccountFiles;
  readonly fileLifetimeMs: number;
  readonly maxSvgBytes?: number;
}

/** Throws PLAN_REQUIRED where the format is not of the plan. */
export function requirePlanFor({ format }: Exporter, plan: ExportPlan): void {
  if (format.plan === 'pro' && plan !== 'pro')
    throw new ServiceError('PLAN_REQUIRED', { feature: `Export to ${format.label}`, plan: format.plan });
}

/** The source of a request, with a kept drawing fetched. Rejects with NOT_FOUND. */
export async function fetchSource(
  source: ReturnType<typeof parseExportRequest>['source'],
  artifacts: ArtifactStore,
): Promise<DrawingSource> {
  if (source.kind === 'markup') return source;
  const bytes = await artifacts.companion(source.basename);
  if (bytes === undefined) throw new ServiceError('NOT_FOUND', { what: 'The drawing of sourceSvgBasename' });
  return { kind: 'drawing-file', bytes };
}

export const createExportDrawing =
  ({ exporters, encodeDrawing, artifacts, files, fileLifetimeMs, maxSvgBytes }: ExportDrawingDeps): ExportDrawing =>
  async ({ body, plan, accountId }, signal) => {
    const request = parseExportRequest(body, maxSvgBytes === undefined ? {} : { maxSvgBytes });
    const exporter = exporters.get(request.format);
    // Refused before the plan is asked for: whoever upgrades should not find out then.
    exporter.parseOptions(request.options);
    requirePlanFor(exporter, plan);
    const source = await fetchSource(request.source, artifacts);
    const sourceBytes = source.kind === 'markup' ? source.svg.length : source.bytes.length;
    const {
      receipt,
      encoded: { warnings, size },
    } = await keepFile({ artifacts, files }, { accountId, sourceBytes }, async () => {
      const encoded = await encodeDrawing({ source, format: request.format, options: request.options }, signal);
      const artifact = {
        bytes: encoded.bytes,
        mediaType: exporter.format.mediaType,
        fileName: fileNameFor(request.filenameBase, exporter.format.extension),
        lifetimeMs: fileLifetimeMs,
      };
      return { artifact, encoded };
    });
    return {
      downloadPathBasename: receipt.basename,
      downloadActualFilename: receipt.fileName,
      convertedFileSize: receipt.sizeBytes,
      actualFormat: exporter.format.id,
      warnings,
      ...(size && { size }),
    };
  };
