import { type Bounds, boundsOfGeometry, boundsOfShape } from '#domain/drawing/bounds.js';
import type {
  Drawing,
  DrawingItem,
  Geometry,
  Group,
  ImageItem,
  Matrix,
  Paint,
  Shape,
  Stroke,
} from '#domain/drawing/drawing.js';
import { applyX, applyY, IDENTITY, invert, isSimilarity, multiply, scaleOf } from '#domain/drawing/matrix.js';
import { createOutlineWriter } from '#domain/drawing/outline-writer.js';
import { transformGeometry } from '#domain/drawing/transform-geometry.js';
import { CAPS } from './caps.js';
import type { EmbeddedImage } from './embedded-images.js';
import { boxMatrix, colorOf, gradientPaint, inSixDigits } from './gradients.js';
import { numbersOf, parseMatrix, viewBoxMatrix } from './parse-values.js';
import { recognize } from './recognize.js';
import { parseViewBox, type ViewBox } from './root-size.js';
import { putPathText, sourceOutline } from './source-outline.js';
import { strokePath } from './stroke-paths.js';
import { elementsOf, invalidSvg, type SvgNode } from './svg-node.js';
import type { WarningList } from './warning-list.js';

type Outlines = Pick<Drawing, 'commands' | 'coords'>;

/** What was kept of the document beside its normalised form. */
export interface SourceFacts {
  readonly outlines: ReadonlyMap<string, SvgNode>;
  readonly nonScaling: ReadonlySet<string>;
  readonly alphaMasks: ReadonlySet<string>;
  /** The picture that an image's data stand for. */
  readonly imageOf: (href: string) => EmbeddedImage | undefined;
  readonly warnings: WarningList;
  /** User units. */
  readonly canvas: { readonly width: number; readonly height: number };
}

/** Strokes that become outlines follow them this closely, in user units. */
const STROKE_TOLERANCE = 0.02;
/** A matrix that stretches one way by less than this more than the other leaves a stroke even. */
const EVEN_STROKE = 1e-3;
/** A pattern of dashes that repeats within less than this part of the stroke's width is a solid line. */
const LEAST_PERIOD = 1e-3;
/** Tiles of one pattern. */
const MAX_TILES = 2500;

interface LocalOutline {
  readonly geometry: Geometry;
  readonly outlines: Outlines;
}

const numberOf = (node: SvgNode, name: string, otherwise: number) => {
  const value = Number(node.attributes.get(name) ?? otherwise);
  return Number.isFinite(value) ? value : otherwise;
};
const opacityOf = (node: SvgNode, name: string) => Math.min(1, Math.max(0, numberOf(node, name, 1)));

const referenceIn = (text: string | undefined) => /^url\(#([^)]+)\)/.exec(text ?? '')?.[1];

function union(a: Bounds | undefined, b: Bounds | undefined): Bounds | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    minX: Math.min(a.minX, b.minX),
    minY: Math.min(a.minY, b.minY),
    maxX: Math.max(a.maxX, b.maxX),
    maxY: Math.max(a.maxY, b.maxY),
  };
}

const hasArea = (bounds: Bounds | undefined): bounds is Bounds =>
  bounds !== undefined && bounds.maxX > bounds.minX && bounds.maxY > bounds.minY;

/** Everything painted white: as light as it is opaque. */
function whitened(items: readonly DrawingItem[], onImage: () => void): readonly DrawingItem[] {
  const white = (paint: Paint): Paint =>
    paint.kind === 'solid'
      ? { ...paint, color: 0xffffff }
      : { ...paint, stops: paint.stops.map((stop) => ({ ...stop, color: 0xffffff })) };
  return items.map((item) => {
    if (item.kind === 'group') return { ...item, items: whitened(item.items, onImage) };
    if (item.kind === 'image') {
      onImage();
      return item;
    }
    return {
      ...item,
      fill: item.fill && white(item.fill),
      stroke: item.stroke && { ...item.stroke, paint: white(item.stroke.paint) },
    };
  });
}

