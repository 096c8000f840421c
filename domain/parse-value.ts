import { invalid } from '#domain/errors.js';
import { nearestName } from '#domain/nearest-name.js';

/** Checks of single values, as a form or a program sends them. All throw INVALID_REQUEST naming `field` and what it takes. */

export interface NumberRange {
  readonly type: 'number' | 'integer';
  readonly min: number;
  readonly max: number;
  /** Where it is null, null may be given too. */
  readonly default: number | null;
}

/** What was sent, as one short line. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Text without spaces around it; undefined for anything but text. */
export const asText = (value: unknown) => (typeof value === 'string' ? value.trim() : undefined);

export function parseEnum(field: string, row: { readonly values: readonly string[] }, value: unknown): string {
  const text = asText(value);
  if (text !== undefined && row.values.includes(text)) return text;
  const hint = text ? `; did you mean ${nearestName(text, row.values)}?` : '';
  throw invalid(field, `${quoted(value)} is not one of ${row.values.join(', ')}${hint}`);
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

export function parseNumber(field: string, row: NumberRange, value: unknown): number | null {
  if (value === null && row.default === null) return null;
  const text = asText(value);
  const number =
    typeof value === 'number' ? value : text !== undefined && NUMBER.test(text) ? Number(text) : Number.NaN;
  const wanted = `${row.type === 'integer' ? 'a whole number' : 'a number'} from ${row.min} to ${row.max}`;
  if (Number.isNaN(number)) throw invalid(field, `${quoted(value)} is not ${wanted}`);
  if (number < row.min || number > row.max)
    throw invalid(field, `${quoted(value)} is out of range; it takes ${wanted}`);
  if (row.type === 'integer' && !Number.isInteger(number)) throw invalid(field, `${quoted(value)} is not ${wanted}`);
  return number === 0 ? 0 : number; // no -0
}

const TRUE_WORDS = ['true', '1', 'on', 'yes'];
const FALSE_WORDS = ['false', '0', 'off', 'no'];

export function parseBoolean(field: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = asText(value)?.toLowerCase();
  if (text !== undefined && TRUE_WORDS.includes(text)) return true;
  if (text !== undefined && FALSE_WORDS.includes(text)) return false;
  throw invalid(field, `${quoted(value)} is not true or false`);
}

const HEX_COLOR = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** 0xRRGGBB */
export function parseColor(field: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffffff) return value;
  const hex = HEX_COLOR.exec(asText(value) ?? '')?.[1];
  if (hex === undefined) throw invalid(field, `${quoted(value)} is not a hex color such as #1a2b3c`);
  return Number.parseInt(hex.length === 3 ? hex.replace(/./g, '$&$&') : hex, 16);
}
