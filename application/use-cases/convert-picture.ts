import { fileNameFor } from '#application/file-name.js';
import type { ArtifactReceipt, ArtifactRoom, ArtifactStore } from '#application/ports/artifact-store.js';
import type { ConversionQueue, QueueCaller } from '#application/ports/conversion-queue.js';
import type { TraceStage } from '#application/ports/tracer.js';
import { roomForDrawing } from '#application/room-for-drawing.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { parseSettings } from '#domain/presets/settings.js';
import type { VectorizedFile } from './vectorize-to-file.js';

export interface ConvertPictureInput {
  /** A picture file. Handed over: may be empty afterwards. */
  readonly bytes: Uint8Array;
  /** As its sender calls it; only the download's name is made of it. */
  readonly fileName: string | undefined;
  /** As they were sent; checked here against the parameter table. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Whose place in the queue it takes. */
  readonly caller: QueueCaller;
  /**
   * Called when its turn has come and there is room for the file; the work begins beside it, and nothing comes of the work before
   * it has resolved. What it rejects with stops the work and ends the conversion; whatever else ends it, it is waited for.
   */
  readonly onTurn?: () => Promise<void>;
  readonly onProgress?: (stage: TraceStage, fraction: number) => void;
}

export interface ConvertedPicture extends Omit<VectorizedFile, 'drawingFile'> {
  /** Under which the SVG can be downloaded, and exported again. */
  readonly file: ArtifactReceipt;
}

/**
 * One conversion as the service gives it: waits for a slot of its tier, traces, and keeps the SVG with its Drawing for the
 * download. Rejects with a ServiceError: INVALID_REQUEST before anything is waited for; those of ConversionQueue; STORAGE_FULL
 * before anything is traced; those of VectorizeImage; CANCELLED when the signal aborts.
 */
export type ConvertPicture = (input: ConvertPictureInput, signal?: AbortSignal) => Promise<ConvertedPicture>;

export interface ConvertPictureDeps {
  readonly queue: ConversionQueue;
  readonly artifacts: ArtifactStore;
  readonly fileLifetimeMs: number;
}

export const createConvertPicture =
  ({ queue, artifacts, fileLifetimeMs }: ConvertPictureDeps): ConvertPicture =>
  async ({ bytes, fileName, settings, caller, onTurn, onProgress }, signal) => {
    const { quality_tier: tier } = resolveSettings(parseSettings(settings)).values;
    const roomBytes = roomForDrawing(bytes.length);
    let room: ArtifactRoom | undefined;
    let turn: Promise<void> | undefined;
    const stopping = new AbortController();
    const stop = () => stopping.abort(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const vectorizing = queue.convert(
        {
          tier,
          caller,
          bytes,
          settings,
          async onTurn() {
            room = await artifacts.reserve(roomBytes);
            turn = onTurn?.();
            turn?.catch((error: unknown) => stopping.abort(error));
          },
          ...(onProgress && { onProgress }),
        },
        stopping.signal,
      );
      const [outcome] = await Promise.allSettled([vectorizing]);
      // Its reason goes before the work's, which may have been stopped for it.
      await turn;
      if (outcome.status === 'rejected') throw outcome.reason;
      const { value: vectorized } = outcome;
      const { drawingFile, ...answer } = vectorized;
      const file = await (room as ArtifactRoom).put({
        bytes: answer.svgFile,
        mediaType: 'image/svg+xml',
        fileName: fileNameFor(fileName, 'svg'),
        lifetimeMs: fileLifetimeMs,
        companion: drawingFile,
      });
      return { ...answer, file };
    } finally {
      signal?.removeEventListener('abort', stop);
      // Where it was used already, nothing happens.
      room?.release();
    }
  };