/** Reads normalised markup. One reader serves one document. */
export class NormalizedReader {
  readonly #facts: SourceFacts;
  readonly #definitions = new Map<string, SvgNode>();
  readonly #out = createOutlineWriter();
  #references = 0;
  #elements = 0;
  #depth = 0;
  shapes = 0;
  crispShapes = 0;

  constructor(root: SvgNode, facts: SourceFacts) {
    this.#facts = facts;
    for (const child of elementsOf(root)) {
      if (child.name !== 'defs') continue;
      for (const definition of elementsOf(child)) {
        const id = definition.attributes.get('id');
        if (id !== undefined) this.#definitions.set(id, definition);
      }
    }
  }

  outlines(): Outlines {
    return this.#out.outlines();
  }

  /** Items back to front; `matrix` leads to user units. */
  items(parent: SvgNode, matrix: Matrix): readonly DrawingItem[] {
    if (++this.#depth > 4 * CAPS.expandedDepth) throw invalidSvg('what it refers to stands too deep in one another.');
    const items: DrawingItem[] = [];
    for (const node of elementsOf(parent)) {
      if (++this.#elements > 2 * CAPS.elements)
        throw invalidSvg(`what it refers to makes more than ${2 * CAPS.elements} elements of it.`);
      if (node.name === 'path') items.push(...this.#path(node, matrix));
      else if (node.name === 'image') items.push(...this.#image(node, matrix));
      else if (node.name === 'g') items.push(...this.#group(node, matrix));
    }
    this.#depth--;
    return items;
  }

  #countReference(): void {
    if (++this.#references > CAPS.references)
      throw invalidSvg(`its references show more than ${CAPS.references} things.`);
  }

  #definition(text: string | undefined, ...names: readonly string[]): SvgNode | undefined {
    const id = referenceIn(text);
    const node = id === undefined ? undefined : this.#definitions.get(id);
    return node !== undefined && names.includes(node.name) ? node : undefined;
  }

  #localOutline(node: SvgNode, rule: 'fill-rule' | 'clip-rule'): LocalOutline {
    const evenOdd = node.attributes.get(rule) === 'evenodd';
    const local = createOutlineWriter();
    const source = this.#facts.outlines.get(node.attributes.get('id') ?? '');
    const exact = source && sourceOutline(source, evenOdd, local);
    if (exact !== undefined) return { geometry: exact, outlines: local.outlines() };
    putPathText(node.attributes.get('d') ?? '', local);
    const path = local.path(evenOdd);
    const outlines = local.outlines();
    return { geometry: recognize(path, outlines.commands, outlines.coords), outlines };
  }

  /** Bounds of what lies within an element without strokes, in the units of `matrix`. */
  #bounds(node: SvgNode, matrix: Matrix): Bounds | undefined {
    if (node.name === 'path') {
      const { geometry, outlines } = this.#localOutline(node, 'fill-rule');
      const own = multiply(matrix, parseMatrix(node.attributes.get('transform')));
      if (own.every((value, i) => value === IDENTITY[i])) return boundsOfGeometry(geometry, outlines);
      const out = createOutlineWriter();
      const turned = transformGeometry(geometry, outlines, own, out);
      return boundsOfGeometry(turned, out.outlines());
    }
    if (node.name === 'image') {
      const { x, y, width, height } = viewportOf(node);
      const xs = [x, x + width].flatMap((px) => [y, y + height].map((py) => applyX(matrix, px, py)));
      const ys = [x, x + width].flatMap((px) => [y, y + height].map((py) => applyY(matrix, px, py)));
      return { minX: Math.min(...xs), minY: Math.min(...ys), maxX: Math.max(...xs), maxY: Math.max(...ys) };
    }
    let bounds: Bounds | undefined;
    for (const child of elementsOf(node)) {
      const own = child.name === 'g' ? multiply(matrix, parseMatrix(child.attributes.get('transform'))) : matrix;
      bounds = union(bounds, this.#bounds(child, own));
    }
    return bounds;
  }

  #group(node: SvgNode, outer: Matrix): readonly DrawingItem[] {
    const matrix = multiply(outer, parseMatrix(node.attributes.get('transform')));
    const opacity = opacityOf(node, 'opacity');
    const clip = this.#definition(node.attributes.get('clip-path'), 'clipPath');
    const mask = this.#definition(node.attributes.get('mask'), 'mask');
    const items = this.items(node, matrix);
    if (opacity === 0 || items.length === 0) return [];
    const [only] = items;
    let shown: readonly DrawingItem[] = items;
    if (opacity < 1 && mask === undefined && clip === undefined && items.length === 1 && only?.kind === 'shape') {
      const faded = fadedShape(only, opacity);
      if (faded !== undefined) return [faded];
    }
    if (mask !== undefined) {
      const picture = this.#mask(mask, node, matrix);
      shown = picture === undefined ? [] : [{ kind: 'group', opacity: 1, clip: null, mask: picture, items: shown }];
    }
    if (clip !== undefined) shown = this.#clipped(clip, node, matrix, shown);
    if (opacity === 1 || shown.length === 0) return shown;
    const [group] = shown;
    if (shown.length === 1 && group?.kind === 'group' && group.opacity === 1) return [{ ...group, opacity }];
    return [{ kind: 'group', opacity, clip: null, items: shown }];
  }

  /** What shows of `items` within a clip path, and within the clip path's own. */
  #clipped(
    clip: SvgNode,
    owner: SvgNode,
    matrix: Matrix,
    items: readonly DrawingItem[],
    depth = 0,
  ): readonly DrawingItem[] {
    this.#countReference();
    if (depth > CAPS.depth) throw invalidSvg('its clip paths are clipped too often.');
    let own = multiply(matrix, parseMatrix(clip.attributes.get('transform')));
    if (clip.attributes.get('clipPathUnits') === 'objectBoundingBox') {
      const bounds = this.#bounds(owner, IDENTITY);
      if (!hasArea(bounds)) return [];
      own = multiply(own, boxMatrix(bounds));
    }
    const outlines: Geometry[] = [];
    this.#clipOutlines(clip, own, outlines);
    const group: Group = { kind: 'group', opacity: 1, clip: outlines, items };
    const next = this.#definition(clip.attributes.get('clip-path'), 'clipPath');
    return next === undefined ? [group] : this.#clipped(next, owner, matrix, [group], depth + 1);
  }

  #clipOutlines(parent: SvgNode, matrix: Matrix, found: Geometry[]): void {
    for (const node of elementsOf(parent)) {
      const own = multiply(matrix, parseMatrix(node.attributes.get('transform')));
      if (node.attributes.has('clip-path')) this.#facts.warnings.add('clip-simplified');
      if (node.name === 'g') this.#clipOutlines(node, own, found);
      else if (node.name === 'path') {
        const { geometry, outlines } = this.#localOutline(node, 'clip-rule');
        found.push(transformGeometry(geometry, outlines, own, this.#out));
      }
    }
  }

  /** The picture of a mask; undefined where it hides everything. */
  #mask(mask: SvgNode, owner: SvgNode, matrix: Matrix): readonly DrawingItem[] | undefined {
    this.#countReference();
    const units = mask.attributes.get('maskUnits') ?? 'objectBoundingBox';
    const contentUnits = mask.attributes.get('maskContentUnits') ?? 'userSpaceOnUse';
    const bounds =
      units === 'objectBoundingBox' || contentUnits === 'objectBoundingBox' ? this.#bounds(owner, IDENTITY) : undefined;
    if ((units === 'objectBoundingBox' || contentUnits === 'objectBoundingBox') && !hasArea(bounds)) return undefined;
    const box = bounds === undefined ? IDENTITY : boxMatrix(bounds);
    let items = this.items(mask, contentUnits === 'objectBoundingBox' ? multiply(matrix, box) : matrix);
    const { x, y, width, height } = viewportOf(mask);
    if (!(width > 0 && height > 0)) return undefined;
    const region = transformGeometry(
      { kind: 'rect', x, y, width, height, radius: 0 },
      { commands: new Uint8Array(), coords: new Float64Array() },
      units === 'objectBoundingBox' ? multiply(matrix, box) : matrix,
      this.#out,
    );
    if (this.#facts.alphaMasks.has(mask.attributes.get('id') ?? ''))
      items = whitened(items, () => this.#facts.warnings.add('mask-simplified'));
    const next = this.#definition(mask.attributes.get('mask'), 'mask');
    const inner = next === undefined ? undefined : this.#mask(next, owner, matrix);
    if (next !== undefined && inner === undefined) return undefined;
    const clip = this.#coversCanvas(region) ? null : [region];
    if (clip === null && inner === undefined) return items;
    return [{ kind: 'group', opacity: 1, clip, ...(inner && { mask: inner }), items }];
  }

  /** A region that holds the whole canvas cuts nothing that could be seen. */
  #coversCanvas(region: Geometry): boolean {
    const { width, height } = this.#facts.canvas;
    if (region.kind !== 'rect' || region.radius !== 0) return false;
    return region.x <= 0 && region.y <= 0 && region.x + region.width >= width && region.y + region.height >= height;
  }

  #image(node: SvgNode, outer: Matrix): readonly DrawingItem[] {
    const image = this.#facts.imageOf(node.attributes.get('href') ?? '');
    const viewport = viewportOf(node);
    if (image === undefined || !(viewport.width > 0 && viewport.height > 0)) return [];
    const box = { x: 0, y: 0, width: image.width, height: image.height };
    const own = multiply(outer, parseMatrix(node.attributes.get('transform')));
    const { matrix, slices } = viewBoxMatrix(box, viewport, node.attributes.get('preserveAspectRatio') ?? '');
    const item: ImageItem = {
      kind: 'image',
      mediaType: image.mediaType,
      bytes: image.bytes,
      width: image.width,
      height: image.height,
      matrix: inSixDigits(multiply(own, matrix)),
      pixelated: node.attributes.get('image-rendering') === 'optimizeSpeed',
    };
    if (!slices) return [item];
    const window = this.#rect(viewport, own);
    return [{ kind: 'group', opacity: 1, clip: [window], items: [item] }];
  }

  #rect(viewport: ViewBox, matrix: Matrix): Geometry {
    const none = { commands: new Uint8Array(), coords: new Float64Array() };
    return transformGeometry({ kind: 'rect', ...viewport, radius: 0 }, none, matrix, this.#out);
  }

  #path(node: SvgNode, outer: Matrix): readonly DrawingItem[] {
    const matrix = multiply(outer, parseMatrix(node.attributes.get('transform')));
    const local = this.#localOutline(node, 'fill-rule');
    const bounds = boundsOfGeometry(local.geometry, local.outlines);
    if (bounds === undefined) return [];
    this.shapes++;
    if (node.attributes.get('shape-rendering') === 'crispEdges') this.crispShapes++;

    const fill = node.attributes.get('fill') ?? '#000000';
    const stroke = node.attributes.get('stroke') ?? 'none';
    const placed = transformGeometry(local.geometry, local.outlines, matrix, this.#out);
    const fillPaint = this.#paint(fill, opacityOf(node, 'fill-opacity'), bounds, bounds, matrix);
    const fills: DrawingItem[] = [];
    if (fillPaint !== undefined) fills.push(shapeOf(placed, fillPaint, null));
    else fills.push(...this.#patterned(fill, opacityOf(node, 'fill-opacity'), placed, bounds, bounds, matrix));

    const strokes: DrawingItem[] = [];
    const width = numberOf(node, 'stroke-width', 1);
    if (stroke !== 'none' && width > 0) {
      const plain = this.#stroke(node, width);
      const reach = boundsOfShape({ ...shapeOf(local.geometry, null, plain) }, local.outlines) ?? bounds;
      const opacity = opacityOf(node, 'stroke-opacity');
      const paint = this.#paint(stroke, opacity, bounds, reach, matrix);
      const keepsWidth = this.#facts.nonScaling.has(node.attributes.get('id') ?? '');
      const scale = keepsWidth ? 1 : scaleOf(matrix);
      if (paint !== undefined && (keepsWidth || isSimilarity(matrix, EVEN_STROKE)))
        strokes.push(shapeOf(placed, null, scaledStroke({ ...plain, paint }, scale)));
      else {
        const tolerance = STROKE_TOLERANCE / Math.max(1e-6, scale);
        const outline = strokePath(local.geometry, local.outlines, plain, matrix, tolerance, this.#out);
        if (paint !== undefined) strokes.push(shapeOf(outline, paint, null));
        else strokes.push(...this.#patterned(stroke, opacity, outline, bounds, reach, matrix));
      }
    }
    const strokesFirst = node.attributes.get('paint-order')?.startsWith('stroke') ?? false;
    if (strokesFirst) return [...strokes, ...fills];
    const [filled] = fills;
    const [stroked] = strokes;
    const joins =
      fills.length === 1 &&
      strokes.length === 1 &&
      filled?.kind === 'shape' &&
      stroked?.kind === 'shape' &&
      stroked.stroke;
    return joins ? [{ ...filled, stroke: stroked.stroke }] : [...fills, ...strokes];
  }

  #stroke(node: SvgNode, width: number): Stroke {
    const cap = node.attributes.get('stroke-linecap');
    const join = node.attributes.get('stroke-linejoin');
    const dashes = numbersOf(node.attributes.get('stroke-dasharray') ?? '');
    const isDashed = dashes.reduce((sum, length) => sum + length, 0) >= LEAST_PERIOD * width;
    return {
      paint: { kind: 'solid', color: 0, opacity: 1 },
      width,
      cap: cap === 'round' || cap === 'square' ? cap : 'butt',
      join: join === 'round' || join === 'bevel' ? join : 'miter',
      miterLimit: Math.max(1, numberOf(node, 'stroke-miterlimit', 4)),
      dashes: isDashed ? dashes : [],
      dashOffset: isDashed ? numberOf(node, 'stroke-dashoffset', 0) : 0,
    };
  }

  /** Undefined for none and for patterns. */
  #paint(text: string, opacity: number, bounds: Bounds, reach: Bounds, matrix: Matrix): Paint | undefined {
    if (text === 'none') return undefined;
    if (referenceIn(text) === undefined) return { kind: 'solid', color: colorOf(text), opacity };
    const gradient = this.#definition(text, 'linearGradient', 'radialGradient');
    if (gradient === undefined) return undefined;
    const onCutShort = () => this.#facts.warnings.add('gradient-simplified');
    return gradientPaint(gradient, { bounds, reach, matrix, opacity, onCutShort });
  }

  /** Whether nothing of a pattern stands out over its tile, so that tiles need not be cut. Strokes are taken to stand out. */
  #liesWithin(pattern: SvgNode, matrix: Matrix, tile: ViewBox): boolean {
    const strokes = (node: SvgNode): boolean =>
      (node.attributes.get('stroke') ?? 'none') !== 'none' || elementsOf(node).some(strokes);
    const bounds = this.#bounds(pattern, matrix);
    if (bounds === undefined || strokes(pattern)) return false;
    const slack = 1e-6 * Math.max(tile.width, tile.height);
    return (
      bounds.minX >= tile.x - slack &&
      bounds.minY >= tile.y - slack &&
      bounds.maxX <= tile.x + tile.width + slack &&
      bounds.maxY <= tile.y + tile.height + slack
    );
  }

  /** The tiles of a pattern within an outline in user units; nothing where `text` names no pattern. */
  #patterned(
    text: string,
    opacity: number,
    clip: Geometry,
    bounds: Bounds,
    reach: Bounds,
    matrix: Matrix,
  ): readonly DrawingItem[] {
    const pattern = this.#definition(text, 'pattern');
    if (pattern === undefined || opacity === 0) return [];
    this.#countReference();
    const byBox = pattern.attributes.get('patternUnits') !== 'userSpaceOnUse';
    const contentByBox = pattern.attributes.get('patternContentUnits') === 'objectBoundingBox';
    if ((byBox || contentByBox) && !hasArea(bounds)) return [];
    const box = boxMatrix(bounds);
    const tile = viewportOf(pattern);
    const first = byBox
      ? {
          x: bounds.minX + tile.x * box[0],
          y: bounds.minY + tile.y * box[3],
          width: tile.width * box[0],
          height: tile.height * box[3],
        }
      : tile;
    if (!(first.width > 0 && first.height > 0)) return [];
    const turn = parseMatrix(pattern.attributes.get('patternTransform'));
    const inverse = invert(turn);
    if (inverse === undefined) return [];
    const xs = [reach.minX, reach.maxX].flatMap((x) => [reach.minY, reach.maxY].map((y) => applyX(inverse, x, y)));
    const ys = [reach.minX, reach.maxX].flatMap((x) => [reach.minY, reach.maxY].map((y) => applyY(inverse, x, y)));
    const range = (values: readonly number[], start: number, step: number) =>
      [
        Math.floor((Math.min(...values) - start) / step + 1e-9),
        Math.ceil((Math.max(...values) - start) / step - 1e-9),
      ] as const;
    const [left, right] = range(xs, first.x, first.width);
    const [top, bottom] = range(ys, first.y, first.height);
    if (!((right - left) * (bottom - top) <= MAX_TILES)) {
      this.#facts.warnings.add('pattern-dropped', `more than ${MAX_TILES} tiles`);
      return [];
    }
    const viewBox = parseViewBox(pattern.attributes.get('viewBox'));
    let inTile: Matrix = contentByBox ? [box[0], 0, 0, box[3], first.x, first.y] : [1, 0, 0, 1, first.x, first.y];
    if (viewBox !== undefined) {
      if (!(viewBox.width > 0 && viewBox.height > 0)) return [];
      inTile = viewBoxMatrix(viewBox, first, pattern.attributes.get('preserveAspectRatio') ?? '').matrix;
    }
    const cut = !this.#liesWithin(pattern, inTile, first);
    const tiles: DrawingItem[] = [];
    for (let row = top; row < bottom; row++)
      for (let column = left; column < right; column++) {
        this.#countReference();
        const shift: Matrix = [1, 0, 0, 1, column * first.width, row * first.height];
        const place = multiply(multiply(matrix, turn), shift);
        const items = this.items(pattern, multiply(place, inTile));
        if (!cut) tiles.push(...items);
        else if (items.length > 0) tiles.push({ kind: 'group', opacity: 1, clip: [this.#rect(first, place)], items });
      }
    return tiles.length === 0 ? [] : [{ kind: 'group', opacity, clip: [clip], items: tiles }];
  }
}

function viewportOf(node: SvgNode): ViewBox {
  const number = (name: string) => numberOf(node, name, 0);
  return { x: number('x'), y: number('y'), width: number('width'), height: number('height') };
}

const shapeOf = (geometry: Geometry, fill: Paint | null, stroke: Stroke | null): Shape => ({
  kind: 'shape',
  geometry,
  fill,
  stroke,
  visibleAreaPx: 0,
});

const scaledStroke = (stroke: Stroke, scale: number): Stroke => ({
  ...stroke,
  width: stroke.width * scale,
  dashes: stroke.dashes.map((length) => length * scale),
  dashOffset: stroke.dashOffset * scale,
});

const fadedPaint = (paint: Paint, by: number): Paint =>
  paint.kind === 'solid'
    ? { ...paint, opacity: paint.opacity * by }
    : { ...paint, stops: paint.stops.map((stop) => ({ ...stop, opacity: stop.opacity * by })) };

/** Opacity given to a shape itself; undefined where fill and stroke would show through each other. */
function fadedShape(shape: Shape, opacity: number): Shape | undefined {
  if (shape.fill !== null && shape.stroke !== null) return undefined;
  return {
    ...shape,
    fill: shape.fill && fadedPaint(shape.fill, opacity),
    stroke: shape.stroke && { ...shape.stroke, paint: fadedPaint(shape.stroke.paint, opacity) },
  };
}
