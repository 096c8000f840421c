import { BLUE_OF_LUMA, GREEN_OF_LUMA, RED_OF_LUMA } from '../kernels/kernel-layout.js';

/** Luma of channels, in whatever unit these are. */
export function lumaOf(red: number, green: number, blue: number): number {
  return RED_OF_LUMA * red + GREEN_OF_LUMA * green + BLUE_OF_LUMA * blue;
}
