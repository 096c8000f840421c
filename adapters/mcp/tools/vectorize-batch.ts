import { join } from 'node:path';
import { invalid, ServiceError } from '#domain/errors.js';
import { BESIDE } from '../opened-folders.js';
import { PICTURE_PROPERTIES, type PictureArguments, readPicture, textArgument, withoutExtension } from '../pictures.js';
import type { Tool, ToolContext, ToolDeps } from '../tool.js';
import {
  DRAWING_PROPERTIES,
  describeDrawing,
  drawingLine,
  SAVE_TO,
  SETTING_PROPERTIES,
  settingsOf,
} from './vectorize-image.js';

export const MAX_FILES = 20;
const OWN = ['files', 'save_to'];
/** After these, the rest would fail alike. */
const ENDING: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'INSUFFICIENT_CREDITS', 'CANCELLED']);

function filesOf(value: unknown): readonly PictureArguments[] {
  if (!Array.isArray(value) || value.length === 0)
    throw invalid('files', `is missing; give 1 to ${MAX_FILES} pictures`);
  if (value.length > MAX_FILES) throw new ServiceError('TOO_MANY_FILES', { count: value.length, limit: MAX_FILES });
  return value.map((item: unknown) => {
    if (typeof item === 'string') return { path: item };
    if (typeof item !== 'object' || item === null) throw invalid('files', 'has an item that is no picture');
    return item;
  });
}

export function createVectorizeBatchTool({ backend, folders, maxFileBytes }: ToolDeps): Tool {
  const vectorizeOne = async (
    given: PictureArguments,
    index: number,
    args: Readonly<Record<string, unknown>>,
    context: Pick<ToolContext, 'signal'> & { readonly onProgress: (stage: string, fraction: number) => void },
  ) => {
    const saveTo = textArgument('save_to', args.save_to);
    const picture = await readPicture(given, folders, maxFileBytes);
    const bare = withoutExtension(picture.fileName);
    const name = picture.path === undefined && given.name === undefined ? `${bare}-${index + 1}` : bare;
    // Of several, only a folder can take them all.
    const place = saveTo === undefined || saveTo === BESIDE ? saveTo : join(saveTo, '/');
    const file = place === undefined ? undefined : await folders.place(place, picture.path, name, 'svg');
    const made = await backend.vectorize(picture, settingsOf(args, OWN), context);
    if (file !== undefined) await folders.write(file, made.svg);
    return { name: picture.path ?? `${name}.svg`, drawing: describeDrawing(made, file) };
  };

  return {
    name: 'vectorize_batch',
    title: 'Vectorize several pictures',
    description: `Turns up to ${MAX_FILES} pictures into SVG with the same preset and parameters. One that fails does not stop the others; a refused key or missing credits do.`,
    readOnly: false,
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['files'],
      properties: {
        files: {
          type: 'array',
          minItems: 1,
          maxItems: MAX_FILES,
          items: {
            anyOf: [
              { type: 'string', minLength: 1, description: PICTURE_PROPERTIES.path.description },
              { type: 'object', additionalProperties: false, properties: PICTURE_PROPERTIES },
            ],
          },
        },
        save_to: { ...SAVE_TO, description: `${SAVE_TO.description as string} For several, a folder.` },
        ...SETTING_PROPERTIES,
      },
    },
    outputSchema: {
      type: 'object',
      required: ['results', 'succeeded', 'failed', 'total'],
      properties: {
        results: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'ok'],
            properties: {
              name: { type: 'string' },
              ok: { type: 'boolean' },
              ...DRAWING_PROPERTIES,
              error: { type: 'string' },
              code: { type: 'string' },
              fix: { type: 'string' },
            },
          },
        },
        succeeded: { type: 'integer' },
        failed: { type: 'integer' },
        total: { type: 'integer' },
      },
    },
    async call(args, { signal, progress, toFailure }) {
      const files = filesOf(args.files);
      const results: Readonly<Record<string, unknown>>[] = [];
      const lines: string[] = [];
      for (const [index, given] of files.entries()) {
        const onProgress = (stage: string, fraction: number) => progress(index + fraction, files.length, stage);
        try {
          const { name, drawing } = await vectorizeOne(given, index, args, { signal, onProgress });
          results.push({ name, ok: true, ...drawing });
          lines.push(drawingLine(drawing.file ?? name, drawing));
        } catch (error) {
          const failure = toFailure(error);
          const name = String(given.name ?? given.path ?? `picture ${index + 1}`);
          results.push({ name, ok: false, ...failure });
          lines.push(`${name}: ${failure.code}: ${failure.error} Fix: ${failure.fix}`);
          if (ENDING.has(failure.code)) break;
        }
        progress(index + 1, files.length, 'done');
      }
      const succeeded = results.filter(({ ok }) => ok === true).length;
      const structured = { results, succeeded, failed: results.length - succeeded, total: files.length };
      return { text: [`${succeeded} of ${files.length} pictures vectorized.`, ...lines].join('\n'), structured };
    },
  };
}
