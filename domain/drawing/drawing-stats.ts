import {
  ARC,
  CLOSE,
  COORDS_PER_COMMAND,
  type Drawing,
  type Geometry,
  MOVE,
  type Paint,
  type PathGeometry,
  shapesOf,
} from './drawing.js';

/** What a person who opens the drawing has to deal with. */
export interface DrawingStats {
  readonly shapes: number;
  /** Shapes whose outline is a path. */
  readonly paths: number;
  /** Shapes kept as circle, ellipse or rectangle. */
  readonly primitives: number;
  /** Fills and strokes painted with a gradient. */
  readonly gradients: number;
  /** On-curve points, a closing point that repeats the first not counted again; four for a primitive. */
  readonly nodes: number;
  /** Numbers that place the outlines: 2 a point, 4 a quadratic, 6 a cubic, 5 an arc, 3 a circle, 4 an ellipse or rectangle. */
  readonly parameters: number;
  /** Different solid and stop colors, whatever their opacity. */
  readonly colors: number;
}

const PRIMITIVE_NODES = 4;

const ARC_PARAMETERS = 5;

interface Counts {
  nodes: number;
  parameters: number;
}

/** Adds what the commands of a path hold, read as they stand: there may be a hundred thousand of them. */
function countPath(path: PathGeometry, { commands, coords }: Drawing, counts: Counts): void {
  let at = path.firstCoord;
  let segments = 0;
  let startX = 0;
  let startY = 0;
  let endX = 0;
  let endY = 0;
  for (let i = path.firstCommand; i < path.firstCommand + path.commandCount; i++) {
    const command = commands[i]!;
    const numbers = COORDS_PER_COMMAND[command];
    if (numbers === undefined) throw new RangeError(`unknown path command ${command}`);
    if (command === CLOSE) {
      if (segments > 0 && endX === startX && endY === startY) counts.nodes--;
      segments = 0;
      continue;
    }
    at += numbers;
    endX = coords[at - 2]!;
    endY = coords[at - 1]!;
    counts.nodes++;
    counts.parameters += command === ARC ? ARC_PARAMETERS : numbers;
    segments++;
    if (command !== MOVE) continue;
    segments = 0;
    startX = endX;
    startY = endY;
  }
}

function countGeometry(geometry: Geometry, drawing: Drawing, counts: Counts): void {
  if (geometry.kind === 'path') {
    countPath(geometry, drawing, counts);
    return;
  }
  counts.nodes += PRIMITIVE_NODES;
  if (geometry.kind === 'circle') counts.parameters += 3;
  else if (geometry.kind === 'ellipse') counts.parameters += geometry.rotation === 0 ? 4 : 5;
  else counts.parameters += geometry.radius === 0 ? 4 : 5;
}

/** Counts a drawing. */
export function drawingStatsOf(drawing: Drawing): DrawingStats {
  let shapes = 0;
  let paths = 0;
  let gradients = 0;
  const counts: Counts = { nodes: 0, parameters: 0 };
  const colors = new Set<number>();
  const addPaint = (paint: Paint | undefined | null) => {
    if (!paint) return;
    if (paint.kind === 'solid') {
      colors.add(paint.color);
      return;
    }
    gradients++;
    for (const stop of paint.stops) colors.add(stop.color);
  };
  for (const shape of shapesOf(drawing.items)) {
    shapes++;
    if (shape.geometry.kind === 'path') paths++;
    countGeometry(shape.geometry, drawing, counts);
    addPaint(shape.fill);
    addPaint(shape.stroke?.paint);
  }
  return { shapes, paths, primitives: shapes - paths, gradients, ...counts, colors: colors.size };
}
