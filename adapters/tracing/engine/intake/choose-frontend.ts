import type { Flatness } from './flatness.js';

/** Share of pixels equal to their neighbors from which a picture is flat art, and under which it is a photograph. */
const FLAT_EXACT = 0.62;
const PHOTO_EXACT = 0.3;

/** Who is to segment a picture. */
export interface FrontendChoice {
  readonly frontend: 'flat' | 'photo';
  /** Flat art that lossy compression or noise has been at. */
  readonly damaged: boolean;
}

/** Decides by measured features, unless it is `forced`. */
export function chooseFrontend(flatness: Flatness, forced: 'flat' | 'photo' | undefined): FrontendChoice {
  const photo = flatness.exact < PHOTO_EXACT;
  const damaged = !photo && flatness.exact < FLAT_EXACT;
  return { frontend: forced ?? (photo || damaged ? 'photo' : 'flat'), damaged };
}
