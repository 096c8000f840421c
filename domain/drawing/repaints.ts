import {
  COORDS_PER_COMMAND,
  type Drawing,
  type Geometry,
  type Paint,
  type PathGeometry,
  type Shape,
} from './drawing.js';

type Outlines = Pick<Drawing, 'commands' | 'coords'>;

const isSeenThrough = (paint: Paint): boolean =>
  paint.kind !== 'solid' && paint.stops.some(({ opacity }) => opacity < 1);

/**
 * Whether a shape does no more than change the colors of the one right beneath it: a gradient that is seen through, on the same outline, of neither of
 * which a stroke is drawn. Formats without opacity or without fills have one outline for both.
 */
export function isRepaint({ geometry, fill, stroke }: Shape, beneath: Shape | undefined, outlines: Outlines): boolean {
  if (beneath === undefined || fill === null || stroke !== null || !isSeenThrough(fill)) return false;
  return beneath.fill !== null && beneath.stroke === null && isSameGeometry(geometry, beneath.geometry, outlines);
}

function isSameGeometry(a: Geometry, b: Geometry, outlines: Outlines): boolean {
  if (a === b) return true;
  if (a.kind === 'path') return b.kind === 'path' && isSamePath(a, b, outlines);
  const other: Readonly<Record<string, unknown>> = { ...b };
  return Object.entries(a).every(([key, value]) => other[key] === value);
}

function isSamePath(a: PathGeometry, b: PathGeometry, { commands, coords }: Outlines): boolean {
  if (a.commandCount !== b.commandCount || a.evenOdd !== b.evenOdd) return false;
  if (a.firstCommand === b.firstCommand && a.firstCoord === b.firstCoord) return true;
  let count = 0;
  for (let k = 0; k < a.commandCount; k++) {
    const command = commands[a.firstCommand + k]!;
    if (command !== commands[b.firstCommand + k]) return false;
    count += COORDS_PER_COMMAND[command]!;
  }
  for (let k = 0; k < count; k++) if (coords[a.firstCoord + k] !== coords[b.firstCoord + k]) return false;
  return true;
}
