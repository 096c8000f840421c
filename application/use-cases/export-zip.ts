import { type ExportRequest, parseExportRequest } from '#application/export-request.js';
import { fileNameFor } from '#application/file-name.js';
import { keepFile } from '#application/keep-file.js';
import type { AccountFiles } from '#application/ports/account-files.js';
import type { ArchiveEntry, ArchiveWriter } from '#application/ports/archive-writer.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import type { Exporter } from '#application/ports/exporter.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import { type ErrorCode, invalid, ServiceError } from '#domain/errors.js';
import { LIMITS } from '#domain/tiers/limits.js';
import type { EncodeDrawing } from './encode-drawing.js';
import { type ExportPlan, fetchSource } from './export-drawing.js';

export interface ExportZipInput {
  /** The request's body, unchecked: `{ items: [{ svg, format, filenameBase?, exportOptions? }] }`. */
  readonly body: unknown;
  readonly plan: ExportPlan;
  /** Whose file it will be; left out where it is nobody's. */
  readonly accountId?: string | undefined;
}

export interface FailedItem {
  /** Of the item in the request, from 0. */
  readonly index: number;
  readonly filenameBase: string | null;
  readonly error: string;
  readonly code: ErrorCode;
  readonly format: string;
}

export interface ItemWarnings {
  readonly index: number;
  readonly warnings: readonly Note[];
}

export interface ExportedZip {
  readonly zipBasename: string;
  readonly zipFilename: string;
  /** Files in the archive. */
  readonly itemCount: number;
  readonly failed: readonly FailedItem[];
  /** Of the items that have any. */
  readonly warnings: readonly ItemWarnings[];
}

/**
 * Several exports in one archive, made even where some fail. Rejects with a ServiceError: PLAN_REQUIRED; INVALID_REQUEST for a
 * body that is no list of items; TOO_MANY_FILES; EXPORT_FAILED where every item fails; those of ArtifactStore; CANCELLED.
 */
export type ExportZip = (input: ExportZipInput, signal?: AbortSignal) => Promise<ExportedZip>;

export interface ExportZipDeps {
  readonly exporters: { get(format: string): Exporter };
  readonly encodeDrawing: EncodeDrawing;
  readonly archives: ArchiveWriter;
  readonly artifacts: ArtifactStore;
  readonly files: AccountFiles;
  readonly fileLifetimeMs: number;
  readonly maxItems?: number;
  readonly maxSvgBytes?: number;
  /** Is told of faults that are not refusals; their items are answered with INTERNAL_ERROR. */
  readonly onFault?: (fault: unknown) => void;
}

/** Throws PLAN_REQUIRED; to be asked too before a body is read that may be large. */
export function requireZipPlan(plan: ExportPlan): void {
  if (plan !== 'pro') throw new ServiceError('PLAN_REQUIRED', { feature: 'ZIP export', plan: 'pro' });
}

const ZIP_NAME = 'burin-export';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function itemsOf(body: unknown, maxItems: number): readonly unknown[] {
  if (!isRecord(body)) throw invalid('body', 'must be an object with items');
  const other = Object.keys(body).find((name) => name !== 'items');
  if (other !== undefined) throw invalid(other.slice(0, 60), 'unknown parameter; the only one is items');
  const { items } = body;
  if (!Array.isArray(items) || items.length === 0) throw invalid('items', 'must be a list of at least one item');
  if (items.length > maxItems) throw new ServiceError('TOO_MANY_FILES', { count: items.length, limit: maxItems });
  const broken = items.findIndex((item) => !isRecord(item));
  if (broken >= 0) throw invalid(`items[${broken}]`, 'must be an object with svg and format');
  return items;
}

/** File names that differ also where case is not told apart. */
function createUniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    const dot = name.lastIndexOf('.');
    let unique = name;
    for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${name.slice(0, dot)}-${n}${name.slice(dot)}`;
    taken.add(unique.toLowerCase());
    return unique;
  };
}

const textOr = <T>(value: unknown, otherwise: T) => (typeof value === 'string' ? value.slice(0, 200) : otherwise);

export const createExportZip =
  (deps: ExportZipDeps): ExportZip =>
  async ({ body, plan, accountId }, signal = new AbortController().signal) => {
    const { artifacts, archives, maxItems = LIMITS.maxZipItems } = deps;
    requireZipPlan(plan);
    const items = itemsOf(body, maxItems);
    const failed: FailedItem[] = [];
    const warnings: ItemWarnings[] = [];
    const uniqueName = createUniqueNames();
    let itemCount = 0;

    async function* entries(): AsyncGenerator<ArchiveEntry> {
      for (const [index, item] of items.entries()) {
        if (signal.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
        try {
          const entry = await entryOf(item, index);
          itemCount++;
          yield entry;
        } catch (error) {
          if (error instanceof ServiceError && error.code === 'CANCELLED') throw error;
          failed.push(failureOf(error, item as Readonly<Record<string, unknown>>, index));
        }
      }
    }
    const entryOf = async (item: unknown, index: number): Promise<ArchiveEntry> => {
      const request: ExportRequest = parseExportRequest(item, {
        at: `items[${index}].`,
        ...(deps.maxSvgBytes !== undefined && { maxSvgBytes: deps.maxSvgBytes }),
      });
      const { format, options, filenameBase } = request;
      const { extension } = deps.exporters.get(format).format;
      const source = await fetchSource(request.source, artifacts);
      const encoded = await deps.encodeDrawing({ source, format, options }, signal);
      if (encoded.warnings.length > 0) warnings.push({ index, warnings: encoded.warnings });
      return { name: uniqueName(fileNameFor(filenameBase, extension)), bytes: encoded.bytes };
    };
    const failureOf = (error: unknown, item: Readonly<Record<string, unknown>>, index: number): FailedItem => {
      const refusal = error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR');
      if (refusal !== error) deps.onFault?.(error);
      const { message, code } = refusal;
      return {
        index,
        filenameBase: textOr(item.filenameBase, null),
        error: message,
        code,
        format: textOr(item.format, ''),
      };
    };

    const { receipt } = await keepFile(deps, { accountId, sourceBytes: markupBytes(items) }, async () => {
      const pieces: Uint8Array[] = [];
      for await (const piece of archives.write(entries())) pieces.push(piece);
      const [first] = failed;
      if (itemCount === 0 && first !== undefined)
        throw new ServiceError('EXPORT_FAILED', {
          problem: `all ${items.length} items failed; the first: ${first.error}`,
        });
      return {
        artifact: {
          bytes: joined(pieces),
          mediaType: archives.mediaType,
          fileName: fileNameFor(ZIP_NAME, archives.extension),
          lifetimeMs: deps.fileLifetimeMs,
        },
      };
    });
    return { zipBasename: receipt.basename, zipFilename: receipt.fileName, itemCount, failed, warnings };
  };

const markupBytes = (items: readonly unknown[]): number =>
  items.reduce<number>((sum, item) => sum + (isRecord(item) && typeof item.svg === 'string' ? item.svg.length : 0), 0);

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
