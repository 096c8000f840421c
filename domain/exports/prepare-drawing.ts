import { type Bounds, boundsOfGeometry, boundsOfImage, boundsOfShape } from '#domain/drawing/bounds.js';
import type { Drawing, DrawingItem, Geometry, Group, Shape } from '#domain/drawing/drawing.js';
import type { ExportOptionValues } from './export-options.js';

/** What `prepareDrawing` honours, for every format that paints surfaces. */
export const SURFACE_OPTIONS = ['background', 'gap_cleanup', 'gap_width'] as const;

type PrepareOptions = Partial<Pick<ExportOptionValues, 'background' | 'clip_overflow' | 'gap_cleanup' | 'gap_width'>>;

/** How far a bound may stand out before it counts as overflow: what rounding to the writers' digits leaves. */
const OVERFLOW_UNITS = 0.01;

const canvasOf = ({ width, height }: Drawing): Geometry => ({ kind: 'rect', x: 0, y: 0, width, height, radius: 0 });

/** A fill gets a stroke of its own paint. Shapes that have a stroke, and gradients and translucent fills whose stroke would show, stay. */
function spread(shape: Shape, width: number): Shape {
  const { fill, stroke } = shape;
  if (fill === null || stroke !== null || fill.kind !== 'solid' || fill.opacity < 1) return shape;
  return {
    ...shape,
    stroke: { paint: fill, width, cap: 'butt', join: 'round', miterLimit: 4, dashes: [], dashOffset: 0 },
  };
}

/** Each run of shapes, with what lies beneath it: the same shapes spread. */
function underlapped(items: readonly DrawingItem[], width: number): readonly DrawingItem[] {
  const beneath: Shape[] = [];
  for (const item of items) {
    if (item.kind !== 'shape') continue;
    const wide = spread(item, width);
    if (wide !== item) beneath.push({ ...wide, visibleAreaPx: 0 });
  }
  const above = items.map((item) =>
    item.kind === 'group' ? { ...item, items: underlapped(item.items, width) } : item,
  );
  return [...beneath, ...above];
}

const spreadAll = (items: readonly DrawingItem[], width: number): readonly DrawingItem[] =>
  items.map((item) => {
    if (item.kind === 'image') return item;
    return item.kind === 'group' ? { ...item, items: spreadAll(item.items, width) } : spread(item, width);
  });

const within = (bounds: Bounds | undefined, { width, height }: Drawing) =>
  bounds === undefined ||
  (bounds.minX >= -OVERFLOW_UNITS &&
    bounds.minY >= -OVERFLOW_UNITS &&
    bounds.maxX <= width + OVERFLOW_UNITS &&
    bounds.maxY <= height + OVERFLOW_UNITS);

const overflows = (item: DrawingItem, drawing: Drawing): boolean => {
  if (item.kind === 'shape') return !within(boundsOfShape(item, drawing), drawing);
  if (item.kind === 'image') return !within(boundsOfImage(item), drawing);
  if (item.clip?.every((geometry) => within(boundsOfGeometry(geometry, drawing), drawing))) return false;
  return item.items.some((inner) => overflows(inner, drawing));
};

function startsWithBackground({ items, width, height }: Drawing, color: number): boolean {
  const first = items[0];
  if (first?.kind !== 'shape' || first.geometry.kind !== 'rect' || first.fill?.kind !== 'solid') return false;
  const { x, y, width: across, height: down, radius } = first.geometry;
  const covers = x <= 0 && y <= 0 && x + across >= width && y + down >= height && radius === 0;
  return covers && first.fill.color === color && first.fill.opacity === 1;
}

/**
 * A drawing with what was asked for done to it, the same for every format: gaps closed, what stands over the canvas clipped
 * (only where something does), a background laid beneath. The drawing itself comes back where nothing changes.
 */
export function prepareDrawing(drawing: Drawing, options: PrepareOptions): Drawing {
  const { background = null, clip_overflow = false, gap_cleanup = 'off', gap_width = 0 } = options;
  let items = drawing.items;
  if (gap_cleanup === 'stroke') items = spreadAll(items, gap_width);
  if (gap_cleanup === 'underlap') items = underlapped(items, gap_width);
  if (clip_overflow && items.some((item) => overflows(item, drawing))) {
    const clipped: Group = { kind: 'group', opacity: 1, clip: [canvasOf(drawing)], items };
    items = [clipped];
  }
  // A drawing that was written with this background before has it already.
  if (background !== null && !startsWithBackground(drawing, background)) {
    const beneath: Shape = {
      kind: 'shape',
      geometry: canvasOf(drawing),
      fill: { kind: 'solid', color: background, opacity: 1 },
      stroke: null,
      visibleAreaPx: 0,
    };
    items = [beneath, ...items];
  }
  return items === drawing.items ? drawing : { ...drawing, items };
}
