import type { SettingName } from '#domain/presets/settings.js';
import type { SourceName } from './sources.js';

type TracingName = Exclude<SettingName, 'output' | 'dry_run'>;
type Value = string | number | boolean | readonly string[] | null;

/** One parameter shown on one picture. */
export interface Strip {
  readonly source: SourceName;
  /** Three where there are so many. */
  readonly values: readonly Value[];
  /** What makes the difference visible. */
  readonly beside?: Readonly<Record<string, Value>>;
}

/** Every parameter; one that is new does not compile before it is shown. */
export const STRIPS: { readonly [Name in TracingName]: Strip } = {
  preset: { source: 'illustration', values: ['auto', 'illustration', 'technical_drawing'] },
  quality_tier: { source: 'logo', values: ['fast', 'balanced_crisp', 'high_precision'] },
  quality_profile: { source: 'illustration', values: ['clipart', 'photo_smooth', 'exact'] },
  engine: { source: 'technical_drawing', values: ['planar', 'potrace'], beside: { color_mode: 'bw' } },
  color_mode: { source: 'illustration', values: ['color', 'grayscale', 'bw'] },
  palette_count: { source: 'photo', values: [4, 8, 24] },
  palette_count_mode: { source: 'logo', values: ['auto', 'manual'], beside: { palette_count: 6 } },
  preserve_exact_colors: { source: 'damaged', values: [false, true] },
  fixed_palette: {
    source: 'illustration',
    values: [
      ['#14506e', '#f4e3b2'],
      ['#14506e', '#f4e3b2', '#e8542f'],
      ['#000000', '#808080', '#ffffff'],
    ],
  },
  gradients: { source: 'illustration', values: ['off', 'auto', 'on'] },
  background: { source: 'logo', values: ['keep', 'remove'] },
  details_level: { source: 'photo', values: ['low', 'medium', 'high'], beside: { palette_count: 12 } },
  line_fit_tolerance: { source: 'technical_drawing', values: ['coarse', 'medium', 'super_fine'] },
  simplification: { source: 'damaged', values: [0, 0.25, 1] },
  tiny_path_area: { source: 'illustration', values: [0, 150, 2000] },
  curves: { source: 'logo', values: [['line'], ['line', 'arc'], ['line', 'arc', 'quadratic', 'cubic']] },
  primitives: { source: 'technical_drawing', values: ['on', 'off'] },
  stroke_mode: { source: 'technical_drawing', values: ['fill', 'centerline'] },
  shape_stacking: { source: 'logo', values: ['stacked', 'cutouts'] },
  gap_cleanup: { source: 'illustration', values: ['off', 'stroke', 'underlap'], beside: { shape_stacking: 'cutouts' } },
  edge_recovery: { source: 'pixel_art', values: ['off', 'pixel_exact', 'auto'] },
  recovery_detail: { source: 'damaged', values: ['low', 'med', 'high'] },
  preprocess_sharpen: { source: 'damaged', values: [false, true] },
  artifact_cleanup: { source: 'damaged', values: [0, 2, 4] },
  max_nodes: { source: 'photo', values: [null, 400, 120] },
  max_bytes: { source: 'photo', values: [null, 8000, 2500] },
  fidelity: { source: 'logo', values: [true, false] },
};
