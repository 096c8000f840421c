/** Pixels walked from a crack to the pure color on one side; anti-aliasing needs one or two. */
export const WALK_PX = 3;
/** Coverage from which a pixel counts as pure. */
export const PURE = 0.985;
/** How far from its crack an edge that is not sure may be. */
const MOST_OFFSET_PX = 1.5;

/** An edge's offset from its crack, px, no farther than one that is not sure may be. */
export function nearCrack(offset: number): number {
  return offset < -MOST_OFFSET_PX ? -MOST_OFFSET_PX : offset > MOST_OFFSET_PX ? MOST_OFFSET_PX : offset;
}
