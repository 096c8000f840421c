import { packDrawing } from '#application/drawing-file.js';
import type { VectorizedImage, VectorizeImage, VectorizeImageInput } from './vectorize-image.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** A conversion with everything in it that can be long as bytes: what crosses from a worker, what is sent, what is kept. */
export interface VectorizedFile extends Pick<VectorizedImage, 'qualityDiagnostics' | 'traceStats'> {
  /** The SVG document, in UTF-8. */
  readonly svgFile: Bytes;
  /** The Drawing, by `packDrawing`. */
  readonly drawingFile: Bytes;
  /** The long values of the answer, each as JSON in UTF-8, to be put into a body as they are. */
  readonly json: Readonly<Record<'svg' | 'colorPalette' | 'colorGroups', Bytes>>;
}

/** As VectorizeImage, with all done that costs time in a large drawing: writing it, counting it, packing it, escaping it. */
export type VectorizeToFile = (input: VectorizeImageInput, signal?: AbortSignal) => Promise<VectorizedFile>;

/** Bytes that fill their buffer, so that they can be handed over. */
const toBytes = (text: string): Bytes => new TextEncoder().encode(text).slice();

export const createVectorizeToFile =
  ({ vectorizeImage }: { readonly vectorizeImage: VectorizeImage }): VectorizeToFile =>
  async (input, signal) => {
    const { svg, drawing, colorPalette, colorGroups, ...rest } = await vectorizeImage(input, signal);
    return {
      ...rest,
      svgFile: toBytes(svg),
      drawingFile: packDrawing(drawing),
      json: {
        svg: toBytes(JSON.stringify(svg)),
        colorPalette: toBytes(JSON.stringify(colorPalette)),
        colorGroups: toBytes(JSON.stringify(colorGroups)),
      },
    };
  };
