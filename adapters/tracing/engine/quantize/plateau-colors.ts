import { signedWords } from '../intake/word-contrast.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import { lumaOf } from '../math/luma.js';
import { nearestColors } from './cluster-colors.js';

/** Rows are looked at this far apart, px, and a place is on a plateau where all pixels within so many px are the same. */
const STEP_PX = 4;
const REACH_PX = 3;
/** Places that a color must be found at, at least, and as a share of those that are looked at. */
const LEAST_PLACES = 24;
const LEAST_SHARE = 0.0008;
/** Colors nearer than this (levels) are one: compression rounds it. */
const SAME_LEVELS = 4;
/** Two colors are at least so far apart, levels. */
const APART_LEVELS = 9;
/**
 * So far in lightness, too, or each has a stretch longer than this, px: compression keeps hues in blocks of 16 px, of which one beside an edge may be all of one hue, and not
 * of the right one.
 */
const APART_LUMA = 5.5;
const LONG_PX = 24;
/** And hardly anything lies between them, as a share of the rarer one's places: of a smooth change all that is between does. */
const MOST_BETWEEN = 0.04;
/** What lies between begins after this share of the way from one to the other, and ends as much before that. */
const BETWEEN_FROM = 0.2;
/** Colors that are looked at, the most frequent: mosaics have one a tile, and each is compared with each. */
const MOST_WORDS = 1024;

/** A color that a picture has where it is exactly even. */
interface Plateau {
  readonly color: readonly [number, number, number];
  places: number;
  /** The longest stretch of a row that is of it, px. */
  longest: number;
}

/**
 * Of a compressed, opaque picture's palette (four channels each) the colors that are several by areas which are exactly even, hardly apart: blocks of nothing but one color
 * stay so, however near it is to another, as a light card's is to white. Per such color the ones that it is, four channels each.
 */
export function partByPlateaus(pixels: WorkingPixels, channels: Float64Array): ReadonlyMap<number, Float64Array> {
  const plateaus = findPlateaus(pixels);
  const nearest = nearestColors(channelsOf(plateaus), channels);
  const parts = new Map<number, Float64Array>();
  for (let k = 0; k < channels.length / 4; k++) {
    const own = plateaus.filter((_, p) => nearest[p] === k);
    const apart: Plateau[] = [];
    for (const plateau of own) {
      const others = plateaus.filter((other) => other !== plateau && !apart.includes(other));
      if (apart.every((known) => areParted(plateau, known, others))) apart.push(plateau);
    }
    if (apart.length > 1) parts.set(k, channelsOf(apart));
  }
  return parts;
}

/** Their colors, opaque, four channels each. */
function channelsOf(plateaus: readonly Plateau[]): Float64Array {
  return Float64Array.from(plateaus.flatMap(({ color }) => [...color, 255]));
}

/** The colors of even areas, most frequent first. */
function findPlateaus(pixels: WorkingPixels): readonly Plateau[] {
  const { width, height, rgba } = pixels;
  const counter = new PlaceCounter(pixels);
  let rows = 0;
  for (let y = REACH_PX; y + REACH_PX < height; y += STEP_PX, rows++) counter.countRow(y);
  const plateaus: Plateau[] = [];
  for (const { places, longest, pixel } of counter.mostFrequent()) {
    const color = [rgba[4 * pixel], rgba[4 * pixel + 1], rgba[4 * pixel + 2]] as const;
    const same = plateaus.find((plateau) => distance(plateau.color, color) < SAME_LEVELS);
    if (same === undefined) plateaus.push({ color, places, longest });
    else {
      same.places += places;
      same.longest = Math.max(same.longest, longest);
    }
  }
  const least = Math.max(LEAST_PLACES, LEAST_SHARE * rows * width);
  return plateaus.filter(({ places }) => places >= least);
}

/** At how many places there is a color, its longest stretch, px, and a pixel that has it. */
interface Places {
  places: number;
  longest: number;
  readonly pixel: number;
}

class PlaceCounter {
  private readonly width: number;
  private readonly words: Int32Array;
  private readonly places = new Map<number, Places>();

  constructor({ width, words }: WorkingPixels) {
    this.width = width;
    this.words = signedWords(words);
  }

  /** Counts the places of a row that has others within reach on either side. */
  countRow(y: number): void {
    const { words, width } = this;
    const row = y * width;
    let word = 0;
    // How many pixels in a row have the word, as those above and below them.
    let alike = 0;
    for (let x = 0; x < width; x++) {
      const i = row + x;
      const own = words[i];
      let differs = 0;
      for (let v = width; v <= REACH_PX * width; v += width) differs |= (words[i - v] ^ own) | (words[i + v] ^ own);
      if (differs === 0 && own === word) {
        alike++;
        continue;
      }
      this.add(alike, i - 1);
      word = own;
      alike = differs === 0 ? 1 : 0;
    }
    this.add(alike, row + width - 1);
  }

  /** So many pixels that are alike, up to one. */
  private add(alike: number, last: number): void {
    const count = alike - 2 * REACH_PX;
    if (count <= 0) return;
    const word = this.words[last];
    const known = this.places.get(word);
    if (known === undefined) this.places.set(word, { places: count, longest: alike, pixel: last });
    else {
      known.places += count;
      known.longest = Math.max(known.longest, alike);
    }
  }

  mostFrequent(): readonly Places[] {
    const sorted = [...this.places.values()].sort((a, b) => b.places - a.places || a.pixel - b.pixel);
    return sorted.slice(0, MOST_WORDS);
  }
}

/** Whether two are far from each other, and hardly any of the others is between them. */
function areParted(a: Plateau, b: Plateau, others: readonly Plateau[]): boolean {
  const apart = distance(a.color, b.color);
  if (apart < APART_LEVELS) return false;
  const isLong = Math.min(a.longest, b.longest) > LONG_PX;
  if (!isLong && Math.abs(lumaOf(...a.color) - lumaOf(...b.color)) < APART_LUMA) return false;
  let between = 0;
  for (const { color, places } of others) {
    let along = 0;
    for (let c = 0; c < 3; c++) along += (color[c] - a.color[c]) * (b.color[c] - a.color[c]);
    const part = along / apart ** 2;
    if (part < BETWEEN_FROM || part > 1 - BETWEEN_FROM) continue;
    const aside = Math.sqrt(Math.max(0, distance(a.color, color) ** 2 - (part * apart) ** 2));
    if (aside < apart / 2) between += places;
  }
  return between <= MOST_BETWEEN * Math.min(a.places, b.places);
}

function distance(a: Plateau['color'], b: Plateau['color']): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
