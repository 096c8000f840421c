import { type Drawing, type Geometry, type Paint, shapesOf, visitPath } from './drawing.js';

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

function countGeometry(geometry: Geometry, drawing: Drawing): { nodes: number; parameters: number } {
  switch (geometry.kind) {
    case 'circle':
      return { nodes: PRIMITIVE_NODES, parameters: 3 };
    case 'ellipse':
      return { nodes: PRIMITIVE_NODES, parameters: geometry.rotation === 0 ? 4 : 5 };
    case 'rect':
      return { nodes: PRIMITIVE_NODES, parameters: geometry.radius === 0 ? 4 : 5 };
    case 'path': {
      let nodes = 0;
      let parameters = 0;
      let segments = 0;
      let startX = 0;
      let startY = 0;
      let endX = 0;
      let endY = 0;
      const step = (cost: number, x: number, y: number) => {
        nodes++;
        segments++;
        parameters += cost;
        endX = x;
        endY = y;
      };
      visitPath(geometry, drawing, {
        move(x, y) {
          step(2, x, y);
          segments = 0;
          startX = x;
          startY = y;
        },
        line: (x, y) => step(2, x, y),
        quadratic: (_x1, _y1, x, y) => step(4, x, y),
        cubic: (_x1, _y1, _x2, _y2, x, y) => step(6, x, y),
        arc: (_rx, _ry, _rotation, _large, _sweep, x, y) => step(5, x, y),
        close() {
          if (segments > 0 && endX === startX && endY === startY) nodes--;
          segments = 0;
        },
      });
      return { nodes, parameters };
    }
  }
}

/** Counts a drawing. */
export function drawingStatsOf(drawing: Drawing): DrawingStats {
  let shapes = 0;
  let paths = 0;
  let gradients = 0;
  let nodes = 0;
  let parameters = 0;
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
    const counted = countGeometry(shape.geometry, drawing);
    nodes += counted.nodes;
    parameters += counted.parameters;
    addPaint(shape.fill);
    addPaint(shape.stroke?.paint);
  }
  return { shapes, paths, primitives: shapes - paths, gradients, nodes, parameters, colors: colors.size };
}
