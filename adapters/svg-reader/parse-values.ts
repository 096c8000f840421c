import type { Matrix } from '#domain/drawing/drawing.js';
import { IDENTITY, multiply } from '#domain/drawing/matrix.js';
import type { ViewBox } from './root-size.js';

const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;

export const numbersOf = (text: string): number[] => (text.match(NUMBER) ?? []).map(Number);

/** A number without a unit, or `px`; undefined for anything else. */
export function plainNumber(text: string | undefined): number | undefined {
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:px)?\s*$/i.exec(text ?? '');
  return match === null ? undefined : Number(match[1]);
}

/** The transform of normalised markup, which writes `matrix(...)` only. */
export function parseMatrix(text: string | undefined): Matrix {
  if (text === undefined) return IDENTITY;
  const [a, b, c, d, e, f] = numbersOf(text);
  return f === undefined ? IDENTITY : [a!, b!, c!, d!, e!, f];
}

/** How a viewBox lies in a viewport, and whether what stands out must be cut (`slice`). */
export function viewBoxMatrix(
  viewBox: ViewBox,
  viewport: ViewBox,
  preserveAspectRatio: string,
): { readonly matrix: Matrix; readonly slices: boolean } {
  const words = preserveAspectRatio.trim().split(/\s+/);
  const align = words.find((word) => /^(none|x(Min|Mid|Max)Y(Min|Mid|Max))$/.test(word)) ?? 'xMidYMid';
  const slices = words.includes('slice') && align !== 'none';
  let scaleX = viewport.width / viewBox.width;
  let scaleY = viewport.height / viewBox.height;
  if (align !== 'none') scaleX = scaleY = slices ? Math.max(scaleX, scaleY) : Math.min(scaleX, scaleY);
  const share = (word: string) => (word === 'Min' ? 0 : word === 'Max' ? 1 : 0.5);
  const restX = viewport.width - viewBox.width * scaleX;
  const restY = viewport.height - viewBox.height * scaleY;
  const x = viewport.x + (align === 'none' ? 0 : share(align.slice(1, 4)) * restX);
  const y = viewport.y + (align === 'none' ? 0 : share(align.slice(5, 8)) * restY);
  const place: Matrix = [scaleX, 0, 0, scaleY, x, y];
  return { matrix: multiply(place, [1, 0, 0, 1, -viewBox.x, -viewBox.y]), slices };
}
