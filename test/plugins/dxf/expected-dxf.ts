import { boundsOfGeometry } from '#domain/drawing/bounds.js';
import { type Drawing, shapesOf } from '#domain/drawing/drawing.js';
import { flattenGeometry } from '#domain/drawing/outline-visitors.js';
import { openGroups } from '#domain/exports/open-groups.js';
import { colorOf, layerNameOf } from '#plugins/dxf/layers.js';
import { shoelace } from './read-dxf.js';

export const MM_PER_PX = 25.4 / 96;

/**
 * What a DXF of a drawing should hold, in mm: its box, and by layer the area of its closed contours, signed and regardless of
 * the sign: fills, and the middle of strokes that close.
 */
export function expectedDxf(drawing: Drawing) {
  const open = openGroups(drawing, { opacity: true, clips: true, images: true, tolerance: 0.0005 }).drawing;
  const areas = new Map<string, { sum: number; absolute: number }>();
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (const { geometry, fill, stroke } of shapesOf(open.items)) {
    const bounds = boundsOfGeometry(geometry, open);
    if (bounds === undefined || (fill === null && stroke === null)) continue;
    box.minX = Math.min(box.minX, bounds.minX * MM_PER_PX);
    box.maxX = Math.max(box.maxX, bounds.maxX * MM_PER_PX);
    box.minY = Math.min(box.minY, (drawing.height - bounds.maxY) * MM_PER_PX);
    box.maxY = Math.max(box.maxY, (drawing.height - bounds.minY) * MM_PER_PX);
    for (const paint of [fill, stroke?.paint]) {
      if (!paint) continue;
      const name = layerNameOf(colorOf(paint));
      const area = areas.get(name) ?? { sum: 0, absolute: 0 };
      areas.set(name, area);
      for (const { points, closed } of flattenGeometry(geometry, open, 1e-5)) {
        if (paint !== fill && !closed) continue;
        const pairs = Array.from(
          { length: points.length / 2 },
          (_, i) => [points[2 * i]!, points[2 * i + 1]!] as const,
        );
        // y runs the other way there.
        const own = -shoelace(pairs) * MM_PER_PX ** 2;
        area.sum += own;
        area.absolute += Math.abs(own);
      }
    }
  }
  return { areas, box };
}
