import { invalid } from '#domain/errors.js';
import { expandPreset } from './catalogue.js';
import {
  DEFAULT_VALUES,
  type ExplicitSettings,
  SETTING_NAMES,
  type SettingName,
  type SettingValues,
} from './settings-table.js';

export type { SettingValues } from './settings-table.js';

/**
 * Where a value came from: somebody asked for it; the preset or quality profile sets it; it was worked out, from the other
 * settings or by the tracer from the picture; nobody said anything.
 */
export type SettingOrigin = 'explicit' | 'preset' | 'auto' | 'default';

export interface ResolvedSettings {
  readonly values: SettingValues;
  readonly origins: Readonly<Record<SettingName, SettingOrigin>>;
}

/** What follows from what was asked for, where nobody and no preset says otherwise. */
function implied(explicit: ExplicitSettings): ExplicitSettings {
  return {
    ...((explicit.palette_count ?? null) !== null && { palette_count_mode: 'manual' }),
    ...(explicit.quality_tier === 'fast' && { fidelity: false }),
  };
}

/**
 * A value for every parameter: explicit, else the preset's (a quality profile that was asked for goes before the preset),
 * else what follows from the rest, else the default.
 * Throws INVALID_REQUEST for a manual palette that says neither how many colors nor which.
 */
export function resolveSettings(explicit: ExplicitSettings): ResolvedSettings {
  const layers: readonly (readonly [SettingOrigin, ExplicitSettings])[] = [
    ['explicit', explicit],
    ['preset', expandPreset(explicit.preset ?? DEFAULT_VALUES.preset, explicit.quality_profile)],
    ['auto', implied(explicit)],
    ['default', DEFAULT_VALUES],
  ];
  const values: Partial<Record<SettingName, unknown>> = {};
  const origins: Partial<Record<SettingName, SettingOrigin>> = {};
  for (const name of SETTING_NAMES) {
    for (const [origin, layer] of layers) {
      if (layer[name] === undefined) continue;
      values[name] = layer[name];
      origins[name] = origin;
      break;
    }
  }
  const resolved = { values, origins } as unknown as ResolvedSettings;
  const { palette_count_mode, palette_count, fixed_palette } = resolved.values;
  if (palette_count_mode === 'manual' && palette_count === null && fixed_palette.length === 0)
    throw invalid('palette_count', 'is needed where palette_count_mode is manual; give 2 to 64 colors');
  return resolved;
}

/** Whether a value leaves the choice to the tracer. */
const isOpen = (value: unknown) => value === 'auto' || value === null;

/**
 * The settings with what the tracer decided filled in, as `auto`. A definite value that was asked for, or that a preset sets,
 * stays. Throws TypeError for a name that is not in the table: a fault of the tracer's.
 */
export function withDecided(resolved: ResolvedSettings, decided: Readonly<Record<string, unknown>>): ResolvedSettings {
  const values: Record<string, unknown> = { ...resolved.values };
  const origins: Record<string, SettingOrigin> = { ...resolved.origins };
  for (const [name, value] of Object.entries(decided)) {
    const origin = Object.hasOwn(origins, name) ? origins[name] : undefined;
    if (origin === undefined) throw new TypeError(`a tracer decided on ${name}, which is no setting`);
    if ((origin === 'explicit' || origin === 'preset') && !isOpen(values[name])) continue;
    values[name] = value;
    origins[name] = 'auto';
  }
  return { values, origins } as unknown as ResolvedSettings;
}
