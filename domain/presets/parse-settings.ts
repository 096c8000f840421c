import { invalid } from '#domain/errors.js';
import { nearestName } from '#domain/nearest-name.js';
import {
  type ColorsRow,
  type EnumRow,
  type ExplicitSettings,
  type ListRow,
  type NumberRow,
  publishedNames,
  type SettingName,
  type SettingRow,
  settingNames,
} from './settings-table.js';

/** What was sent, as one short line. */
function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

const asText = (value: unknown) => (typeof value === 'string' ? value.trim() : undefined);

function parseEnum(field: string, row: Pick<EnumRow, 'values'>, value: unknown): string {
  const text = asText(value);
  if (text !== undefined && row.values.includes(text)) return text;
  const hint = text ? `; did you mean ${nearestName(text, row.values)}?` : '';
  throw invalid(field, `${quoted(value)} is not one of ${row.values.join(', ')}${hint}`);
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function parseNumber(field: string, row: NumberRow, value: unknown): number | null {
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

function parseBoolean(field: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = asText(value)?.toLowerCase();
  if (text !== undefined && TRUE_WORDS.includes(text)) return true;
  if (text !== undefined && FALSE_WORDS.includes(text)) return false;
  throw invalid(field, `${quoted(value)} is not true or false`);
}

/** An array as it came, a JSON array in a string, or the parts of a comma list; no parts for an empty string. */
function parseItems(field: string, value: unknown, wanted: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const text = asText(value);
  if (text === undefined) throw invalid(field, `${quoted(value)} is not ${wanted}`);
  if (!text.startsWith('[')) return text === '' ? [] : text.split(',').map((part) => part.trim());
  let items: unknown;
  try {
    items = JSON.parse(text);
  } catch {
    items = undefined;
  }
  if (!Array.isArray(items)) throw invalid(field, `${quoted(value)} is not ${wanted}`);
  return items;
}

const HEX_COLOR = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;

function parseColor(field: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffffff) return value;
  const hex = HEX_COLOR.exec(asText(value) ?? '')?.[1];
  if (hex === undefined) throw invalid(field, `${quoted(value)} is not a hex color such as #1a2b3c`);
  return Number.parseInt(hex.length === 3 ? hex.replace(/./g, '$&$&') : hex, 16);
}

function parseColors(field: string, row: ColorsRow, value: unknown): readonly number[] {
  const items = parseItems(field, value, 'a JSON array or comma list of hex colors');
  if (items.length === 0) throw invalid(field, 'names no color; give at least one, or leave it out');
  if (items.length > row.maxItems)
    throw invalid(field, `has ${items.length} colors; at most ${row.maxItems} are accepted`);
  return [...new Set(items.map((item) => parseColor(field, item)))];
}

function parseList(field: string, row: ListRow, value: unknown): readonly string[] {
  const items = parseItems(field, value, `a list of ${row.values.join(', ')}`);
  if (items.length === 0) throw invalid(field, `is empty; it takes one or more of ${row.values.join(', ')}`);
  const given = new Set(items.map((item) => parseEnum(field, row, item)));
  // In the table's order, so that the order of writing changes nothing.
  return row.values.filter((known) => given.has(known));
}

function parseValue(field: string, row: SettingRow, value: unknown): unknown {
  if (Array.isArray(value) && row.type !== 'colors' && row.type !== 'list')
    throw invalid(
      field,
      value.length > 1 ? 'is given more than once' : `${quoted(value)} is a list; it takes one value`,
    );
  switch (row.type) {
    case 'enum':
      return parseEnum(field, row, value);
    case 'number':
    case 'integer':
      return parseNumber(field, row, value);
    case 'boolean':
      return parseBoolean(field, value);
    case 'colors':
      return parseColors(field, row, value);
    case 'list':
      return parseList(field, row, value);
  }
}

const sameValue = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/**
 * Checks what a person, a form or a program sent: text (as forms and command lines send it) or native values; `undefined`
 * means not given. With scope `tracing`, the parameters that only answer requests (output, dry_run) are unknown.
 * Throws INVALID_REQUEST, whose `field` is the name as it was given, for an unknown name (naming the nearest known one), a
 * wrong type, a value out of range or not listed, and two names of one parameter that disagree.
 */
export function parseSettings(input: Readonly<Record<string, unknown>>, scope?: 'tracing'): ExplicitSettings {
  const known = new Map<string, { setting: SettingName; row: SettingRow }>();
  for (const setting of settingNames(scope))
    for (const { name, row } of publishedNames(setting)) known.set(name, { setting, row });

  const parsed: Partial<Record<SettingName, unknown>> = {};
  const givenAs: Partial<Record<SettingName, string>> = {};
  for (const [field, value] of Object.entries(input)) {
    if (value === undefined) continue;
    const entry = known.get(field);
    if (entry === undefined)
      throw invalid(
        field.slice(0, 60),
        `unknown parameter; the nearest known one is ${nearestName(field, [...known.keys()])}`,
      );
    const { setting, row } = entry;
    const checked = parseValue(field, row, value);
    const other = givenAs[setting];
    if (other !== undefined && !sameValue(parsed[setting], checked))
      throw invalid(field, `${quoted(value)} disagrees with ${other}, which is another name of it; give one of them`);
    parsed[setting] = checked;
    givenAs[setting] = field;
  }
  return parsed as ExplicitSettings;
}
