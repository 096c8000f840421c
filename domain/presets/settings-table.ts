import { TIER_IDS } from '#domain/tiers/tier.js';

/**
 * Every parameter of a conversion, once. HTTP validation, OpenAPI, the command line and its help, MCP, the studio and the
 * guide all read this table.
 */

export const PRESET_IDS = ['auto', 'logo', 'illustration', 'photo', 'pixel_art', 'technical_drawing'] as const;
export type PresetId = (typeof PRESET_IDS)[number];

export const QUALITY_PROFILE_IDS = [
  'auto',
  'balanced_crisp',
  'balanced_edge_clean',
  'sharp_text_logo',
  'sharp_guarded',
  'photo_smooth',
  'clipart',
  'exact',
] as const;
export type QualityProfileId = (typeof QUALITY_PROFILE_IDS)[number];

/** Headings under which doors list the parameters, in this order. */
export const SETTING_GROUPS = {
  start: 'What kind of picture, and how good',
  color: 'Colors',
  shape: 'Shapes and lines',
  repair: 'Repairing the picture first',
  document: 'The drawing as a document',
  answer: 'The answer',
} as const;
export type SettingGroup = keyof typeof SETTING_GROUPS;

/** Another published name of a parameter; its range may differ. */
export interface SettingAlias {
  readonly name: string;
  readonly min?: number;
  readonly max?: number;
}

interface RowBase {
  readonly group: SettingGroup;
  /** `request`: says how to answer, not how to trace; only doors that answer requests take it (HTTP). */
  readonly scope: 'tracing' | 'request';
  /** One sentence for people. */
  readonly meaning: string;
  readonly unit?: string;
  readonly aliases?: readonly SettingAlias[];
}
export interface EnumRow extends RowBase {
  readonly type: 'enum';
  readonly values: readonly string[];
  readonly default: string;
}
/** A `null` default means: not set, the engine is free. */
export interface NumberRow extends RowBase {
  readonly type: 'number' | 'integer';
  readonly min: number;
  readonly max: number;
  readonly default: number | null;
}
export interface BooleanRow extends RowBase {
  readonly type: 'boolean';
  readonly default: boolean;
}
/** 0xRRGGBB each. */
export interface ColorsRow extends RowBase {
  readonly type: 'colors';
  readonly maxItems: number;
  readonly default: readonly number[];
}
/** One or more of `values`, each once. */
export interface ListRow extends RowBase {
  readonly type: 'list';
  readonly values: readonly string[];
  readonly default: readonly string[];
}
export type SettingRow = EnumRow | NumberRow | BooleanRow | ColorsRow | ListRow;

