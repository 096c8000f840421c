import type { RecoveryDetail } from '#application/ports/edge-recovery.js';

export interface DetailPlan {
  /** Side of the part of a tile that nobody else works out, px of the picture. */
  readonly tile: number;
  /** What a tile sees beyond it on each side. Half of that is thrown away, half blended with the neighbor. */
  readonly overlap: number;
  /** Passes: the picture is restored in so many of its eight orientations, and the mean is taken. */
  readonly orientations: 1 | 2 | 4 | 8;
}

/** An overlap of 20 hides the seams of our own model, which sees 10 px far, to the last bit. */
export const DETAIL_PLANS: Readonly<Record<RecoveryDetail, DetailPlan>> = {
  low: { tile: 240, overlap: 8, orientations: 1 },
  med: { tile: 216, overlap: 20, orientations: 1 },
  high: { tile: 192, overlap: 24, orientations: 4 },
  ultra: { tile: 160, overlap: 32, orientations: 8 },
};
