import { MAX_DECIMALS } from '#domain/drawing/path-data.js';
import { invalid } from '#domain/errors.js';
import { nearestName } from '#domain/nearest-name.js';

export interface SvgOptions {
  /** Digits after the point of every coordinate. */
  readonly precision: number;
}

const DEFAULT_PRECISION = 2;

export const svgOptionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    precision: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_DECIMALS,
      default: DEFAULT_PRECISION,
      description: 'Digits after the point of every coordinate; one unit is one pixel of the picture.',
    },
  },
} as const;

/** Throws INVALID_REQUEST on anything unknown or out of range. */
export function parseSvgOptions(input: unknown): SvgOptions {
  if (input === undefined || input === null) return { precision: DEFAULT_PRECISION };
  if (typeof input !== 'object' || Array.isArray(input)) throw invalid('exportOptions', 'must be an object');
  const known = Object.keys(svgOptionsSchema.properties);
  for (const name of Object.keys(input))
    if (!known.includes(name))
      throw invalid(name, `there is no such option for svg; did you mean ${nearestName(name, known)}?`);
  const { precision = DEFAULT_PRECISION } = input as { precision?: unknown };
  if (typeof precision !== 'number' || !Number.isInteger(precision) || precision < 0 || precision > MAX_DECIMALS)
    throw invalid('precision', `must be a whole number from 0 to ${MAX_DECIMALS}`);
  return { precision };
}
