import { createImageDecoder } from '#adapters/imaging/image-decoder.js';
import { measureFidelity } from '#adapters/tracing/fidelity/measure-fidelity.js';
import { renderDrawing } from '#adapters/tracing/fidelity/rasterize.js';
import { createInspectDrawing, type InspectDrawing } from '#application/use-cases/inspect-drawing.js';
import { createLazyReader } from './compose-export.js';

/** What SVG documents consist of, and how well they match pictures; in the calling thread. */
export const composeInspecting = (): InspectDrawing =>
  createInspectDrawing({ reader: createLazyReader(), decoder: createImageDecoder(), measureFidelity, renderDrawing });
