import { isRippled } from '../intake/ripples.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import type { EnginePaint } from '../types.js';
import { boxPaint, fadeEnd, fitBox, isGradual, nearnessOf, partOfBox } from './box-ramp.js';
import { chooseStops } from './choose-stops.js';
import { type FittedRamp, RampFitter } from './fit-ramp.js';
import { COMPRESSED, LEFT_OVER, NARROW, type RampLimits, RIPPLED, THIN, THIN_BESIDE, UNTOUCHED } from './limits.js';
import { RampArea, type SampledPixels } from './ramp-area.js';
import { smoothBorders } from './ramp-borders.js';
import { rampEnds } from './ramp-ends.js';
import { gradientPaint } from './ramp-paint.js';
import { RampPieces } from './ramp-pieces.js';
import { fewer, type RampProfile, type RampSamples } from './ramp-profile.js';
import { RampReader } from './ramp-reader.js';
import { isFree, knownRamp, shareLeft } from './ramp-squares.js';
import { changesBy, explainsMost, isOfFewColors, isOneColor, joined } from './sample-checks.js';
import { isCurved, lookAtSquare, STEEPEST } from './seeds.js';
import { eachThinLine, LINE_PX } from './thin-ramps.js';

/** As long as a ramp grows, and has anti-aliased pixels in it, it may be farther: by this factor, and so many levels. */
const GROWING_FACTOR = 3;
const FLOODED_RMS = 4;
/** What has reached so far, px, and is of one color all over is an even area: the gentlest ramps have several by then. */
const ONE_COLOR_PX = 100;
/**
 * And what a ramp leaves so much of the variance of is an even area, too, with what compression or noise has left there: of 151 ramps that were taken 150 never left more than
 * a quarter.
 */
const EVEN_SHARE = 0.5;
/** A shape that is looked for anew once all is known must be nearer by this factor. */
const ANEW_FACTOR = 0.9;
/** Growing rounds, in each of which the ramp may reach about twice as far. */
const ROUNDS = 12;
const GROWING_SAMPLES = 300;
const MOST_SAMPLES = 800;
const FINAL_SAMPLES = 2500;
const MOST_RAMPS = 96;
/** Ramps are not one where so many samples of each are farther from one shape than all may be, by this factor. */
const MERGING_SAMPLES = 100;
const MERGING_FACTOR = 1.5;
/** How far a ramp reaches at most from where it is curved and nowhere even, px. */
const CURVED_PX = 64;
/** A ramp's pieces are looked for so many times: each shows how it goes on, by which there may be others. */
const PIECE_ROUNDS = 6;
/** And borders between ramps that are not exact are settled in so many rounds. */
const BORDER_ROUNDS = 2;
/** Pixels within so many levels of a ramp may become its own then. */
const BORDER_LEVELS = 24;
/**
 * Share of the lines that look like part of a thin ramp that are of one, at least: of 164 icons and logos where such ramps were found one had .75, one .89 and all others .96; of
 * golden rays with brown sides, whose colors run into each other where they meet, none more than .75.
 */
const THIN_SHARE = 0.85;
/**
 * Beside wide ramps a line has edges on both sides: of the steps from it to what is around at most so large a share are of so few levels. What is left of shading that no
 * ramp explains has none where that goes on.
 */
const SOFT_LEVELS = 4;
const MOST_SOFT = 0.35;
const SOLID_ALPHA = 254.5;
/** A ramp that is nearer to its pixels is off by rounding alone, levels. */
const ROUNDING_RMS = 0.4;
/** Share of the squares like ramps that are of none that is exact, from which on any gradient is better than bands. */
const MUCH_LEFT = 0.15;
/** Areas that a box is looked for in: boxes are few. */
const MOST_BOX_TRIES = 6;
/** Share of an area that a ramp must be for it to be no box. */
const MOST_SHARE = 0.8;

/** The ramps of a picture. */
export interface Ramps {
  /** Per pixel the ramp it belongs to, -1 for none. */
  readonly of: Int32Array;
  readonly found: readonly FoundRamp[];
}

