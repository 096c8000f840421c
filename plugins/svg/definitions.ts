import type { GradientStop, LinearGradientPaint, RadialGradientPaint, Rgb } from '#domain/drawing/drawing.js';
import { formatNumber } from '#domain/drawing/path-data.js';

/** The `<defs>` of a document. Equal definitions are written once. */
export interface Definitions {
  /** The id under which the gradient can be used. */
  gradient(paint: LinearGradientPaint | RadialGradientPaint): string;
  /** The id of a clip path with these elements. */
  clip(elements: string): string;
  /** The `<defs>` element, empty text where nothing was defined. */
  text(): string;
}

const OFFSET_DECIMALS = 4;
/** A matrix multiplies coordinates, so it needs the digits that those have before the point. */
const MATRIX_DECIMALS = 6;

export function createDefinitions(
  precision: number,
  colorText: (color: Rgb) => string,
  opacityText: (opacity: number) => string,
): Definitions {
  const ids = new Map<string, string>();
  const parts: string[] = [];
  const counts = { g: 0, k: 0 };
  const number = (value: number) => formatNumber(value, precision);

  /** `wrap` receives the id; `key` is all that tells two definitions apart. */
  const define = (prefix: 'g' | 'k', key: string, wrap: (id: string) => string): string => {
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = `${prefix}${++counts[prefix]}`;
    ids.set(key, id);
    parts.push(wrap(id));
    return id;
  };

  const stopText = ({ offset, color, opacity }: GradientStop) => {
    const translucent = opacity < 1 ? ` stop-opacity="${opacityText(opacity)}"` : '';
    return `<stop offset="${formatNumber(offset, OFFSET_DECIMALS)}" stop-color="${colorText(color)}"${translucent}/>`;
  };

  return {
    gradient(paint) {
      const stops = paint.stops.map(stopText).join('');
      const values =
        paint.kind === 'linear'
          ? { x1: paint.x1, y1: paint.y1, x2: paint.x2, y2: paint.y2 }
          : {
              cx: paint.cx,
              cy: paint.cy,
              r: paint.r,
              ...((paint.fx !== paint.cx || paint.fy !== paint.cy) && { fx: paint.fx, fy: paint.fy }),
            };
      let attributes = ' gradientUnits="userSpaceOnUse"';
      for (const [name, value] of Object.entries(values)) attributes += ` ${name}="${number(value)}"`;
      if (paint.kind === 'radial' && paint.matrix !== undefined) {
        const matrix = paint.matrix.map((value) => formatNumber(value, MATRIX_DECIMALS)).join(' ');
        attributes += ` gradientTransform="matrix(${matrix})"`;
      }
      const name = paint.kind === 'linear' ? 'linearGradient' : 'radialGradient';
      return define('g', name + attributes + stops, (id) => `<${name} id="${id}"${attributes}>${stops}</${name}>\n`);
    },
    clip: (elements) => define('k', elements, (id) => `<clipPath id="${id}">${elements}</clipPath>\n`),
    text: () => (parts.length === 0 ? '' : `<defs>\n${parts.join('')}</defs>\n`),
  };
}
