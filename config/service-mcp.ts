import type { McpDoor } from '#adapters/http/routes/mcp.js';
import type { McpBackend } from '#adapters/mcp/backend.js';
import type { OpenedFolders } from '#adapters/mcp/opened-folders.js';
import type { Caller } from '#application/caller.js';
import type { ExporterRegistry } from '#application/exporter-registry.js';
import type { Logger } from '#application/ports/logger.js';
import type { ConvertForCaller } from '#application/use-cases/convert-for-caller.js';
import type { DownloadArtifact } from '#application/use-cases/download-artifact.js';
import type { ExportDrawing } from '#application/use-cases/export-drawing.js';
import type { ReportCapabilities } from '#application/use-cases/report-capabilities.js';
import type { ReportStatus } from '#application/use-cases/report-status.js';
import type { ReportUsage } from '#application/use-cases/report-usage.js';
import { exportFormatsOf, toToolVectorization } from './mcp-backends.js';

export interface ServiceMcpDeps {
  readonly convertForCaller: ConvertForCaller;
  readonly exportDrawing: ExportDrawing;
  readonly downloadArtifact: DownloadArtifact;
  readonly reportUsage: ReportUsage;
  readonly reportCapabilities: ReportCapabilities;
  readonly reportStatus: ReportStatus;
  readonly exporters: ExporterRegistry;
  readonly maxUploadBytes: number;
  readonly version: string;
  readonly logger: Pick<Logger, 'error'>;
}

const PLACE = 'this service';

/** The service as one caller may use it: paid and limited like the API. */
function backendFor(caller: Caller, deps: ServiceMcpDeps): McpBackend {
  const { convertForCaller, exportDrawing, downloadArtifact, exporters, reportUsage } = deps;
  return {
    place: PLACE,
    async vectorize({ bytes, fileName }, settings, { signal, onProgress }) {
      const made = await convertForCaller(
        { bytes: Uint8Array.from(bytes), fileName, settings, caller, ...(onProgress && { onProgress }) },
        signal,
      );
      return { ...toToolVectorization(made), creditsCharged: made.charge.charged };
    },
    async exportSvg({ bytes, fileName }, format, options, { signal }) {
      const svg = new TextDecoder().decode(bytes);
      const body = { svg, format, filenameBase: fileName.replace(/\.svg$/, ''), exportOptions: options };
      const made = await exportDrawing({ body, plan: caller.plan }, signal);
      const { content } = await downloadArtifact({
        fileBasename: made.downloadPathBasename,
        actualFilename: made.downloadActualFilename,
      });
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) chunks.push(chunk);
      const { mediaType, extension } = exporters.get(format).format;
      return { bytes: Buffer.concat(chunks), warnings: made.warnings, mediaType, extension };
    },
    usage: async () => (caller.kind === 'key' ? reportUsage(caller.account, caller.keyPrefix) : null),
    capabilities: deps.reportCapabilities,
    status: async () => deps.reportStatus(),
  };
}

/** What is behind /mcp. The SDK is loaded with the first message: many services never get one. */
export function createServiceMcp(deps: ServiceMcpDeps): McpDoor {
  const load = async () => {
    const [{ answerMcp }, { openFolders }] = await Promise.all([
      import('#adapters/mcp/http-door.js'),
      import('#adapters/mcp/opened-folders.js'),
    ]);
    // Nobody's files: what is on this machine is not the callers'.
    const folders: OpenedFolders = await openFolders([]);
    return { answerMcp, folders };
  };
  let loading: ReturnType<typeof load> | undefined;
  return async ({ request, response, body, caller }) => {
    loading ??= load();
    const { answerMcp, folders } = await loading;
    const { maxUploadBytes, version, logger, exporters } = deps;
    await answerMcp(
      {
        backend: backendFor(caller, deps),
        folders,
        exportFormats: exportFormatsOf(exporters.all),
        maxFileBytes: maxUploadBytes,
        version,
        onFault: (err) => logger.error({ err }, 'a tool failed'),
      },
      request,
      response,
      body,
    );
  };
}
