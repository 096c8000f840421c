const LEAST_BYTES = 64 * 1024;

/**
 * Bytes to set aside for the drawing of a source of so many bytes, before it is there. A guess on the high side for most: flat
 * pictures come out smaller than their file, photographs up to twice as large with the Drawing beside the SVG.
 */
export const roomForDrawing = (sourceBytes: number): number => Math.max(LEAST_BYTES, 2 * sourceBytes);
