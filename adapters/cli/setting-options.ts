import { Option } from 'commander';
import { toHexColor } from '#domain/color.js';
import { publishedNames, SETTING_GROUPS, type SettingRow, settingNames, settingRow } from '#domain/presets/settings.js';

/** `palette_count` is `--palette-count`; names in other spellings stay as they are published: `--paletteCount`. */
export const toFlag = (name: string): string => `--${name.replaceAll('_', '-')}`;

/** Keeps its value under the parameter's own name: commander's camel case would make two published names one. */
export class SettingOption extends Option {
  readonly #settingName: string;

  constructor(flags: string, description: string, settingName: string) {
    super(flags, description);
    this.#settingName = settingName;
  }

  override attributeName(): string {
    return this.#settingName;
  }
}

function valueHelp(row: SettingRow): string {
  switch (row.type) {
    case 'enum':
      return `${row.values.join(' | ')}; default ${row.default}`;
    case 'number':
    case 'integer': {
      const range = `${row.min} to ${row.max}${row.unit === undefined ? '' : ` ${row.unit}`}`;
      return row.default === null ? range : `${range}; default ${row.default}`;
    }
    case 'boolean':
      return `default ${row.default ? 'on' : 'off'}`;
    case 'colors':
      return row.default.length === 0 ? `#rrggbb,… up to ${row.maxItems}` : row.default.map(toHexColor).join(',');
    case 'list':
      return `one or more of ${row.values.join(',')}; default ${row.default.length === row.values.length ? 'all' : row.default.join(',')}`;
  }
}

const PLACEHOLDERS: Readonly<Record<SettingRow['type'], string>> = {
  enum: ' <name>',
  number: ' <number>',
  integer: ' <count>',
  boolean: '',
  colors: ' <colors>',
  list: ' <list>',
};

/** An option for every tracing parameter and published name of the table, under the table's headings. */
export function settingOptions(): readonly Option[] {
  const options: Option[] = [];
  for (const setting of settingNames('tracing')) {
    const heading = `${SETTING_GROUPS[settingRow(setting).group]}:`;
    for (const { name, row } of publishedNames(setting)) {
      const meaning = name === setting ? row.meaning : `Another name of ${toFlag(setting)}.`;
      const add = (flags: string, help: string) =>
        options.push(new SettingOption(flags, help, name).helpGroup(heading));
      add(`${toFlag(name)}${PLACEHOLDERS[row.type]}`, `${meaning} (${valueHelp(row)})`);
      if (row.type === 'boolean') add(toFlag(`no_${name}`), `The opposite of ${toFlag(name)}.`);
    }
  }
  return options;
}

/** The parameters among the parsed options, by their published names, as they were typed. */
export function givenSettings(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = settingNames('tracing').flatMap((setting) => publishedNames(setting).map(({ name }) => name));
  return Object.fromEntries(names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]));
}
