import { contrastOf, signedWords } from './word-contrast.js';
import type { WorkingPixels } from './working-pixels.js';

/** Levels, in every channel, within which a color is nearly another's. */
const NEARLY = 4;
/**
 * For every pixel of the ground, so many that are nearly of its color: in 48 figures with and without gradients the edges of clean ones
 * that are uneven leave .0014 to .0038, JPEGs of them, of quality 60 to 98, .032 and more.
 */
const LEAST_RIPPLES = 0.012;
/** A ground with a smaller share of the picture tells nothing. */
const LEAST_GROUND = 0.05;

/**
 * Whether the most frequent color of a picture is rippled, as lossy compression leaves it around all edges, or is of little of it, so that
 * none can tell. Where it is not, nothing has been at the picture: what else is uneven there is so by intent.
 */
export function mayBeRippled({ words: unsigned, runs }: WorkingPixels): boolean {
  const { starts, count } = runs;
  const words = signedWords(unsigned);
  const lengths = new Map<number, number>();
  let most = 0;
  let ground = 0;
  for (let r = 0; r < count; r++) {
    const word = words[starts[r]];
    const length = (lengths.get(word) ?? 0) + starts[r + 1] - starts[r];
    lengths.set(word, length);
    if (length <= most) continue;
    most = length;
    ground = word;
  }
  if (most < LEAST_GROUND * words.length) return true;
  let ripples = 0;
  for (let r = 0; r < count; r++) {
    const contrast = contrastOf(words[starts[r]], ground);
    if (contrast > 0 && contrast <= NEARLY) ripples += starts[r + 1] - starts[r];
  }
  return ripples > LEAST_RIPPLES * most;
}
