import type { WorkingPixels } from '../intake/working-pixels.js';
import { groundAround } from './ground-around.js';
import { type FlatLabels, Unmixer } from './label-flat.js';
import { withColor } from './with-color.js';

/** How far around a spot's pixels there is nothing but its ground and what is mixed with it, px. */
const AROUND_PX = 2;
/** How far a spot reaches from its first pixel, px, either way; what goes on there is no spot. */
const REACH_PX = 3;
const GOES_ON = 0.3;
/** How far its pixels are from the ground at least, levels. */
const LEAST_CONTRAST = 60;
/** How far a spot's pixels may be off the line from its ground to its color, levels: a share of that line besides. */
const OFF_LEVELS = 5;
const OFF_SHARE = 0.05;
/** Pixels have at least so much of a spot. */
const LEAST_SHARE = 0.08;
/** Spots whose colors lie in directions from their ground with at least this cosine between them are of one. */
const SAME_COSINE = 0.992;
/** A color that the picture has is a spot's where it is no nearer to the ground than this share of what the spot shows. */
const SHOWN_SHARE = 0.93;
/** What a spot must cover to be one, px. */
const LEAST_PX = 0.75;
/** With more of them than these it is no few spots that are left, but a texture. */
const MOST_SPOTS = 64;
const MOST_SEEDS = 1 << 14;
const MOST_COLORS = 48;

interface Spot {
  readonly ground: number;
  /** From the ground's color to that of the pixel that is farthest from it. */
  readonly way: Float64Array;
  readonly length: number;
  readonly pixels: readonly number[];
}

/**
 * Finds what covers a pixel or two on one even ground, as eyes and mouths of small faces, and that no colors explain: its pixels lie on a line through color
 * space that begins at the ground, and the farthest of all spots along one line show the color, or one that the palette has beyond. `flat` changes
 * in place; pixels that are farther from their mixture than `unexplained` are looked at. Returns the palette's channels, with the colors found behind.
 */
export function findSpots(
  pixels: WorkingPixels,
  channels: Float64Array,
  flat: FlatLabels,
  unexplained: number,
): Float64Array {
  const { mixed, errors } = flat;
  if (flat.others === undefined || channels.length / 4 > MOST_COLORS) return channels;
  const seeds: number[] = [];
  for (let k = 0; k < mixed.length; k++) if (errors[k] > unexplained * unexplained) seeds.push(k);
  if (seeds.length === 0 || seeds.length > MOST_SEEDS) return channels;
  seeds.sort((a, b) => errors[b] - errors[a] || a - b);
  const finder = new SpotFinder(pixels, channels, flat);
  for (const k of seeds) finder.lookAt(mixed[k]);
  return finder.spots.length > MOST_SPOTS ? channels : finder.label(flat.others);
}

class SpotFinder {
  readonly spots: Spot[] = [];
  private readonly width: number;
  private readonly height: number;
  private readonly rgba: Uint8Array;
  private readonly channels: Float64Array;
  private readonly flat: FlatLabels;
  /** Per pixel its number among the mixed ones and one more, 0 for those of a color of the palette; and whether it is of a spot. */
  private readonly numberOf: Int32Array;
  private readonly isTaken: Uint8Array;

  constructor({ width, height, rgba }: WorkingPixels, channels: Float64Array, flat: FlatLabels) {
    this.width = width;
    this.height = height;
    this.rgba = rgba;
    this.channels = channels;
    this.flat = flat;
    this.numberOf = new Int32Array(width * height);
    this.isTaken = new Uint8Array(width * height);
    for (let k = 0; k < flat.mixed.length; k++) this.numberOf[flat.mixed[k]] = k + 1;
  }

  /** Takes the spot that a pixel is of, if it is of one. */
  lookAt(seed: number): void {
    const { isTaken, rgba, channels, width } = this;
    if (isTaken[seed] === 1) return;
    const ground = this.groundOf(seed);
    if (ground < 0) return;
    const way = Float64Array.from({ length: 4 }, (_, i) => rgba[seed * 4 + i] - channels[ground * 4 + i]);
    const length = lengthOf(way);
    if (length < LEAST_CONTRAST) return;
    const found = [seed];
    isTaken[seed] = 1;
    let covered = 0;
    let isSpot = true;
    for (let n = 0; n < found.length; n++) {
      const share = this.shareOf(found[n], ground, way, length);
      covered += share;
      if (share > 0.5 && this.groundOf(found[n]) !== ground) isSpot = false;
      const dx = Math.abs((found[n] % width) - (seed % width));
      const dy = Math.abs(Math.floor(found[n] / width) - Math.floor(seed / width));
      if (Math.max(dx, dy) === REACH_PX) {
        if (share > GOES_ON) isSpot = false;
        continue;
      }
      this.addAround(found[n], ground, way, length, found);
    }
    if (!isSpot || covered < LEAST_PX) {
      for (const pixel of found) isTaken[pixel] = 0;
      return;
    }
    let farthest = seed;
    for (const pixel of found)
      if (this.shareOf(pixel, ground, way, length) > this.shareOf(farthest, ground, way, length)) farthest = pixel;
    const toFarthest = way.map((_, i) => rgba[farthest * 4 + i] - channels[ground * 4 + i]);
    this.spots.push({ ground, way: toFarthest, length: lengthOf(toFarthest), pixels: found });
  }

