import { toHexColor } from '#domain/color.js';
import { invalid } from '#domain/errors.js';
import { nearestName } from '#domain/nearest-name.js';
import { asText, parseBoolean, parseColor, parseEnum, parseNumber, quoted } from '#domain/parse-value.js';
import {
  EXPORT_OPTION_NAMES,
  type ExportOption,
  type ExportOptionName,
  type ExportOptionValues,
  exportOptionRow,
} from './export-options.js';

/** Where a format's own default or choice of values differs from the table. */
export interface OptionOverride {
  readonly default?: string | number | boolean | null;
  /** A part of the table's values. */
  readonly values?: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

type Values<Name extends ExportOptionName> = Pick<ExportOptionValues, Name>;

export interface ExportOptionSet<Name extends ExportOptionName = ExportOptionName> {
  /** The options that the format honours, in the table's order. */
  readonly names: readonly Name[];
  /** The row of each, with the format's own defaults. */
  readonly rows: Readonly<Record<Name, ExportOption>>;
  readonly optionsSchema: Readonly<Record<string, unknown>>;
  /** `undefined` and `null` mean no options. Throws INVALID_REQUEST; every option has a value in what it returns. */
  parseOptions(input: unknown): Values<Name>;
}

const HEX_OR_NONE = '^(none|#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6}))$';

/** JSON schema (2020-12) of one option. */
export function exportOptionSchema(row: ExportOption): Readonly<Record<string, unknown>> {
  const description = row.unit === undefined ? row.meaning : `${row.meaning} Unit: ${row.unit}.`;
  const given = row.default === null ? {} : { default: row.default };
  switch (row.type) {
    case 'enum':
      return { type: 'string', enum: row.values, ...given, description };
    case 'number':
    case 'integer':
      return { type: row.type, minimum: row.min, maximum: row.max, ...given, description };
    case 'boolean':
      return { type: 'boolean', default: row.default, description };
    case 'text':
      return { type: 'string', maxLength: row.maxLength, description };
    case 'color':
      return {
        type: 'string',
        pattern: HEX_OR_NONE,
        default: row.default === null ? 'none' : toHexColor(row.default),
        description,
      };
  }
}

/** Control characters would end a line of the file that the text is written into. */
const isControl = (character: string) => character < ' ' || (character >= '\u007f' && character < '\u00a0');

function parseText(field: string, maxLength: number, value: unknown): string {
  const text = asText(value);
  if (text === undefined) throw invalid(field, `${quoted(value)} is not text`);
  if (text.length > maxLength) throw invalid(field, `has ${text.length} characters; at most ${maxLength} are accepted`);
  if ([...text].some(isControl)) throw invalid(field, 'must be one line, without control characters');
  return text;
}

function parseValue(field: string, row: ExportOption, value: unknown): unknown {
  if (value === null && (row.default === null || row.type === 'color')) return null;
  switch (row.type) {
    case 'enum':
      // 1.1 as a number is what a JSON writer makes of it.
      return parseEnum(field, row, typeof value === 'number' ? value.toFixed(1) : value);
    case 'number':
    case 'integer':
      return parseNumber(field, row, value);
    case 'boolean':
      return parseBoolean(field, value);
    case 'text':
      return parseText(field, row.maxLength, value);
    case 'color':
      return asText(value)?.toLowerCase() === 'none' ? null : parseColor(field, value);
  }
}

/** How long a name that we do not know may be in an answer. */
const MAX_SHOWN = 60;

/**
 * What a format has to say of its options: those it honours, by the table's names, and where its defaults differ. `check`
 * sees the parsed values and throws where they do not go together.
 * Throws RangeError for an override of an option that is not honoured.
 */
export function defineExportOptions<const Name extends ExportOptionName>(
  format: string,
  names: readonly Name[],
  overrides: { readonly [N in Name]?: OptionOverride } = {},
  check: (values: Values<Name>) => void = () => {},
): ExportOptionSet<Name> {
  for (const name of Object.keys(overrides))
    if (!(names as readonly string[]).includes(name)) throw new RangeError(`${format} does not honour ${name}`);
  const honoured = EXPORT_OPTION_NAMES.filter((name): name is Name => (names as readonly string[]).includes(name));
  const rows = Object.fromEntries(
    honoured.map((name) => [name, { ...exportOptionRow(name), ...overrides[name] }]),
  ) as unknown as Record<Name, ExportOption>;
  const properties = Object.fromEntries(honoured.map((name) => [name, exportOptionSchema(rows[name])]));

  return {
    names: honoured,
    rows,
    optionsSchema: { type: 'object', additionalProperties: false, properties },
    parseOptions(input) {
      if (input !== undefined && input !== null && (typeof input !== 'object' || Array.isArray(input)))
        throw invalid('exportOptions', 'must be an object of options');
      const values: Record<string, unknown> = {};
      for (const name of honoured) values[name] = rows[name].default;
      for (const [field, value] of Object.entries(input ?? {})) {
        if (value === undefined) continue;
        const name = honoured.find((known) => known === field);
        if (name === undefined) throw refusalOf(format, field, honoured);
        values[name] = parseValue(field, rows[name], value);
      }
      const parsed = values as unknown as Values<Name>;
      check(parsed);
      return parsed;
    },
  };
}

function refusalOf(format: string, field: string, honoured: readonly string[]) {
  const honours = honoured.length === 0 ? 'it has no options' : `it honours ${honoured.join(', ')}`;
  if ((EXPORT_OPTION_NAMES as readonly string[]).includes(field))
    return invalid(field, `${format} cannot honour ${field}; ${honours}`);
  const nearest = nearestName(field, honoured.length === 0 ? EXPORT_OPTION_NAMES : honoured);
  return invalid(field.slice(0, MAX_SHOWN), `there is no such option; the nearest for ${format} is ${nearest}`);
}
