import type { Note } from '#domain/diagnostics/diagnostics.js';
import { type Bounds, boundsOfGeometry, boundsOfImage, boundsOfShape } from '#domain/drawing/bounds.js';
import type {
  Drawing,
  DrawingItem,
  Geometry,
  Group,
  ImageItem,
  Paint,
  Shape,
  Stroke,
} from '#domain/drawing/drawing.js';
import { intersectRegions, type Region } from '#domain/drawing/intersect-regions.js';
import { flattenGeometry } from '#domain/drawing/outline-visitors.js';
import { createOutlineWriter, type OutlineWriter } from '#domain/drawing/outline-writer.js';

export interface OpenGroupsOptions {
  /** Give the opacity of groups to their shapes. */
  readonly opacity: boolean;
  /** Cut shapes along the clips they stand in. */
  readonly clips: boolean;
  /** Leave out images. */
  readonly images?: boolean;
  /** Cut edges follow the curves within this many user units. */
  readonly tolerance: number;
}

const fadedPaint = (paint: Paint, by: number): Paint =>
  paint.kind === 'solid'
    ? { ...paint, opacity: paint.opacity * by }
    : { ...paint, stops: paint.stops.map((stop) => ({ ...stop, opacity: stop.opacity * by })) };

const fadedStroke = (stroke: Stroke, by: number): Stroke => ({ ...stroke, paint: fadedPaint(stroke.paint, by) });

const overlap = (a: Bounds, b: Bounds) => a.minX < b.maxX && b.minX < a.maxX && a.minY < b.maxY && b.minY < a.maxY;

/** Whether a group shows more than one layer of paint somewhere, so that fading each shows what lies beneath. */
function paintsOverItself(items: readonly DrawingItem[], drawing: Drawing): boolean {
  const seen: Bounds[] = [];
  const over = (shapes: readonly DrawingItem[]): boolean =>
    shapes.some((item) => {
      if (item.kind === 'group') return over(item.items);
      if (item.kind === 'shape' && item.fill !== null && item.stroke !== null) return true;
      const bounds = item.kind === 'image' ? boundsOfImage(item) : boundsOfShape(item, drawing);
      if (bounds === undefined) return false;
      const covers = seen.some((other) => overlap(other, bounds));
      seen.push(bounds);
      return covers;
    });
  return over(items);
}

const regionOf = (geometry: Geometry, drawing: Drawing, tolerance: number): Region => ({
  contours: flattenGeometry(geometry, drawing, tolerance).map(({ points }) => points),
  evenOdd: geometry.kind === 'path' && geometry.evenOdd,
});

/** A clip of several outlines shows what lies in any of them. Outlines that wind alike unite when they are simply put together. */
export function clipRegionOf(clip: readonly Geometry[], drawing: Drawing, tolerance: number): Region {
  const everything: Region = {
    contours: [[-1e5, -1e5, 1e5, -1e5, 1e5, 1e5, -1e5, 1e5]],
    evenOdd: false,
  };
  const regions = clip.map((geometry) => regionOf(geometry, drawing, tolerance));
  if (regions.length === 1) return regions[0]!;
  // Cut by a region that holds them all, each comes back wound one way only.
  return {
    contours: regions.flatMap((region) => intersectRegions(region, everything).contours),
    evenOdd: false,
  };
}

const holds = (outer: Bounds, inner: Bounds) =>
  inner.minX >= outer.minX && inner.minY >= outer.minY && inner.maxX <= outer.maxX && inner.maxY <= outer.maxY;

const isPlainRect = (clip: readonly Geometry[]) =>
  clip.length === 1 && clip[0]!.kind === 'rect' && clip[0]!.radius === 0;

interface Clip {
  readonly region: Region;
  readonly bounds: Bounds | undefined;
  /** A rectangle: what lies within its bounds is not cut. */
  readonly plain: boolean;
}

class GroupOpener {
  readonly #drawing: Drawing;
  readonly #options: OpenGroupsOptions;
  readonly #outlines: OutlineWriter;
  fadedOver = 0;
  strokesUncut = 0;
  imagesLeftOut = 0;
  masksLeftOut = 0;
  imagesNotFaded = 0;
  imagesUncut = 0;

  constructor(drawing: Drawing, options: OpenGroupsOptions) {
    this.#drawing = drawing;
    this.#options = options;
    this.#outlines = createOutlineWriter(drawing);
  }

  get outlines() {
    return this.#outlines.outlines();
  }

  open(items: readonly DrawingItem[], opacity: number, clips: readonly Clip[]): readonly DrawingItem[] {
    return items.flatMap((item) => {
      if (item.kind === 'image') return this.#image(item, opacity, clips);
      return item.kind === 'group' ? this.#group(item, opacity, clips) : this.#shape(item, opacity, clips);
    });
  }

