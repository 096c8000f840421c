import type { WorkingPixels } from '../intake/working-pixels.js';
import { MOST_KNOWN } from '../segment/label-flat.js';
import type { Ramps } from './find-ramps.js';
import { findIslands, type Island } from './islands.js';
import { CLEAN } from './limits.js';
import { EXPLAINED_SQ, findUnseenColors, OpenPixels, UNEXPLAINED_SQ } from './open-pixels.js';
import { type RampReader, readersOf } from './ramp-reader.js';
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

/** No color at all. */
const NOTHING = new Float64Array(4);
/** A color explains an island where all pixels but such a share are near to its mixtures; and as well as another where they are hardly farther on average, squared. */
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
  const readers = readersOf(ramps.found, pixels, CLEAN.near);
  const islands = findIslands(pixels, ramps, ground, narrow, readers);
  if (islands.length === 0) return { ground, colorOf, rampOf, ramps };
  const narrowOnes = islands
    .filter(({ isNarrow }) => isNarrow)
    .map((island) => ({ island, pixels: new IslandPixels(island, pixels, readers) }));
  const known = ground.size <= MOST_KNOWN ? ground.channels : new Float64Array(0);
  const open = new OpenIslandPixels(
    narrowOnes.map((one) => one.pixels),
    known,
  );
  const found = findUnseenColors(open, pixels);
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

/** The pixels of islands that no color explains so far. */
class OpenIslandPixels extends OpenPixels {
  private readonly islands: readonly IslandPixels[];
  // Of each the island, and its number there.
  private readonly island: Int32Array;
  private readonly number: Int32Array;

  constructor(islands: readonly IslandPixels[], known: Float64Array) {
    const most = islands.reduce((sum, { mixed }) => sum + mixed.length, 0);
    super(most);
    this.islands = islands;
    this.island = new Int32Array(most);
    this.number = new Int32Array(most);
    // With no color at all they are to be their ramp's.
    const colors = known.length > 0 ? known : NOTHING;
    islands.forEach((island, n) => {
      for (let k = 0; k < island.mixed.length; k++) {
        let error = Infinity;
        for (let color = 0; color * 4 < colors.length && error > UNEXPLAINED_SQ; color++)
          error = Math.min(error, island.distanceSq(k, colors, color));
        if (error <= UNEXPLAINED_SQ) continue;
        this.island[this.count] = n;
        this.number[this.count] = k;
        this.add(island.mixed[k], error);
      }
    });
  }

  protected distanceSq(n: number, color: Float64Array): number {
    return this.islands[this.island[n]].distanceSq(this.number[n], color, 0);
  }
}
