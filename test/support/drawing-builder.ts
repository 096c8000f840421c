import {
  ARC,
  CLOSE,
  CUBIC,
  type Drawing,
  type DrawingItem,
  type Geometry,
  LINE,
  MOVE,
  type Paint,
  type PathGeometry,
  QUADRATIC,
  type Rgb,
  type Shape,
  type SolidPaint,
  type Stroke,
} from '#domain/drawing/drawing.js';

const COMMANDS = { M: MOVE, L: LINE, Q: QUADRATIC, C: CUBIC, A: ARC, Z: CLOSE } as const;
export type BuilderStep = readonly [keyof typeof COMMANDS, ...number[]];

export const solid = (color: Rgb, opacity = 1): SolidPaint => ({ kind: 'solid', color, opacity });

export const shapeOf = (geometry: Geometry, fill: Paint | null, stroke: Stroke | null = null): Shape => ({
  kind: 'shape',
  geometry,
  fill,
  stroke,
  visibleAreaPx: 0,
});

export const strokeOf = (paint: Paint, width: number, more: Partial<Stroke> = {}): Stroke => ({
  paint,
  width,
  cap: 'butt',
  join: 'miter',
  miterLimit: 4,
  dashes: [],
  dashOffset: 0,
  ...more,
});

export const rectOf = (x: number, y: number, width: number, height: number, radius = 0): Geometry => ({
  kind: 'rect',
  x,
  y,
  width,
  height,
  radius,
});

/** Collects outlines into the flat arrays of one drawing. */
export function createDrawingBuilder(width: number, height: number) {
  const commands: number[] = [];
  const coords: number[] = [];
  return {
    path(steps: readonly BuilderStep[], evenOdd = false): PathGeometry {
      const firstCommand = commands.length;
      const firstCoord = coords.length;
      for (const [letter, ...numbers] of steps) {
        commands.push(COMMANDS[letter]);
        coords.push(...numbers);
      }
      return { kind: 'path', firstCommand, commandCount: steps.length, firstCoord, evenOdd };
    },
    drawing: (items: readonly DrawingItem[] = [], crispEdges = false): Drawing => ({
      width,
      height,
      commands: Uint8Array.from(commands),
      coords: Float64Array.from(coords),
      items,
      crispEdges,
    }),
  };
}
