import type { Caller } from '#application/caller.js';
import { invalid, ServiceError } from '#domain/errors.js';
import type { ChargedConversion, ConvertForCaller } from './convert-for-caller.js';

export interface BatchFile {
  readonly bytes: Uint8Array;
  readonly fileName: string | undefined;
}

export type BatchEntry = { readonly filename: string } & (
  | ({ readonly ok: true } & Pick<ChargedConversion, 'json' | 'traceStats'>)
  | { readonly ok: false; readonly error: string; readonly code: string }
);

export interface BatchOutcome {
  /** In the files' order, up to and with the one that ended it. */
  readonly results: readonly BatchEntry[];
  readonly succeeded: number;
  readonly failed: number;
  readonly totalRequested: number;
  /** Credits of all that succeeded. */
  readonly charged: number;
}

export interface ConvertBatchInput {
  readonly caller: Caller;
  readonly files: readonly BatchFile[];
  /** For every file. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly reference?: string;
}

/**
 * Converts pictures one after the other, each charged on its own; one that fails fails alone. Ends early where the key has been
 * revoked or the credits are used up, with what was done; rejects with INSUFFICIENT_CREDITS where that is nothing, and with
 * CANCELLED.
 */
export type ConvertBatch = (input: ConvertBatchInput, signal?: AbortSignal) => Promise<BatchOutcome>;

export interface ConvertBatchDeps {
  readonly convertForCaller: ConvertForCaller;
  /** Told of what is no refusal: it is answered as an internal error. */
  readonly onFault: (error: unknown) => void;
}

export const createConvertBatch =
  ({ convertForCaller, onFault }: ConvertBatchDeps): ConvertBatch =>
  async ({ caller, files, settings, reference }, signal) => {
    const results: BatchEntry[] = [];
    let charged = 0;
    for (const [i, { bytes, fileName }] of files.entries()) {
      const filename = fileName ?? `file-${i + 1}`;
      try {
        if (i > 0 && caller.kind !== 'anonymous') await caller.confirm();
        if (bytes.length === 0) throw invalid('imageFiles', 'is empty');
        const { json, traceStats, charge } = await convertForCaller(
          { caller, bytes, fileName, settings, ...(reference !== undefined && { reference: `${reference}:${i}` }) },
          signal,
        );
        charged += charge.charged;
        results.push({ filename, ok: true, json, traceStats });
      } catch (error) {
        if (!(error instanceof ServiceError)) onFault(error);
        const refusal = error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR');
        if (refusal.code === 'CANCELLED') throw refusal;
        const ends = refusal.code === 'UNAUTHORIZED' || refusal.code === 'INSUFFICIENT_CREDITS';
        if (ends && i === 0) throw refusal;
        results.push({ filename, ok: false, error: refusal.message, code: refusal.code });
        if (ends) break;
      }
    }
    const succeeded = results.filter(({ ok }) => ok).length;
    return { results, succeeded, failed: results.length - succeeded, totalRequested: files.length, charged };
  };
