import { toHexColor } from '#domain/color.js';
import { type Bounds, boundsOfShape } from './bounds.js';
import type { Drawing, DrawingItem, Group, ImageItem, Paint, Rgb, Shape } from './drawing.js';
import { OverlapGrid } from './overlap-grid.js';

/** Above so many shapes a drawing names none of them: the names would be a tenth of the file. */
export const MAX_NAMED_SHAPES = 2000;

/** Shapes painted one after the other with the same fill and stroke. */
export interface ColorGroup {
  readonly kind: 'color-group';
  /** Unique in the drawing, stable from run to run: `c-ff0000`, `c-ff0000-2`; the id of the `<g>` in the SVG. */
  readonly id: string;
  /** The fill's color, the stroke's where there is no fill; the mean of a gradient's stops. */
  readonly color: Rgb;
  /** 0..1, of the same paint. */
  readonly opacity: number;
  /** `#rrggbb` */
  readonly hex: string;
  /** Ids of the elements in the SVG, `s1` being the first painted of all; empty above MAX_NAMED_SHAPES shapes. */
  readonly shapeIds: readonly string[];
  readonly shapes: readonly Shape[];
}

/** A group of the drawing whose items are sorted into color groups. */
export interface LayoutGroup {
  readonly kind: 'group';
  readonly group: Group;
  readonly items: readonly LayoutItem[];
}
export type LayoutItem = ColorGroup | LayoutGroup | ImageItem;

/**
 * Digits to which positions are looked at: those that an SVG is written with. A drawing that was written and read again is then
 * grouped alike.
 */
const LAYOUT_SCALE = 100;
const round = (value: number) => Math.round(value * LAYOUT_SCALE) / LAYOUT_SCALE;
/** Parts of one, which are written with more digits. */
const fine = (value: number) => Math.round(value * 1e4) / 1e4;

const paintKey = (paint: Paint): string => {
  if (paint.kind === 'solid') return `${paint.color}/${fine(paint.opacity)}`;
  const { kind, stops, ...geometry } = paint;
  const ramp = stops.map(({ offset, color, opacity }) => `${fine(offset)}:${color}/${fine(opacity)}`).join(';');
  const place = Object.values(geometry).map((part) =>
    typeof part === 'number' ? round(part) : part.map(fine).join(' '),
  );
  return `${kind}(${place.join(',')})${ramp}`;
};

/** Equal for shapes that are painted alike. A number for the usual case, which makes no text. */
function keyOf({ fill, stroke }: Shape): string | number {
  if (stroke === null && fill?.kind === 'solid' && fill.opacity === 1) return fill.color;
  const filled = fill === null ? 'none' : paintKey(fill);
  if (stroke === null) return filled;
  const { paint, width, cap, join, miterLimit, dashes, dashOffset } = stroke;
  const lengths = [width, miterLimit, ...dashes, dashOffset].map(round).join(' ');
  return `${filled}|${paintKey(paint)}|${lengths},${cap},${join}`;
}

/** The one color that stands for a paint. */
function meanOf(paint: Paint | undefined): { color: Rgb; opacity: number } {
  if (paint === undefined) return { color: 0, opacity: 0 };
  if (paint.kind === 'solid') return paint;
  const mean = (part: (stop: { color: Rgb; opacity: number }) => number) =>
    paint.stops.reduce((sum, stop) => sum + part(stop), 0) / Math.max(1, paint.stops.length);
  const channel = (shift: number) => Math.round(mean(({ color }) => (color >> shift) & 0xff)) << shift;
  return { color: channel(16) | channel(8) | channel(0), opacity: mean(({ opacity }) => opacity) };
}

/** The shape with its own numbers rounded; those of paths stand elsewhere. */
function roundedShape(shape: Shape): Shape {
  const { geometry, stroke } = shape;
  if (geometry.kind === 'path' && stroke === null) return shape;
  const numbers = geometry.kind === 'path' ? [] : Object.entries(geometry);
  const placed = Object.fromEntries(
    numbers.map(([name, value]) => [name, typeof value === 'number' ? round(value) : value]),
  );
  return {
    ...shape,
    geometry: { ...geometry, ...placed } as Shape['geometry'],
    stroke: stroke && { ...stroke, width: round(stroke.width) },
  };
}

/**
 * Sorts shapes that follow each other into as few runs of one paint as can be had cheaply. A shape joins an earlier run of its
 * paint only past shapes that it does not come near, so the picture stays as it was.
 */
