import { systemClock } from '#adapters/clock/system-clock.js';
import type { Tracer } from '#application/ports/tracer.js';
import { createVectorizeImage, type VectorizeImage } from '#application/use-cases/vectorize-image.js';
import { plainSvgExporter } from './plain-svg-exporter.js';

/** The use case over a tracer of the test's own, with a plain SVG writer. */
export const vectorizeWith = (tracer: Tracer): VectorizeImage =>
  createVectorizeImage({ tracers: [tracer], exporters: { get: () => plainSvgExporter }, clock: systemClock });
