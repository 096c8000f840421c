import type { Exporter } from '#application/ports/exporter.js';
import type { Note } from '#domain/diagnostics/diagnostics.js';
import { type Drawing, type Paint, type Shape, shapesOf } from '#domain/drawing/drawing.js';
import { isRepaint } from '#domain/drawing/repaints.js';
import { ServiceError } from '#domain/errors.js';
import { openGroups } from '#domain/exports/open-groups.js';
import { type Placement, placementOf } from '#domain/exports/output-size.js';
import { prepareDrawing } from '#domain/exports/prepare-drawing.js';
import { type Contour, contoursOf } from './contours.js';
import { addToExtent, createExtent } from './extremes.js';
import { fitContours } from './fit-arcs.js';
import { colorOf, type Layer, layerNameOf } from './layers.js';
import { type DxfOptions, dxfOptions } from './options.js';
import type { FileUnit, LayerContours } from './write-r12.js';

/** Millimeters of one unit of the file. */
const MM_PER_UNIT: Readonly<Record<FileUnit, number>> = { mm: 1, cm: 10, in: 25.4 };
/** Part of the tolerance that cutting along clips may use, in user units of at most 8 mm. */
const CUT_TOLERANCE = 0.005;
/** How many shapes are worked on before the signal is looked at again. */
const SHAPES_PER_CHECK = 256;

interface Lost {
  gradients: number;
  opacities: number;
  strokes: number;
}

function countLost({ fill, stroke }: Shape, lost: Lost): void {
  for (const paint of [fill, stroke?.paint ?? null]) {
    if (paint === null) continue;
    if (paint.kind !== 'solid') lost.gradients++;
    else if (paint.opacity < 1) lost.opacities++;
  }
  if (stroke !== null) lost.strokes++;
}

function warningsOf({ gradients, opacities, strokes }: Lost): readonly Note[] {
  const note = (count: number, code: string, message: string) =>
    count === 0 ? [] : [{ code, message: `${count} ${message}` }];
  return [
    ...note(gradients, 'gradient-as-color', 'gradient(s) became the layer of their mean color: DXF has outlines only.'),
    ...note(opacities, 'opacity-dropped', 'translucent fill(s) or stroke(s) stand on the layer of their full color.'),
    ...note(strokes, 'stroke-as-centerline', 'stroke(s) became the line along their middle, without width.'),
  ];
}

interface Placed {
  readonly paint: Paint;
  readonly contours: readonly Contour[];
}

/** The outlines of fills, closed, and the middle of strokes, in the order in which they are painted. */
function placedContours(drawing: Drawing, placement: Placement, lost: Lost, signal: AbortSignal): readonly Placed[] {
  const placed: Placed[] = [];
  let count = 0;
  let before: Shape | undefined;
  for (const shape of shapesOf(drawing.items)) {
    if (count++ % SHAPES_PER_CHECK === 0) throwIfAborted(signal);
    countLost(shape, lost);
    // What is painted again is not cut again.
    const isAgain = isRepaint(shape, before, drawing);
    before = shape;
    if (isAgain) continue;
    const { geometry, fill, stroke } = shape;
    if (fill !== null) placed.push({ paint: fill, contours: contoursOf(geometry, drawing, placement, true) });
    if (stroke !== null)
      placed.push({ paint: stroke.paint, contours: contoursOf(geometry, drawing, placement, false) });
  }
  return placed;
}

/**
 * All contours by layer, in the order in which the colors are first painted. They are fitted one shape after the other as the
 * writer asks for them: the lines of ten thousand shapes need not be there at once.
 */
function layersOf(
  placed: readonly Placed[],
  unit: FileUnit,
  options: DxfOptions,
  signal: AbortSignal,
): readonly LayerContours[] {
  const { compatibility, layers } = options;
  const tolerance = options.tolerance / MM_PER_UNIT[unit];
  const extent = createExtent();
  const byName = new Map<string, { layer: Layer; shapes: Placed[] }>();
  for (const shape of placed) {
    addToExtent(extent, shape.contours);
    const color = layers === 'color' ? colorOf(shape.paint) : 0;
    const name = layers === 'color' ? layerNameOf(color) : '0';
    const known = byName.get(name);
    if (known === undefined) byName.set(name, { layer: { name, color }, shapes: [shape] });
    else known.shapes.push(shape);
  }
  function* fitted(shapes: readonly Placed[]): Generator<Contour> {
    for (const [i, { contours }] of shapes.entries()) {
      if (i % SHAPES_PER_CHECK === 0) throwIfAborted(signal);
      if (compatibility === 'splines') yield* contours;
      else yield* fitContours(contours, tolerance, compatibility === 'lines_and_arcs', extent);
    }
  }
  return [...byName.values()].map(({ layer, shapes }) => ({ layer, contours: fitted(shapes) }));
}

const throwIfAborted = (signal: AbortSignal) => {
  if (signal.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
};

export const dxf = {
  format: {
    id: 'dxf',
    label: 'DXF (outlines for CAD and cutting)',
    mediaType: 'image/vnd.dxf',
    extension: 'dxf',
    plan: 'pro',
    features: ['curves', 'layers'],
  },
  rows: dxfOptions.rows,
  optionsSchema: dxfOptions.optionsSchema,
  parseOptions: dxfOptions.parseOptions,
  availability: async () => ({ state: 'available' }),
  encode: async (drawing, options, signal) => {
    throwIfAborted(signal);
    const placement = placementOf(drawing, options);
    const opened = openGroups(prepareDrawing(drawing, options), {
      opacity: true,
      clips: true,
      images: true,
      tolerance: CUT_TOLERANCE,
    });
    const lost: Lost = { gradients: 0, opacities: 0, strokes: 0 };
    const unit = placement.unit as FileUnit;
    const layers = layersOf(placedContours(opened.drawing, placement, lost, signal), unit, options, signal);
    // Either library is loaded only when it is needed: both cost time to load.
    const bytes =
      options.compatibility === 'splines'
        ? new TextEncoder().encode((await import('./write-splines.js')).writeSplines(layers, unit))
        : (await import('./write-r12.js')).writeR12(layers, unit);
    throwIfAborted(signal);
    const notes = opened.warnings.filter(({ code }) => code !== 'group-opacity-on-shapes');
    return {
      bytes,
      warnings: [...notes, ...warningsOf(lost)],
      size: { width: placement.width, height: placement.height, unit },
    };
  },
} as const satisfies Exporter<DxfOptions>;
