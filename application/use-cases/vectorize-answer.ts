import type { TraceOutcome, TraceStage } from '#application/ports/tracer.js';
import { toHexColor } from '#domain/color.js';
import { type PaletteColor, shareOf } from '#domain/diagnostics/color-palette.js';
import type { Fidelity, Note, PictureType } from '#domain/diagnostics/diagnostics.js';
import type { ColorGroup } from '#domain/drawing/color-groups.js';
import type { Drawing } from '#domain/drawing/drawing.js';
import type { DrawingStats } from '#domain/drawing/drawing-stats.js';
import type { ResolvedSettings, SettingOrigin, SettingValues } from '#domain/presets/resolve-settings.js';
import { settingNames } from '#domain/presets/settings.js';
import type { TierId } from '#domain/tiers/tier.js';

export interface ColorGroupSummary {
  /** The id of the `<g>` in the SVG. */
  readonly id: string;
  /** `#rrggbb` */
  readonly hex: string;
  readonly shapeIds: readonly string[];
  readonly shapes: number;
  /** Share of the picture, 0..1. */
  readonly coverage: number;
}

/** A setting as it was used, and who chose it. Colors are `#rrggbb`. */
export interface ReportedSetting {
  readonly value: string | number | boolean | null | readonly string[];
  readonly origin: SettingOrigin;
}

export interface QualityDiagnostics {
  readonly engineVersion: string;
  readonly detectedType: PictureType;
  /** 0..1 */
  readonly typeConfidence: number;
  readonly typeReason: string;
  readonly preset: SettingValues['preset'];
  readonly qualityProfile: SettingValues['quality_profile'];
  readonly qualityTier: TierId;
  readonly edgeRecoveryRequested: SettingValues['edge_recovery'];
  readonly edgeRecoveryResolved: TraceOutcome['edgeRecoveryResolved'];
  readonly edgeRecoveryReason: string;
  /** Every tracing parameter of the table, by name. */
  readonly settings: Readonly<Record<string, ReportedSetting>>;
  /** Pixels on which the engine worked. */
  readonly workingSize: { readonly width: number; readonly height: number };
  readonly notes: readonly Note[];
  /** Null where it was not measured. In the library, measured when it is first read. */
  readonly fidelity: Fidelity | null;
}

export interface TraceStats extends DrawingStats {
  readonly width: number;
  readonly height: number;
  readonly svgBytes: number;
  /** `queued` is the wait for a slot; `total` everything else, from the call to the answer. */
  readonly timingsMs: Readonly<Record<TraceStage | 'total' | 'queued', number>>;
}

/** The answer to one conversion, before it is stored anywhere. */
export interface VectorizedImage {
  readonly svg: string;
  readonly drawing: Drawing;
  readonly colorPalette: readonly PaletteColor[];
  readonly colorGroups: readonly ColorGroupSummary[];
  readonly qualityDiagnostics: QualityDiagnostics;
  readonly traceStats: TraceStats;
}

const reported = (value: SettingValues[keyof SettingValues]): ReportedSetting['value'] =>
  Array.isArray(value)
    ? value.map((item: string | number) => (typeof item === 'number' ? toHexColor(item) : item))
    : (value as ReportedSetting['value']);

/** Every tracing parameter with its value and where that came from. */
export const reportSettings = (resolved: ResolvedSettings): Readonly<Record<string, ReportedSetting>> =>
  Object.fromEntries(
    settingNames('tracing').map((name) => [
      name,
      { value: reported(resolved.values[name]), origin: resolved.origins[name] },
    ]),
  );

export function summarizeColorGroups(groups: readonly ColorGroup[], drawing: Drawing): readonly ColorGroupSummary[] {
  const areaPx = drawing.width * drawing.height;
  return groups.map(({ id, hex, shapeIds, shapes }) => ({
    id,
    hex,
    shapeIds,
    shapes: shapes.length,
    coverage: shareOf(
      shapes.reduce((sum, shape) => sum + shape.visibleAreaPx, 0),
      areaPx,
    ),
  }));
}

/** `resolved` with what the tracer decided already filled in; `notes` beside the tracer's own. */
export const diagnosticsOf = (
  engineVersion: string,
  outcome: TraceOutcome,
  requested: ResolvedSettings,
  resolved: ResolvedSettings,
  notes: readonly Note[],
): QualityDiagnostics => ({
  engineVersion,
  detectedType: outcome.detectedType,
  typeConfidence: outcome.typeConfidence,
  typeReason: outcome.typeReason,
  preset: resolved.values.preset,
  qualityProfile: resolved.values.quality_profile,
  qualityTier: resolved.values.quality_tier,
  edgeRecoveryRequested: requested.values.edge_recovery,
  edgeRecoveryResolved: outcome.edgeRecoveryResolved,
  edgeRecoveryReason: outcome.edgeRecoveryReason,
  settings: reportSettings(resolved),
  workingSize: outcome.workingSize,
  notes: [...outcome.notes, ...notes],
  get fidelity() {
    return outcome.fidelity;
  },
});
