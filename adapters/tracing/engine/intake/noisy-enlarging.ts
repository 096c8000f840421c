import {
  changesAlong,
  changesBy,
  ENLARGING_FACTORS,
  ENLARGING_WAYS,
  type EnlargingWay,
  type Lines,
  leftBy,
  solverOf,
} from './enlarging-lines.js';

/**
 * What the next finer and the next coarser factor leave unexplained, multiplied, is so many times the square of what the one between leaves where a picture was
 * enlarged by that. Of 64 compressed pictures that were merely blurred 9 pass for enlarged, which takes their kinds from .2 dB less to 4 dB more.
 */
const LEAST_BEND = 2.8;
/** What a factor leaves over what the next finer one does, at most: of blurred pictures finer ones leave less. */
const MOST_OF_FINER = 1.02;
/** The most that it may leave, squared levels a pixel. */
const MOST_LEFT = 12;
/** Where so much is left by two factors in a row, no coarser one is it: what is finer than the grid they were enlarged from leaves little. */
const HOPELESS_LEFT = 20;

/**
 * The finest factors, and the way that leaves least by these, whatever a picture was enlarged by: one of them leaves less than this share of what the coarsest
 * factor does. Of 184 enlarged and compressed pictures it was up to .042, and of 264 that were not enlarged 9 in 10 had more than .06.
 */
const FINEST = ENLARGING_FACTORS.slice(-2);
const MOST_SHARE = 0.045;
const SHARPEST: EnlargingWay = { kernel: 'lanczos', shiftPx: 0 };
/** Places along the axes where a line changes, fewer of which tell nothing: a few stripes fit many grids. */
const LEAST_PLACES = 24;

/**
 * Factors that people use, and that compression or few pixels hide in the spectrum of a picture's bends. Where compression leaves three, five or six of eight waves of a
 * block they seem to be it as well, so that they must bend by more.
 */
const HIDDEN_FACTORS = [8 / 3, 5 / 3, 1.6, 4 / 3];
const LEAST_BEND_HIDDEN = 4.5;
/**
 * Factors that people use who hardly enlarge pictures. So fine grids explain much of any soft picture: of 48 pictures that were enlarged by these all bend by more than this, and
 * of 40 blurred ones two, of which finer and coarser grids leave less than these squared levels a pixel, multiplied; what bends by so much need not.
 */
const FINE_FACTORS = [1.5, 4 / 3, 1.25, 1.2];
const LEAST_BEND_FINE = 10;
const LEAST_LEFT_BESIDE = 4;
const SURE_BEND = 100;
/** What is a little finer, or coarser: of the two grids cells agree nowhere for long. */
const A_LITTLE = 1.04;
/** What bends by less than must be is not it, but for what rounding may add to that. */
const SURELY = 1 - 1e-9;
/** Ways that leave up to so many times as much as the one that leaves least are about as good. */
const ABOUT_AS_LITTLE = 1.25;

/** A factor, and what the best way of enlarging by it leaves. */
interface Tried {
  readonly factor: number;
  readonly left: number;
  readonly way: EnlargingWay;
}

/** And how much more finer and coarser ones do. */
interface Found extends Tried {
  readonly bend: number;
}

/** By what a picture was enlarged, and in which way. */
export interface NoisyEnlarging {
  readonly factor: number;
  readonly way: EnlargingWay;
}

/**
 * By what a picture was enlarged that may have been compressed since, as most are: nothing explains that to the level any more. The finer the grid of cells
 * that is to explain some lines of it, the less is left of these, but for the grid they were enlarged from: finer ones leave no less. Usual factors are
 * tried, and `others`. Undefined where there is no such grid, `untold` where there is too little to tell it by, and `hopeless` where no grid at all explains the lines.
 */
export function findNoisyEnlarging(
  across: Lines,
  down: Lines,
  others: () => readonly number[],
): NoisyEnlarging | 'hopeless' | 'untold' | undefined {
  const all = leftIn(across, down, SHARPEST, ENLARGING_FACTORS[0], Infinity);
  const most = Math.min(HOPELESS_LEFT, MOST_SHARE * all);
  if (FINEST.every((factor) => leftIn(across, down, SHARPEST, factor, most) > most)) return 'hopeless';
  if (placesOf(across) + placesOf(down) < LEAST_PLACES) return 'untold';
  const usual = amongUsual(across, down);
  const other = amongOthers(across, down, others(), LEAST_BEND);
  const hidden = amongOthers(across, down, HIDDEN_FACTORS, LEAST_BEND_HIDDEN);
  const found = [other, hidden].reduce((best, one) => ((one?.bend ?? 0) > (best?.bend ?? 0) ? one : best), usual);
  return found && { factor: found.factor, way: calmest(across, down, found) };
}

/**
 * By what a picture was enlarged, where little has been at it since: of usual fine factors, or of `others`, the one that explains some lines of it as neither finer nor coarser
 * ones do. Undefined where there is none.
 */
