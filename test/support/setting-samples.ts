import { SETTING_NAMES, type SettingName, settingRow } from '#domain/presets/settings.js';

/** Some values that a parameter takes, as native values: for enums and booleans all of them. */
export function sampleValues(name: SettingName): readonly unknown[] {
  const row = settingRow(name);
  switch (row.type) {
    case 'enum':
      return row.values;
    case 'boolean':
      return [true, false];
    case 'number':
    case 'integer':
      return [row.min, row.max];
    case 'colors':
      return [[0xff0000], [0, 0xffffff]];
    case 'list':
      return [[row.values[0]], row.values];
  }
}

/** Every parameter with each of its samples. */
export const allSamples: readonly { readonly name: SettingName; readonly value: unknown }[] = SETTING_NAMES.flatMap(
  (name) => sampleValues(name).map((value) => ({ name, value })),
);
