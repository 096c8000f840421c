import { createImageDecoder } from '#adapters/imaging/image-decoder.js';
import { createSvgDrawingReader } from '#adapters/svg-reader/svg-drawing-reader.js';
import type { Exporter } from '#application/ports/exporter.js';
import { bundledFontFiles } from '#config/font-files.js';
import { exporters } from '#plugins/index.js';
import { featureSvgs, realSvgs } from '#test/support/svg-corpus.js';
import { acceptedRefusal, type Surface } from '../surface.js';
import { generateMarkup, mutateMarkup } from '../svg-markup.js';

const READING = ['INVALID_SVG', 'PAYLOAD_TOO_LARGE', 'IMAGE_TOO_LARGE'];
const WRITING = ['IMAGE_TOO_LARGE', 'EXPORT_FAILED', 'INVALID_REQUEST'];
/** One drawing in so many is written as well. */
const WRITTEN = 0.15;
const LONGEST_SAMPLE = 60_000;
const never = new AbortController().signal;

/** Markup through the reader, and some of what it made on through the formats that are made of lines. */
export async function svgSurface(): Promise<Surface> {
  const reader = createSvgDrawingReader({
    decoder: createImageDecoder({ maxPixels: 1_000_000 }),
    fontFiles: bundledFontFiles(),
  });
  const samples = [...featureSvgs(), ...realSvgs()]
    .map(({ markup }) => markup)
    .filter((m) => m.length < LONGEST_SAMPLE);
  const writers = (exporters as readonly Exporter[]).filter(({ format }) =>
    ['svg', 'eps', 'pdf', 'dxf'].includes(format.id),
  );
  return {
    limitMs: 20_000,
    async run(choices) {
      const markup = choices.chance(0.6) ? generateMarkup(choices) : mutateMarkup(choices.pick(samples), choices);
      let drawing: Awaited<ReturnType<typeof reader.read>>['drawing'];
      try {
        ({ drawing } = await reader.read(markup));
      } catch (error) {
        const code = acceptedRefusal(error, READING);
        const { message, cause } = error as Error;
        if (/takes more than/.test(message)) return `${code} past its time`;
        return cause instanceof Error && /normaliser ended/.test(cause.message) ? `${code} normaliser ended` : code;
      }
      if (!(drawing.width > 0 && drawing.height > 0)) throw new Error(`${drawing.width} x ${drawing.height}`);
      if (!drawing.coords.every(Number.isFinite)) throw new Error('a drawing with places that are no numbers');
      if (!choices.chance(WRITTEN)) return 'read';
      const writer = choices.pick(writers);
      try {
        const { bytes } = await writer.encode(drawing, writer.parseOptions({}), never);
        if (bytes.length === 0) throw new Error(`an empty ${writer.format.id}`);
        if (['svg', 'dxf'].includes(writer.format.id) && /NaN|Infinity|undefined/.test(withoutPictures(bytes)))
          throw new Error(`a ${writer.format.id} with what is no number`);
        return `read, ${writer.format.id}`;
      } catch (error) {
        return `read, ${writer.format.id} ${acceptedRefusal(error, WRITING)}`;
      }
    },
    checkLeaks: async () => {},
    close: async () => {},
  };
}

/** Embedded pictures' letters may spell anything. */
const withoutPictures = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/base64,[^"]*/g, '');
