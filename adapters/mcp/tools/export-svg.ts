import { basename } from 'node:path';
import { invalid, ServiceError } from '#domain/errors.js';
import { exportOptionSchema } from '#domain/exports/define-export-options.js';
import { EXPORT_OPTION_NAMES, exportOptionRow } from '#domain/exports/export-options.js';
import { textArgument, withoutExtension } from '../pictures.js';
import type { JsonSchema, Tool, ToolDeps } from '../tool.js';
import { SAVE_TO, settingsOf } from './vectorize-image.js';

const OWN = ['svg', 'path', 'format', 'name', 'save_to'];
/** What models can look at. */
const SHOWN_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);
/** Pictures up to this size are shown to the model as well. */
const SHOWN_BYTES = 1_000_000;

/** Every option once, with the formats that take it. */
function optionProperties(formats: ToolDeps['exportFormats']): JsonSchema {
  return Object.fromEntries(
    EXPORT_OPTION_NAMES.map((name) => {
      const takes = formats.filter(({ optionsSchema }) => name in (optionsSchema.properties as object));
      // Formats have defaults of their own.
      const { default: _, ...schema } = exportOptionSchema(exportOptionRow(name));
      return [
        name,
        { ...schema, description: `${schema.description} Honored by: ${takes.map(({ id }) => id).join(', ')}.` },
      ];
    }),
  );
}

export const createExportSvgTool = ({ backend, folders, maxFileBytes, exportFormats }: ToolDeps): Tool => ({
  name: 'export_svg',
  title: 'Export an SVG',
  description: `Makes another format of an SVG of any origin: ${exportFormats.map(({ id, label }) => `${id} (${label})`).join(', ')}.`,
  readOnly: false,
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    required: ['format'],
    properties: {
      svg: { type: 'string', minLength: 1, description: 'SVG markup.' },
      path: { type: 'string', minLength: 1, description: 'An SVG file, below one of the folders that were opened.' },
      format: { type: 'string', enum: exportFormats.map(({ id }) => id) },
      name: { type: 'string', maxLength: 200, description: 'What the file is called, without its extension.' },
      save_to: SAVE_TO,
      ...optionProperties(exportFormats),
    },
  },
  outputSchema: {
    type: 'object',
    required: ['format', 'media_type', 'bytes', 'warnings'],
    properties: {
      file: { type: 'string', description: 'Where it was saved.' },
      base64: { type: 'string', description: 'The file, where it was not saved.' },
      format: { type: 'string' },
      media_type: { type: 'string' },
      bytes: { type: 'integer' },
      warnings: { type: 'array', items: { type: 'string' }, description: 'What could not be kept.' },
    },
  },
  async call(args, { signal }) {
    const format = textArgument('format', args.format);
    const known = exportFormats.map(({ id }) => id);
    const chosen = exportFormats.find(({ id }) => id === format);
    if (format === undefined) throw invalid('format', `is missing; there are ${known.join(', ')}`);
    if (chosen === undefined) throw new ServiceError('UNSUPPORTED_FORMAT', { field: 'format', format, known });
    const [svg, path] = [textArgument('svg', args.svg), textArgument('path', args.path)];
    if ((svg === undefined) === (path === undefined)) throw invalid('svg', 'give either svg or path');
    const source =
      path === undefined
        ? { bytes: new TextEncoder().encode(svg), path: undefined }
        : await folders.read(path, maxFileBytes);
    const name = textArgument('name', args.name) ?? withoutExtension(basename(source.path ?? 'drawing.svg'));
    const saveTo = textArgument('save_to', args.save_to);
    const file = saveTo === undefined ? undefined : await folders.place(saveTo, source.path, name, chosen.extension);
    const options = settingsOf(args, OWN);
    const made = await backend.exportSvg({ bytes: source.bytes, fileName: `${name}.svg` }, format, options, { signal });
    if (file !== undefined) await folders.write(file, made.bytes);
    const warnings = made.warnings.map(({ message }) => message);
    const base64 = file === undefined ? Buffer.from(made.bytes).toString('base64') : undefined;
    const shown = base64 !== undefined && SHOWN_TYPES.has(made.mediaType) && made.bytes.length <= SHOWN_BYTES;
    const lost = warnings.length === 0 ? '' : ` Not kept: ${warnings.join(' ')}`;
    return {
      text: `${file ?? `${name}.${chosen.extension}`}: ${made.bytes.length} bytes of ${chosen.label}.${lost}`,
      structured: {
        ...(file === undefined ? { base64 } : { file }),
        format,
        media_type: made.mediaType,
        bytes: made.bytes.length,
        warnings,
      },
      ...(shown && { more: [{ type: 'image' as const, data: base64, mimeType: made.mediaType }] }),
    };
  },
});
