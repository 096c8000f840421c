import { type FrontendChoice, SMALL_PIXELS } from '../intake/choose-frontend.js';
import type { WorkingPixels } from '../intake/working-pixels.js';
import type { NoisyPalette } from '../quantize/noisy-palette.js';
import type { EngineSettings } from '../types.js';
import { labelDamagedArt, labelGrainyArt, labelRippledArt } from './label-damaged.js';
import { type Labeling, labelBlackAndWhite, labelFlatArt, labelPhoto } from './labeling.js';

/** Squared error a px of boundary is worth in flat art that compression has been at, as a share of a photograph's. */
const DAMAGED_LAMBDA_SHARE = 0.5;
/**
 * Colors, at most, of damaged flat art that has hardly any even areas and passes for a photograph: where it is small, and where
 * it has more or is larger, but its areas are even but for so many levels. Of 182 photographs of 96 to 768 px and parts of them, as JPEGs, those that pass
 * for photographs, and are flat art by all else, have 5.2 levels and more, but for a small one with 15 colors.
 */
const SMALL_COLORS = 8;
const FEW_COLORS = 14;
const FEW_COLORS_NOISE = 5;

/**
 * Decides which pixels belong together, by whom intake has chosen for it, or else by whatever explains them. `ramps`: what was left in place of those
 * taken out, where there were any. `seemsPhoto`: what is to be flat art would pass for a photograph.
 */
export function labelPicture(
  pixels: WorkingPixels,
  settings: EngineSettings,
  { frontend, damaged }: FrontendChoice,
  ramps: 'noisy' | 'clean' | undefined,
  seemsPhoto: boolean,
): Labeling {
  if (settings.colorMode === 'bw') return labelBlackAndWhite(pixels);
  const isFlat = frontend === 'flat';
  const art =
    ramps === 'noisy'
      ? labelDamagedArt(pixels, settings, 1)
      : isFlat && damaged
        ? labelRippledArt(pixels, settings, ramps !== undefined)
        : undefined;
  if (art !== undefined) return art;
  const isAsked = settings.frontend === 'auto' && !isFlat;
  // In small pictures edges, and what compression leaves around them, are most of what there is.
  const isSmall = pixels.width * pixels.height <= SMALL_PIXELS;
  const hasFew = ({ size, noise }: NoisyPalette) =>
    damaged || (isSmall && size <= SMALL_COLORS) || (size <= FEW_COLORS && noise <= FEW_COLORS_NOISE);
  const asDamaged = () => (damaged || isAsked ? labelDamagedArt(pixels, settings, isSmall ? 1 : 2, hasFew) : undefined);
  const grainy = isAsked || seemsPhoto ? labelGrainyArt(pixels, settings) : undefined;
  if (grainy !== undefined) {
    // What compression leaves everywhere in a small picture seems grain, and edges' colors that it spreads are colors then.
    const other = isSmall ? asDamaged() : undefined;
    return other !== undefined && other.channels.length < grainy.channels.length ? other : grainy;
  }
  const flat = isFlat ? labelFlatArt(pixels, settings, ramps !== undefined) : undefined;
  if (flat !== undefined) return flat;
  const found = asDamaged();
  if (found !== undefined) return found;
  return labelPhoto(pixels, settings, settings.photoLambda * (damaged ? DAMAGED_LAMBDA_SHARE : 1));
}
