import { ICON_PIXELS, SMALL_PIXELS } from '../intake/choose-frontend.js';
import type { EngineSettings } from '../types.js';
import type { DotLimits } from './absorb-specks.js';
import type { Labeling } from './labeling.js';

/** Every level of noise lets specks be larger by their least area again, up to so many times. */
const MOST_SPECKS = 2;
/** In pictures with noise what stands out from its ground is no speck from this area on, as strokes of letters are, px. */
const NOISY_DOT_PX = 3;
/** And the px of dust that a step of cleanup removes where there is grain. */
const DUST_PX = 5;

/**
 * What is too small to be drawn, px: specks, but for dots within limits. The picture had `size` pixels as it came, and has `times` as many now; the
 * settings are in pixels of the first.
 */
export function leastAreas(
  settings: EngineSettings,
  size: number,
  { even, noise }: Labeling,
  grainy: boolean,
  rgba: Uint8Array,
  times: number,
): { readonly speckPx: number; readonly dots: DotLimits | undefined } {
  const minDetailAreaPx = settings.minDetailAreaPx * times;
  const minDotAreaPx = settings.minDotAreaPx * times;
  const leastAreaPx = size <= ICON_PIXELS ? minDetailAreaPx : settings.minAreaPx * times;
  const noiseAreaPx = Math.min(leastAreaPx, settings.noiseAreaPx * times) * (1 + Math.min(MOST_SPECKS, noise ?? 0));
  const largestPx = Math.max(leastAreaPx, noiseAreaPx);
  const speckPx = grainy ? Math.max(largestPx, settings.cleanup * DUST_PX) : largestPx;
  // Dots of a px or two are dust in what is noisy.
  const isClean = even && noise === undefined && !grainy;
  const dotAreaPx = size <= SMALL_PIXELS ? minDotAreaPx : minDetailAreaPx;
  if (isClean) return { speckPx, dots: { minAreaPx: dotAreaPx, minAloneAreaPx: minDotAreaPx, isClean, rgba } };
  if (noise === undefined || grainy) return { speckPx, dots: undefined };
  const noisyDotPx = Math.max(leastAreaPx, NOISY_DOT_PX);
  return { speckPx, dots: { minAreaPx: noisyDotPx, minAloneAreaPx: noisyDotPx, isClean, rgba } };
}
