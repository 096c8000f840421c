import type { DrawingReader } from '#application/ports/drawing-reader.js';
import type { ImageDecoder } from '#application/ports/image-decoder.js';
import { boundsOfImage, boundsOfShape } from '#domain/drawing/bounds.js';
import type { Drawing, DrawingItem, Paint } from '#domain/drawing/drawing.js';
import { ServiceError } from '#domain/errors.js';
import { checkReferences } from './count-references.js';
import { takeImages } from './embedded-images.js';
import { createFonts } from './fonts.js';
import { createNormalizer } from './normalizer.js';
import { parseMarkup } from './parse-markup.js';
import { parseNormalized } from './parse-normalized.js';
import { viewBoxMatrix } from './parse-values.js';
import { NormalizedReader } from './read-normalized.js';
import { type RootSize, rootSizeOf } from './root-size.js';
import { sanitize } from './sanitize.js';
import { invalidSvg, markupOf, type SvgNode } from './svg-node.js';
import { WarningList } from './warning-list.js';

export interface SvgDrawingReaderOptions {
  /** Decodes embedded pictures, under its own limit of pixels. */
  readonly decoder: ImageDecoder;
  /** TrueType files for text, the fallbacks of every family; the system's fonts are never used. None: text is left out. */
  readonly fontFiles: readonly string[];
  /** For the part of the work that cannot be interrupted otherwise. Default 30 s. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** Beyond it, the digits that are written do not reach a pixel any more. */
const MAX_PLACE = 1e9;

/** The size goes in as plain numbers, so that there are no two opinions of it. */
function stateSize(root: SvgNode, { width, height, viewBox }: RootSize): void {
  root.attributes.set('xmlns', 'http://www.w3.org/2000/svg');
  root.attributes.set('xmlns:xlink', 'http://www.w3.org/1999/xlink');
  root.attributes.set('width', String(width));
  root.attributes.set('height', String(height));
  root.attributes.set('viewBox', `${viewBox.x} ${viewBox.y} ${viewBox.width} ${viewBox.height}`);
  for (const name of ['x', 'y', 'transform']) root.attributes.delete(name);
}

/** Transforms multiply; what they made must still be numbers that every format can write. */
function checkPlaces(drawing: Drawing): void {
  const isSane = (value: number) => Math.abs(value) <= MAX_PLACE;
  const numbersAreSane = (value: object): boolean =>
    Object.values(value).every((part) => typeof part !== 'number' || isSane(part));
  const itemIsSane = (item: DrawingItem): boolean => {
    switch (item.kind) {
      case 'image':
        return item.matrix.every(isSane);
      case 'group':
        return (item.clip ?? []).every(numbersAreSane) && [...item.items, ...(item.mask ?? [])].every(itemIsSane);
      case 'shape': {
        const { geometry, fill, stroke } = item;
        const paints = [fill, stroke?.paint].every((paint) => !paint || (numbersAreSane(paint) && paintIsSane(paint)));
        return numbersAreSane(geometry) && paints && (stroke === null || numbersAreSane(stroke));
      }
    }
  };
  if (!drawing.coords.every(isSane) || !drawing.items.every(itemIsSane))
    throw invalidSvg('its transforms lead to places beyond all numbers.');
}

const paintIsSane = (paint: Paint) =>
  paint.kind !== 'radial' || (paint.matrix ?? []).every((value) => Math.abs(value) <= MAX_PLACE);

/** How far to the right and down the items reach. */
function extentOf(items: readonly DrawingItem[], drawing: Drawing): { width: number; height: number } {
  let width = 0;
  let height = 0;
  for (const item of items) {
    if (item.kind === 'group') {
      const inner = extentOf(item.items, drawing);
      width = Math.max(width, inner.width);
      height = Math.max(height, inner.height);
      continue;
    }
    const bounds = item.kind === 'image' ? boundsOfImage(item) : boundsOfShape(item, drawing);
    width = Math.max(width, bounds?.maxX ?? 0);
    height = Math.max(height, bounds?.maxY ?? 0);
  }
  return { width, height };
}

/**
 * Reads SVG by rebuilding it from an allowlist, having it normalised, and reading what comes back. Nothing that the markup names
 * is opened or fetched; no renderer sees it as it came.
 */
export function createSvgDrawingReader({
  decoder,
  fontFiles,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: SvgDrawingReaderOptions): DrawingReader {
  const normalizer = createNormalizer(timeoutMs);
  const fonts = createFonts(fontFiles);
  return {
    async read(markup, signal) {
      const throwIfAborted = () => {
        if (signal?.aborted) throw new ServiceError('CANCELLED', undefined, { cause: signal.reason });
      };
      throwIfAborted();
      const warnings = new WarningList();
      const source = parseMarkup(markup);
      const size = rootSizeOf(source);
      const safe = sanitize(source, warnings);
      checkReferences(safe.root, safe.markersOfStyles);
      const imageOf = await takeImages(safe, decoder, warnings);
      throwIfAborted();
      if (fontFiles.length === 0) for (let i = 0; i < safe.texts; i++) warnings.add('text-dropped');
      else if (safe.texts > 0) {
        const lacks = await fonts.lacks(safe.families, safe.characters);
        for (const family of lacks.families) warnings.add('font-substituted', family);
        for (const character of lacks.characters) warnings.add('glyph-missing', character);
      }
      stateSize(safe.root, size);

      const request = { markup: markupOf(safe.root), fontFiles: safe.texts > 0 ? fontFiles : [] };
      const normalized = parseNormalized(await normalizer.normalize(request, signal));
      const viewport = { x: 0, y: 0, width: size.width, height: size.height };
      const { matrix } = viewBoxMatrix(size.viewBox, viewport, size.preserveAspectRatio);
      const { outlines, nonScaling, alphaMasks } = safe;
      const reader = new NormalizedReader(normalized, {
        outlines,
        nonScaling,
        alphaMasks,
        imageOf,
        warnings,
        canvas: size,
      });
      const items = reader.items(normalized, matrix);
      let drawing: Drawing = {
        width: size.width,
        height: size.height,
        ...reader.outlines(),
        items,
        crispEdges: reader.shapes > 0 && reader.crispShapes === reader.shapes,
      };
      checkPlaces(drawing);
      const extent = size.isGuess ? extentOf(items, drawing) : undefined;
      if (extent !== undefined && extent.width > 0 && extent.height > 0) {
        warnings.add('size-from-content');
        drawing = { ...drawing, ...extent };
      }
      return { drawing, warnings: warnings.notes() };
    },
  };
}
