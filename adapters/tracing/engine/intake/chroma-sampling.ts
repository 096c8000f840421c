import { lumaOf } from '../math/luma.js';
import type { WorkingPixels } from './working-pixels.js';

/** How a picture has its colors along an axis, where it has them at half its resolution: which pixels share a sample, and what lies between samples. */
export interface HalvedAxis {
  /** The number of the first pixel that begins a pair: 0, or 1 where the picture was cropped since. */
  readonly first: 0 | 1;
  /** Whether pixels are mixed of the two samples next to them (3 : 1), or have the one that they lie in. */
  readonly smooth: boolean;
}

/** Per axis how colors are sampled; undefined where they are at full resolution. */
export interface ChromaSampling {
  readonly along: HalvedAxis | undefined;
  readonly down: HalvedAxis | undefined;
}

/** Four pixels tell something if the colors of the first and the last differ by so many levels, squared. */
const LEAST_RANGE_SQ = 12 * 12;
/** So many fours of either parity must tell; so many are enough where they do, and so many where they do not. Of those looked at in vain, so many more are. */
const LEAST_FOURS = 40;
const ENOUGH_FOURS = 300;
const MOST_FOURS = 3000;
const MOST_IN_VAIN = 20_000;
/**
 * What rounding leaves where all else vanishes, levels squared, of a third difference and of a plain one: less of the former, mostly about 20, along 477 of 482 axes whose colors are halved. The other
 * parity has so many times as much, and of lightness so much of what the other has is left.
 */
const MOST_BENT = 36;
const MOST_STEPPED = 6;
const LEAST_TIMES_BENT = 1.5;
const LEAST_TIMES_STEPPED = 4;
const LEAST_LIGHT = 0.3;
/** Fours of full colors have so much each of both parities, mostly, and so many tell that early. */
const PLAINLY_BENT = 150;
const EARLY_FOURS = 40;
const ROUNDS = 5;
const FOUR = 4;

/**
 * Tells pictures whose colors lossy compression has kept at half the resolution of their lightness (JPEG's and WEBP's 4:2:0 and 4:2:2), whatever file they are in by now.
 * Decoders put two pixels between each two samples, at a quarter and three quarters of the way, so that among four pixels in a row the third difference of their colors vanishes
 * where the middle two are of one sample; plain ones give both the sample itself. What rounding does to colors is all that is left there; where a level is at the end of its
 * range it was cut off, and tells nothing. Undefined where both axes have all colors.
 */
export function findChromaSampling(pixels: WorkingPixels): ChromaSampling | undefined {
  const { width, height, opaque } = pixels;
  if (!opaque || width < FOUR || height < FOUR) return undefined;
  const along = halvedAxis(pixels, 1);
  const down = halvedAxis(pixels, width);
  return along === undefined && down === undefined ? undefined : { along, down };
}

/** How colors are sampled along one axis, `step` being what lies between two pixels of it; undefined where no sample has two. */
function halvedAxis(pixels: WorkingPixels, step: number): HalvedAxis | undefined {
  const { width, height, words } = pixels;
  const isDown = step > 1;
  const columns = isDown ? width : width - FOUR + 1;
  const rows = isDown ? height - FOUR + 1 : height;
  const sums = new Differences();
  // All over the picture soon: two rows of every ten, one of either parity, and then the others. Blocks have eight rows, which differ.
  for (let round = 0; round < ROUNDS && !sums.isEnough; round++) {
    for (let y = 2 * round; y < rows && !sums.isEnough; y += y % 2 === 0 ? 1 : 2 * ROUNDS - 1) {
      for (let x = 0; x < columns; x++) {
        const pixel = y * width + x;
        if (words[pixel] !== words[pixel + 3 * step])
          sums.add(pixels.rgba, FOUR * pixel, FOUR * step, (isDown ? y : x) & 1);
      }
    }
  }
  return sums.axis;
}

/** What four pixels in a row leave, summed over those that begin at even places, and at odd ones. */
class Differences {
  private readonly fours = [0, 0];
  private inVain = 0;
  /** Third differences, and differences of the middle two, of colors and of lightness. */
  private readonly bent = [0, 0];
  private readonly stepped = [0, 0];
  private readonly bentLight = [0, 0];
  private readonly steppedLight = [0, 0];