  /** An image cannot be cut: where there are no clips, all of it shows. */
  #image(image: ImageItem, opacity: number, clips: readonly Clip[]): readonly DrawingItem[] {
    if (this.#options.images) {
      this.imagesLeftOut++;
      return [];
    }
    if (opacity < 1) this.imagesNotFaded++;
    const bounds = boundsOfImage(image);
    if (clips.some((clip) => !(clip.plain && holds(clip.bounds!, bounds)))) this.imagesUncut++;
    return [image];
  }

  #group(group: Group, opacity: number, clips: readonly Clip[]): readonly DrawingItem[] {
    const options = this.#options;
    const fade = options.opacity && group.opacity < 1;
    if (fade && paintsOverItself(group.items, this.#drawing)) this.fadedOver++;
    const cut = options.clips && group.clip !== null;
    const within = cut ? [...clips, this.#clip(group.clip)] : clips;
    const mask = options.opacity ? undefined : group.mask;
    if (mask !== group.mask) this.masksLeftOut++;
    const items = this.open(group.items, fade ? opacity * group.opacity : opacity, within);
    const left: Group = {
      kind: 'group',
      opacity: fade ? 1 : group.opacity,
      clip: cut ? null : group.clip,
      ...(mask && { mask }),
      items,
    };
    return left.opacity === 1 && left.clip === null && mask === undefined ? items : [left];
  }

  #clip(clip: readonly Geometry[]): Clip {
    const region = clipRegionOf(clip, this.#drawing, this.#options.tolerance);
    const bounds = clip.length === 1 ? boundsOfGeometry(clip[0]!, this.#drawing) : undefined;
    return { region, bounds, plain: isPlainRect(clip) };
  }

  #shape(shape: Shape, opacity: number, clips: readonly Clip[]): readonly Shape[] {
    const faded: Shape =
      opacity === 1
        ? shape
        : {
            ...shape,
            fill: shape.fill && fadedPaint(shape.fill, opacity),
            stroke: shape.stroke && fadedStroke(shape.stroke, opacity),
          };
    const bounds = boundsOfShape(shape, this.#drawing);
    if (bounds === undefined) return [];
    let region: Region | undefined;
    let geometry: Geometry = shape.geometry;
    let strokeCut = false;
    for (const clip of clips) {
      if (clip.bounds !== undefined && !overlap(clip.bounds, bounds)) return [];
      if (clip.plain && holds(clip.bounds!, bounds)) continue;
      region ??= regionOf(geometry, this.#drawing, this.#options.tolerance);
      const { contours, unchanged } = intersectRegions(region, clip.region);
      // A stroke stands out over its outline, so it may be cut where the fill is not.
      strokeCut = true;
      if (unchanged) continue;
      region = { contours, evenOdd: false };
      geometry = this.#pathOf(contours);
    }
    if (geometry === shape.geometry && !strokeCut) return [faded];
    if (faded.stroke === null) return region!.contours.length === 0 ? [] : [{ ...faded, geometry }];
    if (geometry === shape.geometry) return [faded];
    this.strokesUncut++;
    const stroke: Shape = { ...faded, fill: null };
    const fill: Shape = { ...faded, geometry, stroke: null };
    return faded.fill === null || region!.contours.length === 0 ? [stroke] : [fill, stroke];
  }

  #pathOf(contours: readonly (readonly number[])[]): Geometry {
    for (const points of contours) {
      this.#outlines.move(points[0]!, points[1]!);
      for (let i = 2; i < points.length; i += 2) this.#outlines.line(points[i]!, points[i + 1]!);
      this.#outlines.close();
    }
    return this.#outlines.path(false);
  }
}

/**
 * A drawing for formats without group opacity or without clips: opacity goes to the shapes, shapes are cut along their clips.
 * Shapes that no clip cuts keep their exact outline. What this changes to the eye is in `warnings`.
 */
export function openGroups(
  drawing: Drawing,
  options: OpenGroupsOptions,
): { readonly drawing: Drawing; readonly warnings: readonly Note[] } {
  const opener = new GroupOpener(drawing, options);
  const items = opener.open(drawing.items, 1, []);
  const warnings: Note[] = [];
  if (opener.fadedOver > 0)
    warnings.push({
      code: 'group-opacity-on-shapes',
      message: `The opacity of ${opener.fadedOver} group(s) was given to their shapes, which now show through one another.`,
    });
  if (opener.strokesUncut > 0)
    warnings.push({
      code: 'stroke-not-clipped',
      message: `${opener.strokesUncut} stroke(s) stand out over their clip: this format has no clips, and only fills were cut.`,
    });
  if (opener.imagesLeftOut > 0)
    warnings.push({
      code: 'image-dropped',
      message: `${opener.imagesLeftOut} image(s) were left out: this format is written without pictures.`,
    });
  if (opener.imagesUncut > 0)
    warnings.push({
      code: 'image-not-clipped',
      message: `${opener.imagesUncut} image(s) show whole: this format has no clips, and images cannot be cut.`,
    });
  if (opener.imagesNotFaded > 0)
    warnings.push({
      code: 'image-opacity-dropped',
      message: `${opener.imagesNotFaded} image(s) in translucent groups became opaque.`,
    });
  if (opener.masksLeftOut > 0)
    warnings.push({
      code: 'mask-dropped',
      message: `${opener.masksLeftOut} mask(s) were left out: what they hid shows.`,
    });
  return { drawing: { ...drawing, ...opener.outlines, items }, warnings };
}