export interface FoundRamp {
  readonly ramp: FittedRamp;
  /** The gradients that draw it, back to front. */
  readonly paints: readonly EnginePaint[];
  /** Hides what lies beneath it, everywhere. */
  readonly isSolid: boolean;
  /** Of a picture whose ramps begin with lines and rings too thin for any square: there may be others of it that have no pixel of its color. */
  readonly isThin: boolean;
}

/** Finds the areas of a picture whose color changes as a linear or radial gradient does, or as that of a blurred rectangle. */
export function findRamps(pixels: WorkingPixels, limits: RampLimits = isRippled(pixels) ? RIPPLED : UNTOUCHED): Ramps {
  return new RampFinder(pixels, limits, true).find();
}

/** Pixels that a sweep has come to nothing from (1), and how often it has. */
interface Tries {
  readonly failed: Uint8Array;
  failures: number;
}

/** What a ramp that is known by now is measured by: how far a box goes is told by its faintest pixels. */
const pixelsOf = (ramp: FittedRamp): SampledPixels => (ramp.shape.kind === 'box' ? 'all' : ramp);

class RampFinder {
  private readonly pixels: WorkingPixels;
  private limits: RampLimits;
  private readonly of: Int32Array;
  /** The area at hand. */
  private readonly area: RampArea;
  private fitter: RampFitter;
  private boxTries = 0;
  /**
   * How often a sweep was begun or a ramp taken; and per pixel that number when all that hangs together with it was last found to be no ramp, which is as true from
   * everywhere in it until then.
   */
  private state = 0;
  private readonly noWhole: Int32Array;
  /** How far a ramp may reach from where it is looked for, px. */
  private farthest = Infinity;
  /** Places of squares in small steps that are near to no plane, of the last sweep. */
  private readonly rough: number[] = [];
  /** Whether thin ramps are looked for where there are none that are wide. */
  private readonly seeksThin: boolean;

  constructor(pixels: WorkingPixels, limits: RampLimits, seeksThin: boolean) {
    this.pixels = pixels;
    this.limits = limits;
    this.seeksThin = seeksThin;
    this.fitter = new RampFitter(limits.goodRms, limits === COMPRESSED);
    const count = pixels.width * pixels.height;
    this.of = new Int32Array(count).fill(-1);
    this.area = new RampArea(pixels, this.of);
    this.noWhole = new Int32Array(count).fill(-1);
  }

  find(): Ramps {
    const { pixels, of, limits, seeksThin } = this;
    const { width } = pixels;
    const ramps: FittedRamp[] = [];
    const samples: RampSamples[] = [];
    let areThin = false;
    /** The first of the thin ramps that were found beside wide ones, and the one behind them. */
    const beside: [number, number] = [0, 0];
    this.sweep(ramps, samples);
    const isCompressed = limits === COMPRESSED;
    if (!isCompressed) {
      // What is curved in small steps is ripples around edges there.
      if (limits !== RIPPLED) this.sweepCurved(ramps, samples);
      const left = this.leftOver();
      if (left > 0) this.sweepAgain(ramps, samples, left);
      // What compression leaves around edges looks like narrow ramps, but larger ones are not exact there.
      if (limits === UNTOUCHED || ramps.some(({ profile }) => profile.rms <= ROUNDING_RMS)) {
        // Beside wide ones, what thin lines show is mostly shading on the edges of these.
        if (seeksThin && ramps.length === 0) {
          this.sweepThin(ramps, samples);
          areThin = ramps.length > 0;
        } else if (seeksThin) {
          beside[0] = ramps.length;
          this.sweepThin(ramps, samples, THIN_BESIDE);
          beside[1] = ramps.length;
        }
        this.sweepNarrow(ramps, samples);
      }
    }
    if (this.leftOver() > limits.mostLeft) return { of, found: [] };
    const into = this.merge(ramps, samples, areThin ? THIN : limits, beside);
    if (!isCompressed) this.takePieces(ramps, samples, into);
    if (areThin && !this.areLinesTaken()) return new RampFinder(pixels, limits, false).find();
    for (let i = 0; i < of.length; i++) if (of[i] >= 0) of[i] = into[of[i]];
    if (!isCompressed) this.settleBorders(ramps, samples, into);
    const ends = rampEnds(of, width, ramps);
    const number = new Int32Array(ramps.length).fill(-1);
    const found: FoundRamp[] = [];
    for (let r = 0; r < ramps.length; r++) {
      if (into[r] !== r) continue;
      number[r] = found.length;
      const ramp = ramps[r];
      const isBox = ramp.shape.kind === 'box';
      const stops = chooseStops(ramp, samples[r], isCompressed, isBox ? undefined : ends.subarray(2 * r, 2 * r + 2));
      const parts = isBox ? 9 : 1;
      for (let part = 0; part < parts; part++) {
        const paint = parts === 1 ? gradientPaint(ramp.shape, stops) : boxPaint(ramp.shape, part, stops);
        found.push({ ramp, paints: [paint], isSolid: isSolid(stops), isThin: areThin });
      }
    }
    for (let i = 0; i < of.length; i++) {
      if (of[i] < 0) continue;
      const r = of[i];
      const { shape } = ramps[r];
      const isBox = shape.kind === 'box';
      of[i] = number[r] + (isBox ? partOfBox(shape, (i % width) + 0.5, Math.floor(i / width) + 0.5) : 0);
    }
    return { of, found };
  }

