import type { UnsharpMask } from '../types.js';
import { isPhotograph } from './choose-frontend.js';
import { withChromaDetail } from './chroma-detail.js';
import { findChromaSampling } from './chroma-sampling.js';
import { deconvolve } from './deconvolve.js';
import { measureEdgeBlur } from './edge-blur.js';
import { findUnsharpMask, withoutUnsharpMask } from './find-unsharp-mask.js';
import { measureFlatness } from './flatness.js';
import { measureGrainLevel } from './grain-level.js';
import { hasMaskedEdges, measureHalos, withoutHalos } from './halos.js';
import { isLinearLight } from './light.js';
import { mixedByLevels } from './remix.js';
import { isRippled } from './ripples.js';
import { hasHardEdges, withoutSteps } from './steps.js';
import { withoutGrain } from './without-grain.js';
import { toWorkingPixels, type WorkingPixels } from './working-pixels.js';

/** Filters that soften pictures reach farther than to a pixel's neighbors: by how much more of these that is undone. */
const TAILS = 1.1;

/**
 * Share of pixels equal to their neighbors, or nearly so, of flat art without its grain: of 47 grainy drawings, gradients among them, the one with fewest has .24 of the one, and .88 of the other; of six
 * photographs, as they are and with grain of up to 3 levels, none has more than .15 of the one, nor .71 of the other.
 */
const LEAST_EXACT = 0.2;
const LEAST_WITHIN_4 = 0.8;

export interface MendedPixels {
  readonly pixels: WorkingPixels;
  /** As the engine's result has them. */
  readonly edgeBlurPx: number | null;
  readonly haloDepth: number | null;
  readonly unsharpMask: UnsharpMask | null;
  readonly stepped: boolean;
  readonly linearLight: boolean;
  readonly grain: number | null;
}

/**
 * Pixels that are what areas cover of them, as all that follows takes them to be, where what reduced or enlarged a picture has left its edges soft, or
 * with halos, or what drew it did so without anti-aliasing; and without grain that lies evenly over all of it (`mayHaveGrain`: sheets that were scanned have theirs taken off in black
 * and white). Of photographs (the front end may be `forced`) halos and grain are left.
 */
export function mendEdges(
  given: WorkingPixels,
  forced: 'flat' | 'photo' | undefined,
  mayHaveGrain = true,
): MendedPixels {
  const grain = mayHaveGrain && forced !== 'photo' ? measureGrainLevel(given) : 0;
  if (grain === 0) return mendSmooth(given, forced);
  const cleared = { ...toWorkingPixels(withoutGrain(given, grain)), isCleared: true };
  if (!isEven(cleared)) return mendSmooth(given, forced);
  const mended = mendSmooth(cleared, forced);
  return { ...mended, pixels: { ...mended.pixels, isCleared: mended.edgeBlurPx === null }, grain };
}

/** Whether what grain was taken off may be flat art, with gradients or without. */
function isEven(smooth: WorkingPixels): boolean {
  const { exact, within4 } = measureFlatness(smooth);
  return exact >= LEAST_EXACT || within4 >= LEAST_WITHIN_4;
}

function mendSmooth(given: WorkingPixels, forced: 'flat' | 'photo' | undefined): MendedPixels {
  const smooth = hasHardEdges(given) ? withoutSteps(given) : undefined;
  if (smooth !== undefined) return { ...unmended(toWorkingPixels(smooth)), stepped: true };
  const full = withFullColors(given, forced);
  const linearLight = isLinearLight(full);
  return { ...mendFilters(linearLight ? toWorkingPixels(mixedByLevels(full)) : full, forced), linearLight };
}

/** Colors at the resolution of lightness, where compression has halved theirs. Photographs have none that follow it so far. */
function withFullColors(given: WorkingPixels, forced: 'flat' | 'photo' | undefined): WorkingPixels {
  const sampling = findChromaSampling(given);
  if (sampling === undefined || isPhotograph(given, forced)) return given;
  return toWorkingPixels(withChromaDetail(given, sampling));
}

/** Takes back what filters did to edges. */
function mendFilters(given: WorkingPixels, forced: 'flat' | 'photo' | undefined): MendedPixels {
  // Of what was compressed since, or sharpened by rings, a mask tells only half.
  const mayBeMasked = hasMaskedEdges(given) && !isRippled(given) && !isPhotograph(given, forced);
  const unsharpMask = mayBeMasked ? findUnsharpMask(given) : undefined;
  if (unsharpMask !== undefined)
    return { ...unmended(toWorkingPixels(withoutUnsharpMask(given, unsharpMask))), unsharpMask };
  const halos = measureHalos(given);
  if (halos > 0 && !isPhotograph(given, forced))
    return { ...unmended(toWorkingPixels(withoutHalos(given, halos))), haloDepth: halos };
  const share = measureEdgeBlur(given);
  if (share === 0) return unmended(given);
  const pixels = toWorkingPixels(deconvolve(given, TAILS * share));
  // Of what goes to either neighbor the variance is twice as much.
  return { ...unmended(pixels), edgeBlurPx: Math.sqrt(2 * share) };
}

export const unmended = (pixels: WorkingPixels): MendedPixels => ({
  pixels,
  edgeBlurPx: null,
  haloDepth: null,
  unsharpMask: null,
  stepped: false,
  linearLight: false,
  grain: null,
});
