/** Levels from the drawing as it is (0) to one that leaves next to nothing. */
export const COARSEST = 64;

/** What one px of boundary is worth at level 1, in squared error, and by how much more at each level. */
const FIRST_LAMBDA = 4;
const LAMBDA_FACTOR = 1.27;
/** Squared error of an edge of middling contrast that is drawn one px beside its place, per px of it. */
const EDGE_ERROR = 3200;
const MOST_TOLERANCE_PX = 24;

/** What makes a drawing coarser, all of one price. */
export interface Coarseness {
  /** Boundaries worth less than this are gone: squared error per px, summed over the channels. */
  readonly lambda: number;
  /** Curves may be this far from where they were, px: as far as costs what a boundary is worth. */
  readonly tolerancePx: number;
}

export function coarsenessAt(level: number): Coarseness {
  const lambda = FIRST_LAMBDA * LAMBDA_FACTOR ** (level - 1);
  return { lambda, tolerancePx: Math.min(MOST_TOLERANCE_PX, Math.sqrt(lambda / EDGE_ERROR)) };
}
