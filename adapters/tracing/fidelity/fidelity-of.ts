import type { Raster, TraceRequest } from '#application/ports/tracer.js';
import type { Fidelity } from '#domain/diagnostics/diagnostics.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import { measureFidelity } from './measure-fidelity.js';

/**
 * The fidelity of a request's answer: measured here, or where the request allows for it, when it is first asked for; null where
 * nobody wants it. Until then a late one holds pixels: its own ones, where the caller's may be others by then.
 */
export function fidelityOf(request: TraceRequest, raster: Raster, drawing: Drawing): () => Fidelity | null {
  const { fidelity, measureLate = false, picture } = request;
  if (!fidelity) return () => null;
  const isCallers = measureLate && picture.kind === 'raster';
  let pixels: Raster | undefined = isCallers ? { ...raster, data: raster.data.slice() } : raster;
  let measured: Fidelity | null = null;
  const measure = () => {
    if (pixels !== undefined) measured = measureFidelity(pixels, drawing);
    pixels = undefined;
    return measured;
  };
  if (!measureLate) measure();
  return measure;
}
