import { flatten } from '#adapters/tracing/fidelity/flatten.js';
import { type Drawing, shapesOf } from '#domain/drawing/drawing.js';
import { Polylines } from '#domain/drawing/polylines.js';

interface Line {
  readonly width: number;
  /** x, y in turn. */
  readonly points: readonly number[];
}

/** The strokes of a drawing as lines, enlarged. */
function linesOf(drawing: Drawing, scale: number): Line[] {
  const lines: Line[] = [];
  for (const { geometry, stroke } of shapesOf(drawing.items)) {
    if (stroke === null) continue;
    const outlines = new Polylines();
    flatten(geometry, drawing, 0.005 / scale, outlines);
    for (let k = 0; k < outlines.count; k++) {
      const points: number[] = [];
      for (let i = outlines.starts[k] as number; i < (outlines.starts[k + 1] as number); i++)
        points.push((outlines.points[2 * i] as number) * scale, (outlines.points[2 * i + 1] as number) * scale);
      if (outlines.closed[k] === 1) points.push(...points.slice(0, 2));
      lines.push({ width: stroke.width * scale, points });
    }
  }
  return lines;
}

/** Places along lines, a px apart at most: x, y, width in turn. */
function placesOn(lines: readonly Line[]): number[] {
  const places: number[] = [];
  for (const { points, width } of lines) {
    for (let k = 2; k < points.length; k += 2) {
      const [ax, ay, bx, by] = points.slice(k - 2, k + 2) as [number, number, number, number];
      const steps = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay)));
      for (let s = 0; s <= steps; s++) places.push(ax + ((bx - ax) * s) / steps, ay + ((by - ay) * s) / steps, width);
    }
  }
  return places;
}

/** How far a place is from the nearest line, and that line's width. */
function nearest(x: number, y: number, lines: readonly Line[]): { readonly distance: number; readonly width: number } {
  let best = Infinity;
  let found = 0;
  for (const { points, width } of lines) {
    for (let k = 2; k < points.length; k += 2) {
      const [ax, ay, bx, by] = points.slice(k - 2, k + 2) as [number, number, number, number];
      const dx = bx - ax;
      const dy = by - ay;
      const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
      const distance = Math.hypot(x - ax - t * dx, y - ay - t * dy);
      if (distance >= best) continue;
      best = distance;
      found = width;
    }
  }
  return { distance: best, width: found };
}

/** The strokes of a drawing against those of the one it was traced from: px, and shares of the length within 0.3 px and 8 % of width. */
export function compareStrokes(truth: Drawing, traced: Drawing) {
  const true_ = linesOf(truth, traced.width / truth.width);
  const drawn = linesOf(traced, 1);
  const distances: number[] = [];
  let near = 0;
  let wide = 0;
  const places = placesOn(true_);
  for (let k = 0; k < places.length; k += 3) {
    const [x, y, width] = places.slice(k, k + 3) as [number, number, number];
    const found = nearest(x, y, drawn);
    distances.push(found.distance);
    if (found.distance <= 0.3) near++;
    if (Math.abs(found.width / width - 1) <= 0.08) wide++;
  }
  // What is drawn beside the truth counts as well.
  const back = placesOn(drawn);
  const astray: number[] = [];
  for (let k = 0; k < back.length; k += 3)
    astray.push(nearest(back[k] as number, back[k + 1] as number, true_).distance);
  const at95 = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Infinity;
  const mean = distances.reduce((sum, value) => sum + value, 0) / distances.length;
  const share = (count: number) => count / distances.length;
  return { mean, at95: at95(distances), astray: at95(astray), near: share(near), wide: share(wide) };
}
