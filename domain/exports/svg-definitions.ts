import type { GradientStop, LinearGradientPaint, RadialGradientPaint, Rgb } from '#domain/drawing/drawing.js';
import { formatNumber } from '#domain/drawing/path-data.js';

/** The `<defs>` of a document. Equal definitions are written once. */
export interface Definitions {
  /** The id under which the gradient can be used. */
  gradient(paint: LinearGradientPaint | RadialGradientPaint): string;
  /** The id of a clip path with these elements. */
  clip(elements: string): string;
  /** The id of a mask with these elements; `region` is its x, y, width and height. */
  mask(region: readonly [string, string, string, string], elements: string): string;
  /** The `<defs>` element, empty text where nothing was defined. */
  text(): string;
}

const OFFSET_DECIMALS = 4;
/** A matrix multiplies coordinates, so it needs the digits that those have before the point. */
const MATRIX_DECIMALS = 6;

/** What the version of SVG has for gradients, or the person wants of it. */
export interface GradientDialect {
  /** SVG Tiny has circular ramps around their center only. */
  readonly plainRadials: boolean;
  /** Told once for each gradient that could not be kept. */
  readonly onSimplified: () => void;
}

/** A matrix that turns, moves and scales evenly keeps circles round. */
const isSimilarity = ([a, b, c, d]: readonly number[]) =>
  Math.abs(Math.hypot(a!, b!) - Math.hypot(c!, d!)) < 1e-9 * Math.hypot(a!, b!) &&
  Math.abs(a! * c! + b! * d!) < 1e-9 * (a! * a! + b! * b!);

/** The circle that comes nearest to what the matrix makes of the gradient's. */
function withoutMatrix(paint: RadialGradientPaint): RadialGradientPaint {
  const { matrix: m, cx, cy, r, fx, fy, kind, stops } = paint;
  if (m === undefined) return paint;
  const toX = (x: number, y: number) => m[0] * x + m[2] * y + m[4];
  const toY = (x: number, y: number) => m[1] * x + m[3] * y + m[5];
  const scale = Math.sqrt(Math.abs(m[0] * m[3] - m[1] * m[2]));
  return { kind, stops, cx: toX(cx, cy), cy: toY(cx, cy), r: r * scale, fx: toX(fx, fy), fy: toY(fx, fy) };
}

function inDialect(paint: RadialGradientPaint, { plainRadials, onSimplified }: GradientDialect): RadialGradientPaint {
  if (!plainRadials) return paint;
  const { matrix, fx, fy, cx, cy } = paint;
  const centered = fx === cx && fy === cy;
  if (!centered || (matrix !== undefined && !isSimilarity(matrix))) onSimplified();
  const round = withoutMatrix(paint);
  return { ...round, fx: round.cx, fy: round.cy };
}

export function createDefinitions(
  precision: number,
  colorText: (color: Rgb) => string,
  opacityText: (opacity: number) => string,
  dialect: GradientDialect,
): Definitions {
  const ids = new Map<string, string>();
  const parts: string[] = [];
  const counts = { g: 0, k: 0, m: 0 };
  const number = (value: number) => formatNumber(value, precision);

  /** `wrap` receives the id; `key` is all that tells two definitions apart. */
  const define = (prefix: keyof typeof counts, key: string, wrap: (id: string) => string): string => {
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
    gradient(given) {
      const paint = given.kind === 'radial' ? inDialect(given, dialect) : given;
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
    mask(region, elements) {
      const [x, y, width, height] = region;
      const place = `maskUnits="userSpaceOnUse" x="${x}" y="${y}" width="${width}" height="${height}"`;
      return define('m', `mask ${elements}`, (id) => `<mask id="${id}" ${place}>\n${elements}</mask>\n`);
    },
    text: () => (parts.length === 0 ? '' : `<defs>\n${parts.join('')}</defs>\n`),
  };
}
