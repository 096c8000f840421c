import type { Exporter } from '#application/ports/exporter.js';
import { toHexColor } from '#domain/color.js';
import { CREDIT_PACKS, PLAN_IDS, PLANS } from '#domain/credits/plans.js';
import { FIXES } from '#domain/error-fixes.js';
import { ERRORS, type ErrorCode } from '#domain/errors.js';
import { EXPORT_OPTION_NAMES, exportOptionRow } from '#domain/exports/export-options.js';
import { expandPreset, presets, qualityProfiles } from '#domain/presets/catalogue.js';
import { publishedNames, SETTING_GROUPS, type SettingRow, settingNames, settingRow } from '#domain/presets/settings.js';
import { megapixelsOf, TIER_IDS, TIERS } from '#domain/tiers/tier.js';

/** Parts of the guide that are made of the program's own tables, so that they cannot say anything else. As Markdown. */

export interface GuideTablesInput {
  readonly exporters: readonly Pick<Exporter, 'format' | 'rows'>[];
  /** The service's variables: name, what each takes, default, meaning. */
  readonly variables: readonly (readonly [name: string, takes: string, fallback: string, meaning: string])[];
  /** HTTP status of every code. */
  readonly statusOf: (code: ErrorCode) => number;
  /** Whether there is a strip of this parameter's values. */
  readonly hasStrip: (setting: string) => boolean;
}

const cell = (text: string) => text.replaceAll('|', '\\|');
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
const code = (text: string) => `\`${text}\``;

function takes(row: SettingRow): string {
  switch (row.type) {
    case 'enum':
      return row.values.map(code).join(', ');
    case 'list':
      return `one or more of ${row.values.map(code).join(', ')}`;
    case 'number':
    case 'integer':
      return `${row.min} to ${row.max}${row.unit === undefined ? '' : ` ${row.unit}`}`;
    case 'boolean':
      return '`true`, `false`';
    case 'colors':
      return `up to ${row.maxItems} hex colors`;
  }
}

function defaultOf(row: SettingRow): string {
  if (row.default === null) return 'the picture decides';
  if (row.type === 'colors') return row.default.length === 0 ? 'none' : row.default.map(toHexColor).join(',');
  if (row.type === 'list') return row.default.length === row.values.length ? 'all' : row.default.join(',');
  return code(String(row.default));
}

const changes = (settings: object): string =>
  Object.entries(settings)
    .map(([name, value]) => code(`${name}=${Array.isArray(value) ? value.join(',') : String(value)}`))
    .join(', ') || 'nothing';

function parameters(hasStrip: GuideTablesInput['hasStrip']): string {
  const groups = Object.entries(SETTING_GROUPS).map(([group, heading]) => {
    const rows = settingNames().filter((name) => settingRow(name).group === group);
    const entries = rows.map((name) => {
      const row = settingRow(name);
      const aliases = publishedNames(name).slice(1);
      const also = aliases
        .map((alias) => ` Also called ${code(alias.name)}, which takes ${takes(alias.row)}.`)
        .join('');
      const strip = hasStrip(name) ? `\n\n![${name} at different values](pictures/strip-${name}.svg)` : '';
      return `### ${name}\n\n${row.meaning}${also}\n\nTakes ${takes(row)}. Default: ${defaultOf(row)}.${strip}`;
    });
    return [`## ${heading}`, ...entries].join('\n\n');
  });
  return groups.join('\n\n');
}

const yes = (honored: boolean) => (honored ? '●' : '');

/** The text of every table by its name in `{{…}}`. */
export function guideTables({
  exporters,
  variables,
  statusOf,
  hasStrip,
}: GuideTablesInput): Readonly<Record<string, string>> {
  const formats = exporters.map(({ format }) => format);
  return {
    parameters: parameters(hasStrip),
    presets: table(
      ['preset', 'for', 'what it sets'],
      presets.map(({ id, meaning }) => [code(id), meaning, changes(expandPreset(id))]),
    ),
    profiles: table(
      ['profile', 'what it is', 'what it sets'],
      qualityProfiles.map(({ id, meaning, settings }) => [code(id), meaning, changes(settings)]),
    ),
    tiers: table(
      ['tier', 'credits', 'traced at up to', 'for'],
      TIER_IDS.map((id) => TIERS[id]).map((tier) => [
        code(tier.id),
        String(tier.credits),
        `${megapixelsOf(tier)} megapixels`,
        tier.meaning,
      ]),
    ),
    plans: table(
      ['plan', 'credits a month'],
      PLAN_IDS.map((id) => [code(id), id === 'anonymous' ? 'none needed' : String(PLANS[id].monthlyCredits)]),
    ),
    packs: CREDIT_PACKS.join(', '),
    formats: table(
      ['format', 'file', 'plan', 'media type'],
      formats.map(({ id, label, extension, plan, mediaType }) => [
        `${code(id)} ${label}`,
        `.${extension}`,
        plan === 'pro' ? 'pro' : 'any',
        code(mediaType),
      ]),
    ),
    options: table(
      ['option', ...formats.map(({ id }) => id), 'what it does'],
      EXPORT_OPTION_NAMES.map((name) => [
        code(name),
        ...exporters.map(({ rows }) => yes(rows[name] !== undefined)),
        exportOptionRow(name).meaning,
      ]),
    ),
    errors: table(
      ['code', 'HTTP', 'what to do'],
      (Object.keys(ERRORS) as ErrorCode[])
        .sort((a, b) => statusOf(a) - statusOf(b) || (a < b ? -1 : 1))
        .map((name) => [code(name), String(statusOf(name)), FIXES[name]]),
    ),
    variables: table(
      ['variable', 'default', 'what it is', 'takes'],
      variables.map(([name, form, fallback, meaning]) => [
        code(name),
        fallback === '' ? '' : code(fallback),
        meaning,
        form,
      ]),
    ),
  };
}
