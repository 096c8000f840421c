import { isOfFewColors } from './few-colors.js';
import { type Flatness, measureFlatness } from './flatness.js';
import { isRippled, turnsOften } from './ripples.js';
import type { WorkingPixels } from './working-pixels.js';

/** Share of pixels equal to their neighbors from which a picture is flat art, and under which it is a photograph. */
export const FLAT_EXACT = 0.62;
const PHOTO_EXACT = 0.3;
/** Small pictures are mostly edge, however flat their areas: those of up to 160 x 160 px, and a margin around them. */
export const SMALL_PIXELS = 162 * 162;
/** And icons, of up to 64 x 64 px, may be hardly anything else. */
export const ICON_PIXELS = 66 * 66;
const ICON_EXACT = 0.06;
/** What is unequal in them must be what edges leave: few nearly equal, as compression and shading have them, and many plainly different. */
const MOST_NEARLY_EQUAL = 0.2;
const LEAST_STRONG = 0.22;
/**
 * What lossy compression leaves where most of a picture is even, a white ground for one: of the pixels unequal to their neighbors, most are
 * so by little, and in every direction.
 */
const LEAST_RIPPLES = 0.01;
const LEAST_RIPPLES_WITHIN_4 = 0.18;
const LEAST_RIPPLES_WITHIN_12 = 0.42;
/**
 * Codecs that foresee edges leave fewer ripples, but such as turn often, and small pictures have few: of 574 AVIFs that do 572 have both of these, and of 600
 * clean pictures the two that do have half of the second. Of 711 clean icons, logos and flags of 72 to 128 px that are no photographs 15 turn so often, and one has the second.
 */
const LEAST_TURNING = 0.003;
const LEAST_TURNING_WITHIN_4 = 0.14;

/** Who is to segment a picture. */
export interface FrontendChoice {
  readonly frontend: 'flat' | 'photo';
  /** Flat art that lossy compression or noise has been at: little of it, where the frontend is that of flat art. */
  readonly damaged: boolean;
}

/**
 * Decides by measured features of a picture, unless it is `forced`. Where ramps were taken out of the picture, `source` is what it was before: the
 * little that is left of a ramp turns often, too.
 */
export function chooseFrontend(
  flatness: Flatness,
  picture: WorkingPixels,
  forced: 'flat' | 'photo' | undefined,
  source = picture,
): FrontendChoice {
  const hasEdgesOnly = hasOnlyEdges(flatness, picture);
  const photo = isPhoto(flatness, picture);
  const isUneven = !photo && flatness.exact < FLAT_EXACT && !hasEdgesOnly && !isOfFewColors(picture, flatness);
  const hasRipples = !photo && areRipples(flatness, picture, source);
  return { frontend: forced ?? (photo || isUneven ? 'photo' : 'flat'), damaged: isUneven || hasRipples };
}

/** Whether a picture is drawn as a photograph; small ones that are all edges may only look like one. */
export function isPhotograph(pixels: WorkingPixels, forced: 'flat' | 'photo' | undefined): boolean {
  if (forced !== undefined || pixels.words.length <= SMALL_PIXELS) return forced === 'photo';
  return isPhoto(measureFlatness(pixels), pixels);
}

function isPhoto(flatness: Flatness, pixels: WorkingPixels): boolean {
  const isIcon = pixels.words.length <= ICON_PIXELS && hasOnlyEdges(flatness, pixels);
  return flatness.exact < (isIcon ? ICON_EXACT : PHOTO_EXACT) && !isOfFewColors(pixels, flatness);
}

const hasOnlyEdges = (flatness: Flatness, { words }: WorkingPixels): boolean =>
  words.length <= SMALL_PIXELS && isFlatButForEdges(flatness);

function areRipples({ exact, within4, within12 }: Flatness, picture: WorkingPixels, source: WorkingPixels): boolean {
  const others = 1 - exact;
  const small = within4 - exact;
  if (small < Math.max(LEAST_TURNING, LEAST_TURNING_WITHIN_4 * others)) return false;
  const areMany = small >= Math.max(LEAST_RIPPLES, LEAST_RIPPLES_WITHIN_4 * others);
  const reachFar = within12 - exact >= LEAST_RIPPLES_WITHIN_12 * others;
  return (areMany && reachFar && isRippled(picture)) || turnsOften(source);
}

function isFlatButForEdges({ exact, within4, strong }: Flatness): boolean {
  const others = 1 - exact;
  return within4 - exact <= MOST_NEARLY_EQUAL * others && strong >= LEAST_STRONG * others;
}
