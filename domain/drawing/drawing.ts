/**
 * The narrow middle of Burin: pixels become a Drawing, every exporter draws from one.
 *
 * A Drawing is fully resolved: absolute coordinates in user units (one unit is one pixel of the source picture, y down),
 * no transforms, no references. All path outlines share two flat arrays; a shape holds its range in them, so that a
 * drawing of fifty thousand shapes is two buffers to transfer and not a hundred thousand.
 */

/** Path commands. Each takes `COORDS_PER_COMMAND[command]` numbers from `coords`, all absolute. */
export const MOVE = 0;
export const LINE = 1;
export const QUADRATIC = 2;
export const CUBIC = 3;
/** rx, ry, x-axis rotation in degrees, large-arc flag (0|1), sweep flag (0|1), x, y: the SVG arc. */
export const ARC = 4;
export const CLOSE = 5;
export const COORDS_PER_COMMAND: readonly number[] = [2, 2, 4, 6, 7, 0];

/** sRGB, channels 0..255 packed as 0xRRGGBB. */
export type Rgb = number;

/** A gradient stop: `offset` 0..1, strictly ordered; `opacity` 0..1. */
export interface GradientStop {
  readonly offset: number;
  readonly color: Rgb;
  readonly opacity: number;
}

export interface SolidPaint {
  readonly kind: 'solid';
  readonly color: Rgb;
  /** 0..1 */
  readonly opacity: number;
}
/** Interpolated in sRGB, padded outside the stops, in user units. */
export interface LinearGradientPaint {
  readonly kind: 'linear';
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly stops: readonly GradientStop[];
}
/** [a, b, c, d, e, f]: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [number, number, number, number, number, number];

/**
 * The ramp runs from the focus (fx, fy) to the circle (cx, cy, r), seen through `matrix` for elliptic ones.
 */
export interface RadialGradientPaint {
  readonly kind: 'radial';
  readonly cx: number;
  readonly cy: number;
  readonly r: number;
  readonly fx: number;
  readonly fy: number;
  readonly matrix?: Matrix;
  readonly stops: readonly GradientStop[];
}
export type Paint = SolidPaint | LinearGradientPaint | RadialGradientPaint;

export interface Stroke {
  readonly paint: Paint;
  /** User units. */
  readonly width: number;
  readonly cap: 'butt' | 'round' | 'square';
  readonly join: 'miter' | 'round' | 'bevel';
  readonly miterLimit: number;
  /** Dash lengths in user units; empty for a solid line. */
  readonly dashes: readonly number[];
  readonly dashOffset: number;
}

/** A range in the drawing's shared `commands` and `coords`. */
export interface PathGeometry {
  readonly kind: 'path';
  readonly firstCommand: number;
  readonly commandCount: number;
  readonly firstCoord: number;
  readonly evenOdd: boolean;
}
export interface CircleGeometry {
  readonly kind: 'circle';
  readonly cx: number;
  readonly cy: number;
  readonly r: number;
}
/** `rotation` in degrees, clockwise on screen (y down). */
export interface EllipseGeometry {
  readonly kind: 'ellipse';
  readonly cx: number;
  readonly cy: number;
  readonly rx: number;
  readonly ry: number;
  readonly rotation: number;
}
/** Axis-aligned; `radius` 0 for square corners. */
export interface RectGeometry {
  readonly kind: 'rect';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
}
export type Geometry = PathGeometry | CircleGeometry | EllipseGeometry | RectGeometry;

export interface Shape {
  readonly kind: 'shape';
  readonly geometry: Geometry;
  readonly fill: Paint | null;
  readonly stroke: Stroke | null;
  /** Pixels of the source that show this shape (its visible area, not its outline's); 0 where unknown. */
  readonly visibleAreaPx: number;
}
/** A picture within a drawing, such as a photograph in an SVG that was sent in. Tracers make none. */
export interface ImageItem {
  readonly kind: 'image';
  readonly mediaType: 'image/png' | 'image/jpeg';
  /** The encoded file: upright, sRGB, decoded once already and so known to be sound. */
  readonly bytes: Uint8Array;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** From pixels, the top left corner at 0, 0, to user units. */
  readonly matrix: Matrix;
  /** Enlarged without smoothing. */
  readonly pixelated: boolean;
}
export interface Group {
  readonly kind: 'group';
  /** 0..1, applied to the group as a whole. */
  readonly opacity: number;
  /** What shows of the group: the inside of these outlines; null shows all. */
  readonly clip: readonly Geometry[] | null;
  /** At each point as much of the group shows as these, painted on black, are light there; left out, all shows. */
  readonly mask?: readonly DrawingItem[];
  readonly items: readonly DrawingItem[];
}
export type DrawingItem = Shape | Group | ImageItem;

export interface Drawing {
  /** User units: the source picture's pixels. */
  readonly width: number;
  readonly height: number;
  readonly commands: Uint8Array;
  readonly coords: Float64Array;
  /** Back to front. */
  readonly items: readonly DrawingItem[];
  /** True for pixel-exact art: edges lie on whole units and should be drawn without anti-aliasing. */
  readonly crispEdges: boolean;
}

/** Every shape of the drawing, back to front, with groups opened; those of masks, which show nothing themselves, left out. */
export function shapesOf(items: readonly DrawingItem[]): readonly Shape[] {
  if (items.every(isShape)) return items;
  const shapes: Shape[] = [];
  for (const item of items) {
    if (item.kind === 'shape') shapes.push(item);
    else if (item.kind === 'group') for (const shape of shapesOf(item.items)) shapes.push(shape);
  }
  return shapes;
}

const isShape = (item: DrawingItem): item is Shape => item.kind === 'shape';

/** Receives a path's commands one by one, coordinates absolute. */
export interface PathVisitor {
  move(x: number, y: number): void;
  line(x: number, y: number): void;
  quadratic(x1: number, y1: number, x: number, y: number): void;
  cubic(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void;
  arc(rx: number, ry: number, rotation: number, largeArc: boolean, sweep: boolean, x: number, y: number): void;
  close(): void;
}

/** Walks one path of a drawing. Throws RangeError on an unknown command. */
export function visitPath(
  path: PathGeometry,
  drawing: Pick<Drawing, 'commands' | 'coords'>,
  visitor: PathVisitor,
): void {
  const { commands, coords } = drawing;
  let at = path.firstCoord;
  const next = () => coords[at++] as number;
  for (let i = 0; i < path.commandCount; i++) {
    const command = commands[path.firstCommand + i];
    if (command === MOVE) visitor.move(next(), next());
    else if (command === LINE) visitor.line(next(), next());
    else if (command === QUADRATIC) visitor.quadratic(next(), next(), next(), next());
    else if (command === CUBIC) visitor.cubic(next(), next(), next(), next(), next(), next());
    else if (command === ARC) visitor.arc(next(), next(), next(), next() !== 0, next() !== 0, next(), next());
    else if (command === CLOSE) visitor.close();
    else throw new RangeError(`unknown path command ${command}`);
  }
}