  get isEnough(): boolean {
    const { fours } = this;
    const fewer = Math.min(fours[0], fours[1]);
    return (
      fewer >= MOST_FOURS ||
      this.inVain - fours[0] - fours[1] > MOST_IN_VAIN ||
      (fewer >= EARLY_FOURS && this.isPlain(0) && this.isPlain(1)) ||
      (fewer >= ENOUGH_FOURS && this.axis !== undefined)
    );
  }

  /** What they tell; undefined where nothing vanishes. */
  get axis(): HalvedAxis | undefined {
    for (const parity of [0, 1]) {
      // Fours begin with the second pixel of a pair.
      const first = parity === 1 ? 0 : 1;
      if (this.vanishes(this.bent, MOST_BENT, LEAST_TIMES_BENT, this.bentLight, parity)) return { first, smooth: true };
      if (this.vanishes(this.stepped, MOST_STEPPED, LEAST_TIMES_STEPPED, this.steppedLight, parity))
        return { first, smooth: false };
    }
    return undefined;
  }

  /** Adds what the four pixels leave that begin at a byte. */
  add(rgba: Uint8Array, at: number, step: number, parity: number): void {
    let rangeSq = 0;
    // What colors are off gray is a sum of their two channels alone, and so has all that these have.
    for (let c = 0; c < 3; c += 2) {
      const range = rgba[at + 3 * step + c] - rgba[at + 3 * step + 1] - rgba[at + c] + rgba[at + 1];
      rangeSq += range * range;
    }
    if (rangeSq < LEAST_RANGE_SQ || isCutOff(rgba, at, step)) {
      this.inVain++;
      return;
    }
    this.fours[parity]++;
    for (let c = 0; c < 3; c += 2) {
      const a = rgba[at + c] - rgba[at + 1];
      const b = rgba[at + step + c] - rgba[at + step + 1];
      const d = rgba[at + 2 * step + c] - rgba[at + 2 * step + 1];
      const e = rgba[at + 3 * step + c] - rgba[at + 3 * step + 1];
      this.bent[parity] += (e - 3 * d + 3 * b - a) ** 2;
      this.stepped[parity] += (d - b) ** 2;
    }
    const a = lightness(rgba, at);
    const b = lightness(rgba, at + step);
    const d = lightness(rgba, at + 2 * step);
    const e = lightness(rgba, at + 3 * step);
    this.bentLight[parity] += (e - 3 * d + 3 * b - a) ** 2;
    this.steppedLight[parity] += (d - b) ** 2;
  }

  /** Whether fours of a parity leave plainly too much for any sample to have two of their pixels. */
  private isPlain(parity: number): boolean {
    const { fours, bent, stepped } = this;
    return bent[parity] > PLAINLY_BENT * fours[parity] && stepped[parity] > MOST_STEPPED * fours[parity];
  }

  /** Whether of sums by parity one is what rounding leaves for colors, and not for lightness. */
  private vanishes(
    ofColors: readonly number[],
    most: number,
    leastTimes: number,
    ofLight: readonly number[],
    parity: number,
  ): boolean {
    const { fours } = this;
    if (Math.min(fours[0], fours[1]) < LEAST_FOURS) return false;
    const mean = (sums: readonly number[], of: number) => sums[of] / fours[of];
    const own = mean(ofColors, parity);
    return (
      own <= most &&
      mean(ofColors, 1 - parity) > leastTimes * own &&
      mean(ofLight, parity) > LEAST_LIGHT * mean(ofLight, 1 - parity)
    );
  }
}

/** Whether one of four pixels has a level at the end of its range. */
function isCutOff(rgba: Uint8Array, at: number, step: number): boolean {
  for (let own = at, last = at + 3 * step; own <= last; own += step)
    for (let c = 0; c < 3; c++) if (rgba[own + c] === 0 || rgba[own + c] === 255) return true;
  return false;
}

function lightness(rgba: Uint8Array, at: number): number {
  return lumaOf(rgba[at], rgba[at + 1], rgba[at + 2]);
}
