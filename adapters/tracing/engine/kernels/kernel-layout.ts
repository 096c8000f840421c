/**
 * What the kernels find where. Read by them and by those who call them. Memory begins with the list of byte offsets of what the painter
 * paints with, of which these are the places, and of what is counted.
 */

// Of the band: per pixel its slot, runs of slots, per slot what the picture shows, its owner, and what painters write.
export const SLOT_OF = 0;
export const RUNS = 1;
export const OBSERVED = 2;
export const OWNER = 3;
export const VALUES = 4;
export const STILL = 5;
export const SLOT_WEIGHT = 6;
// Of a painter: the regions' colors, curves as ChainCurves has them, per segment its chain and its sums, per chain the rest.
export const COLORS = 7;
export const POINTS = 8;
export const KINDS = 9;
export const STARTS = 10;
export const CHAIN_OF = 11;
export const NORMAL = 12;
export const GRADIENT = 13;
export const CONTRAST = 14;
export const COSTS = 15;
export const IS_BORDER = 16;
export const IS_LEFT = 17;
/** Room for the points of a curve as chords. */
export const WAY = 18;
/** Eight numbers of a piece of a rectangle; or of a round shape its center, two half axes (x and y each), and cosine and sine of a chord. */
export const PIECE = 19;
/** Entries: last, since there may be more of them at any time. */
export const ENTRIES = 20;
// What is counted.
export const WIDTH = 21;
export const HEIGHT = 22;
export const SLOTS = 23;
export const RUN_NUMBERS = 24;
export const CHAINS = 25;
export const CAPACITY = 26;
export const LAYOUT_SIZE = 27;

/** Chords that stand for one curve, at most. */
export const MOST_CHORDS = 64;
/** Numbers a run takes: its first slot, the region before it (-1 at the border), its first pixel, the slot behind it. */
export const RUN_SIZE = 4;
/** Numbers of a chain's contrast: four channels, and the sum of their squares. */
export const CONTRAST_SIZE = 5;
/**
 * An entry in numbers of eight bytes: slot and segment (32 bits each), the area painted there, what of its height it leaves to all pixels
 * to the right, its weight, about where on its segment it is (0..1), and how its area changes with the segment's eight unknowns, or with the plane that a round shape lies in.
 */
export const ENTRY_SIZE = 13;
export const ENTRY_AREA = 1;
export const ENTRY_BEYOND = 2;
export const ENTRY_WEIGHT = 3;
export const ENTRY_PARAMETER = 4;
export const ENTRY_ROW = 5;

// Behind the list, at these bytes, what is fitted lies, one thing at a time. A cubic through samples: its ends (start x, y, the unit tangent
// there along the curve, end x, y, and the unit tangent there), its samples (x and y in turn) and room for their parameters; from it two
// handle lengths, the largest distance and the sum of squares.
export const FIT_ENDS = 128;
export const FIT_RESULT = 192;
export const FIT_LARGEST = 208;
export const FIT_ERROR = 216;
export const FIT_SAMPLES = 224;
/** Samples a candidate curve is judged by, at most; more change the answer less than they cost. */
export const MOST_SAMPLES = 14;
export const FIT_PARAMETERS = 480;
// A cubic for a run: its first and last point, the unit tangents there along it, places along the run (x and y in turn), their parameters,
// room for the curve's normals there and for the equations, the cubic, how far it is off, and its handles (from either end, the second
// backwards).
export const RUN_ENDS = 608;
export const RUN_TANGENTS = 640;
export const RUN_CUBIC = 672;
export const RUN_OFF = 736;
export const RUN_EQUATIONS = 752;
export const RUN_PLACES = 912;
export const MOST_PLACES = 60;
export const RUN_PARAMETERS = 1872;
export const RUN_NORMALS = 2352;
export const RUN_HANDLES = 3312;
/** A curve that is off by more than this multiple of the tolerance after two rounds is given up. */
export const RUN_FAR = 12;
/** Where all this ends. */
export const HEAD_SIZE = 3344;
