import type { SettingValues } from '#domain/presets/resolve-settings.js';
import type { TierId } from '#domain/tiers/tier.js';
import type { EngineSettings } from './engine/types.js';

/** Base values of the engine by the settings' names; see the engine's README for what each does to the drawing. */
const TOLERANCE_PX = { coarse: 0.9, medium: 0.6, fine: 0.42, super_fine: 0.25 } as const;
const SEGMENT_PRICE = { coarse: 2, medium: 1.4, fine: 1, super_fine: 0.6 } as const;
const REFINE_ROUNDS = { fast: 1, balanced_crisp: 2, high_precision: 4 } as const;
/** What splitting must gain, beside the price of segments. */
const SPLIT_PRICE = { fast: Infinity, balanced_crisp: 1, high_precision: 0.25 } as const;
/** Chains that have come to rest take no more: eight rounds cost a few hundredths of four, and what has not settled would be split for it. */
const SETTLE_ROUNDS = { fast: 8, balanced_crisp: 8, high_precision: 16 } as const;
/** What edges leave unexplained, levels, from which a picture is worth another drawing of several times the work. */
const FINER_FROM = { fast: Infinity, balanced_crisp: 6, high_precision: 5 } as const;
/** Regions of a photograph that can be drawn in the tier's time. */
const MOST_REGIONS = { fast: 1 << 16, balanced_crisp: 1 << 17, high_precision: 1 << 19 } as const;
/** Details: what a boundary must be worth, and how near two colors may be, as multiples of the middle level. */
const LAMBDA_FACTOR = { low: 2.5, medium: 1, auto: 1, high: 0.25 } as const;
const MERGE_DISTANCE = { low: 0.045, medium: 0.03, auto: 0.02, high: 0.012 } as const;
const LEAST_AREA_PX = { low: 12, medium: 6, auto: 4, high: 2 } as const;
/** What `artifact_cleanup` 0..4 makes of that area. */
const AREA_BY_CLEANUP = [0.25, 0.5, 1, 2, 4] as const;
/** And icons, whose marks are as small as specks elsewhere. */
const ICON_AREA = 0.5;
/** And dots on one ground in small pictures. */
const DOT_AREA = 0.25;
const PHOTO_LAMBDA = 900;
const CORNER_PX = 0.34;
const CORNER_PX_BY_PROFILE: Readonly<Partial<Record<SettingValues['quality_profile'], number>>> = {
  sharp_text_logo: 0.26,
  sharp_guarded: 0.26,
  photo_smooth: 0.8,
};
/** `simplification` at which nothing is multiplied. */
const NEUTRAL = 0.25;

/** One function from what people set to what the engine reads. */
export function toEngineSettings(values: SettingValues, tier: TierId): EngineSettings {
  const simpler = 4 ** (2 * (values.simplification - NEUTRAL));
  const rounder = (1 + 1.5 * values.simplification) / (1 + 1.5 * NEUTRAL);
  const details = values.details_level;
  const areaPx = LEAST_AREA_PX[details] * (AREA_BY_CLEANUP[values.artifact_cleanup] as number);
  return {
    frontend: frontendOf(values),
    colorMode: values.color_mode,
    centerline: values.stroke_mode === 'centerline',
    tolerancePx: TOLERANCE_PX[values.line_fit_tolerance] * rounder,
    cornerPx: (CORNER_PX_BY_PROFILE[values.quality_profile] ?? CORNER_PX) * rounder,
    segmentPrice: SEGMENT_PRICE[values.line_fit_tolerance] * simpler,
    refineRounds: REFINE_ROUNDS[tier],
    settleRounds: SETTLE_ROUNDS[tier],
    splitPrice: SPLIT_PRICE[tier] * SEGMENT_PRICE[values.line_fit_tolerance] * simpler,
    finerFrom: FINER_FROM[tier],
    minAreaPx: Math.max(areaPx, values.tiny_path_area),
    minDetailAreaPx: Math.max(areaPx * ICON_AREA, values.tiny_path_area),
    minDotAreaPx: Math.max(areaPx * DOT_AREA, values.tiny_path_area),
    // What is asked for by its area is no noise.
    noiseAreaPx: values.artifact_cleanup === 0 ? 0 : areaPx,
    mergeDistance: values.preserve_exact_colors ? 0 : MERGE_DISTANCE[details],
    exactColors: values.preserve_exact_colors,
    colorCount: values.palette_count_mode === 'manual' ? (values.palette_count ?? 0) : 0,
    fixedPalette: values.fixed_palette,
    photoLambda: PHOTO_LAMBDA * LAMBDA_FACTOR[details] * simpler,
    mostRegions: MOST_REGIONS[tier],
    cleanup: values.artifact_cleanup,
    sharpen: values.preprocess_sharpen,
    gradients: values.gradients,
    stacking: values.shape_stacking,
    gapCleanup: values.gap_cleanup,
    primitives: values.primitives === 'on',
    straightOnly: !values.curves.includes('cubic'),
    arcs: values.curves.includes('arc'),
    removeBackground: values.background === 'remove',
    recoverPixelGrid: values.edge_recovery === 'pixel_exact' || values.edge_recovery === 'auto',
  };
}

function frontendOf(values: SettingValues): EngineSettings['frontend'] {
  if (values.preset === 'pixel_art') return 'pixel';
  if (values.preset === 'photo' || values.quality_profile === 'photo_smooth') return 'photo';
  if (values.preset === 'logo') return 'flat';
  return 'auto';
}
