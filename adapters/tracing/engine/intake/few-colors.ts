import type { Flatness } from './flatness.js';
import type { WorkingPixels } from './working-pixels.js';

/** So many pixels are looked at, spread over the picture. */
const SAMPLES = 4000;
/** Nearly all of them are of so many colors at most, or mixtures of two of these: no farther from one than so many levels (four channels, squared). */
const MOST_COLORS = 6;
const EXPLAINED_SHARE = 0.97;
const NEAR_SQ = 8 * 8;
/** And so many have one of the colors as it is, but for rounding: of tones that go on from one to the other few have either. */
const PURE_SHARE = 0.2;
const PURE_SQ = 2 * 2;
/** Grays are mixtures of black and white, all of them, up to so many levels off gray. */
const GRAY_LEVELS = 6;
/** So many pixels are even at least: of noise none are. */
const LEAST_EXACT = 0.25;
/** Mixed pixels are on edges: of no more than this share all around is mixed, too. */
const MOST_AMID = 0.15;
/** What is unequal is what edges leave: of pixels unequal to their neighbors no more than this share is nearly equal, as shades have them. */
const MOST_NEARLY_EQUAL = 0.2;
/** And of pixels that differ from the next one no more than this share are both pure, as all are that were dithered. */
const MOST_HARD = 0.4;
const CHANNELS = 4;

/**
 * Whether a picture is drawn in a few colors, however little of it is even: a hatching, or rings close to each other, may be edge all over, but every pixel is a mixture of what
 * meets there. The colors are the most frequent one and, in turn, that of the pixel farthest from all mixtures so far (vertex component analysis: Nascimento and Dias 2005).
 */
export function isOfFewColors(pixels: WorkingPixels, { exact, within4 }: Flatness): boolean {
  const { rgba, words, runs } = pixels;
  if (exact < LEAST_EXACT || within4 - exact > MOST_NEARLY_EQUAL * (1 - exact)) return false;
  // Odd, so that patterns of two pixels are met at either.
  const step = Math.floor(words.length / SAMPLES) | 1;
  const count = Math.ceil(words.length / step);
  const off = new Float64Array(count).fill(Infinity);
  const colors: number[] = [];
  let next = mostFrequent(words, runs);
  while (colors.length < MOST_COLORS) {
    colors.push(next);
    let explained = 0;
    let farthest = 0;
    for (let n = 0; n < count; n++) {
      const at = n * step;
      for (const color of colors) off[n] = Math.min(off[n], mixtureDistanceSq(rgba, at, color, next));
      if (off[n] <= NEAR_SQ) explained++;
      if (off[n] > off[farthest]) farthest = n;
    }
    if (explained >= EXPLAINED_SHARE * count)
      return !areGrays(rgba, colors) && arePureAndMixed(pixels, step, count, colors);
    next = farthest * step;
  }
  return false;
}

/** A pixel of the color that most have. */
function mostFrequent(words: Uint32Array, { starts, count }: WorkingPixels['runs']): number {
  const counts = new Map<number, number>();
  let best = 0;
  let most = 0;
  for (let r = 0; r < count; r++) {
    const word = words[starts[r]];
    const all = (counts.get(word) ?? 0) + starts[r + 1] - starts[r];
    counts.set(word, all);
    if (all <= most) continue;
    most = all;
    best = starts[r];
  }
  return best;
}

function areGrays(rgba: Uint8Array, colors: readonly number[]): boolean {
  return colors.every((color) => {
    const [red, green, blue] = rgba.subarray(CHANNELS * color, CHANNELS * color + 3);
    return Math.max(red, green, blue) - Math.min(red, green, blue) <= GRAY_LEVELS;
  });
}

/** Whether enough pixels have one of some colors as it is, and mixed ones lie between these. */
function arePureAndMixed(
  { rgba, words, width }: WorkingPixels,
  step: number,
  count: number,
  colors: readonly number[],
): boolean {
  const isPure = (pixel: number) => colors.some((color) => mixtureDistanceSq(rgba, pixel, color, color) <= PURE_SQ);
  let pure = 0;
  let edges = 0;
  let hard = 0;
  let mixed = 0;
  let amid = 0;
  const isAmid = (pixel: number) => {
    for (let v = -width; v <= width; v += width) for (let u = -1; u <= 1; u++) if (isPure(pixel + v + u)) return false;
    return true;
  };
  for (let n = 0; n < count; n++) {
    const pixel = n * step;
    const isOwn = isPure(pixel);
    if (isOwn) pure++;
    else {
      mixed++;
      if (pixel > width && pixel + width + 1 < words.length && isAmid(pixel)) amid++;
    }
    if ((pixel + 1) % width === 0 || words[pixel] === words[pixel + 1]) continue;
    edges++;
    if (isOwn && isPure(pixel + 1)) hard++;
  }
  return pure >= PURE_SHARE * count && hard < MOST_HARD * edges && amid <= MOST_AMID * mixed;
}

/** How far a pixel is, squared, from the nearest mixture of those of two others. */
function mixtureDistanceSq(rgba: Uint8Array, pixel: number, a: number, b: number): number {
  let along = 0;
  let lengthSq = 0;
  for (let c = 0; c < CHANNELS; c++) {
    const way = rgba[CHANNELS * b + c] - rgba[CHANNELS * a + c];
    along += way * (rgba[CHANNELS * pixel + c] - rgba[CHANNELS * a + c]);
    lengthSq += way * way;
  }
  const share = lengthSq > 0 ? Math.max(0, Math.min(1, along / lengthSq)) : 0;
  let sum = 0;
  for (let c = 0; c < CHANNELS; c++) {
    const way = rgba[CHANNELS * b + c] - rgba[CHANNELS * a + c];
    sum += (rgba[CHANNELS * pixel + c] - rgba[CHANNELS * a + c] - share * way) ** 2;
  }
  return sum;
}
