import {
  ARC,
  COORDS_PER_COMMAND,
  type Drawing,
  type DrawingItem,
  type Geometry,
  type Paint,
} from '#domain/drawing/drawing.js';

/**
 * A drawing brought to another size. The sides' factors may differ by the rounding of whole pixels only; radii take their
 * mean, so that circles stay circles.
 */
export function scaleDrawing(drawing: Drawing, width: number, height: number): Drawing {
  const sx = width / drawing.width;
  const sy = height / drawing.height;
  if (sx === 1 && sy === 1) return drawing;
  const mean = Math.sqrt(sx * sy);
  const coords = Float64Array.from(drawing.coords);
  let at = 0;
  const scaleAt = (index: number, factor: number) => {
    coords[index] = (coords[index] as number) * factor;
  };
  for (const command of drawing.commands) {
    const count = COORDS_PER_COMMAND[command] as number;
    if (command === ARC) {
      scaleAt(at, mean);
      scaleAt(at + 1, mean);
      scaleAt(at + 5, sx);
      scaleAt(at + 6, sy);
    } else {
      for (let k = 0; k < count; k++) scaleAt(at + k, k % 2 === 0 ? sx : sy);
    }
    at += count;
  }
  const scaleGeometry = (geometry: Geometry): Geometry => {
    switch (geometry.kind) {
      case 'path':
        return geometry;
      case 'circle':
        return { ...geometry, cx: geometry.cx * sx, cy: geometry.cy * sy, r: geometry.r * mean };
      case 'ellipse':
        return {
          ...geometry,
          cx: geometry.cx * sx,
          cy: geometry.cy * sy,
          rx: geometry.rx * mean,
          ry: geometry.ry * mean,
        };
      case 'rect':
        return {
          ...geometry,
          x: geometry.x * sx,
          y: geometry.y * sy,
          width: geometry.width * sx,
          height: geometry.height * sy,
          radius: geometry.radius * mean,
        };
    }
  };
  const scalePaint = (paint: Paint): Paint => {
    if (paint.kind === 'solid') return paint;
    if (paint.kind === 'linear')
      return { ...paint, x1: paint.x1 * sx, y1: paint.y1 * sy, x2: paint.x2 * sx, y2: paint.y2 * sy };
    if (paint.matrix !== undefined) {
      const [a, b, c, d, e, f] = paint.matrix;
      return { ...paint, matrix: [a * sx, b * sy, c * sx, d * sy, e * sx, f * sy] };
    }
    const { cx, cy, r, fx, fy } = paint;
    return { ...paint, cx: cx * sx, cy: cy * sy, r: r * mean, fx: fx * sx, fy: fy * sy };
  };
  const scaleItem = (item: DrawingItem): DrawingItem => {
    if (item.kind === 'group')
      return { ...item, clip: item.clip?.map(scaleGeometry) ?? null, items: item.items.map(scaleItem) };
    if (item.kind === 'image') throw new RangeError('a tracer makes no images');
    return {
      ...item,
      geometry: scaleGeometry(item.geometry),
      fill: item.fill === null ? null : scalePaint(item.fill),
      stroke: item.stroke === null ? null : { ...item.stroke, width: item.stroke.width * mean },
      visibleAreaPx: item.visibleAreaPx * sx * sy,
    };
  };
  return { ...drawing, width, height, coords, items: drawing.items.map(scaleItem) };
}
