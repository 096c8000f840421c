import { systemClock } from '#adapters/clock/system-clock.js';
import { createPlanarTracer } from '#adapters/tracing/planar-tracer.js';
import type { ImageDecoder } from '#application/ports/image-decoder.js';
import { createVectorizeImage, type VectorizeImage } from '#application/use-cases/vectorize-image.js';
import { invalid } from '#domain/errors.js';
import { svg } from '#plugins/svg/index.js';

/** Loads the decoder, and sharp with it, when the first picture file comes: pixels need neither. */
function createLazyDecoder(): ImageDecoder {
  let loading: Promise<ImageDecoder> | undefined;
  const load = async () => (await import('#adapters/imaging/image-decoder.js')).createImageDecoder();
  return {
    async decode(bytes) {
      loading ??= load();
      return (await loading).decode(bytes);
    },
  };
}

/**
 * The conversion as the command line and the library run it: in the calling thread, without queue, plan or time limit, and
 * without the container, whose import alone takes longer than a small picture.
 */
export const composeVectorizeImage = (): VectorizeImage =>
  createVectorizeImage({
    tracers: [createPlanarTracer({ decoder: createLazyDecoder() })],
    exporters: {
      get(format) {
        if (format !== svg.format.id)
          throw invalid('format', `${format} is not written here; there is ${svg.format.id}`);
        return svg;
      },
    },
    clock: systemClock,
    runLimitMs: () => Number.POSITIVE_INFINITY,
  });
