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
/** The equations that the painter's sums make: whole numbers, and others. */
export const EQUATIONS = 20;
export const EQUATION_NUMBERS = 21;
/** Entries: last, since there may be more of them at any time. */
export const ENTRIES = 22;
// What is counted.
export const WIDTH = 23;
export const HEIGHT = 24;
export const SLOTS = 25;
export const RUN_NUMBERS = 26;
export const CHAINS = 27;
export const CAPACITY = 28;
export const LAYOUT_SIZE = 29;

// The equations' whole numbers begin with a list of where their parts lie, of which these are the places. Whole numbers: how many nodes there are; what is
// told of every chain; per segment its unknowns as numbers of its chain's rows (-1 for what is fixed); per row its first number's column and where column 0 would be;
// the nodes in the order in which they are eliminated, and their places in it; where each one's blocks with nodes behind it begin, which these are, and which
// block the product of each two of them is taken from.
export const OF_NODES = 0;
export const OF_CHAINS = 1;
export const OF_LOCALS = 2;
export const OF_FIRST = 3;
export const OF_OFFSET = 4;
export const OF_ORDER = 5;
export const OF_PLACE = 6;
export const OF_STARTS = 7;
export const OF_OTHERS = 8;
export const OF_PRODUCTS = 9;
// And other numbers: the rows of all chains and their right side, the nodes' blocks and their right side; how far nodes are to move, and chains' own
// unknowns; and room for the factors of an equation, or the sums of a round shape.
export const OF_MATRIX = 10;
export const OF_RHS = 11;
export const OF_BLOCKS = 12;
export const OF_NODE_RHS = 13;
export const OF_SOLUTION = 14;
export const OF_STEPS = 15;
export const OF_FACTORS = 16;
export const EQUATION_PARTS = 17;
// Of a chain: the number of its first own unknown, how many it has, how many coordinates of nodes it ends at, its first row, and these coordinates.
export const CHAIN_BASE = 0;
export const CHAIN_OWN = 1;
export const CHAIN_ENDS = 2;
export const CHAIN_ROW = 3;
export const CHAIN_BORDER = 4;
export const CHAIN_NUMBERS = 8;
/** Factors of an equation that holds a tangent, and numbers of a round shape's sums. */
export const TANGENT_FACTORS = 5;
export const ROUND_SUMS = 72;

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
// A small contour: what it may leave of each pixel (a row of pixels has one more for what spills over), what it does, the first piece of a
// side in each, and the numbers of those that are compared.
/** Pixels of a row, and of all rows. */
export const CONTOUR_ROW = 40;
export const CONTOUR_ROOM = 1600;
export const CONTOUR_WANTED = 3344;
export const CONTOUR_PAINTED = CONTOUR_WANTED + 8 * CONTOUR_ROOM;
export const CONTOUR_FIRST = CONTOUR_PAINTED + 8 * CONTOUR_ROOM;
export const CONTOUR_NEAR = CONTOUR_FIRST + 4 * CONTOUR_ROOM;
// What a side does to a pixel that it enters: which side, the next such piece in the pixel, and how the area changes with each of its numbers.
/** Pixels that a contour's sides enter, each side by itself, at most. */
export const MOST_PIECES = 2048;
/** Numbers of a side: where it begins, where it ends, how far it bulges. */
export const SIDE_NUMBERS = 5;
export const PIECE_SIDE = CONTOUR_NEAR + 4 * CONTOUR_ROOM;
export const PIECE_NEXT = PIECE_SIDE + 4 * MOST_PIECES;
export const PIECE_SLOPES = PIECE_NEXT + 4 * MOST_PIECES;
// The places along a side (x, y, then how these depend on its numbers, as ArcPoints says), one row of numbers each.
export const MOST_SIDE_CHORDS = 48;
/** Bytes of a row: one more place than there are chords, an even number of them. */
export const SIDE_ROW = 8 * MOST_SIDE_CHORDS + 16;
export const SIDE_PLACES = PIECE_SLOPES + 8 * SIDE_NUMBERS * MOST_PIECES;
// Which unknown each number of a side is (-1 for none), and the equations: a matrix of which what is on the diagonal and behind it counts, its factor,
// the right hand side and the solution.
export const MOST_SIDES = 24;
export const MOST_UNKNOWNS = 3 * MOST_SIDES;
export const UNKNOWN_OF = SIDE_PLACES + 6 * SIDE_ROW;
export const CONTOUR_MATRIX = UNKNOWN_OF + 4 * SIDE_NUMBERS * MOST_SIDES;
export const CONTOUR_FACTOR = CONTOUR_MATRIX + 8 * MOST_UNKNOWNS * MOST_UNKNOWNS;
export const CONTOUR_RHS = CONTOUR_FACTOR + 8 * MOST_UNKNOWNS * MOST_UNKNOWNS;
export const CONTOUR_SOLUTION = CONTOUR_RHS + 8 * MOST_UNKNOWNS;
// Places along a closed contour (x, then y), for the contours of few lines and arcs that are nearest to them: prefix sums; of every stretch of places
// the squared distances from the line and the arc along it, by where it ends and then by where it begins; and by number of sides, without arcs and
// with, the least for all up to a place, and where the last side begins.
export const MOST_GUESS_PLACES = 72;
/** Numbers of a row: one more place, where the contour closes, an even number of them. */
export const GUESS_ROW = 74;
/** A triangle, or a line and an arc that counts twice, at least. */
export const LEAST_WEIGHT = 3;
export const MOST_WEIGHT = 14;
/** What a side counts: an arc has a number more than a line, and is harder to believe. */
export const LINE_WEIGHT = 1;
export const ARC_WEIGHT = 2;
/** Sums of a place: of its coordinates, their products, and of these with the squared distance from the first. */
export const GUESS_SUMS = 8;
export const GUESS_PLACES = CONTOUR_SOLUTION + 8 * MOST_UNKNOWNS;
export const SUMS_OF_PLACES = GUESS_PLACES + 16 * GUESS_ROW;
export const LINE_ERRORS = SUMS_OF_PLACES + 8 * GUESS_SUMS * GUESS_ROW;
export const ARC_ERRORS = LINE_ERRORS + 8 * GUESS_ROW * GUESS_ROW;
export const LEAST_ERRORS = ARC_ERRORS + 8 * GUESS_ROW * GUESS_ROW;
export const LAST_SIDES = LEAST_ERRORS + 16 * (MOST_WEIGHT + 1) * GUESS_ROW;
/** Where all this ends. */
export const HEAD_SIZE = LAST_SIDES + 8 * (MOST_WEIGHT + 1) * GUESS_ROW;
/** And where there is room for what is looked for while there is no band. */
export const SCRATCH = HEAD_SIZE + ((16 - (HEAD_SIZE % 16)) % 16);
// There: prefix sums of samples (of x, y, their squares and product, before each sample and after all), per sample what the cheapest polygon up to it costs
// and the vertex before it, and the vertices that were found.
export const LINE_SUMS = 5;
/** Standard deviation of an edge sample, px. */
export const SAMPLE_SIGMA_PX = 0.12;
/** A halo lies so near, px, to the even area that it goes beyond, and to what is on the other side of the edge. */
export const EVEN_PX = 3;
export const ACROSS_PX = 2;
/** Pixels that rows are longer by at either end: what is looked at around a pixel, at least. */
export const HALO_MARGIN_PX = 4;
/** What red, green and blue have of luma (ITU-R BT.601, as JPEG has it by ITU-T T.871). */
export const RED_OF_LUMA = 0.299;
export const GREEN_OF_LUMA = 0.587;
export const BLUE_OF_LUMA = 0.114;
/** How pixels of an axis share samples of color: each pair has one, or is mixed of that and those next to it. */
export const CHROMA_HALVED = 1;
export const CHROMA_SMOOTH = 2;
/** Samples that colors are followed over on each side of one. */
export const CHROMA_REACH = 2;
/** Numbers of a column of samples: how many, six sums, and four ends. And of a line of colors over lightness: slope and ends of red, and of blue. */
export const CHROMA_SUMS = 11;
export const CHROMA_LINE = 6;
/** Of a pixel and its eight neighbors more than so many are nearest to the color that it is a seed of. */
export const SEED_NEIGHBORS = 6;
/** How far around a pixel seeds are looked for, px: blocks of compression blur edges over several. */
export const SEEDS_FARTHEST_PX = 5;
/** Of so many colors a pixel may be a mixture, at least, and of so many where these do not explain it. */
export const FEWEST_COLORS = 2;
export const MOST_CANDIDATES = 4;
/** Shapes of ramps, by where along them a point lies: the distance along a direction, from a center in a stretched frame, or from a box. */
export const RAMP_LINEAR = 0;
export const RAMP_ROUND = 1;
export const RAMP_BOX = 2;
/** Numbers of a sample's color: red, green and blue, and one that fills up two pairs. */
export const RAMP_SAMPLE = 4;
/** And of a knot: its own weight and that with the next, three right sides, and one that fills up three pairs. */
export const RAMP_KNOT = 6;
/**
 * Knots of a profile are this far apart, px, or there are this many: between nearer ones there may be no pixel's center, and they follow noise. A whole px
 * would always be at the same places between the pixels of straight sides.
 */
export const LEAST_KNOT_PX = 1.25;
export const LEAST_KNOTS = 4;
/** Pull of a knot towards its neighbors, as a share of a sample's weight: knots without samples lie between theirs. */
export const RAMP_PULL = 1e-3;

/** A pixel that several colors share is divided into so many times as many parts, is of so many colors at most, and has one of so many neighborhoods. */
export const SHARE_PARTS = 6;
export const SHARE_COLORS = 3;
export const SHARE_KINDS = 64;
// Behind the room of what its parts are drawn to each color by (whole numbers of two bytes, in rows of so many), where each neighborhood's taps begin
// and how many there are; the taps, each how many bytes on the other part is, and what it counts; and the parts' colors.
export const PULL_PITCH = 8;
export const SHARE_WAYS = 2 * SHARE_COLORS * SHARE_PARTS * PULL_PITCH;
export const WAY_SIZE = 8;
export const SHARE_TAPS = SHARE_WAYS + SHARE_KINDS * WAY_SIZE;
export const TAP_SIZE = 8;
