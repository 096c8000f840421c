import {
  type ExplicitSettings,
  PRESET_IDS,
  type PresetId,
  QUALITY_PROFILE_IDS,
  type QualityProfileId,
  type SettingValues,
} from './settings-table.js';

/** What a preset or profile sets: only where it differs from the default. */
export interface CatalogueEntry<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** One sentence for people. */
  readonly meaning: string;
  readonly settings: ExplicitSettings;
}

type ProfileEntry<Id extends string> = CatalogueEntry<Id> & {
  readonly settings: Omit<ExplicitSettings, 'preset' | 'quality_profile' | 'quality_tier'>;
};

/** The engine reads the profile's name as well: corner thresholds and the like are not parameters. */
export const QUALITY_PROFILES: { readonly [Id in QualityProfileId]: ProfileEntry<Id> } = {
  auto: { id: 'auto', label: 'Auto', meaning: 'By the kind of picture that was found.', settings: {} },
  balanced_crisp: {
    id: 'balanced_crisp',
    label: 'Balanced, crisp',
    meaning: 'The base that the others differ from.',
    settings: {},
  },
  balanced_edge_clean: {
    id: 'balanced_edge_clean',
    label: 'Balanced, clean edges',
    meaning: 'More cleaning: slivers and speckles along edges go.',
    settings: { artifact_cleanup: 3 },
  },
  sharp_text_logo: {
    id: 'sharp_text_logo',
    label: 'Sharp text and logos',
    meaning: 'Sharp corners, straight lines where they may be straight, no specks.',
    settings: { tiny_path_area: 2 },
  },
  sharp_guarded: {
    id: 'sharp_guarded',
    label: 'Sharp, guarded',
    meaning: 'As for text and logos, and no simplification that would show.',
    settings: { tiny_path_area: 2, line_fit_tolerance: 'super_fine' },
  },
  photo_smooth: {
    id: 'photo_smooth',
    label: 'Smooth photo',
    meaning: 'Smooth tones in few, soft regions.',
    settings: { line_fit_tolerance: 'coarse', tiny_path_area: 4, gradients: 'on', primitives: 'off' },
  },
  clipart: {
    id: 'clipart',
    label: 'Clip art',
    meaning: 'Clean areas of few colors.',
    settings: { details_level: 'medium', tiny_path_area: 12 },
  },
  exact: {
    id: 'exact',
    label: 'Exact',
    meaning: 'Nothing merged, cleaned or simplified.',
    settings: {
      details_level: 'high',
      line_fit_tolerance: 'super_fine',
      simplification: 0,
      preserve_exact_colors: true,
      artifact_cleanup: 0,
    },
  },
};

type PresetEntry<Id extends string> = CatalogueEntry<Id> & {
  readonly settings: Omit<ExplicitSettings, 'preset' | 'quality_tier'>;
};

/**
 * No preset asks for edge recovery: that runs only when somebody asks for it. And logo does not ask for
 * preserve_exact_colors: flat areas get their own color anyway, and a JPEG of a logo would fall to pieces.
 */
export const PRESETS: { readonly [Id in PresetId]: PresetEntry<Id> } = {
  auto: { id: 'auto', label: 'Auto', meaning: 'The engine finds the kind of picture and chooses.', settings: {} },
  logo: {
    id: 'logo',
    label: 'Logo',
    meaning: 'Logos, icons and text: sharp edges, exact colors, minimal paths.',
    settings: { quality_profile: 'sharp_text_logo' },
  },
  illustration: {
    id: 'illustration',
    label: 'Illustration',
    meaning: 'Drawings, cartoons and clip art: smooth curves, clean areas of color.',
    settings: { quality_profile: 'clipart', line_fit_tolerance: 'medium', tiny_path_area: 4, gradients: 'on' },
  },
  photo: {
    id: 'photo',
    label: 'Photo',
    meaning: 'Photographs: tonal gradients, smooth color transitions.',
    settings: { quality_profile: 'photo_smooth' },
  },
  pixel_art: {
    id: 'pixel_art',
    label: 'Pixel art',
    meaning: 'Pixel art: every pixel as it is, exact colors.',
    settings: { quality_profile: 'exact', curves: ['line'], primitives: 'off', gradients: 'off' },
  },
  technical_drawing: {
    id: 'technical_drawing',
    label: 'Technical drawing',
    meaning: 'Blueprints, schematics and line art: sharp black and white.',
    settings: { quality_profile: 'sharp_guarded', color_mode: 'bw', gradients: 'off' },
  },
};

export const presets = PRESET_IDS.map((id) => PRESETS[id]);
export const qualityProfiles = QUALITY_PROFILE_IDS.map((id) => QUALITY_PROFILES[id]);

/**
 * Everything a preset changes, its profile's settings included. `profile` replaces the preset's own and then goes before
 * it: somebody chose it.
 */
export function expandPreset(preset: PresetId, profile?: SettingValues['quality_profile']): ExplicitSettings {
  const own = PRESETS[preset].settings;
  if (profile !== undefined) return { ...own, ...QUALITY_PROFILES[profile].settings, quality_profile: profile };
  return own.quality_profile === undefined ? own : { ...QUALITY_PROFILES[own.quality_profile].settings, ...own };
}
