import { createExporterRegistry } from '#application/exporter-registry.js';
import type { Exporter } from '#application/ports/exporter.js';
import { createEncodeDrawing, type EncodeDrawing } from '#application/use-cases/encode-drawing.js';
import { exporters as registered } from '#plugins/index.js';
import { bundledFontFiles } from './font-files.js';

export interface ComposeEncodeDrawingOptions {
  readonly exporters?: readonly Exporter[];
  /** Of pictures that a drawing embeds. */
  readonly maxPixels?: number;
}

/** Reading and writing drawings in the calling thread. The reader is loaded when the first markup comes. */
export function composeEncodeDrawing({
  exporters = registered,
  maxPixels,
}: ComposeEncodeDrawingOptions = {}): EncodeDrawing {
  const load = async () => {
    const [{ createSvgDrawingReader }, { createImageDecoder }] = await Promise.all([
      import('#adapters/svg-reader/svg-drawing-reader.js'),
      import('#adapters/imaging/image-decoder.js'),
    ]);
    return createSvgDrawingReader({
      decoder: createImageDecoder(maxPixels === undefined ? {} : { maxPixels }),
      fontFiles: bundledFontFiles(),
    });
  };
  let loading: ReturnType<typeof load> | undefined;
  return createEncodeDrawing({
    exporters: createExporterRegistry(exporters),
    reader: {
      async read(markup, signal) {
        loading ??= load();
        return (await loading).read(markup, signal);
      },
    },
  });
}
