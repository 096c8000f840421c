import { toChannels, toHexColor } from '#domain/color.js';
import { type Drawing, type GradientStop, type Paint, shapesOf } from '#domain/drawing/drawing.js';

/** One color of the drawing. */
export interface PaletteColor {
  /** `#rrggbb` */
  readonly hex: string;
  /** 0..255 each. */
  readonly rgb: readonly [number, number, number];
  /** 0..1 */
  readonly opacity: number;
  /** Share of the picture it covers, 0..1; 0 where the tracer does not say. */
  readonly coverage: number;
  /** Shapes that show it, in their fill or their stroke. */
  readonly shapes: number;
}

/** The share of a ramp on which each stop is the nearest one, padding outside the stops included; they add up to 1. */
function stopShares(stops: readonly GradientStop[]): readonly number[] {
  return stops.map(({ offset }, i) => {
    const before = stops[i - 1];
    const after = stops[i + 1];
    const from = before === undefined ? 0 : (before.offset + offset) / 2;
    const to = after === undefined ? 1 : (offset + after.offset) / 2;
    return to - from;
  });
}

interface PaintPart {
  readonly color: number;
  readonly opacity: number;
  readonly share: number;
}

const paintParts = (paint: Paint): readonly PaintPart[] => {
  if (paint.kind === 'solid') return [{ color: paint.color, opacity: paint.opacity, share: 1 }];
  const shares = stopShares(paint.stops);
  return paint.stops.map(({ color, opacity }, i) => ({ color, opacity, share: shares[i]! }));
};

/** Part of the whole, 0..1, to six decimals: areas of overlapping edges may add up to a little more than the picture. */
export const shareOf = (part: number, whole: number): number =>
  whole > 0 ? Math.min(1, Math.round((part / whole) * 1e6) / 1e6) : 0;

/**
 * The colors a drawing shows, most covering first, then by shapes, then by color. A gradient counts as its stops, each with
 * the share of the ramp it is nearest to. The area of a shape is its fill's, or its stroke's where it has no fill.
 */
export function colorPaletteOf(drawing: Drawing): readonly PaletteColor[] {
  const found = new Map<string | number, { color: number; opacity: number; areaPx: number; shapes: number }>();
  for (const { fill, stroke, visibleAreaPx } of shapesOf(drawing.items)) {
    // The usual case makes no text.
    if (stroke === null && fill?.kind === 'solid' && fill.opacity === 1) {
      const entry = found.get(fill.color);
      if (entry === undefined)
        found.set(fill.color, { color: fill.color, opacity: 1, areaPx: visibleAreaPx, shapes: 1 });
      else {
        entry.areaPx += visibleAreaPx;
        entry.shapes++;
      }
      continue;
    }
    const inThisShape = new Set<string | number>();
    for (const [paint, areaPx] of [
      [fill, visibleAreaPx],
      [stroke?.paint, fill === null ? visibleAreaPx : 0],
    ] as const) {
      if (!paint) continue;
      for (const { color, opacity, share } of paintParts(paint)) {
        const key = opacity === 1 ? color : `${color}/${opacity}`;
        const entry = found.get(key) ?? { color, opacity, areaPx: 0, shapes: 0 };
        entry.areaPx += areaPx * share;
        if (!inThisShape.has(key)) entry.shapes++;
        inThisShape.add(key);
        found.set(key, entry);
      }
    }
  }
  const areaPx = drawing.width * drawing.height;
  return [...found.values()]
    .sort((a, b) => b.areaPx - a.areaPx || b.shapes - a.shapes || a.color - b.color || b.opacity - a.opacity)
    .map(({ color, opacity, areaPx: part, shapes }) => ({
      hex: toHexColor(color),
      rgb: toChannels(color),
      opacity,
      coverage: shareOf(part, areaPx),
      shapes,
    }));
}
