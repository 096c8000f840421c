import { type ContourMoments, contourMoments } from '../shapes/contour-moments.js';
import { SidedContour } from './sided-contour.js';

/** Corners of a pentagram, and how far those that point inwards are from the middle, over those that point outwards. */
const STAR_POINTS = 5;
const STAR_INNER = (3 - Math.sqrt(5)) / 2;
/** Principal second moments of what has one shape differ by no more than this share, as pixels tell them. */
const SPREAD_SHARE = 0.2;
/** And of templates that are one by less than this. */
const SAME_SHARE = 0.04;
/** What is as long one way as the other, but for this share, does not tell by its moments how it is turned: it is tried at these turns, radians. */
const ROUND_SHARE = 0.25;
const TURN_STEP = Math.PI / 15;

/** A shape that contours may have wherever they are, however large and turned. */
export interface ShapeTemplate {
  /** About the origin, of area 1, clockwise as seen. */
  readonly contour: SidedContour;
  readonly moments: ContourMoments;
  /** So many times in a turn it is the same. */
  readonly order: number;
}

/** The star of five points each of whose sides goes on in another's line. */
export function pentagram(): ShapeTemplate {
  const contour = new SidedContour();
  contour.count = 2 * STAR_POINTS;
  for (let k = 0; k < contour.count; k++) {
    const radius = k % 2 === 0 ? 1 : STAR_INNER;
    const angle = (Math.PI * k) / STAR_POINTS - Math.PI / 2;
    contour.numbers[3 * k] = radius * Math.cos(angle);
    contour.numbers[3 * k + 1] = radius * Math.sin(angle);
  }
  return templateOf(contour, true, STAR_POINTS);
}

/** The template of a contour, which runs clockwise or not. */
export function templateOf(given: SidedContour, isClockwise: boolean, order = 1): ShapeTemplate {
  const { area, cx, cy } = momentsOf(given);
  const contour = given.copy();
  const scale = 1 / Math.sqrt(area);
  for (let k = 0; k < contour.count; k++) {
    contour.numbers[3 * k] = (contour.numbers[3 * k] - cx) * scale;
    contour.numbers[3 * k + 1] = (contour.numbers[3 * k + 1] - cy) * scale;
  }
  if (!isClockwise) contour.reverse();
  return { contour, moments: momentsOf(contour), order };
}

/** Whether what is enclosed may be of a template's shape: it lies as far around its middle. */
export function isLike({ moments }: ShapeTemplate, given: ContourMoments, share = SPREAD_SHARE): boolean {
  const wanted = spreadOf(moments);
  const own = spreadOf(given);
  return (
    Math.abs(own.long - wanted.long) < share * wanted.long && Math.abs(own.short - wanted.short) < share * wanted.short
  );
}

/** Whether two templates are of one shape, as far as one of them will do. */
export function areAlike(one: ShapeTemplate, other: ShapeTemplate): boolean {
  return one.contour.written === other.contour.written && isLike(one, other.moments, SAME_SHARE);
}

/** The turns, radians, at which a template is to be tried where something of these moments lies. */
export function turnsOf({ moments, order }: ShapeTemplate, given: ContourMoments): readonly number[] {
  const own = spreadOf(given);
  if (order === 1 && own.long - own.short > ROUND_SHARE * own.long) {
    const turn = own.direction - spreadOf(moments).direction;
    return [turn, turn + Math.PI];
  }
  const whole = (2 * Math.PI) / order;
  const count = Math.ceil(whole / TURN_STEP);
  return Array.from({ length: count }, (_, i) => (whole * i) / count);
}

/** Puts a template, turned by so much, where something of these moments lies, as large. */
export function placeTemplate(
  { contour }: ShapeTemplate,
  { area, cx, cy }: ContourMoments,
  turn: number,
  isClockwise: boolean,
  into: SidedContour,
): void {
  into.set(contour);
  const scale = Math.sqrt(area);
  const u = scale * Math.cos(turn);
  const v = scale * Math.sin(turn);
  for (let k = 0; k < contour.count; k++) {
    const x = contour.numbers[3 * k];
    const y = contour.numbers[3 * k + 1];
    into.numbers[3 * k] = cx + u * x - v * y;
    into.numbers[3 * k + 1] = cy + v * x + u * y;
  }
  if (!isClockwise) into.reverse();
}

function momentsOf(contour: SidedContour): ContourMoments {
  const { x, y } = contour.polygon();
  return contourMoments(Float64Array.from(x), Float64Array.from(y), x.length);
}

/** Principal second moments over the area, and the direction of the longer one, radians. */
function spreadOf({ area, xx, xy, yy }: ContourMoments) {
  const middle = (xx + yy) / 2;
  const off = Math.sqrt(((xx - yy) / 2) ** 2 + xy * xy);
  return { long: (middle + off) / area, short: (middle - off) / area, direction: Math.atan2(2 * xy, xx - yy) / 2 };
}
