import {
  ARC,
  CLOSE,
  COORDS_PER_COMMAND,
  CUBIC,
  type Drawing,
  type DrawingItem,
  type Geometry,
  LINE,
  MOVE,
  type Paint,
  QUADRATIC,
  type Shape,
} from '#domain/drawing/drawing.js';

export const solid = (color: number, opacity = 1): Paint => ({ kind: 'solid', color, opacity });

export const shape = (
  geometry: Geometry,
  fill: Paint | null,
  visibleAreaPx = 0,
  stroke: Shape['stroke'] = null,
): Shape => ({
  kind: 'shape',
  geometry,
  fill,
  stroke,
  visibleAreaPx,
});

const COMMANDS: Readonly<Record<string, number>> = { M: MOVE, L: LINE, Q: QUADRATIC, C: CUBIC, A: ARC, Z: CLOSE };

/** A drawing of the given size; outlines are written as absolute `M L Q C A Z` text with spaces between all numbers. */
export function drawingOf(
  width: number,
  height: number,
  make: (path: (text: string) => Geometry) => readonly DrawingItem[],
): Drawing {
  const commands: number[] = [];
  const coords: number[] = [];
  const path = (text: string): Geometry => {
    const firstCommand = commands.length;
    const firstCoord = coords.length;
    for (const part of text.trim().split(/(?=[MLQCAZ])/)) {
      const command = COMMANDS[part[0]!]!;
      const numbers = part.slice(1).trim().split(/\s+/).filter(Boolean).map(Number);
      if (numbers.length !== COORDS_PER_COMMAND[command]) throw new RangeError(`bad path text: ${part}`);
      commands.push(command);
      coords.push(...numbers);
    }
    return { kind: 'path', firstCommand, commandCount: commands.length - firstCommand, firstCoord, evenOdd: false };
  };
  const items = make(path);
  return {
    width,
    height,
    items,
    commands: Uint8Array.from(commands),
    coords: Float64Array.from(coords),
    crispEdges: false,
  };
}
