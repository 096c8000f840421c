import { isRippled } from '../intake/ripples.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { arena } from '../math/arena.js';
import type { Labeling } from '../segment/labeling.js';
import type { EngineSettings } from '../types.js';
import { type Finer, finerPicture, mixedOf } from './finer-picture.js';
import { MOST_COLORS } from './sub-pixels.js';

/** Pixels up to which a picture is drawn from a finer one: larger ones show their details in pixels enough, and would take four times as many. */
const MOST_PIXELS = 1 << 19;

/**
 * Share of the mixed pixels, at least, that none of those around them is all of the color of: of lines, and of what is no wider. Where more than two
 * colors lie near, few are enough; between two it takes many, as writing of up to 12 px has: of larger letters the ends would become round. What
 * misses the pixels elsewhere does so for other reasons, as few samples or a filter.
 */
const LEAST_OF_MANY = 0.03;
const LEAST_OF_TWO = 0.45;
/** So many mixed pixels, at least: of fewer a small picture is mostly even, and what dots it has are told by their own. */
const LEAST_MIXED = 100;
/** How near colors are that a pixel lies between, px. */
const NEAR_PX = 2;

export interface Redrawing {
  /** Whether a drawing that misses the pixels along its edges by so many squares of levels, all in all, is good enough. */
  readonly isEnough: (left: number) => boolean;
  readonly picture: () => Finer;
}

/**
 * The finer picture that flat art may be drawn from where its own pixels do not tell enough: where lines and what is between them are thinner
 * than a pixel, labels of pixels join what is apart and part what is one, and no edge that is settled then can make up for it. Undefined
 * where there is none: for what is not known to have flat colors, and where these are to be the picture's own.
 */
export function finerWhere(
  pixels: WorkingPixels,
  { labels, channels, mixed, found, pen, isRuled }: Labeling,
  { finerFrom, exactColors }: EngineSettings,
): Redrawing | undefined {
  if (finerFrom === Infinity || exactColors || mixed === undefined || found !== undefined) return undefined;
  // Lines of one known width are drawn with it, however thin they are.
  if (pen?.widthPx !== undefined || isRuled) return undefined;
  if (pixels.words.length > MOST_PIXELS || channels.length / 4 > MOST_COLORS) return undefined;
  // What comes to be regions takes the place of the labels.
  const given = { labels: arena.rawInt32(labels.length), channels: channels.slice() };
  given.labels.set(labels);
  let known: Int32Array | undefined;
  const shared = () => {
    known ??= mixedOf(pixels, given.labels, given.channels, mixed);
    return known;
  };
  return {
    isEnough: (left) => left <= finerFrom * finerFrom * shared().length || !isThin(pixels, given.labels, shared()),
    picture: () => finerPicture(pixels, given.labels, given.channels, shared()),
  };
}

/** Whether enough of the mixed pixels are of what is thinner than a pixel, and not of what compression has left. */
function isThin(pixels: WorkingPixels, labels: Int32Array, mixed: Int32Array): boolean {
  if (mixed.length < LEAST_MIXED) return false;
  const { all, ofMany } = countThin(pixels, labels, mixed);
  const isEnough = ofMany >= LEAST_OF_MANY * mixed.length || all >= LEAST_OF_TWO * mixed.length;
  return isEnough && !isRippled(pixels);
}

/** How many of the mixed pixels have none around them that is all of their color, and of these, how many have more than two colors around them. */
function countThin(
  { width, height }: WorkingPixels,
  labels: Int32Array,
  mixed: Int32Array,
): { readonly all: number; readonly ofMany: number } {
  const isMixed = arena.uint8(labels.length);
  for (const i of mixed) isMixed[i] = 1;
  let all = 0;
  let ofMany = 0;
  for (const i of mixed) {
    const y = Math.floor(i / width);
    const x = i - y * width;
    const own = labels[i];
    let isAlone = true;
    let other = -1;
    let isOfMany = false;
    for (let v = Math.max(0, y - NEAR_PX); v <= Math.min(height - 1, y + NEAR_PX); v++) {
      for (let u = Math.max(0, x - NEAR_PX); u <= Math.min(width - 1, x + NEAR_PX); u++) {
        const j = v * width + u;
        const isBeside = Math.abs(u - x) <= 1 && Math.abs(v - y) <= 1;
        if (labels[j] === own) isAlone &&= !isBeside || isMixed[j] === 1;
        else if (other < 0) other = labels[j];
        else if (labels[j] !== other) isOfMany = true;
      }
    }
    if (!isAlone) continue;
    all++;
    if (isOfMany) ofMany++;
  }
  return { all, ofMany };
}
