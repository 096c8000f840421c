import { type Flatness, measureFlatness } from './flatness.js';
import type { WorkingPixels } from './working-pixels.js';

/** Share of pixels equal to their neighbors from which a picture is flat art, and under which it is a photograph. */
const FLAT_EXACT = 0.62;
const PHOTO_EXACT = 0.3;

/** Who is to segment a picture, and what speaks for it. */
export interface FrontendChoice {
  readonly frontend: 'flat' | 'photo';
  /** Flat art that lossy compression or noise has been at. */
  readonly damaged: boolean;
  /** 0..1 */
  readonly confidence: number;
  readonly reason: string;
}

/** Decides by measured features, unless it is `forced`. */
export function chooseFrontend(pixels: WorkingPixels, forced: 'flat' | 'photo' | undefined): FrontendChoice {
  const flatness: Flatness = measureFlatness(pixels);
  const exact = `${Math.round(flatness.exact * 100)} % of the pixels equal their neighbors`;
  const photo = flatness.exact < PHOTO_EXACT;
  const damaged = !photo && flatness.exact < FLAT_EXACT;
  if (forced !== undefined) {
    return { frontend: forced, damaged, confidence: 1, reason: `the settings ask for it; ${exact}` };
  }
  if (photo) {
    const confidence = 0.5 + (PHOTO_EXACT - flatness.exact) / PHOTO_EXACT / 2;
    return { frontend: 'photo', damaged, confidence, reason: `only ${exact}` };
  }
  if (damaged) {
    return { frontend: 'photo', damaged, confidence: 0.6, reason: `${exact}: flat art with noise or compression` };
  }
  const confidence = Math.min(1, 0.5 + (flatness.exact - FLAT_EXACT) / (1 - FLAT_EXACT));
  return { frontend: 'flat', damaged, confidence, reason: exact };
}