export const SETTINGS = {
  preset: {
    type: 'enum',
    values: PRESET_IDS,
    default: 'auto',
    group: 'start',
    scope: 'tracing',
    meaning: 'The kind of picture, which sets the other parameters; those given beside it win.',
  },
  quality_tier: {
    type: 'enum',
    values: TIER_IDS,
    default: 'balanced_crisp',
    group: 'start',
    scope: 'tracing',
    meaning: 'How much work goes into the drawing, and what it costs: 1, 2 or 5 credits.',
  },
  quality_profile: {
    type: 'enum',
    values: QUALITY_PROFILE_IDS,
    default: 'auto',
    group: 'start',
    scope: 'tracing',
    meaning: 'The engine profile; a preset chooses one, so prefer the preset.',
  },
  engine: {
    type: 'enum',
    values: ['planar', 'potrace'],
    default: 'planar',
    group: 'start',
    scope: 'tracing',
    meaning: 'The tracer: planar is our own, potrace a second one for two-color work.',
  },
  color_mode: {
    type: 'enum',
    values: ['color', 'grayscale', 'bw', 'outline'],
    default: 'color',
    group: 'color',
    scope: 'tracing',
    meaning: 'Trace in color, in grays, in black and white, or as outlines only.',
  },
  palette_count: {
    type: 'integer',
    min: 2,
    max: 64,
    default: null,
    unit: 'colors',
    group: 'color',
    scope: 'tracing',
    meaning: 'How many colors the drawing has; left out, the picture decides.',
    // Both names are published, each with a range of its own.
    aliases: [{ name: 'paletteCount', min: 2, max: 128 }],
  },
  palette_count_mode: {
    type: 'enum',
    values: ['auto', 'manual'],
    default: 'auto',
    group: 'color',
    scope: 'tracing',
    meaning: 'With manual, exactly palette_count colors where the picture has them; a count alone means manual.',
  },
  preserve_exact_colors: {
    type: 'boolean',
    default: false,
    group: 'color',
    scope: 'tracing',
    meaning: "Keep the picture's own colors instead of merging those that are nearly the same.",
  },
  fixed_palette: {
    type: 'colors',
    maxItems: 256,
    default: [],
    group: 'color',
    scope: 'tracing',
    meaning: 'Use only these colors: a JSON array or comma list of hex colors; wins over a count.',
  },
  gradients: {
    type: 'enum',
    values: ['on', 'off', 'auto'],
    default: 'auto',
    group: 'color',
    scope: 'tracing',
    meaning: 'Draw smooth color changes as gradients rather than bands.',
  },
  background: {
    type: 'enum',
    values: ['keep', 'remove'],
    default: 'keep',
    group: 'color',
    scope: 'tracing',
    meaning: 'Keep the background, or leave out the even area that touches the border of the picture.',
  },
  details_level: {
    type: 'enum',
    values: ['auto', 'low', 'medium', 'high'],
    default: 'auto',
    group: 'shape',
    scope: 'tracing',
    meaning: 'How small a detail is drawn.',
  },
  line_fit_tolerance: {
    type: 'enum',
    values: ['coarse', 'medium', 'fine', 'super_fine'],
    default: 'fine',
    group: 'shape',
    scope: 'tracing',
    meaning: 'How closely lines follow the edges of the picture.',
  },
  simplification: {
    type: 'number',
    min: 0,
    max: 1,
    default: 0.25,
    group: 'shape',
    scope: 'tracing',
    meaning: 'Fewer and longer curves as it rises; 0.25 is neutral.',
  },
  tiny_path_area: {
    type: 'number',
    min: 0,
    max: 5000,
    default: 0,
    unit: 'px²',
    group: 'shape',
    scope: 'tracing',
    meaning: 'Shapes and holes smaller than this area of the picture are left out.',
  },
  curves: {
    type: 'list',
    values: ['line', 'arc', 'quadratic', 'cubic'],
    default: ['line', 'arc', 'quadratic', 'cubic'],
    group: 'shape',
    scope: 'tracing',
    meaning: 'The kinds of path segment the drawing may use.',
  },
  primitives: {
    type: 'enum',
    values: ['on', 'off'],
    default: 'on',
    group: 'shape',
    scope: 'tracing',
    meaning: 'Draw circles, ellipses and rectangles as such rather than as paths.',
  },
  stroke_mode: {
    type: 'enum',
    values: ['fill', 'centerline'],
    default: 'fill',
    group: 'shape',
    scope: 'tracing',
    meaning: 'Draw lines as filled outlines, or as strokes of their own width along their middle; areas stay areas.',
  },
  shape_stacking: {
    type: 'enum',
    values: ['stacked', 'cutouts'],
    default: 'stacked',
    group: 'shape',
    scope: 'tracing',
    meaning: 'Lay shapes on top of one another, or cut each out of those beneath it.',
  },
  gap_cleanup: {
    type: 'enum',
    values: ['off', 'stroke', 'underlap'],
    default: 'off',
    group: 'shape',
    scope: 'tracing',
    meaning: 'With cutouts, hide the hairlines between neighbors by a thin stroke or by a slight underlap.',
  },
  edge_recovery: {
    type: 'enum',
    values: ['off', 'real_esrgan', 'pixel_exact', 'auto'],
    default: 'off',
    group: 'repair',
    scope: 'tracing',
    meaning: 'Restore the picture first: real_esrgan doubles and sharpens it, pixel_exact finds the grid of pixel art.',
  },
  recovery_detail: {
    type: 'enum',
    values: ['low', 'med', 'high', 'ultra'],
    default: 'med',
    group: 'repair',
    scope: 'tracing',
    meaning: 'How much detail edge recovery works out.',
  },
  preprocess_sharpen: {
    type: 'boolean',
    default: false,
    group: 'repair',
    scope: 'tracing',
    meaning: 'Sharpen the picture before tracing.',
  },
  artifact_cleanup: {
    type: 'integer',
    min: 0,
    max: 4,
    default: 2,
    group: 'repair',
    scope: 'tracing',
    meaning: 'How strongly speckles and compression noise are removed; at 0 soft edges are left soft as well.',
  },
  max_nodes: {
    type: 'integer',
    min: 4,
    max: 10_000_000,
    default: null,
    unit: 'nodes',
    group: 'document',
    scope: 'tracing',
    meaning: 'At most this many nodes; the drawing is simplified until it fits.',
  },
  max_bytes: {
    type: 'integer',
    min: 256,
    max: 1_000_000_000,
    default: null,
    unit: 'bytes',
    group: 'document',
    scope: 'tracing',
    meaning: 'An SVG of at most this many bytes; the drawing is simplified until it fits.',
  },
  fidelity: {
    type: 'boolean',
    default: true,
    group: 'answer',
    scope: 'tracing',
    meaning: 'Measure the drawing against the picture; the fast tier leaves it out unless asked.',
  },
  output: {
    type: 'enum',
    values: ['svg', 'json'],
    default: 'json',
    group: 'answer',
    scope: 'request',
    meaning: 'Answer with JSON, or with the SVG file itself.',
  },
  dry_run: {
    type: 'boolean',
    default: false,
    group: 'answer',
    scope: 'request',
    meaning: 'Only say what it would cost and which settings would be used; nothing is charged.',
  },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<Row> = Row extends { readonly type: 'enum'; readonly values: readonly (infer Value)[] }
  ? Value
  : Row extends { readonly type: 'list'; readonly values: readonly (infer Value)[] }
    ? readonly Value[]
    : Row extends { readonly type: 'boolean' }
      ? boolean
      : Row extends { readonly type: 'colors' }
        ? readonly number[]
        : Row extends { readonly default: null }
          ? number | null
          : number;

/** A value for every parameter, by its name in the table. */
export type SettingValues = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };
/** What somebody asked for: checked values of the parameters that were given. */
export type ExplicitSettings = { readonly [Name in SettingName]?: SettingValues[Name] };

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Parameters of one scope (all when left out), in the table's order. */
export const settingNames = (scope?: SettingRow['scope']): readonly SettingName[] =>
  SETTING_NAMES.filter((name) => scope === undefined || SETTINGS[name].scope === scope);

/** The row of a parameter, without its literal types. */
export const settingRow = (name: SettingName): SettingRow => SETTINGS[name];

/** The names under which a parameter may be given: its own first, each with the range that holds for that name. */
export function publishedNames(name: SettingName): readonly { readonly name: string; readonly row: SettingRow }[] {
  const row = settingRow(name);
  const aliases = (row.aliases ?? []).map(({ name: alias, ...range }) => ({ name: alias, row: { ...row, ...range } }));
  return [{ name, row }, ...aliases];
}

/** The value of every parameter that nobody set. */
export const DEFAULT_VALUES = Object.freeze(
  Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].default])),
) as unknown as SettingValues;