  /** The one color that pixels around one have exactly; -1 where there are several, or none. */
  private groundOf(pixel: number): number {
    return groundAround(this.flat.labels, this.numberOf, this.width, this.height, pixel, AROUND_PX);
  }

  /** How much of a spot there is in a pixel, by how far it lies along the way from the ground; 0 where it lies beside that. */
  private shareOf(pixel: number, ground: number, way: Float64Array, length: number): number {
    const { rgba, channels } = this;
    let dot = 0;
    for (let i = 0; i < 4; i++) dot += (rgba[pixel * 4 + i] - channels[ground * 4 + i]) * way[i];
    const share = dot / (length * length);
    let offSq = 0;
    for (let i = 0; i < 4; i++) offSq += (rgba[pixel * 4 + i] - channels[ground * 4 + i] - share * way[i]) ** 2;
    return offSq <= (OFF_LEVELS + OFF_SHARE * length) ** 2 ? share : 0;
  }

  private addAround(pixel: number, ground: number, way: Float64Array, length: number, found: number[]): void {
    const { width, height, isTaken, numberOf } = this;
    const y = Math.floor(pixel / width);
    const x = pixel - y * width;
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
        const other = v * width + u;
        if (isTaken[other] === 1 || numberOf[other] === 0) continue;
        if (this.shareOf(other, ground, way, length) < LEAST_SHARE) continue;
        isTaken[other] = 1;
        found.push(other);
      }
    }
  }

  /** Gives the spots' pixels their colors. */
  label(others: Int32Array): Float64Array {
    const { labels, errors } = this.flat;
    let palette = this.channels;
    const isDone = new Uint8Array(this.spots.length);
    for (let s = 0; s < this.spots.length; s++) {
      if (isDone[s] === 1) continue;
      const { ground, way, length } = this.spots[s];
      const same = this.spots.filter((spot, n) => {
        const isSame = isDone[n] === 0 && spot.ground === ground && cosine(spot.way, way) >= SAME_COSINE;
        if (isSame) isDone[n] = 1;
        return isSame;
      });
      const farthest = same.reduce((a, b) => (b.length > a.length ? b : a), { way, length });
      let color = this.knownAs(ground, farthest.way, farthest.length);
      if (color < 0) {
        color = palette.length / 4;
        palette = withColor(
          palette,
          farthest.way.map((v, i) => palette[ground * 4 + i] + v),
        );
      }
      const unmixer = new Unmixer(this.rgba, palette);
      for (const pixel of same.flatMap((spot) => spot.pixels)) {
        const k = this.numberOf[pixel] - 1;
        unmixer.error = Infinity;
        unmixer.tryPair(pixel, color, ground);
        labels[pixel] = unmixer.label;
        others[k] = unmixer.other;
        errors[k] = unmixer.error;
      }
    }
    return palette;
  }

  /** The palette's color that lies farther along a way from the ground, the nearest one; -1 where there is none. */
  private knownAs(ground: number, way: Float64Array, length: number): number {
    const { channels } = this;
    let known = -1;
    let least = Infinity;
    for (let k = 0; k < channels.length / 4; k++) {
      if (k === ground) continue;
      const to = way.map((_, i) => channels[k * 4 + i] - channels[ground * 4 + i]);
      const far = lengthOf(to);
      if (far < SHOWN_SHARE * length || far >= least || cosine(to, way) < SAME_COSINE) continue;
      least = far;
      known = k;
    }
    return known;
  }
}

function lengthOf(way: Float64Array): number {
  return Math.sqrt(way.reduce((sum, v) => sum + v * v, 0));
}

function cosine(a: Float64Array, b: Float64Array): number {
  let dot = 0;
  for (let i = 0; i < 4; i++) dot += a[i] * b[i];
  return dot / (lengthOf(a) * lengthOf(b) || 1);
}
