import { systemClock } from '#adapters/clock/system-clock.js';
import { createPlanarTracer } from '#adapters/tracing/planar-tracer.js';
import { findPotrace } from '#adapters/tracing/potrace/potrace-library.js';
import { createPotraceTracer } from '#adapters/tracing/potrace/potrace-tracer.js';
import type { SplitFitter } from '#adapters/tracing/split-fitter.js';
import { createExporterRegistry } from '#application/exporter-registry.js';
import type { EdgeRecovery } from '#application/ports/edge-recovery.js';
import type { ImageDecoder } from '#application/ports/image-decoder.js';
import type { Tracer } from '#application/ports/tracer.js';
import { createVectorizeImage, type VectorizeImage } from '#application/use-cases/vectorize-image.js';
import { exporters } from '#plugins/index.js';
import { composeEdgeRecovery } from './compose-restoring.js';

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

/** Our own tracer, and those of the others that are installed. */
export function composeTracers(
  decoder: ImageDecoder,
  edgeRecovery: EdgeRecovery,
  splitFitter?: SplitFitter,
): readonly Tracer[] {
  const potrace = findPotrace();
  return [
    createPlanarTracer({ decoder, edgeRecovery, ...(splitFitter && { splitFitter }) }),
    ...(potrace ? [createPotraceTracer({ decoder, potrace })] : []),
  ];
}

/**
 * The conversion as the command line and the library run it: in the calling thread, without queue, plan or time limit, and
 * without the container, whose import alone takes longer than a small picture. With `measureLate`, fidelity is measured when it
 * is first read.
 */
export const composeVectorizeImage = (splitFitter?: SplitFitter, measureLate = false): VectorizeImage =>
  createVectorizeImage({
    tracers: composeTracers(createLazyDecoder(), composeEdgeRecovery(), splitFitter),
    exporters: createExporterRegistry(exporters),
    clock: systemClock,
    runLimitMs: () => Number.POSITIVE_INFINITY,
    measureLate,
  });
