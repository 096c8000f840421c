import { extname } from 'node:path';
import type { Exporter } from '#application/ports/exporter.js';
import type { EncodeDrawing } from '#application/use-cases/encode-drawing.js';
import { invalid, ServiceError } from '#domain/errors.js';
import { type FileFormat, namesFolder, PIPE } from '../output-paths.js';
import type { Exporting } from './export.js';

const SVG: FileFormat = { id: 'svg', extension: 'svg' };

export interface TraceFormats {
  /** One for each `-o` where several were given. */
  readonly formats: readonly FileFormat[];
  /** Of formats that are not simply the SVG as it was traced. */
  readonly optionsOf: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly encodeDrawing: EncodeDrawing | undefined;
}

export interface ChooseFormatsInput {
  /** As typed, `svg,pdf`. */
  readonly named: readonly string[];
  readonly outputs: readonly string[];
  /** Of several pictures the output is a folder, whatever its name. */
  readonly several: boolean;
  readonly exportOptions: Readonly<Record<string, unknown>>;
}

const extensionOf = (path: string) => extname(path).slice(1).toLowerCase();

const byExtension = (path: string, exporters: readonly Exporter[]): FileFormat => {
  const wanted = extensionOf(path) === 'jpeg' ? 'jpg' : extensionOf(path);
  // A name that says nothing has an SVG in it, as ever.
  return exporters.find(({ format }) => format.extension === wanted)?.format ?? SVG;
};

/** What of the options each format is told: those it honours. Throws INVALID_REQUEST for one that none of them does. */
function shareOptions(chosen: readonly Exporter[], given: ChooseFormatsInput['exportOptions']) {
  const unheard = Object.keys(given).find((name) => chosen.every(({ rows }) => !(name in rows)));
  if (unheard !== undefined)
    throw invalid(
      `--${unheard.replaceAll('_', '-')}`,
      `is honored by none of the formats written: ${chosen.map(({ format }) => format.id).join(', ')}`,
    );
  return new Map(
    chosen.map(({ format, rows, parseOptions }) => {
      const own = Object.fromEntries(Object.entries(given).filter(([name]) => name in rows));
      parseOptions(own);
      return [format.id, own] as const;
    }),
  );
}

/**
 * Which formats a trace writes: those named, else those that the names of the outputs say, else SVG. The list of formats is
 * loaded only where something else than an SVG may be meant. Throws UNSUPPORTED_FORMAT and INVALID_REQUEST.
 */
export async function chooseFormats(
  { named, outputs, several, exportOptions }: ChooseFormatsInput,
  exporting: () => Promise<Exporting>,
): Promise<TraceFormats> {
  const files = several ? [] : outputs.filter((path) => path !== PIPE && path !== '' && !namesFolder(path));
  const plain =
    named.every((id) => id === 'svg') &&
    files.every((path) => ['', 'svg'].includes(extensionOf(path))) &&
    Object.keys(exportOptions).length === 0;
  if (plain)
    return {
      formats: outputs.length > 1 ? outputs.map(() => SVG) : [SVG],
      optionsOf: new Map(),
      encodeDrawing: undefined,
    };
  const { exporters, encodeDrawing } = await exporting();
  const known = exporters.map(({ format }) => format.id);
  const byName = named.map((id) => {
    const found = exporters.find(({ format }) => format.id === (id === 'jpeg' ? 'jpg' : id));
    if (found === undefined) throw new ServiceError('UNSUPPORTED_FORMAT', { field: 'format', format: id, known });
    return found.format;
  });
  if (byName.length > 0 && outputs.length > 1)
    throw invalid('--format', 'and several -o both say what is written; give one of them');
  const distinct = [...new Set(byName)];
  const ofOutputs = several ? [] : outputs.map((path) => byExtension(path, exporters));
  const formats = distinct.length > 0 ? distinct : ofOutputs.length > 0 ? ofOutputs : [SVG];
  const chosen = exporters.filter(({ format }) => formats.some(({ id }) => id === format.id));
  const optionsOf = shareOptions(chosen, exportOptions);
  // The SVG as it was traced is there already.
  if (Object.keys(optionsOf.get('svg') ?? {}).length === 0) optionsOf.delete('svg');
  return { formats, optionsOf, encodeDrawing };
}
