import type { Exporting } from '#adapters/cli/commands/export.js';
import { INPUT_FORMATS } from '#adapters/imaging/image-kind.js';
import { ENGINE_VERSION } from '#adapters/tracing/engine/version.js';
import { findPotrace } from '#adapters/tracing/potrace/potrace-library.js';
import type { EdgeRecovery } from '#application/ports/edge-recovery.js';
import type { Exporter } from '#application/ports/exporter.js';
import { createReportCapabilities, type ReportCapabilities } from '#application/use-cases/report-capabilities.js';
import { exporters } from '#plugins/index.js';
import { composeEncodeDrawing } from './compose-export.js';
import { composeEdgeRecovery } from './compose-restoring.js';

const listEngines = () => {
  const potrace = findPotrace();
  return [
    { id: 'planar', state: 'available', version: ENGINE_VERSION, license: 'GPL-3.0-or-later' } as const,
    ...(potrace
      ? [{ id: 'potrace', state: 'available', version: potrace.version, license: potrace.license } as const]
      : []),
  ];
};

/** What engines and recovery methods are built in; the same for every door. */
export const builtIn = (edgeRecovery: EdgeRecovery) => ({
  engines: async () => listEngines(),
  edgeRecovery: async () => [
    { id: 'pixel_exact', state: 'available' } as const,
    { id: 'real_esrgan', ...(await edgeRecovery.availability()) },
  ],
  inputFormats: INPUT_FORMATS,
});

const reportOf = (all: readonly Exporter[]): ReportCapabilities =>
  createReportCapabilities({ exporters: { all }, ...builtIn(composeEdgeRecovery()) });

/** Exports as the command line makes them: in the calling thread, whatever the plan. */
export const composeExporting = (): Exporting => ({
  exporters,
  encodeDrawing: composeEncodeDrawing(),
  reportCapabilities: reportOf(exporters),
});
