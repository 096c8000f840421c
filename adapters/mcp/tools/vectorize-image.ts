import { toJsonSchema } from '#domain/presets/settings.js';
import type { ToolVectorization } from '../backend.js';
import { BESIDE } from '../opened-folders.js';
import { PICTURE_NAMES, PICTURE_PROPERTIES, readPicture, textArgument, withoutExtension } from '../pictures.js';
import type { JsonSchema, Tool, ToolDeps } from '../tool.js';

export const SETTING_PROPERTIES = toJsonSchema({ scope: 'tracing' }).properties;

export const SAVE_TO: JsonSchema = {
  type: 'string',
  minLength: 1,
  description: `Where the file goes, below an opened folder: a path, a folder, or "${BESIDE}" for beside the source. Left out: the answer has it.`,
};

/** What is said of every drawing; of those not saved, the SVG as well. */
export const DRAWING_PROPERTIES = {
  file: { type: 'string', description: 'Where the SVG was saved.' },
  svg: { type: 'string', description: 'The SVG, where it was not saved.' },
  width: { type: 'number' },
  height: { type: 'number' },
  shapes: { type: 'integer' },
  nodes: { type: 'integer' },
  bytes: { type: 'integer', description: 'Of the SVG.' },
  palette: { type: 'array', items: { type: 'string' }, description: 'Colors, most covering first.' },
  detected_type: { type: 'string', description: 'What the picture was taken for.' },
  preset: { type: 'string' },
  delta_e: {
    type: ['number', 'null'],
    description: 'Mean difference from the picture (CIEDE2000); below 1 is hard to see.',
  },
  notes: { type: 'array', items: { type: 'string' } },
  credits_charged: { type: 'integer' },
} as const;

export const DRAWING_REQUIRED = ['width', 'height', 'shapes', 'nodes', 'bytes', 'palette', 'detected_type', 'notes'];

/** The fields of one drawing. */
export const describeDrawing = (made: ToolVectorization, file: string | undefined) => {
  const { traceStats, qualityDiagnostics, colorPalette, creditsCharged } = made;
  return {
    ...((file === undefined ? { svg: made.svg } : { file }) as { readonly svg?: string; readonly file?: string }),
    width: traceStats.width,
    height: traceStats.height,
    shapes: traceStats.shapes,
    nodes: traceStats.nodes,
    bytes: traceStats.svgBytes,
    palette: colorPalette.map(({ hex }) => hex),
    detected_type: qualityDiagnostics.detectedType,
    preset: qualityDiagnostics.preset,
    delta_e: qualityDiagnostics.fidelity?.deltaE00 ?? null,
    notes: qualityDiagnostics.notes.map(({ message }) => message),
    ...(creditsCharged !== undefined && { credits_charged: creditsCharged }),
  };
};

/** `logo.svg: 64 x 64, 2 shapes, 16 nodes, 347 bytes` */
export function drawingLine(name: string, made: ReturnType<typeof describeDrawing>): string {
  const closeness = made.delta_e === null ? '' : `, delta E ${made.delta_e.toFixed(2)}`;
  return `${name}: ${made.width} x ${made.height}, ${made.shapes} shapes, ${made.nodes} nodes, ${made.bytes} bytes${closeness}`;
}

/** The arguments that are parameters: everything that is not a name of the tool's own. The backend refuses those that it does not know. */
export const settingsOf = (args: Readonly<Record<string, unknown>>, own: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !own.includes(name)));

const OWN = [...PICTURE_NAMES, 'save_to'];

export const createVectorizeImageTool = ({ backend, folders, maxFileBytes }: ToolDeps): Tool => ({
  name: 'vectorize_image',
  title: 'Vectorize a picture',
  description:
    'Turns one picture (JPG, PNG, BMP, WEBP, AVIF) into a clean SVG drawing. A preset is usually all it needs; parameters given beside it win.',
  readOnly: false,
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: { ...PICTURE_PROPERTIES, save_to: SAVE_TO, ...SETTING_PROPERTIES },
  },
  outputSchema: { type: 'object', properties: DRAWING_PROPERTIES, required: DRAWING_REQUIRED },
  async call(args, { signal, progress }) {
    const settings = settingsOf(args, OWN);
    const saveTo = textArgument('save_to', args.save_to);
    const picture = await readPicture(args, folders, maxFileBytes);
    const name = withoutExtension(picture.fileName);
    const file = saveTo === undefined ? undefined : await folders.place(saveTo, picture.path, name, 'svg');
    const onProgress = (stage: string, fraction: number) => progress(fraction, 1, stage);
    const made = await backend.vectorize(picture, settings, { signal, onProgress });
    if (file !== undefined) await folders.write(file, made.svg);
    const structured = describeDrawing(made, file);
    return { text: drawingLine(file ?? `${name}.svg`, structured), structured };
  },
});
