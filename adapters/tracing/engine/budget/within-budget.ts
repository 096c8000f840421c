import { COARSEST } from './coarseness.js';

/**
 * The finest drawing that fits, by halving: which level is asked for next depends on the answers alone, so that a larger budget never
 * leads to a coarser level. `draw` is called at most seven times more. Undefined where none of those tried fits.
 */
export function finestThatFits<Drawing>(
  draw: (level: number) => Drawing,
  fits: (drawing: Drawing) => boolean,
): Drawing | undefined {
  const whole = draw(0);
  if (fits(whole)) return whole;
  let found: Drawing | undefined;
  let fine = 0;
  let coarse = COARSEST + 1;
  while (coarse - fine > 1) {
    const level = (fine + coarse) >> 1;
    const drawing = draw(level);
    if (fits(drawing)) {
      found = drawing;
      coarse = level;
    } else fine = level;
  }
  return found;
}
