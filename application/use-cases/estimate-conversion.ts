import { priceOfConversion } from '#domain/credits/price.js';
import { resolveSettings } from '#domain/presets/resolve-settings.js';
import { parseSettings } from '#domain/presets/settings.js';
import { type ReportedSetting, reportSettings } from './vectorize-answer.js';

export interface ConversionEstimate {
  /** What the conversion would cost. */
  readonly credits: number;
  /** What would be used, as far as it is known without the picture. */
  readonly settings: Readonly<Record<string, ReportedSetting>>;
}

/** Says what a conversion would cost and with which settings it would run. Throws INVALID_REQUEST for wrong settings. */
export function estimateConversion(settings: Readonly<Record<string, unknown>>): ConversionEstimate {
  const resolved = resolveSettings(parseSettings(settings));
  return { credits: priceOfConversion(resolved.values.quality_tier), settings: reportSettings(resolved) };
}
