import { systemClock } from '#adapters/clock/system-clock.js';
import type { Tracer } from '#application/ports/tracer.js';
import { createVectorizeImage, type VectorizeImage } from '#application/use-cases/vectorize-image.js';
import { svg } from '#plugins/svg/index.js';

/** The use case over a tracer of the test's own, with the real SVG writer. */
export const vectorizeWith = (tracer: Tracer): VectorizeImage =>
  createVectorizeImage({ tracers: [tracer], exporters: { get: () => svg }, clock: systemClock });
