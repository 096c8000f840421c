import { type Bounds, boundsOfGeometry, boundsOfImage, boundsOfShape } from '#domain/drawing/bounds.js';
import type { Drawing, DrawingItem, Shape } from '#domain/drawing/drawing.js';

const meet = (a: Bounds | undefined, b: Bounds) =>
  a !== undefined && a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;

/** As many times its size may stand around the page before the renderer loses a layer. It allows 2. */
const REACH = 1.5;

function around({ minX, minY, maxX, maxY }: Bounds): Bounds {
  const x = REACH * (maxX - minX);
  const y = REACH * (maxY - minY);
  return { minX: minX - x, minY: minY - y, maxX: maxX + x, maxY: maxY + y };
}

/**
 * The items that show on a part of the drawing. What lies wholly outside is left out: the renderer ends the process over a
 * layer of pixels whose content lies farther away than twice the page.
 */
export function visibleItems(items: readonly DrawingItem[], drawing: Drawing, page: Bounds): readonly DrawingItem[] {
  // What ends just at the edge may still cover a part of its pixels.
  const room = 1e-3 * Math.max(page.maxX - page.minX, page.maxY - page.minY);
  const grown = { minX: page.minX - room, minY: page.minY - room, maxX: page.maxX + room, maxY: page.maxY + room };
  const near = around(grown);
  const shows = (shape: Shape) =>
    meet(boundsOfShape(shape, drawing), grown) && meet(boundsOfGeometry(shape.geometry, drawing), near);
  const visible = (list: readonly DrawingItem[]): readonly DrawingItem[] =>
    list.flatMap((item): readonly DrawingItem[] => {
      if (item.kind === 'shape') return shows(item) ? [item] : [];
      if (item.kind === 'image') return meet(boundsOfImage(item), grown) ? [item] : [];
      const inner = visible(item.items);
      if (inner.length === 0) return [];
      return [{ ...item, items: inner, ...(item.mask && { mask: visible(item.mask) }) }];
    });
  return visible(items);
}
