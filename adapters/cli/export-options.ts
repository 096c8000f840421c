import type { Option } from 'commander';
import { toHexColor } from '#domain/color.js';
import { EXPORT_OPTION_NAMES, type ExportOption, exportOptionRow } from '#domain/exports/export-options.js';
import { SettingOption, toFlag } from './setting-options.js';

/** What the command line needs to know of a format, for its help. */
export interface ListedFormat {
  readonly format: { readonly id: string };
  readonly rows: Readonly<Record<string, unknown>>;
}

const PLACEHOLDERS: Readonly<Record<ExportOption['type'], string>> = {
  enum: ' <name>',
  number: ' <number>',
  integer: ' <count>',
  boolean: '',
  color: ' <color>',
  text: ' <text>',
};

function valueHelp(row: ExportOption): string {
  switch (row.type) {
    case 'enum':
      return row.values.join(' | ');
    case 'number':
    case 'integer':
      return `${row.min} to ${row.max}${row.unit === undefined ? '' : ` ${row.unit}`}`;
    case 'boolean':
      return `default ${row.default ? 'on' : 'off'}`;
    case 'color':
      return `#rrggbb or none; default ${row.default === null ? 'none' : toHexColor(row.default)}`;
    case 'text':
      return `at most ${row.maxLength} characters`;
  }
}

/** An option for every row of the table of export options, with the formats that take it where they are known. */
export function exportOptions(formats: readonly ListedFormat[]): readonly Option[] {
  return EXPORT_OPTION_NAMES.flatMap((name) => {
    const row = exportOptionRow(name);
    const honoured = formats.filter(({ rows }) => rows[name] !== undefined).map(({ format }) => format.id);
    const whose = honoured.length === 0 ? '' : ` [${honoured.join(' ')}]`;
    const help = `${row.meaning} (${valueHelp(row)})${whose}`;
    const option = new SettingOption(`${toFlag(name)}${PLACEHOLDERS[row.type]}`, help, name);
    if (row.type !== 'boolean') return [option];
    return [option, new SettingOption(toFlag(`no_${name}`), `The opposite of ${toFlag(name)}.`, name)];
  });
}

/** The export options among those parsed, as they were typed; `not` are flags that mean something else there. */
export const givenExportOptions = (
  options: Readonly<Record<string, unknown>>,
  not: ReadonlySet<string | undefined> = new Set(),
): Record<string, unknown> =>
  Object.fromEntries(
    EXPORT_OPTION_NAMES.flatMap((name) =>
      options[name] === undefined || not.has(toFlag(name)) ? [] : [[name, options[name]]],
    ),
  );
