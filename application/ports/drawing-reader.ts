import type { Note } from '#domain/diagnostics/diagnostics.js';
import type { Drawing } from '#domain/drawing/drawing.js';

export interface ReadDrawing {
  readonly drawing: Drawing;
  /** What could not be kept, and what was changed to keep the rest. */
  readonly warnings: readonly Note[];
}

/**
 * Makes a Drawing of SVG markup of any origin. Nothing that the markup names is opened or fetched, nothing in it runs.
 * Rejects with a ServiceError: INVALID_SVG (not well-formed, not SVG, or over the caps on depth, elements, references and
 * attributes; the message says what and where), PAYLOAD_TOO_LARGE (too many bytes), IMAGE_TOO_LARGE (an embedded picture with
 * too many pixels), CANCELLED.
 */
export interface DrawingReader {
  read(markup: string, signal?: AbortSignal): Promise<ReadDrawing>;
}
