import { ServiceError } from '#domain/errors.js';
import type { Exporter } from './ports/exporter.js';

export interface ExporterRegistry {
  /** In the order of the list it was built from. */
  readonly all: readonly Exporter[];
  /** Throws UNSUPPORTED_FORMAT, listing the formats there are. */
  get(format: string): Exporter;
}

/** Throws RangeError where two exporters have one id, so that a wrong list stops the start. */
export function createExporterRegistry(exporters: readonly Exporter[]): ExporterRegistry {
  const byId = new Map<string, Exporter>();
  for (const exporter of exporters) {
    const { id } = exporter.format;
    if (byId.has(id)) throw new RangeError(`two exporters have the id "${id}"`);
    byId.set(id, exporter);
  }
  return {
    all: [...byId.values()],
    get(format) {
      const exporter = byId.get(format);
      if (exporter === undefined)
        throw new ServiceError('UNSUPPORTED_FORMAT', { field: 'format', format, known: [...byId.keys()] });
      return exporter;
    },
  };
}
