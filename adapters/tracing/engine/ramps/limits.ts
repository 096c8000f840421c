/** How exactly the pixels of a picture show its ramps. */
export interface RampLimits {
  /** Side of the squares a ramp is looked for from, in pixels or in every so manieth, and px from one to the next. */
  readonly seedPx: number;
  readonly seedStepPx: number;
  /** These "every so manieth": steep ramps show over few pixels, gentle ones over many. */
  readonly strides: readonly number[];
  /** A square of a ramp is nearer to a plane than this, root mean square, and the plane rises by this over it, levels. */
  readonly seedRms: number;
  readonly seedRise: number;
  /** A pixel further from the ramp than this in some channel is not of it, levels. */
  readonly near: number;
  /** The ramp as a whole must be nearer to its pixels than this, root mean square, levels. */
  readonly mostRms: number;
  /** A shape this near to its samples is taken as it is, levels. */
  readonly goodRms: number;
  /** Two ramps are one where one shape comes this near to both, levels. */
  readonly mergedRms: number;
  /** Share of the variance of its pixels that a ramp may leave. */
  readonly mostUnexplained: number;
  readonly leastAreaPx: number;
  /** So many pixels, at least, must have others of the ramp's many colors on all four sides at this distance, px. */
  readonly leastCorePx: number;
  readonly breadthPx: number;
  /** Share of the squares like ramps that may be left over. */
  readonly mostLeft: number;
  /** Seeds that come to nothing, after which it is no ramp that the picture has. */
  readonly mostFailures: number;
  /** Levels by which the ramp's colors must differ at least, in some channel. */
  readonly leastRange: number;
}

/** Ramps as they were drawn: off by rounding alone, which makes 0.29 levels. */
export const CLEAN: RampLimits = {
  seedPx: 6,
  seedStepPx: 3,
  strides: [1, 4, 12],
  seedRms: 0.8,
  seedRise: 2.5,
  near: 3.5,
  mostRms: 0.7,
  goodRms: 0.45,
  mergedRms: 0.45,
  mostUnexplained: 0.05,
  leastAreaPx: 48,
  leastCorePx: 16,
  breadthPx: 2,
  mostLeft: 0.5,
  mostFailures: 24,
  leastRange: 0,
};

/**
 * The same in pictures that compression has rippled, which have them where little of it shows: of 740 such pictures 31 have squares like clean ramps, and six have any; in none of them
 * more than five seeds came to nothing before the last that was one.
 */
export const RIPPLED: RampLimits = { ...CLEAN, mostFailures: 8 };

/** The same in pictures that nothing has been at at all, as their ground tells: in others squares so far apart show much that is none. */
export const UNTOUCHED: RampLimits = { ...CLEAN, strides: [1, 2, 4, 12] };

/**
 * What is left of clean ramps beside those that are off by rounding alone: where two gradients lie on each other, nothing that can be
 * drawn is exact, but a gradient that is off by a little is nearer than bands.
 */
export const LEFT_OVER: RampLimits = {
  ...UNTOUCHED,
  near: 12,
  mostRms: 4,
  goodRms: 1.5,
  mergedRms: 1.5,
  mostUnexplained: 0.2,
  leastAreaPx: 144,
  mostLeft: 0.03,
  leastRange: 10,
};

/** Clean ramps of shapes too narrow, or too small, for a square of the usual side: pens, pins, tubes. */
export const NARROW: RampLimits = {
  ...CLEAN,
  seedPx: 4,
  seedStepPx: 2,
  strides: [1, 2, 4],
  seedRms: 0.6,
  seedRise: 3,
  leastAreaPx: 24,
  leastCorePx: 12,
  breadthPx: 1,
  mostFailures: 48,
};

/** Clean ramps of lines and rings of two or three px: of lines along them, without any breadth. */
export const THIN: RampLimits = {
  ...NARROW,
  near: 2,
  // Of a straight line alone nobody can tell which way its ramp goes.
  mergedRms: 0.7,
  leastAreaPx: 16,
  leastCorePx: 8,
  breadthPx: 0,
  leastRange: 10,
};

/** The same beside wide ramps, whose shading along edges looks so in places: such lines are longer, and change more. */
export const THIN_BESIDE: RampLimits = { ...THIN, leastAreaPx: 40, leastRange: 14 };

/** Ramps that lossy compression has been at: stairs of the width of a block, and ringing. */
export const COMPRESSED: RampLimits = {
  seedPx: 12,
  seedStepPx: 6,
  strides: [1, 4, 12],
  seedRms: 2,
  seedRise: 5,
  near: 9,
  mostRms: 2.6,
  goodRms: 1,
  mergedRms: 1.6,
  mostUnexplained: 0.05,
  leastAreaPx: 240,
  leastCorePx: 16,
  breadthPx: 2,
  mostLeft: 0.35,
  mostFailures: 10,
  leastRange: 14,
};
