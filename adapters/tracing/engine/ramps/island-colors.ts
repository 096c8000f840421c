import type { WorkingPixels } from '../intake/working-pixels.js';
import { MOST_KNOWN, UNEXPLAINED } from '../segment/label-flat.js';
import { meanOutmost, pixelDistanceSq } from '../segment/outmost-color.js';
import { LIKE_SQ } from '../segment/rescue-thin-colors.js';
import type { Ramps } from './find-ramps.js';
import { findIslands, type Island } from './islands.js';
import { CLEAN } from './limits.js';
import { RampReader } from './ramp-reader.js';
import type { Ground } from './stand-ins.js';

/** What lies on ramps, each in one color. */
export interface IslandColors {
  /** The ground with the colors found, behind. */
  readonly ground: Ground;
  /** Per pixel the color of the ground that it is a mixture of with the ramp around it, -1 where that is not known. */
  readonly colorOf: Int32Array;
  /** The ramp around it, where its color is known. */
  readonly rampOf: Int32Array;
  /** The ramps with what islands enclose of them. */
  readonly ramps: Ramps;
}

/** A pixel this far from every mixture, squared, has some other color in it: as in flat art. */
const UNEXPLAINED_SQ = UNEXPLAINED * UNEXPLAINED;
/** So many of those that are of a color touch others. */
const LEAST_TOUCHING = 4;
const MOST_COLORS = 8;
/** Pixels that are like too few others, after which there is no color to be found: confetti. */
const MOST_FAILURES = 64;
/** No color at all. */
const NOTHING = new Float64Array(4);
/** A color explains an island where all pixels but such a share are so near to its mixtures, squared; and as well as another where they are hardly farther on average. */
const EXPLAINED_SQ = 10 * 10;
const UNEXPLAINED_SHARE = 0.05;
const AS_WELL_SQ = 2;

/**
 * Finds the color of each island in a clean picture's ramps, that of strokes too thin for a pixel of their own too, which no palette of
 * even areas has. Pixel by pixel a pale one would pass for less of a darker color, and letters would fall to pieces.
 */
export function findIslandColors(
  pixels: WorkingPixels,
  ramps: Ramps,
  ground: Ground,
  narrow: readonly number[],
): IslandColors {
  const colorOf = new Int32Array(ramps.of.length).fill(-1);
  const rampOf = new Int32Array(ramps.of.length).fill(-1);
  const readers = ramps.found.map(({ ramp }) => new RampReader(ramp, pixels, CLEAN.near));
  const islands = findIslands(pixels, ramps, ground, narrow, readers);
  if (islands.length === 0) return { ground, colorOf, rampOf, ramps };
  const narrowOnes = islands
    .filter(({ isNarrow }) => isNarrow)
    .map((island) => ({ island, pixels: new IslandPixels(island, pixels, readers) }));
  const known = ground.size <= MOST_KNOWN ? ground.channels : new Float64Array(0);
  const found = findThinColors(
    narrowOnes.map((one) => one.pixels),
    pixels,
    known,
  );
  const tried = Float64Array.from([...known, ...found]);
  const channels = Array.from(ground.channels);
  // Those found are colors of the picture only where they explain something.
  const numbers = Int32Array.from({ length: tried.length / 4 }, (_, k) => (k * 4 < known.length ? k : -1));
  const numberOf = (color: number) => {
    if (numbers[color] < 0) numbers[color] = channels.push(...tried.subarray(color * 4, color * 4 + 4)) / 4 - 1;
    return numbers[color];
  };
  const of = Int32Array.from(ramps.of);
  const take = ({ ramp, mixed, enclosed }: Island, color: number) => {
    for (const i of enclosed) of[i] = ramp;
    for (const i of mixed) {
      colorOf[i] = color;
      rampOf[i] = ramp;
    }
  };
  for (const island of islands) if (!island.isNarrow) take(island, island.label);
  for (const { island, pixels: own } of narrowOnes) {
    const color = own.chooseColor(tried);
    if (color >= 0) take(island, numberOf(color));
    else if (island.label >= 0) take(island, island.label);
  }
  const grown = { ...ground, channels: Float64Array.from(channels), size: channels.length / 4 };
  return { ground: grown, colorOf, rampOf, ramps: { ...ramps, of } };
}

/** The pixels of an island, and the ramp at their places. */
class IslandPixels {
  readonly mixed: Int32Array;
  private readonly rgba: Uint8Array;
  private readonly around: Float64Array;
  /** The share that was found last. */
  private share = 0;

  constructor({ ramp, mixed }: Island, { rgba, width }: WorkingPixels, readers: readonly RampReader[]) {
    this.mixed = mixed;
    this.rgba = rgba;
    this.around = new Float64Array(mixed.length * 4);
    for (let k = 0; k < mixed.length; k++)
      readers[ramp].read(mixed[k] % width, Math.floor(mixed[k] / width), this.around, k * 4);
  }

