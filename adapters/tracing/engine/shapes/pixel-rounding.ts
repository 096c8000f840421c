/** What a pixel may differ from what a shape leaves of it: levels of rounding, and a share of the contrast, which edges are smoothed to. */
const ROUNDING = 1.5;
const CONTRAST_SHARE = 0.012;

/** Whether a pixel's channel is off by no more than its rounding, between colors that differ by `contrast` levels. */
export function isRounding(off: number, contrast: number): boolean {
  return Math.abs(off) <= ROUNDING + CONTRAST_SHARE * Math.abs(contrast);
}
