import { publishedNames, SETTING_NAMES, type SettingName, settingRow } from '#domain/presets/settings.js';
import { sampleValues } from '#test/support/setting-samples.js';
import type { Choices } from './choices.js';

const STRANGE: readonly unknown[] = [
  '',
  ' ',
  'true',
  '1e999',
  '-0',
  'NaN',
  '0x10',
  '１２',
  null,
  true,
  0,
  -1,
  1e308,
  Number.NaN,
  [],
  {},
  [[]],
  '[',
  '[1,',
  '["#fff",{}]',
  'x'.repeat(5000),
  '\u0000',
  '__proto__',
  { toString: 1 },
  ['auto', 'auto'],
  '#ffff',
  Symbol.iterator.description,
  2 ** 53,
];
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'preset ',
  'Preset',
  'presett',
  'x'.repeat(300),
  'édge',
];

const asForm = (value: unknown): unknown => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Parameters that are right for the most part: known names, values of their rows or near them, as forms or JSON have them. */
export function settingsFrom(choices: Choices): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (let count = choices.below(6); count > 0; count--) {
    const setting = choices.pick(SETTING_NAMES);
    const name = choices.chance(0.06) ? choices.pick(NAMES) : choices.pick(publishedNames(setting)).name;
    const value = valueFrom(setting, choices);
    // As a parser of JSON would: a property of its own, whatever its name.
    Object.defineProperty(settings, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return settings;
}

function valueFrom(name: SettingName, choices: Choices): unknown {
  if (choices.chance(0.15)) return choices.pick(STRANGE);
  const row = settingRow(name);
  let value = choices.pick(sampleValues(name));
  if (row.type === 'number' || row.type === 'integer') {
    const within = row.min + choices.random() * (row.max - row.min);
    value = choices.pick([
      value,
      row.type === 'integer' ? Math.round(within) : within,
      row.min - 1,
      row.max + 1,
      within,
    ]);
  }
  return choices.chance(0.5) ? asForm(value) : value;
}

/** Parameters that are accepted, without those that only say how to answer. */
export function soundSettingsFrom(choices: Choices): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (let count = choices.below(5); count > 0; count--) {
    const name = choices.pick(SETTING_NAMES);
    if (name === 'output' || name === 'dry_run') continue;
    settings[name] = choices.pick(sampleValues(name));
  }
  return settings;
}