  /** Looks for ramps from every place that none was found at, and adds them and some samples of each. */
  private sweep(ramps: FittedRamp[], samples: RampSamples[]): void {
    const { width, height } = this.pixels;
    const { seedPx, seedStepPx } = this.limits;
    const tries = this.noTries();
    this.state++;
    this.rough.length = 0;
    for (let y = 0; y + seedPx <= height; y += seedStepPx) {
      for (let x = 0; x + seedPx <= width; x += seedStepPx) {
        if (!this.mayTry(tries, ramps)) return;
        if (tries.failed[this.middleOf(x, y)] === 0 && this.isSeed(x, y)) this.tryFrom(x, y, tries, ramps, samples);
      }
    }
  }

  /** Looks from those places that are near to no plane, but curved, once others are done: what is large has even places, which are surer. */
  private sweepCurved(ramps: FittedRamp[], samples: RampSamples[]): void {
    const { pixels, limits } = this;
    const tries = this.noTries();
    this.state++;
    this.farthest = CURVED_PX;
    for (const place of this.rough) {
      if (!this.mayTry(tries, ramps)) break;
      const x = place % pixels.width;
      const y = (place - x) / pixels.width;
      const isOpen =
        tries.failed[this.middleOf(x, y)] === 0 && isFree(this.of, this.pixels.width, x, y, this.limits.seedPx);
      if (isOpen && isCurved(pixels, x, y, limits)) this.tryFrom(x, y, tries, ramps, samples);
    }
    this.farthest = Infinity;
  }

  /** Looks for ramps in what is too narrow for the usual squares. */
  private sweepNarrow(ramps: FittedRamp[], samples: RampSamples[]): void {
    const { limits } = this;
    this.limits = NARROW;
    this.sweep(ramps, samples);
    this.limits = limits;
  }

  /** Looks for ramps in lines and rings that are too thin for any square. */
  private sweepThin(ramps: FittedRamp[], samples: RampSamples[], thin = THIN): void {
    const { limits, pixels, of } = this;
    const tries = this.noTries();
    this.limits = thin;
    this.state++;
    eachThinLine(pixels, (middle, along) => {
      if (!this.mayTry(tries, ramps)) return false;
      if (of[middle] >= 0 || tries.failed[middle] === 1) return true;
      const ramp = this.fromLine(middle, along);
      if (ramp === undefined) this.giveUp(tries, middle);
      else this.add(ramp, ramps, samples);
      return true;
    });
    this.limits = limits;
  }

  /** Whether most lines that look like part of a thin ramp are of one; where they are not, what was found is none. */
  private areLinesTaken(): boolean {
    let lines = 0;
    let taken = 0;
    eachThinLine(this.pixels, (middle) => {
      lines++;
      if (this.of[middle] >= 0) taken++;
      return true;
    });
    return taken >= THIN_SHARE * lines;
  }

