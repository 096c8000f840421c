import { CAPS } from './caps.js';
import { invalidSvg, type SvgNode } from './svg-node.js';

const PX_PER_UNIT: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  q: 96 / 101.6,
  in: 96,
  em: 16,
  rem: 16,
  ex: 8,
};

const LENGTH = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(px|pt|pc|mm|cm|q|in|r?em|ex|%)?$/i;

export interface ViewBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface RootSize {
  /** CSS pixels, 96 to the inch. */
  readonly width: number;
  readonly height: number;
  readonly viewBox: ViewBox;
  readonly preserveAspectRatio: string;
  /** Neither width and height nor a viewBox is stated. */
  readonly isGuess: boolean;
}

const GUESS = { width: 300, height: 150 };

/** Undefined for `auto` and for what is left out. `whole` is what 100 % are. */
function lengthOf(root: SvgNode, name: 'width' | 'height', whole: number | undefined): number | undefined {
  const text = root.attributes.get(name)?.trim();
  if (text === undefined || text === '' || text === 'auto') return undefined;
  const match = LENGTH.exec(text);
  if (match === null)
    throw invalidSvg(`${name}="${text.slice(0, 40)}" is no length; it takes a number, and px, pt, mm, cm, in or %.`);
  const unit = match[2]?.toLowerCase() ?? '';
  const value = Number(match[1]);
  if (unit === '%') return whole === undefined ? undefined : (whole * value) / 100;
  return value * PX_PER_UNIT[unit]!;
}

export function parseViewBox(text: string | undefined): ViewBox | undefined {
  if (text === undefined) return undefined;
  const [x, y, width, height, ...more] = text
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (more.length > 0 || ![x, y, width, height].every((value) => Number.isFinite(value))) return undefined;
  return { x: x!, y: y!, width: width!, height: height! };
}

/**
 * The size of the document as its root states it; a side that is left out follows from the viewBox. Throws INVALID_SVG where
 * there is no such size, or nothing can be shown at it.
 */
export function rootSizeOf(root: SvgNode): RootSize {
  const viewBox = parseViewBox(root.attributes.get('viewBox'));
  if (viewBox !== undefined && !(viewBox.width > 0 && viewBox.height > 0))
    throw invalidSvg(`its viewBox is ${viewBox.width} x ${viewBox.height}; both sides must be more than 0.`);
  let width = lengthOf(root, 'width', viewBox?.width);
  let height = lengthOf(root, 'height', viewBox?.height);
  const isGuess = viewBox === undefined && (width === undefined || height === undefined);
  if (viewBox !== undefined) {
    if (width === undefined && height === undefined) ({ width, height } = viewBox);
    else if (width === undefined) width = (height! * viewBox.width) / viewBox.height;
    else height ??= (width * viewBox.height) / viewBox.width;
  }
  width ??= GUESS.width;
  height ??= GUESS.height;
  if (!(width > 0 && height > 0)) throw invalidSvg(`it is ${width} x ${height}; both sides must be more than 0.`);
  if (!(Math.min(width, height) >= CAPS.leastSide))
    throw invalidSvg(`it is ${width} x ${height} px; both sides must be ${CAPS.leastSide} or more.`);
  for (const side of [width, height, viewBox?.width ?? 0, viewBox?.height ?? 0])
    if (!(side <= CAPS.side)) throw invalidSvg(`a side of it is ${side} long; at most ${CAPS.side} are accepted.`);
  return {
    width,
    height,
    viewBox: viewBox ?? { x: 0, y: 0, width, height },
    preserveAspectRatio: root.attributes.get('preserveAspectRatio') ?? '',
    isGuess,
  };
}
