import type { VectorizeImageInput } from '#application/use-cases/vectorize-image.js';
import type { VectorizedFile } from '#application/use-cases/vectorize-to-file.js';
import type { ProgressMessage, WorkerReply } from './worker-protocol.js';

/** A picture for a process that traces. It is given the next one when it has answered. */
export interface ProcessCall {
  readonly input: Omit<VectorizeImageInput, 'onProgress'>;
  /** Whether somebody looks at how far it is. */
  readonly tellsProgress: boolean;
}

/** What such a process says: how far it is, and at last what came out. */
export type ProcessAnswer = { readonly progress: ProgressMessage } | { readonly reply: WorkerReply<VectorizedFile> };
