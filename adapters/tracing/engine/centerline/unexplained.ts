import type { DepthField } from './depth-field.js';
import type { Stroke } from './join-branches.js';
import { PlaceGrid } from './place-grid.js';
import type { RegionEdge } from './region-edge.js';

/** An outline half a width beside a line is its side: to so many px, or this share of the width. */
const BESIDE_PX = 0.5;
const BESIDE_SHARE = 0.03;
const SPACING_PX = 2;

/** What an area beside the strokes counts for, as its outline is told by nothing but itself. */
const PATCH_PRICE = 0.004;

/**
 * Which share of a region's outline, 0..1, is the side of no stroke nor the outline of an area beside them, and of the strokes' length,
 * not within the region: their sum.
 */
export function unexplained(
  strokes: readonly Stroke[],
  patches: readonly (readonly number[])[],
  edge: RegionEdge,
  depths: DepthField,
): number {
  const widest = strokes.reduce((most, { width }) => Math.max(most, width), 0);
  const grid = new PlaceGrid(widest / 2 + SPACING_PX + 1);
  const half: number[] = [];
  let length = 0;
  let outside = 0;
  const add = (x: number, y: number, width: number, ux: number, uy: number) => {
    grid.add(x, y, ux, uy);
    half.push(width / 2);
  };
  for (const { points, width, closed, start, end } of strokes) {
    const count = points.length / 2;
    for (let k = 0; k < (closed ? count : count - 1); k++) {
      const next = (k + 1) % count;
      const [ax, ay] = [points[k * 2], points[k * 2 + 1]];
      const dx = points[next * 2] - ax;
      const dy = points[next * 2 + 1] - ay;
      const way = Math.hypot(dx, dy);
      if (way < 1e-9) continue;
      const steps = Math.max(1, Math.ceil(way / SPACING_PX));
      for (let s = 0; s < steps; s++) add(ax + (dx * s) / steps, ay + (dy * s) / steps, width, dx / way, dy / way);
      length += way;
      if (!depths.holds(ax + dx / 2, ay + dy / 2, width / 2)) outside += way;
    }
    for (const tip of [start, end]) {
      if (tip === undefined) continue;
      for (let t = 0; t <= tip.middle - width / 2; t++)
        add(tip.x + tip.ux * t, tip.y + tip.uy * t, width, tip.ux, tip.uy);
    }
    if (count > 0) add(points[count * 2 - 2], points[count * 2 - 1], width, 0, 0);
  }
  const around = new PlaceGrid(SPACING_PX + 1);
  for (const points of patches) for (let k = 0; k < points.length; k += 2) around.add(points[k], points[k + 1], 0, 0);
  let outline = 0;
  let astray = 0;
  const slack = Math.max(BESIDE_PX, BESIDE_SHARE * widest);
  for (let k = 0; k < edge.pieces; k++) {
    const way = Math.hypot(edge.x1[k] - edge.x0[k], edge.y1[k] - edge.y0[k]);
    outline += way;
    const x = (edge.x0[k] + edge.x1[k]) / 2;
    const y = (edge.y0[k] + edge.y1[k]) / 2;
    if (patches.length > 0 && around.nearest(x, y, SPACING_PX, () => true) >= 0) continue;
    const nearest = grid.nearest(x, y, widest / 2 + SPACING_PX, () => true);
    if (nearest < 0) {
      astray += way;
      continue;
    }
    const dx = x - grid.x[nearest];
    const dy = y - grid.y[nearest];
    const along = dx * grid.ux[nearest] + dy * grid.uy[nearest];
    const reach =
      Math.abs(along) <= SPACING_PX ? Math.abs(dy * grid.ux[nearest] - dx * grid.uy[nearest]) : Math.hypot(dx, dy);
    const aside = grid.ux[nearest] === 0 && grid.uy[nearest] === 0 ? Math.hypot(dx, dy) : reach;
    if (Math.abs(aside - half[nearest]) > slack) astray += way;
  }
  return PATCH_PRICE * patches.length + astray / (outline || 1) + outside / (length || 1);
}
