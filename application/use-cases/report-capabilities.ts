import type { Availability, Exporter, FormatDescriptor } from '#application/ports/exporter.js';
import { toHexColor } from '#domain/color.js';
import {
  EXPORT_OPTION_NAMES,
  type ExportOption,
  type ExportOptionName,
  exportOptionRow,
} from '#domain/exports/export-options.js';
import { expandPreset, presets, qualityProfiles } from '#domain/presets/catalogue.js';
import { SETTINGS, toJsonSchema } from '#domain/presets/settings.js';
import { LIMITS } from '#domain/tiers/limits.js';
import { TIER_IDS, TIERS, type Tier } from '#domain/tiers/tier.js';

/** An option as one format takes it. Colors are `#rrggbb` or `none`; a null default means: left to the format. */
export interface ReportedOption {
  readonly type: ExportOption['type'];
  readonly default: string | number | boolean | null;
  readonly values?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
}

export interface OptionReport extends ReportedOption {
  readonly name: ExportOptionName;
  readonly meaning: string;
  readonly unit?: string;
  /** By the id of every format: how it takes the option, or null where it cannot honour it. */
  readonly formats: Readonly<Record<string, ReportedOption | null>>;
}

export interface FormatReport extends FormatDescriptor {
  readonly availability: Availability;
  /** Names of the options that it honours. */
  readonly options: readonly string[];
}

export type NamedAvailability = Availability & { readonly id: string };

/** `license` is what the engine's own code is under, by SPDX; null where it is not installed. */
export type EngineReport = NamedAvailability & { readonly version: string | null; readonly license: string | null };

export interface CapabilitiesDeps {
  readonly exporters: { readonly all: readonly Exporter[] };
  /** What the tracers' adapters say of themselves, by the values of the `engine` setting. */
  readonly engines: () => Promise<readonly EngineReport[]>;
  /** By the values of the `edge_recovery` setting. */
  readonly edgeRecovery: () => Promise<readonly NamedAvailability[]>;
  /** The kinds of picture that the decoder reads. */
  readonly inputFormats: readonly { readonly id: string; readonly mediaType: string }[];
  readonly tiers?: readonly Tier[];
  readonly limits?: { readonly [Name in keyof typeof LIMITS]?: (typeof LIMITS)[Name] | number };
}

const reportedOption = (row: ExportOption): ReportedOption => {
  const { type } = row;
  switch (row.type) {
    case 'color':
      return { type, default: row.default === null ? 'none' : toHexColor(row.default) };
    case 'enum':
      return { type, default: row.default, values: row.values };
    case 'number':
    case 'integer':
      return { type, default: row.default, min: row.min, max: row.max };
    case 'text':
      return { type, default: row.default, maxLength: row.maxLength };
    case 'boolean':
      return { type, default: row.default };
  }
};

function optionReport(name: ExportOptionName, exporters: readonly Exporter[]): OptionReport {
  const row = exportOptionRow(name);
  const formats = exporters.map(({ format, rows }) => {
    const own = rows[name];
    return [format.id, own === undefined ? null : reportedOption(own)] as const;
  });
  return {
    name,
    meaning: row.meaning,
    ...(row.unit !== undefined && { unit: row.unit }),
    ...reportedOption(row),
    formats: Object.fromEntries(formats),
  };
}

const tierReport = ({ id, meaning, credits, maxWorkingPixels, runLimitMs, waitLimitMs, maxWaiting }: Tier) => ({
  id,
  meaning,
  credits,
  maxWorkingPixels,
  runLimitSeconds: runLimitMs / 1000,
  waitLimitSeconds: waitLimitMs / 1000,
  maxWaiting,
});

/** Everything that can be asked of the service, as it stands: built from what is registered. */
export interface Capabilities {
  readonly inputFormats: CapabilitiesDeps['inputFormats'];
  readonly exportFormats: readonly FormatReport[];
  readonly exportOptions: readonly OptionReport[];
  readonly presets: readonly {
    readonly id: string;
    readonly label: string;
    readonly meaning: string;
    /** Every setting that the preset changes, its profile's included. */
    readonly settings: Readonly<Record<string, unknown>>;
  }[];
  readonly qualityProfiles: Capabilities['presets'];
  readonly qualityTiers: readonly ReturnType<typeof tierReport>[];
  readonly edgeRecovery: readonly NamedAvailability[];
  readonly engines: readonly EngineReport[];
  /** JSON schema of every parameter of a conversion. */
  readonly parameters: ReturnType<typeof toJsonSchema>['properties'];
  readonly limits: Readonly<Record<string, unknown>>;
}

export type ReportCapabilities = () => Promise<Capabilities>;

export const createReportCapabilities =
  ({ exporters, engines, edgeRecovery, inputFormats, tiers, limits }: CapabilitiesDeps): ReportCapabilities =>
  async () => ({
    inputFormats,
    exportFormats: await Promise.all(
      exporters.all.map(async (exporter) => ({
        ...exporter.format,
        availability: await exporter.availability(),
        options: EXPORT_OPTION_NAMES.filter((name) => exporter.rows[name] !== undefined),
      })),
    ),
    exportOptions: EXPORT_OPTION_NAMES.map((name) => optionReport(name, exporters.all)),
    presets: presets.map(({ id, label, meaning }) => ({ id, label, meaning, settings: expandPreset(id) })),
    qualityProfiles: qualityProfiles.map(({ id, label, meaning, settings }) => ({ id, label, meaning, settings })),
    qualityTiers: (tiers ?? TIER_IDS.map((id) => TIERS[id])).map(tierReport),
    edgeRecovery: inOrderOf(RECOVERY_METHODS, await edgeRecovery(), notInstalled),
    engines: inOrderOf(SETTINGS.engine.values, await engines(), (id) => ({
      ...notInstalled(id),
      version: null,
      license: null,
    })),
    parameters: toJsonSchema().properties,
    limits: { ...LIMITS, ...limits },
  });

/** The other values say whether and how to choose one of these. */
const RECOVERY_METHODS = SETTINGS.edge_recovery.values.filter((id) => id !== 'off' && id !== 'auto');

const notInstalled = (id: string) => ({ id, state: 'unavailable', reason: 'It is not installed here.' }) as const;

/** One answer for each value that the setting takes; `missing` speaks for those that nobody speaks for. */
const inOrderOf = <T extends NamedAvailability>(
  values: readonly string[],
  found: readonly T[],
  missing: (id: string) => T,
): readonly T[] => values.map((id) => found.find((one) => one.id === id) ?? missing(id));
