import { toHexColor } from '#domain/color.js';
import { publishedNames, type SettingRow, settingNames } from './settings-table.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface SettingsSchemaOptions {
  /** `tracing` leaves out the parameters that only answer requests; all when left out. */
  readonly scope?: 'tracing';
  /** For multipart forms: lists are written as one string. */
  readonly form?: boolean;
}

const HEX_PATTERN = '^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$';

/** JSON schema (2020-12) of one parameter. */
export function settingSchema(row: SettingRow, { form = false }: Pick<SettingsSchemaOptions, 'form'> = {}): JsonSchema {
  const description = row.unit === undefined ? row.meaning : `${row.meaning} Unit: ${row.unit}.`;
  switch (row.type) {
    case 'enum':
      return { type: 'string', enum: row.values, default: row.default, description };
    case 'number':
    case 'integer': {
      const range = { type: row.type, minimum: row.min, maximum: row.max, description };
      return row.default === null ? range : { ...range, default: row.default };
    }
    case 'boolean':
      return { type: 'boolean', default: row.default, description };
    case 'colors':
      if (form) return { type: 'string', description };
      return {
        type: 'array',
        items: { type: 'string', pattern: HEX_PATTERN },
        minItems: 1,
        maxItems: row.maxItems,
        ...(row.default.length > 0 && { default: row.default.map(toHexColor) }),
        description,
      };
    case 'list':
      if (form) return { type: 'string', default: row.default.join(','), description };
      return {
        type: 'array',
        items: { type: 'string', enum: row.values },
        minItems: 1,
        uniqueItems: true,
        default: row.default,
        description,
      };
  }
}

/** JSON schema of an object of parameters; every published name is a property, nothing else is allowed. */
export function toJsonSchema(options: SettingsSchemaOptions = {}): JsonSchema & {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
} {
  const properties: Record<string, JsonSchema> = {};
  for (const setting of settingNames(options.scope))
    for (const { name, row } of publishedNames(setting)) {
      const schema = settingSchema(row, options);
      properties[name] =
        name === setting ? schema : { ...schema, description: `Another name of ${setting}. ${row.meaning}` };
    }
  return { type: 'object', additionalProperties: false, properties };
}
