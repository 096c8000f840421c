import { BurinClient } from '#adapters/client/burin-client.js';
import { BurinError } from '#adapters/client/burin-error.js';
import type { McpBackend, ToolVectorization } from '#adapters/mcp/backend.js';
import { ToolFailure } from '#adapters/mcp/backend.js';
import type { ExportFormat } from '#adapters/mcp/tool.js';
import { ENGINE_VERSION } from '#adapters/tracing/engine/version.js';
import type { Exporter } from '#application/ports/exporter.js';
import type { Capabilities } from '#application/use-cases/report-capabilities.js';
import type { VectorizedFile } from '#application/use-cases/vectorize-to-file.js';
import { composeExporting } from './compose-exporting.js';
import { composeWorkers } from './compose-workers.js';
import { PACKAGE_VERSION } from './package-version.js';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** What tools need to know of the formats. */
export const exportFormatsOf = (exporters: readonly Exporter[]): readonly ExportFormat[] =>
  exporters.map(({ format: { id, label, extension }, optionsSchema }) => ({ id, label, extension, optionsSchema }));

export const toToolVectorization = (
  made: Pick<VectorizedFile, 'svgFile' | 'json' | 'qualityDiagnostics' | 'traceStats'>,
) => ({
  svg: text(made.svgFile),
  colorPalette: JSON.parse(text(made.json.colorPalette)) as ToolVectorization['colorPalette'],
  qualityDiagnostics: made.qualityDiagnostics,
  traceStats: made.traceStats,
});

export interface OpenedBackend {
  readonly backend: McpBackend;
  readonly exportFormats: readonly ExportFormat[];
  close(): Promise<void>;
}

/** The engine in this process, in threads of its own, so that progress can be told while it works. */
export function openEngineBackend(workerCount: number): OpenedBackend {
  const { exporters, encodeDrawing, reportCapabilities } = composeExporting();
  let workers: ReturnType<typeof composeWorkers> | undefined;
  const startMs = performance.now();
  return {
    exportFormats: exportFormatsOf(exporters),
    backend: {
      place: 'the engine in this process',
      async vectorize({ bytes }, settings, { signal, onProgress }) {
        workers ??= composeWorkers(workerCount);
        const { vectorizeToFile } = await workers;
        // A copy of its own: what is handed to a worker is gone here.
        const picture = { kind: 'encoded', bytes: Uint8Array.from(bytes) } as const;
        return toToolVectorization(
          await vectorizeToFile({ picture, settings, ...(onProgress && { onProgress }) }, signal),
        );
      },
      async exportSvg({ bytes }, format, options, { signal }) {
        const encoded = await encodeDrawing({ source: { kind: 'markup', svg: text(bytes) }, format, options }, signal);
        const { mediaType, extension } = (exporters.find((exporter) => exporter.format.id === format) as Exporter)
          .format;
        return { bytes: encoded.bytes, warnings: encoded.warnings, mediaType, extension };
      },
      usage: async () => null,
      capabilities: reportCapabilities,
      status: async () => ({
        status: 'ok',
        version: PACKAGE_VERSION,
        engine: ENGINE_VERSION,
        uptime_seconds: Math.floor((performance.now() - startMs) / 1000),
        time: new Date().toISOString(),
      }),
    },
    close: async () => void (await (await workers)?.close()),
  };
}

/** A refusal of the service, in the words of the tools. */
async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof BurinError) throw new ToolFailure(error.code, error.message, error.field, { cause: error });
    throw error;
  }
}

/** A service somewhere else. Its own capabilities say which formats there are. Rejects where it cannot be reached. */
export async function openServiceBackend(baseUrl: string, apiKey: string | undefined): Promise<OpenedBackend> {
  const client = new BurinClient({ baseUrl, ...(apiKey !== undefined && { apiKey }) });
  const capabilities = (await translated(client.capabilities())) as unknown as Capabilities;
  const exportFormats = capabilities.exportFormats.map(({ id, label, extension, options }) => ({
    id,
    label,
    extension,
    optionsSchema: { type: 'object', properties: Object.fromEntries(options.map((name) => [name, {}])) },
  }));
  return {
    exportFormats,
    backend: {
      place: `the service at ${baseUrl}`,
      async vectorize({ bytes, fileName }, settings, { signal }) {
        const { svg, colorPalette, qualityDiagnostics, traceStats, credits } = await translated(
          client.convert(bytes, settings, { fileName, signal }),
        );
        const made = { svg, colorPalette, qualityDiagnostics, traceStats } as unknown as ToolVectorization;
        return { ...made, creditsCharged: credits.charged };
      },
      async exportSvg({ bytes, fileName }, format, options, { signal }) {
        const filenameBase = fileName.replace(/\.svg$/, '');
        const request = { svg: text(bytes), format, filenameBase, exportOptions: options } as never;
        const exported = await translated(client.export(request, { signal }));
        const found = capabilities.exportFormats.find(({ id }) => id === format);
        return {
          bytes: await translated(client.download(exported, { signal })),
          warnings: exported.warnings,
          mediaType: found?.mediaType ?? 'application/octet-stream',
          extension: found?.extension ?? format,
        };
      },
      usage: () => translated(client.usage()),
      capabilities: () => translated(client.capabilities()),
      status: () => translated(client.status()),
    },
    close: async () => {},
  };
}
