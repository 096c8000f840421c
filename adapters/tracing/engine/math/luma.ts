/** What red, green and blue have of luma (ITU-R BT.601, as JPEG has it by ITU-T T.871). */
export const LUMA = [0.299, 0.587, 0.114] as const;

const [RED, GREEN, BLUE] = LUMA;

/** Luma of channels, in whatever unit these are. */
export function lumaOf(red: number, green: number, blue: number): number {
  return RED * red + GREEN * green + BLUE * blue;
}
