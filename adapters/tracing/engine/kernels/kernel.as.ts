/**
 * The engine's kernels, in AssemblyScript: what is done for every pixel that a curve crosses, every sample that it is fitted to and every
 * equation, a dozen times a picture, and for every pixel that compression has moved. In WebAssembly with 128-bit SIMD that takes half the time that it takes in JavaScript, and none to
 * warm up. They allocate nothing: all memory is the caller's, as `kernel-layout.ts` says. Sums are in the order in which JavaScript would
 * write them, so that what comes out is the same to the last bit on every machine. `npm run kernels` makes `kernel-code.ts` of it.
 */
export * from './chroma-detail.as';
export * from './contour.as';
export * from './contrasts.as';
export * from './equations.as';
export * from './fit-cubic.as';
export * from './guess-sides.as';
export * from './halos.as';
export * from './merge-run.as';
export * from './noisy-labels.as';
export * from './painter.as';
export * from './polygon.as';
export * from './ramp-distance.as';
export * from './ramp-squares.as';
export * from './share-places.as';
