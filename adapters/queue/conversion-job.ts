import { deserialize, serialize } from 'node:v8';
import type { FailureData } from '#application/failure-data.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import type { TraceStage } from '#application/ports/tracer.js';
import type { VectorizedFile } from '#application/use-cases/vectorize-to-file.js';

/** What a conversion is in BullMQ. Pictures and drawings are not in it: they lie in the artifact store, under names that nobody else is told; the picture's name comes when it lies there. */
export interface ConversionJob {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly turn: number;
  /** Whether somebody listens to progress. */
  readonly watched: boolean;
}

export interface ConversionProgress {
  readonly stage: TraceStage;
  readonly fraction: number;
}

/** What a worker makes of a conversion. It is a success to BullMQ either way: only what was lost is tried again. */
export type ConversionOutcome =
  | { readonly ok: true; readonly drawing: string }
  | ({ readonly ok: false } & FailureData);

/** What a worker hears of a conversion, and finds beside it: how long it had waited, once it may begin; where its picture lies. */
export type ConversionWord = 'go' | 'picture';

/** What a worker hears of a conversion that is not wanted any more. */
export const CANCEL = 'cancel';

const FILE_NAME = 'travelling';

/** Puts bytes where another process finds them by the answer, for so long. */
async function send(artifacts: ArtifactStore, bytes: Uint8Array, lifetimeMs: number): Promise<string> {
  const kept = { bytes, mediaType: 'application/octet-stream', fileName: FILE_NAME, lifetimeMs };
  return (await artifacts.put(kept)).basename;
}

async function receive(artifacts: ArtifactStore, basename: string): Promise<Uint8Array> {
  const stored = await artifacts.get(basename, FILE_NAME);
  if (stored === undefined) throw new Error('a file that one process put into the store was not found by another');
  const bytes = new Uint8Array(stored.sizeBytes);
  let at = 0;
  for await (const piece of stored.content) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

export const sendPicture = send;
export const receivePicture = receive;

export const sendDrawing = (artifacts: ArtifactStore, made: VectorizedFile, lifetimeMs: number): Promise<string> =>
  send(artifacts, serialize(made), lifetimeMs);

export const receiveDrawing = async (artifacts: ArtifactStore, basename: string): Promise<VectorizedFile> =>
  deserialize(await receive(artifacts, basename)) as VectorizedFile;
