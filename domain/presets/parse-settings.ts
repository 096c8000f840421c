import { invalid } from '#domain/errors.js';
import { nearestName } from '#domain/nearest-name.js';
import { asText, parseBoolean, parseColor, parseEnum, parseNumber, quoted } from '#domain/parse-value.js';
import {
  type ColorsRow,
  type ExplicitSettings,
  type ListRow,
  publishedNames,
  type SettingName,
  type SettingRow,
  settingNames,
} from './settings-table.js';

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

interface KnownParameter {
  readonly setting: SettingName;
  readonly row: SettingRow;
}

/** Every name that is accepted, by scope; the table does not change. */
const knownByScope = new Map<'tracing' | undefined, ReadonlyMap<string, KnownParameter>>();

function knownParameters(scope: 'tracing' | undefined): ReadonlyMap<string, KnownParameter> {
  let known = knownByScope.get(scope);
  if (known === undefined) {
    known = new Map(
      settingNames(scope).flatMap((setting) =>
        publishedNames(setting).map(({ name, row }) => [name, { setting, row }]),
      ),
    );
    knownByScope.set(scope, known);
  }
  return known;
}

const sameValue = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/**
 * Checks what a person, a form or a program sent: text (as forms and command lines send it) or native values; `undefined`
 * means not given. With scope `tracing`, the parameters that only answer requests (output, dry_run) are unknown.
 * Throws INVALID_REQUEST, whose `field` is the name as it was given, for an unknown name (naming the nearest known one), a
 * wrong type, a value out of range or not listed, and two names of one parameter that disagree.
 */
export function parseSettings(input: Readonly<Record<string, unknown>>, scope?: 'tracing'): ExplicitSettings {
  const known = knownParameters(scope);

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
