/** Of a color at the end of a channel half the pixels are there, but for those at its edges. */
const LEAST_CUT_OFF = 0.4;

/**
 * The level of a channel of so many grainy pixels (one at least) by their mean: grain on white has but one side, and so has that on black. Where so many are at an end of the
 * channel, the color is there itself, and not at their mean.
 */
export function uncutLevel(mean: number, pixels: number, black: number, white: number): number {
  const least = LEAST_CUT_OFF * pixels;
  return black >= least ? 0 : white >= least ? 255 : mean;
}