  /** Squared distance of the island's k-th pixel from the ramp's mixtures with a color. */
  distanceSq(k: number, colors: ArrayLike<number>, color: number): number {
    const { rgba, around } = this;
    const at = this.mixed[k] * 4;
    let dot = 0;
    let lengthSq = 0;
    for (let c = 0; c < 4; c++) {
      const d = colors[color * 4 + c] - around[k * 4 + c];
      dot += (rgba[at + c] - around[k * 4 + c]) * d;
      lengthSq += d * d;
    }
    const share = lengthSq > 0 ? Math.max(0, Math.min(1, dot / lengthSq)) : 0;
    let sum = 0;
    for (let c = 0; c < 4; c++)
      sum += (rgba[at + c] - around[k * 4 + c] - share * (colors[color * 4 + c] - around[k * 4 + c])) ** 2;
    this.share = share;
    return sum;
  }

  /** Of the colors that explain nearly all pixels, and do so about as well as any, the one that pixels have most of; -1 where none explains them. */
  chooseColor(colors: Float64Array): number {
    const count = colors.length / 4;
    const { mixed } = this;
    const off = new Float64Array(count);
    const shares = new Float64Array(count);
    for (let color = 0; color < count; color++) {
      let unexplained = 0;
      for (let k = 0; k < mixed.length; k++) {
        const errorSq = this.distanceSq(k, colors, color);
        if (errorSq > EXPLAINED_SQ) unexplained++;
        else off[color] += errorSq / mixed.length;
        shares[color] = Math.max(shares[color], this.share);
      }
      if (unexplained > UNEXPLAINED_SHARE * mixed.length) off[color] = Infinity;
    }
    const least = off.reduce((a, b) => Math.min(a, b), EXPLAINED_SQ);
    let best = -1;
    for (let color = 0; color < count; color++)
      if (off[color] <= least + AS_WELL_SQ && (best < 0 || shares[color] > shares[best])) best = color;
    return best;
  }
}

/** The colors of islands that no known ones explain, four channels each: as thin colors are rescued in flat art, with a ramp for the ground. */
function findThinColors(
  islands: readonly IslandPixels[],
  { rgba, width, words }: WorkingPixels,
  known: Float64Array,
): number[] {
  const open = new OpenPixels(islands, known);
  const isOpen = new Uint8Array(words.length);
  for (let n = 0; n < open.count; n++) isOpen[open.pixels[n]] = 1;
  const steps = [-width - 1, -width, 1 - width, -1, 1, width - 1, width, width + 1];
  const touches = (i: number) => steps.some((step) => isOpen[i + step] === 1);
  const found: number[] = [];
  for (let failures = 0; failures < MOST_FAILURES && found.length < MOST_COLORS * 4; ) {
    const worst = open.worst();
    if (worst < 0) break;
    const like = open.like(rgba, worst);
    if (like.filter(touches).length < LEAST_TOUCHING) {
      failures++;
      continue;
    }
    const color = meanOutmost(rgba, like, worst);
    found.push(...color);
    open.explain(color);
  }
  return found;
}

/** The pixels of islands that no color explains so far. */
class OpenPixels {
  count = 0;
  readonly pixels: Int32Array;
  private readonly islands: readonly IslandPixels[];
  // Of each the island, its number there, its squared distance from the best mixture, and whether (1) it has been looked at.
  private readonly island: Int32Array;
  private readonly number: Int32Array;
  private readonly errors: Float64Array;
  private readonly given: Uint8Array;

  constructor(islands: readonly IslandPixels[], known: Float64Array) {
    const most = islands.reduce((sum, { mixed }) => sum + mixed.length, 0);
    this.islands = islands;
    this.pixels = new Int32Array(most);
    this.island = new Int32Array(most);
    this.number = new Int32Array(most);
    this.errors = new Float64Array(most);
    this.given = new Uint8Array(most);
    // With no color at all they are to be their ramp's.
    const colors = known.length > 0 ? known : NOTHING;
    islands.forEach((island, n) => {
      for (let k = 0; k < island.mixed.length; k++) {
        let error = Infinity;
        for (let color = 0; color * 4 < colors.length && error > UNEXPLAINED_SQ; color++)
          error = Math.min(error, island.distanceSq(k, colors, color));
        if (error <= UNEXPLAINED_SQ) continue;
        this.pixels[this.count] = island.mixed[k];
        this.island[this.count] = n;
        this.number[this.count] = k;
        this.errors[this.count++] = error;
      }
    });
  }

  /** The pixel farthest from all mixtures that has not been asked for; -1 where none is far. */
  worst(): number {
    let worst = -1;
    for (let n = 0; n < this.count; n++) {
      if (this.given[n] === 1 || this.errors[n] <= UNEXPLAINED_SQ) continue;
      if (worst < 0 || this.errors[n] > this.errors[worst]) worst = n;
    }
    if (worst < 0) return -1;
    this.given[worst] = 1;
    return this.pixels[worst];
  }

  /** Those that are of about a pixel's color. */
  like(rgba: Uint8Array, pixel: number): number[] {
    const like: number[] = [];
    for (let n = 0; n < this.count; n++)
      if (this.errors[n] > UNEXPLAINED_SQ && pixelDistanceSq(rgba, this.pixels[n], pixel) < LIKE_SQ)
        like.push(this.pixels[n]);
    return like;
  }

  /** Takes one color more into account. */
  explain(color: Float64Array): void {
    for (let n = 0; n < this.count; n++)
      this.errors[n] = Math.min(this.errors[n], this.islands[this.island[n]].distanceSq(this.number[n], color, 0));
  }
}
