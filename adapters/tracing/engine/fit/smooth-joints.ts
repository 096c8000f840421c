import { within } from '../math/within.js';

/**
 * Tangents that differ by less than this (radians) where two curves, or a curve and a line, meet are one. What the samples tell of a
 * curve's tangent next to a line is little; but a very short curve may be the blunt end of something straight.
 */
const SMOOTH_TURN = 0.005;
const SHORT_LINE_TURN = 0.06;
const LINE_TURN = 0.25;
/** Curves are short up to the one chord, and long from the other on, px. */
const SHORT_CHORD_PX = 4;
const LONG_CHORD_PX = 8;

/** Whether two curves that meet with tangents `turn` apart (radians, 0 or more) go on into each other. */
export function goOn(turn: number): boolean {
  return turn < SMOOTH_TURN;
}

/** Whether a curve, whose ends are `chord` px apart, goes on into a line that it meets `turn` radians away from its tangent. */
export function goesOnStraight(turn: number, chord: number): boolean {
  const share = within((chord - SHORT_CHORD_PX) / (LONG_CHORD_PX - SHORT_CHORD_PX), 1);
  return turn < SHORT_LINE_TURN + share * (LINE_TURN - SHORT_LINE_TURN);
}
