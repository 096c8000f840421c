import { apiTypesOf } from '#adapters/client/generate-types.js';
import { createOpenApi } from '#adapters/http/openapi/document.js';
import { createExporterRegistry } from '#application/exporter-registry.js';
import { exporters } from '#plugins/index.js';

/** The description of the API as this build has it, and the client's types made of it. */
export function composeOpenApi(): { readonly document: Readonly<Record<string, unknown>>; readonly types: string } {
  const document = createOpenApi({ exporters: createExporterRegistry(exporters) });
  const plain = JSON.parse(JSON.stringify(document)) as Readonly<Record<string, unknown>>;
  return { document: plain, types: apiTypesOf(plain) };
}