  /** The ramp of all that hangs together by small steps with a pixel of a line `along` rows or columns; or, as what is of nearly the color beside it has no step there, of what goes on as the line does. */
  private fromLine(middle: number, along: number): FittedRamp | undefined {
    const { leastAreaPx, mostRms } = this.limits;
    if (!this.hasFlooded(middle)) return undefined;
    const whole = this.fitter.fit(this.area.samples(MOST_SAMPLES));
    const leaks = whole.profile.rms >= FLOODED_RMS;
    if (leaks) this.area.takeLine(middle, along, LINE_PX);
    const from = leaks ? this.fitter.fit(this.area.samples(GROWING_SAMPLES)) : whole;
    const ramp = this.settle(from, middle, leaks ? LINE_PX : Infinity);
    if (ramp === undefined || this.area.size < leastAreaPx || ramp.profile.rms > mostRms) return undefined;
    if (!this.isRamp(ramp)) return undefined;
    return this.limits === THIN_BESIDE && this.area.softShare(SOFT_LEVELS) > MOST_SOFT ? undefined : ramp;
  }

  /** Whether the area at hand is as a ramp is. */
  private isRamp(ramp: FittedRamp): boolean {
    const { limits, area } = this;
    const samples = area.samples(MOST_SAMPLES);
    return (
      !(limits === COMPRESSED && isOfFewColors(samples)) &&
      area.hasBreadth(limits) &&
      explainsMost(ramp, samples, limits.mostUnexplained) &&
      changesBy(samples, limits.leastRange)
    );
  }

  /** Makes the area at hand a ramp's own. */
  private keep(ramp: number): void {
    this.area.keep(ramp);
    this.state++;
  }

  private noTries(): Tries {
    return { failed: new Uint8Array(this.of.length), failures: 0 };
  }

  private mayTry({ failures }: Tries, ramps: readonly FittedRamp[]): boolean {
    return failures < this.limits.mostFailures && ramps.length < MOST_RAMPS;
  }

  /** The pixel in the middle of the square that begins at (x, y). */
  private middleOf(x: number, y: number): number {
    const half = this.limits.seedPx >> 1;
    return (y + half) * this.pixels.width + x + half;
  }

  /** Adds the ramp that a square is of, or what hangs together with it to one that is known. */
  private tryFrom(x: number, y: number, tries: Tries, ramps: FittedRamp[], samples: RampSamples[]): void {
    const middle = this.middleOf(x, y);
    const again = knownRamp(ramps, this.pixels, x, y, this.limits);
    if (again >= 0) {
      this.grow(ramps[again], middle, Infinity);
      this.keep(again);
      samples[again] = joined(samples[again], this.area.samples(GROWING_SAMPLES, pixelsOf(ramps[again])));
      return;
    }
    const ramp = this.fromSeed(x, y, middle);
    if (ramp === undefined) {
      this.giveUp(tries, middle);
      return;
    }
    this.add(ramp, ramps, samples);
  }

  /** Adds a ramp, of the area at hand, and some samples of it. */
  private add(ramp: FittedRamp, ramps: FittedRamp[], samples: RampSamples[]): void {
    this.keep(ramps.length);
    ramps.push(ramp);
    samples.push(this.area.samples(MOST_SAMPLES, pixelsOf(ramp)));
  }

  /** Notes that the area at hand, from a pixel on, is no ramp. */
  private giveUp(tries: Tries, middle: number): void {
    tries.failures++;
    for (let k = 0; k < this.area.size; k++) tries.failed[this.area.stack[k]] = 1;
    tries.failed[middle] = 1;
  }

  /**
   * Looks for what comes near to ramps where none was found. Where little is left over to begin with, takes none of it where that leaves
   * some over still.
   */
  private sweepAgain(ramps: FittedRamp[], samples: RampSamples[], left: number): void {
    const { limits, fitter } = this;
    const [of, known] = [this.of.slice(), samples.slice()];
    this.limits = LEFT_OVER;
    this.fitter = new RampFitter(LEFT_OVER.goodRms);
    this.sweep(ramps, samples);
    if (left <= MUCH_LEFT && this.leftOver() > LEFT_OVER.mostLeft) {
      this.of.set(of);
      ramps.length = known.length;
      samples.splice(0, samples.length, ...known);
    }
    this.limits = limits;
    this.fitter = fitter;
  }

