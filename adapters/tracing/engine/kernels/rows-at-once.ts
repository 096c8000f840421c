/** What is copied of a picture for a kernel, its words and a few numbers of each pixel, takes some MiB. */
const PIXELS_AT_ONCE = 1 << 17;

/** How many rows of a picture a kernel is given at once: all of a small one. */
export const rowsAtOnce = (width: number): number => Math.max(1, Math.floor(PIXELS_AT_ONCE / width));
