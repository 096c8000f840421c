/** An elliptic arc by its center: point(t) = center + R(rotation) (rx cos t, ry sin t) for t from `start` to `start + sweep`. */
export interface CenterArc {
  readonly cx: number;
  readonly cy: number;
  /** As given, or larger by the least that lets the arc reach both ends. */
  readonly rx: number;
  readonly ry: number;
  readonly rotationRad: number;
  readonly startRad: number;
  /** Signed; positive runs clockwise on screen (y down). */
  readonly sweepRad: number;
}

/**
 * The center form of the SVG arc from (x0, y0) to (x1, y1); `rotation` in degrees. Undefined where the arc is a straight
 * line (a radius of 0) or nothing (both ends alike), as SVG has it.
 */
export function centerArcOf(
  x0: number,
  y0: number,
  rx: number,
  ry: number,
  rotation: number,
  largeArc: boolean,
  sweep: boolean,
  x1: number,
  y1: number,
): CenterArc | undefined {
  rx = Math.abs(rx);
  ry = Math.abs(ry);
  if (rx === 0 || ry === 0 || (x0 === x1 && y0 === y1)) return undefined;
  const rotationRad = (rotation * Math.PI) / 180;
  const cos = Math.cos(rotationRad);
  const sin = Math.sin(rotationRad);
  const halfX = (x0 - x1) / 2;
  const halfY = (y0 - y1) / 2;
  // In the frame where the ellipse is the unit circle.
  let ux = (cos * halfX + sin * halfY) / rx;
  let uy = (cos * halfY - sin * halfX) / ry;
  const halfChordSq = ux * ux + uy * uy;
  // Ends so close that the way to the center is lost in rounding.
  if (halfChordSq < 1e-20) return undefined;
  let toCenter = 0;
  if (halfChordSq > 1) {
    const grow = Math.sqrt(halfChordSq);
    rx *= grow;
    ry *= grow;
    ux /= grow;
    uy /= grow;
  } else {
    toCenter = Math.sqrt(1 / halfChordSq - 1);
    if (largeArc === sweep) toCenter = -toCenter;
  }
  const centerX = toCenter * uy;
  const centerY = -toCenter * ux;
  const startRad = Math.atan2(uy - centerY, ux - centerX);
  let sweepRad = Math.atan2(-uy - centerY, -ux - centerX) - startRad;
  if (sweep && sweepRad < 0) sweepRad += 2 * Math.PI;
  if (!sweep && sweepRad > 0) sweepRad -= 2 * Math.PI;
  return {
    cx: (x0 + x1) / 2 + cos * rx * centerX - sin * ry * centerY,
    cy: (y0 + y1) / 2 + sin * rx * centerX + cos * ry * centerY,
    rx,
    ry,
    rotationRad,
    startRad,
    sweepRad,
  };
}