  /**
   * Joins ramps of which one shape explains both as well as each its own, as where a ramp was found in pieces; returns for each
   * the one it is part of. Those from `first` to before `end`, which are of lines, are none with others: some circle far away explains any two. Ramps and
   * samples change in place.
   */
  private merge(
    ramps: FittedRamp[],
    samples: RampSamples[],
    limits: RampLimits,
    [first, end]: readonly [number, number],
  ): Int32Array {
    const isBeside = (r: number) => r >= first && r < end;
    const into = Int32Array.from(ramps, (_, r) => r);
    for (let a = 0; a < ramps.length; a++) {
      for (let b = 0; b < ramps.length && into[a] === a; b++) {
        if (b === a || into[b] !== b || isBeside(a) !== isBeside(b)) continue;
        // An exact ramp stays nearly so, whatever comes near to it.
        const isMixed = this.isExact(ramps[a]) !== this.isExact(ramps[b]);
        const { mergedRms } = isMixed ? LEFT_OVER : limits;
        const most = isMixed ? mergedRms : Math.max(ramps[a].profile.rms, ramps[b].profile.rms, mergedRms);
        const some = joined(fewer(samples[a], MERGING_SAMPLES), fewer(samples[b], MERGING_SAMPLES));
        if (this.fitter.rmsOf(some, ramps[b].shape) > most * MERGING_FACTOR) continue;
        const both = joined(samples[a], samples[b]);
        const ramp = this.fitter.refit(both, ramps[b].shape);
        if (ramp.profile.rms > most) continue;
        for (let r = 0; r < into.length; r++) if (into[r] === a) into[r] = b;
        ramps[b] = ramp;
        samples[b] = both;
      }
    }
    return into;
  }

  /** Gives exact ramps what is theirs in other places. */
  private takePieces(ramps: FittedRamp[], samples: RampSamples[], into: Int32Array): void {
    const pieces = new RampPieces(this.pixels, this.of, into);
    for (let r = 0; r < ramps.length; r++) {
      if (into[r] !== r || ramps[r].shape.kind === 'box' || !this.isExact(ramps[r])) continue;
      for (let round = 0; round < PIECE_ROUNDS; round++) {
        this.area.size = pieces.find(ramps[r], r, this.area.stack);
        if (this.area.size === 0) break;
        const both = joined(samples[r], this.area.samples(GROWING_SAMPLES, 'all'));
        const ramp = this.fitter.refit(both, ramps[r].shape);
        if (!this.isExact(ramp)) break;
        this.keep(r);
        ramps[r] = ramp;
        samples[r] = both;
      }
    }
  }

  /** Gives each pixel of ramps that are not exact to the one that suits its surroundings best, and fits these anew to what they have then. */
  private settleBorders(ramps: FittedRamp[], samples: RampSamples[], into: Int32Array): void {
    const inexact = ramps.flatMap((ramp, r) =>
      into[r] === r && ramp.shape.kind !== 'box' && !this.isExact(ramp) ? [r] : [],
    );
    if (inexact.length < 2) return;
    const { area, of, pixels } = this;
    const fitter = new RampFitter(LEFT_OVER.goodRms);
    for (let round = 0; round < BORDER_ROUNDS; round++) {
      smoothBorders(pixels, of, ramps, inexact, BORDER_LEVELS);
      for (const r of inexact) {
        area.takeAll(r);
        if (area.size === 0) continue;
        samples[r] = area.samples(MOST_SAMPLES);
        ramps[r] = fitter.fit(samples[r], ramps[r]);
      }
    }
  }

  private isExact({ profile }: FittedRamp): boolean {
    return profile.rms <= this.limits.mostRms;
  }

  private leftOver(): number {
    return shareLeft(this.pixels, this.of, this.limits);
  }