export function findCleanEnlarging(
  across: Lines,
  down: Lines,
  others: () => readonly number[],
): NoisyEnlarging | undefined {
  const found =
    amongOthers(across, down, FINE_FACTORS, LEAST_BEND_FINE) ?? amongOthers(across, down, others(), LEAST_BEND_FINE);
  if (found === undefined) return undefined;
  const leftBeside = found.bend * found.left ** 2;
  if (leftBeside < LEAST_LEFT_BESIDE && found.bend < SURE_BEND) return undefined;
  return { factor: found.factor, way: calmest(across, down, found) };
}

/** The usual factor that is it. */
function amongUsual(across: Lines, down: Lines): Found | undefined {
  const tried: Tried[] = [];
  let found: Found | undefined;
  for (let i = ENLARGING_FACTORS.length - 1; i >= 0; i--) {
    tried.push(tryFactor(across, down, ENLARGING_FACTORS[i], tried[tried.length - 1]?.way));
    if (tried.length < 3) continue;
    const [finer, between, coarser] = tried.slice(-3);
    const bend = bendAt(finer.left, between.left, coarser.left);
    if (bend > (found?.bend ?? 0)) found = { ...between, bend };
    if (Math.min(between.left, coarser.left) > HOPELESS_LEFT) break;
  }
  return found;
}

/**
 * The one of some factors that is it, each beside a little finer and a little coarser ones, if it bends by so much at least. Of these it is mostly told by the way
 * that is best for the one between that they leave too little, so that other ways need not be tried.
 */
function amongOthers(across: Lines, down: Lines, factors: readonly number[], leastBend: number): Found | undefined {
  let found: Found | undefined;
  for (const factor of factors) {
    const between = tryFactor(across, down, factor, found?.way, 0, MOST_LEFT);
    if (between.left > MOST_LEFT) continue;
    const { way, left } = between;
    const finer = tryFactor(across, down, factor / A_LITTLE, way, left / MOST_OF_FINER).left;
    if (left > MOST_OF_FINER * finer) continue;
    const least = (Math.max(leastBend, found?.bend ?? 0) * left ** 2) / finer;
    const bend = bendAt(finer, left, tryFactor(across, down, factor * A_LITTLE, way, least * SURELY).left);
    if (bend >= leastBend && bend > (found?.bend ?? 0)) found = { ...between, bend };
  }
  return found;
}

/**
 * What the best way of enlarging by a factor leaves, beginning with a way that is likely to be it: something too large where that is more than `most`, and where
 * it is less than `least` some other number that is.
 */
function tryFactor(
  across: Lines,
  down: Lines,
  factor: number,
  likely = ENLARGING_WAYS[0],
  least = 0,
  most = Infinity,
): Tried {
  let left = Infinity;
  let best = likely;
  for (const way of [likely, ...ENLARGING_WAYS.filter((other) => other !== likely)]) {
    const own = leftIn(across, down, way, factor, Math.min(left, most));
    if (own < left) [left, best] = [own, way];
    if (left < least) break;
  }
  return { factor, left, way: best };
}

/** How much more a finer and a coarser factor leave than the one between; 0 where that is not it. */
function bendAt(finer: number, between: number, coarser: number): number {
  if (between > MOST_LEFT || between > MOST_OF_FINER * finer) return 0;
  const bend = (finer * coarser) / between ** 2;
  return bend >= LEAST_BEND ? bend : 0;
}

/** Of the ways that leave hardly more than the best one that by which least changes from cell to cell: others make up halos, or softer edges. */
function calmest(across: Lines, down: Lines, { factor, left }: Tried): EnlargingWay {
  let least = Infinity;
  let calm = SHARPEST;
  for (const way of ENLARGING_WAYS) {
    if (leftIn(across, down, way, factor, ABOUT_AS_LITTLE * left) > ABOUT_AS_LITTLE * left) continue;
    const changes = [across, down].reduce(
      (sum, lines) => sum + changesBy(lines, way, Math.round(lines.size / factor), Infinity, Infinity),
      0,
    );
    if (changes < least) [least, calm] = [changes, way];
  }
  return calm;
}

/** At how many places one of the lines changes. */
function placesOf(lines: Lines): number {
  return changesAlong(lines).reduce((places, changes) => places + (changes > 0 ? 1 : 0), 0);
}

/** What a factor leaves along both axes; some number above `most`, where it is more than that. */
function leftIn(across: Lines, down: Lines, way: EnlargingWay, factor: number, most: number): number {
  const first = leftBy(solverOf(way, across.size, Math.round(across.size / factor)), across, 2 * most);
  if (first > 2 * most) return first;
  return (first + leftBy(solverOf(way, down.size, Math.round(down.size / factor)), down, 2 * most - first)) / 2;
}
