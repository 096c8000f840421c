import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vectorize } from 'burin';
import { findPotrace } from '#adapters/tracing/potrace/potrace-library.js';
import { GUIDE_FOLDER } from '#config/compose-guide.js';
import { ServiceError } from '#domain/errors.js';
import { PRESET_IDS, QUALITY_PROFILE_IDS, type SettingName } from '#domain/presets/settings.js';
import { sourceFile } from './pictures.js';
import type { SourceName } from './sources.js';

type TracingName = Exclude<SettingName, 'output' | 'dry_run'>;
type Value = string | number | boolean | readonly string[];

/** What a value did to one picture. */
export interface Effect {
  readonly nodes: number;
  readonly colors: number;
  readonly bytes: number;
  /** dB at the picture's size, and mean ΔE00. */
  readonly psnr: number;
  readonly deltaE: number;
}

export interface EffectRow {
  readonly name: TracingName;
  readonly value: Value;
  readonly beside: Readonly<Record<string, Value>>;
  /** In the order of the pictures; in words where it was refused. */
  readonly effects: readonly (Effect | string)[];
}

/** A logo that JPEG has been at, clean flat areas under a gradient, and soft tones. */
export const EFFECT_PICTURES: readonly SourceName[] = ['damaged', 'illustration', 'photo'];

interface Tried {
  readonly values: readonly Value[];
  readonly beside?: Readonly<Record<string, Value>>;
}

const BOTH = [false, true] as const;
const MANUAL = { palette_count_mode: 'manual' } as const;

/** Every parameter, in the order in which it is expected to act where it has one; a new one does not compile before it is tried. */
export const TRIED: { readonly [Name in TracingName]: Tried } = {
  preset: { values: PRESET_IDS },
  quality_tier: { values: ['fast', 'balanced_crisp', 'high_precision'] },
  quality_profile: { values: QUALITY_PROFILE_IDS },
  engine: { values: ['planar', 'potrace'], beside: { color_mode: 'grayscale' } },
  color_mode: { values: ['color', 'grayscale', 'bw', 'outline'] },
  palette_count: { values: [2, 4, 8, 16, 32, 64], beside: MANUAL },
  palette_count_mode: { values: ['auto', 'manual'], beside: { palette_count: 6 } },
  preserve_exact_colors: { values: BOTH },
  fixed_palette: {
    values: [
      ['#14506e', '#f4e3b2'],
      ['#14506e', '#f4e3b2', '#e8542f', '#ffffff'],
    ],
  },
  gradients: { values: ['off', 'auto', 'on'] },
  background: { values: ['keep', 'remove'] },
  details_level: { values: ['low', 'medium', 'auto', 'high'], beside: { gradients: 'off' } },
  line_fit_tolerance: { values: ['coarse', 'medium', 'fine', 'super_fine'] },
  simplification: { values: [0, 0.1, 0.25, 0.5, 0.75, 1], beside: { gradients: 'off' } },
  tiny_path_area: { values: [0, 20, 150, 600, 2000] },
  curves: { values: [['line'], ['line', 'arc'], ['line', 'cubic'], ['line', 'arc', 'quadratic', 'cubic']] },
  primitives: { values: ['off', 'on'] },
  stroke_mode: { values: ['fill', 'centerline'] },
  shape_stacking: { values: ['stacked', 'cutouts'] },
  gap_cleanup: { values: ['off', 'stroke', 'underlap'], beside: { shape_stacking: 'cutouts' } },
  edge_recovery: { values: ['off', 'real_esrgan', 'pixel_exact', 'auto'] },
  recovery_detail: { values: ['low', 'med', 'high', 'ultra'], beside: { edge_recovery: 'real_esrgan' } },
  preprocess_sharpen: { values: BOTH },
  artifact_cleanup: { values: [0, 1, 2, 3, 4] },
  max_nodes: { values: [60, 120, 400] },
  max_bytes: { values: [2500, 8000, 20000] },
  fidelity: { values: BOTH },
};

