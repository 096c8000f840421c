import { invalid } from '#domain/errors.js';
import type { ExportOptionValues } from './export-options.js';

/** What every format honours that has a size. */
export const SIZE_OPTIONS = ['scale', 'width', 'height', 'fit', 'unit', 'dpi'] as const;

export type LengthUnit = ExportOptionValues['unit'];

const MM_PER_INCH = 25.4;
const POINTS_PER_INCH = 72;

/** How many of `unit` make one inch, with `dpi` pixels to the inch. */
export function unitsPerInch(unit: LengthUnit, dpi: number): number {
  switch (unit) {
    case 'px':
      return dpi;
    case 'pt':
      return POINTS_PER_INCH;
    case 'mm':
      return MM_PER_INCH;
    case 'cm':
      return MM_PER_INCH / 10;
    case 'in':
      return 1;
  }
}

/** Where a drawing lies on its page: page = offset + scale x drawing, in the page's unit. */
export interface Placement {
  /** Size of the result, in `unit`. */
  readonly width: number;
  readonly height: number;
  readonly unit: LengthUnit;
  /** `unit` per unit of the drawing. */
  readonly scaleX: number;
  readonly scaleY: number;
  readonly offsetX: number;
  readonly offsetY: number;
}

type SizeOptions = Pick<ExportOptionValues, 'width' | 'height' | 'fit' | 'unit' | 'dpi'> &
  Partial<Pick<ExportOptionValues, 'scale'>>;

/**
 * The size of an export and where the drawing lies in it. Without width and height, a pixel of the drawing is 1/dpi inch
 * times `scale`. `inset` with both gives a result no larger than asked for with the drawing's proportions; `overflow` exactly
 * the size asked for, the drawing centered and standing out on one axis.
 */
export function placementOf(
  drawing: { readonly width: number; readonly height: number },
  options: SizeOptions,
): Placement {
  const { width, height, fit, unit, dpi, scale = 1 } = options;
  const plain = unitsPerInch(unit, dpi) / dpi;
  let scaleX = plain * scale;
  let scaleY = scaleX;
  if (width !== null && height !== null) {
    scaleX = width / drawing.width;
    scaleY = height / drawing.height;
    if (fit === 'inset') scaleX = scaleY = Math.min(scaleX, scaleY);
    if (fit === 'overflow') scaleX = scaleY = Math.max(scaleX, scaleY);
  } else if (width !== null) scaleX = scaleY = width / drawing.width;
  else if (height !== null) scaleX = scaleY = height / drawing.height;
  const full = { width: drawing.width * scaleX, height: drawing.height * scaleY };
  const page = fit === 'overflow' && width !== null && height !== null ? { width, height } : full;
  return {
    ...page,
    unit,
    scaleX,
    scaleY,
    offsetX: (page.width - full.width) / 2,
    offsetY: (page.height - full.height) / 2,
  };
}

/** For `check`: a size asked for and a scale do not go together, and a fit needs both sides. */
export function checkSize({
  width,
  height,
  fit,
  scale = 1,
}: Pick<ExportOptionValues, 'width' | 'height' | 'fit'> & Partial<Pick<ExportOptionValues, 'scale'>>): void {
  const sized = width !== null || height !== null;
  if (sized && scale !== 1) throw invalid('scale', 'cannot be given together with width or height; leave one out');
  if (fit !== 'inset' && (width === null || height === null))
    throw invalid('fit', `${fit} needs both width and height`);
}