  /** Whether a square is part of a ramp, steep or gentle, and of none that was found. Notes those that are near to no plane. */
  private isSeed(x: number, y: number): boolean {
    if (!isFree(this.of, this.pixels.width, x, y, this.limits.seedPx)) return false;
    for (const stride of this.limits.strides) {
      const look = lookAtSquare(this.pixels, x, y, stride, this.limits);
      if (look === 'ramp') return true;
      if (look === 'rough' && stride === 1) this.rough.push(y * this.pixels.width + x);
    }
    return false;
  }

  /**
   * The ramp a seed is of: begins with all that hangs together by small steps, which mostly is the ramp; where that is no one
   * ramp, with the seed alone. Then, in turn, takes what is near to the ramp so far and fits the ramp to what was taken.
   */
  private fromSeed(x: number, y: number, middle: number): FittedRamp | undefined {
    const { seedPx, leastAreaPx, mostRms } = this.limits;
    let ramp: FittedRamp | undefined;
    if (this.noWhole[middle] !== this.state && this.hasFlooded(middle)) {
      const flooded = this.area.samples(MOST_SAMPLES);
      const ground = this.groundOfBox();
      const everywhere = this.boxSamples();
      const whole = this.fitter.fit(flooded);
      const isNone = whole.profile.rms >= FLOODED_RMS;
      if (!isNone) ramp = this.settle(whole, middle, Infinity);
      else if (this.boxTries >= MOST_BOX_TRIES) this.markNoWhole();
      const isWhole = ramp !== undefined && ramp.profile.rms <= mostRms && this.isMostOf(flooded, ramp);
      if (!isWhole && whole.profile.rms > mostRms && this.boxTries < MOST_BOX_TRIES) {
        const { size } = this.area;
        const settled = this.area.stack.slice(0, size);
        const box = this.fromBox(everywhere, this.fitter.refit(everywhere, whole.shape), middle, ground);
        if (box !== undefined) return box;
        this.area.stack.set(settled);
        this.area.size = size;
      }
      if (!isNone && (ramp === undefined || ramp.profile.rms > mostRms)) this.markNoWhole();
    }
    if (ramp === undefined || ramp.profile.rms > mostRms) {
      this.area.takeSquare(x, y, seedPx);
      ramp = this.settle(this.fitter.fit(this.area.samples(GROWING_SAMPLES)), middle, seedPx * 1.5);
    }
    if (ramp === undefined || this.area.size < leastAreaPx || ramp.profile.rms > mostRms) return undefined;
    return this.isRamp(ramp) ? ramp : undefined;
  }

  /** Floods all that hangs together with a pixel by small steps; whether it is large enough to be a ramp, and has breadth. */
  private hasFlooded(middle: number): boolean {
    this.area.flood(middle, STEEPEST);
    if (this.area.size >= this.limits.leastAreaPx && this.area.hasBreadth(this.limits)) return true;
    this.markNoWhole();
    return false;
  }

  /** Notes that the area at hand, all that hangs together, is no ramp as a whole. */
  private markNoWhole(): void {
    const { area, noWhole, state } = this;
    for (let k = 0; k < area.size; k++) noWhole[area.stack[k]] = state;
  }

  /** Whether most of some samples are of a ramp. */
  private isMostOf({ x, y, count }: RampSamples, ramp: FittedRamp): boolean {
    const reader = new RampReader(ramp, this.pixels, this.limits.near);
    let near = 0;
    for (let i = 0; i < count; i++) if (reader.isNear(Math.floor(x[i]), Math.floor(y[i]))) near++;
    return near >= count * MOST_SHARE;
  }

  /** What a box is told by: compression leaves nothing that is clear of edges. */
  private boxSamples(): RampSamples {
    return this.area.samples(MOST_SAMPLES, this.limits === COMPRESSED ? 'all' : 'clear');
  }

  /** The even color around what was flooded last; undefined where compression has made it uneven. */
  private groundOfBox(): ArrayLike<number> | undefined {
    return this.limits === COMPRESSED ? undefined : this.area.ground;
  }

