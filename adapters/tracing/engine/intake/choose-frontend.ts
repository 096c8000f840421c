import { isPixelArt } from '../pixel/is-pixel-art.js';
import type { EngineSettings, Frontend } from '../types.js';
import { type Flatness, measureFlatness } from './flatness.js';
import type { WorkingPixels } from './working-pixels.js';

/** Share of pixels equal to their neighbors from which a picture is flat art, and under which it is a photograph. */
const FLAT_EXACT = 0.62;
const PHOTO_EXACT = 0.3;

export interface FrontendChoice {
  readonly frontend: Frontend;
  /** Flat art that lossy compression or noise has been at. */
  readonly damaged: boolean;
  /** 0..1 */
  readonly confidence: number;
  readonly reason: string;
  readonly flatness: Flatness;
}

/** Decides by measured features who segments the picture, unless the settings say. */
export function chooseFrontend(pixels: WorkingPixels, settings: EngineSettings): FrontendChoice {
  const flatness = measureFlatness(pixels);
  const damaged = flatness.exact < FLAT_EXACT;
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  if (settings.frontend !== 'auto') {
    const reason = `the settings ask for ${settings.frontend} tracing`;
    return { frontend: settings.frontend, damaged, confidence: 1, reason, flatness };
  }
  if (isPixelArt(pixels.rgba, pixels.width, pixels.height)) {
    const reason = 'few colors on a grid of equal cells, and no mixtures along their edges';
    return { frontend: 'pixel', damaged: false, confidence: 0.95, reason, flatness };
  }
  const exact = percent(flatness.exact);
  if (flatness.exact < PHOTO_EXACT) {
    const confidence = Math.min(1, 0.5 + (PHOTO_EXACT - flatness.exact) / PHOTO_EXACT / 2);
    const reason = `only ${exact} of the pixels equal their neighbors`;
    return { frontend: 'photo', damaged: true, confidence, reason, flatness };
  }
  if (damaged) {
    const reason = `${exact} of the pixels equal their neighbors: flat art with noise or compression`;
    return { frontend: 'photo', damaged, confidence: 0.6, reason, flatness };
  }
  const confidence = Math.min(1, 0.5 + (flatness.exact - FLAT_EXACT) / (1 - FLAT_EXACT));
  return { frontend: 'flat', damaged, confidence, reason: `${exact} of the pixels equal their neighbors`, flatness };
}