function sortIntoRuns(shapes: readonly Shape[], drawing: Drawing): readonly (readonly Shape[])[] {
  const keys = shapes.map(keyOf);
  const runs: Shape[][] = [];
  if (new Set(keys).size === keys.length) return shapes.map((shape) => [shape]);
  // Shapes that share no edge may still share a pixel, where their order shows.
  const margin = drawing.crispEdges ? 0 : 1;
  const rounded = new Float64Array(drawing.coords.length);
  for (let k = 0; k < rounded.length; k++) rounded[k] = Math.round(drawing.coords[k]! * LAYOUT_SCALE) / LAYOUT_SCALE;
  const outlines = { commands: drawing.commands, coords: rounded };
  const grid = new OverlapGrid(drawing.width, drawing.height, shapes.length);
  const lastRun = new Map<string | number, number>();
  for (let i = 0; i < shapes.length; i++) {
    const shape = shapes[i]!;
    const key = keys[i]!;
    const bounds: Bounds | undefined = boundsOfShape(roundedShape(shape), outlines);
    let run = lastRun.get(key);
    // A shape without points paints nothing and may lie anywhere.
    if (run === undefined || (bounds !== undefined && run < grid.highestNear(bounds, margin))) {
      run = runs.length;
      runs.push([]);
      lastRun.set(key, run);
    }
    runs[run]!.push(shape);
    if (bounds !== undefined) grid.put(bounds, margin, run);
  }
  return runs;
}

const layouts = new WeakMap<Drawing, readonly LayoutItem[]>();

/**
 * The drawing in the order in which it is written: its groups as they stand, and between them the shapes sorted into color
 * groups. The same for the same drawing, so that ids agree wherever they are asked for; sorted once.
 */
export function colorLayoutOf(drawing: Drawing): readonly LayoutItem[] {
  const known = layouts.get(drawing);
  if (known !== undefined) return known;
  const layout = layOutDrawing(drawing);
  layouts.set(drawing, layout);
  return layout;
}

function layOutDrawing(drawing: Drawing): readonly LayoutItem[] {
  const idCounts = new Map<string, number>();
  const colorGroups: { shapeIds: string[]; shapes: readonly Shape[] }[] = [];
  const toColorGroup = (shapes: readonly Shape[]): ColorGroup => {
    const { fill, stroke } = shapes[0]!;
    const paint = fill ?? stroke?.paint;
    const { color, opacity } = meanOf(paint);
    const hex = toHexColor(color);
    const base = paint === undefined ? 'c-none' : `c-${hex.slice(1)}`;
    const count = (idCounts.get(base) ?? 0) + 1;
    idCounts.set(base, count);
    const shapeIds: string[] = [];
    colorGroups.push({ shapeIds, shapes });
    return { kind: 'color-group', id: count === 1 ? base : `${base}-${count}`, color, opacity, hex, shapeIds, shapes };
  };
  const layOut = (items: readonly DrawingItem[]): readonly LayoutItem[] => {
    const layout: LayoutItem[] = [];
    let pending: Shape[] = [];
    const flush = () => {
      for (const run of sortIntoRuns(pending, drawing)) layout.push(toColorGroup(run));
      pending = [];
    };
    for (const item of items) {
      if (item.kind === 'shape') {
        pending.push(item);
        continue;
      }
      flush();
      layout.push(item.kind === 'image' ? item : { kind: 'group', group: item, items: layOut(item.items) });
    }
    flush();
    return layout;
  };
  const layout = layOut(drawing.items);
  // Named last, because only now it is known how many there are.
  if (colorGroups.reduce((sum, { shapes }) => sum + shapes.length, 0) <= MAX_NAMED_SHAPES) {
    let number = 0;
    for (const { shapeIds, shapes } of colorGroups)
      for (let i = 0; i < shapes.length; i++) shapeIds.push(`s${++number}`);
  }
  return layout;
}

/** Every color group of the drawing, back to front, those within its groups included. */
export function colorGroupsOf(drawing: Drawing): readonly ColorGroup[] {
  const groups: ColorGroup[] = [];
  const collect = (items: readonly LayoutItem[]) => {
    for (const item of items) {
      if (item.kind === 'color-group') groups.push(item);
      else if (item.kind === 'group') collect(item.items);
    }
  };
  collect(colorLayoutOf(drawing));
  return groups;
}
