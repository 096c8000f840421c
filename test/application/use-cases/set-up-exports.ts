import { createMemoryStores } from '#adapters/persistence/stores.js';
import { createMemoryArtifactStore } from '#adapters/storage/memory-artifact-store.js';
import { createExporterRegistry } from '#application/exporter-registry.js';
import type { Exporter } from '#application/ports/exporter.js';
import { createEncodeDrawing } from '#application/use-cases/encode-drawing.js';
import { exporters as builtIn } from '#plugins/index.js';
import { createManualClock } from '#test/support/manual-clock.js';
import { measure } from '#test/support/measure-exporter.js';
import { sizeReader } from '#test/support/size-reader.js';

/** A store, the formats with one more, and the encoding between them. */
export function setUpExports(more: readonly Exporter[] = []) {
  const clock = createManualClock();
  let ids = 0;
  const artifacts = createMemoryArtifactStore({ clock, ids: { next: () => `id-${++ids}` }, capBytes: 1e9 });
  const exporters = createExporterRegistry([...builtIn, measure, ...more]);
  const encodeDrawing = createEncodeDrawing({ exporters, reader: sizeReader });
  const download = async (basename: string, fileName: string): Promise<Uint8Array> => {
    const file = await artifacts.get(basename, fileName);
    if (file === undefined) throw new Error(`there is no ${basename}/${fileName}`);
    const pieces: Uint8Array[] = [];
    for await (const piece of file.content) pieces.push(piece);
    return Buffer.concat(pieces);
  };
  const { files } = createMemoryStores(clock);
  return { clock, artifacts, files, exporters, encodeDrawing, download, fileLifetimeMs: 60_000 };
}