const pictures = new Map<SourceName, Uint8Array>();
function pictureOf(name: SourceName): Uint8Array {
  const known = pictures.get(name) ?? new Uint8Array(readFileSync(sourceFile(name)));
  pictures.set(name, known);
  return known;
}

async function effectOf(source: SourceName, settings: Readonly<Record<string, unknown>>): Promise<Effect | string> {
  try {
    const { drawing, traceStats, qualityDiagnostics } = await vectorize(pictureOf(source), settings as never);
    const { nodes, colors, svgBytes } = traceStats;
    const { fidelity } = qualityDiagnostics;
    if (drawing.items.length === 0) return 'empty';
    const round = (value: number | undefined, digits: number) => Number((value ?? Number.NaN).toFixed(digits));
    return {
      nodes,
      colors,
      bytes: svgBytes,
      psnr: round(fidelity?.psnr, 2),
      deltaE: round(fidelity?.deltaE00, 2),
    };
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

/** Rows of the parameters named, or of all. */
export async function measureEffects(names: readonly TracingName[] = effectNames()): Promise<EffectRow[]> {
  const rows: EffectRow[] = [];
  for (const name of names) {
    const { values, beside = {} } = TRIED[name];
    for (const value of values) {
      const settings = { fidelity: true, ...beside, [name]: value };
      const effects: (Effect | string)[] = [];
      for (const source of EFFECT_PICTURES) effects.push(await effectOf(source, settings));
      rows.push({ name, value, beside, effects });
    }
  }
  return rows;
}

/** Without potrace, which is an optional package, what it does cannot be told. */
export const effectNames = (): TracingName[] =>
  (Object.keys(TRIED) as TracingName[]).filter((name) => name !== 'engine' || findPotrace() !== undefined);

const shown = (value: Value) => (Array.isArray(value) ? value.join(', ') : String(value));

/** A row of the table, as text. */
export function effectText({ name, value, effects }: EffectRow): string {
  const cells = effects.map((effect) => {
    if (typeof effect === 'string') return effect;
    const { nodes, colors, bytes, psnr, deltaE } = effect;
    const closeness = Number.isNaN(psnr) ? 'not measured' : `${psnr.toFixed(1)} dB, ΔE ${deltaE.toFixed(2)}`;
    return `${nodes} nodes, ${colors} colors, ${(bytes / 1024).toFixed(1)} KB, ${closeness}`;
  });
  return `| \`${name}\` | \`${shown(value)}\` | ${cells.join(' | ')} |`;
}

export const EFFECTS_PAGE = join(GUIDE_FOLDER, 'effects.md');

/** The whole page. */
export function effectsPage(rows: readonly EffectRow[]): string {
  const picture = (name: SourceName) => `![${name}](pictures/source-${name}.png)`;
  const besides = new Map<string, string>();
  for (const { name, beside } of rows) {
    const text = Object.entries(beside).map(([key, value]) => `\`${key}=${shown(value)}\``);
    if (text.length > 0) besides.set(name, `\`${name}\` beside ${text.join(', ')}`);
  }
  return `# What each value does

Every parameter at its values, one at a time, on three pictures: a logo that JPEG has been at, flat areas under a gradient, and soft
tones. Each cell has the drawing's nodes, colors and size, and how near it comes to the picture: dB (more is nearer) and the mean
color difference ΔE2000 (less is nearer). All else is left at its default, but for ${[...besides.values()].join('; ')}.
Made by \`npm run guide\`, which measures all of it.

| parameter | value | ${EFFECT_PICTURES.map(picture).join(' | ')} |
|---|---|${EFFECT_PICTURES.map(() => '---|').join('')}
${rows.map(effectText).join('\n')}
`;
}

/** The rows of a page that was written, as text, by parameter. */
export function rowsOn(page: string): ReadonlyMap<string, readonly string[]> {
  const rows = new Map<string, string[]>();
  for (const line of page.split('\n')) {
    const name = /^\| `(\w+)` \|/.exec(line)?.[1];
    if (name !== undefined) rows.set(name, [...(rows.get(name) ?? []), line]);
  }
  return rows;
}
