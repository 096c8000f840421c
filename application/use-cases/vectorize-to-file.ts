import { packDrawing } from '#application/drawing-file.js';
import type { VectorizedImage, VectorizeImage, VectorizeImageInput } from './vectorize-image.js';

/** A conversion whose drawing is bytes already: what crosses from a worker, and what is kept. */
export interface VectorizedFile extends Omit<VectorizedImage, 'drawing'> {
  /** The Drawing, by `packDrawing`. */
  readonly drawingFile: Uint8Array<ArrayBuffer>;
}

/** As VectorizeImage, with everything that costs time in a large drawing done: writing it, counting it, packing it. */
export type VectorizeToFile = (input: VectorizeImageInput, signal?: AbortSignal) => Promise<VectorizedFile>;

export const createVectorizeToFile =
  ({ vectorizeImage }: { readonly vectorizeImage: VectorizeImage }): VectorizeToFile =>
  async (input, signal) => {
    const { drawing, ...answer } = await vectorizeImage(input, signal);
    return { ...answer, drawingFile: packDrawing(drawing) };
  };