  /** The box that an area is of, or the part of it that hangs together by smaller steps: shadows are gentler than edges of shapes. */
  private fromBox(
    flooded: RampSamples,
    whole: FittedRamp,
    middle: number,
    ground: ArrayLike<number> | undefined,
  ): FittedRamp | undefined {
    this.boxTries++;
    const { mostRms } = this.limits;
    let box = fitBox(this.fitter, flooded, whole, mostRms, ground);
    if (box === undefined) {
      this.area.flood(middle, STEEPEST / 2);
      box = fitBox(this.fitter, this.boxSamples(), whole, mostRms, this.groundOfBox());
    }
    if (box === undefined) return undefined;
    // Each time it is known a little further in. Where it has faded the ground is nobody's: others may lie on it.
    let end = Infinity;
    for (let round = 0, before = 0; round < ROUNDS; round++) {
      this.area.grow(box, nearnessOf(box, this.limits.near), middle, this.farthest, true);
      if (this.area.size <= before) break;
      before = this.area.size;
      end = fadeEnd(this.fitter.refit(this.area.samples(FINAL_SAMPLES, 'all'), box.shape).profile);
      box = this.fitter.refit(this.area.samples(FINAL_SAMPLES, { along: box.shape, end }), box.shape);
    }
    this.area.takeUpTo(box.shape, end);
    const isBroad =
      this.area.hasBreadth(this.limits) && changesBy(this.area.samples(MOST_SAMPLES, 'all'), this.limits.leastRange);
    return isBroad && isGradual(box.profile) ? box : undefined;
  }

  /** Takes what hangs together with a pixel and is near to a ramp, no farther than `reach` px. */
  private grow(ramp: FittedRamp, from: number, reach: number): void {
    this.area.grow(ramp, nearnessOf(ramp, this.limits.near), from, Math.min(reach, this.farthest));
  }

  /** Grows a ramp until it takes no more; undefined where it comes to nothing. */
  private settle(from: FittedRamp, middle: number, firstReach: number): FittedRamp | undefined {
    const whole = this.pixels.width + this.pixels.height;
    let ramp = from;
    let reach = firstReach;
    const mostRms = Math.min(FLOODED_RMS, this.limits.mostRms * GROWING_FACTOR);
    for (let round = 0; round < ROUNDS; round++) {
      const before = this.area.size;
      this.grow(ramp, middle, reach);
      if (this.area.size < this.limits.seedPx * 2) return undefined;
      const samples = this.area.samples(GROWING_SAMPLES);
      if (reach > ONE_COLOR_PX && isOneColor(samples)) return undefined;
      ramp = this.fitter.fit(samples, ramp);
      if (ramp.profile.rms > mostRms) return undefined;
      if (reach > ONE_COLOR_PX && !explainsMost(ramp, samples, EVEN_SHARE)) {
        // Of all of it no other ramp is to be looked for.
        this.grow(ramp, middle, Infinity);
        return undefined;
      }
      if (reach > whole && Math.abs(this.area.size - before) < before * 0.01) break;
      reach *= 2;
    }
    this.grow(ramp, middle, Infinity);
    ramp = this.fitter.fit(this.area.samples(MOST_SAMPLES), ramp);
    this.grow(ramp, middle, Infinity);
    const settled = this.fitter.refit(this.area.samples(FINAL_SAMPLES), ramp.shape);
    return this.limits === COMPRESSED ? this.fromAll(settled, middle) : settled;
  }

  /** A ramp whose shape is looked for anew by all that is of it: what is known of an ellipse first, of a corner of it, may be far off. */
  private fromAll(settled: FittedRamp, middle: number): FittedRamp {
    const { area, fitter, limits } = this;
    if (settled.profile.rms <= limits.goodRms) return settled;
    const fresh = fitter.fit(area.samples(MOST_SAMPLES));
    if (fresh.profile.rms >= settled.profile.rms * ANEW_FACTOR) return settled;
    const kept = area.stack.slice(0, area.size);
    this.grow(fresh, middle, Infinity);
    if (area.size >= kept.length) return fitter.refit(area.samples(FINAL_SAMPLES), fresh.shape);
    area.stack.set(kept);
    area.size = kept.length;
    return settled;
  }
}

function isSolid({ values }: RampProfile): boolean {
  for (let at = 3; at < values.length; at += 4) if (values[at] < SOLID_ALPHA) return false;
  return true;
}
