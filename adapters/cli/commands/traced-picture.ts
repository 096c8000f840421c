import type { Readable, Writable } from 'node:stream';
import { packDrawing } from '#application/drawing-file.js';
import type { TraceStage } from '#application/ports/tracer.js';
import type { EncodeDrawing } from '#application/use-cases/encode-drawing.js';
import type { QualityDiagnostics, TraceStats } from '#application/use-cases/vectorize-answer.js';
import type { VectorizedImage, VectorizeImage } from '#application/use-cases/vectorize-image.js';
import type { VectorizedFile, VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { assertWritable, readInput, readStream, writeStream, writeWhole } from '../files.js';
import { PIPE, type TraceJob } from '../output-paths.js';

/** A drawing as the command writes it, whether it was made in this thread or in another. */
export interface TracedPicture {
  readonly traceStats: TraceStats;
  readonly qualityDiagnostics: QualityDiagnostics;
  readonly svg: string | Uint8Array;
  /** By `packDrawing`. */
  drawingFile(): Uint8Array;
  /** Every field of the answer, as the inside of a JSON object. */
  answerJson(): string;
}

export const ofImage = (result: VectorizedImage): TracedPicture => ({
  traceStats: result.traceStats,
  qualityDiagnostics: result.qualityDiagnostics,
  svg: result.svg,
  drawingFile: () => packDrawing(result.drawing),
  answerJson() {
    const { drawing: _, ...answer } = result;
    return JSON.stringify(answer).slice(1, -1);
  },
});

export const ofFile = ({
  traceStats,
  qualityDiagnostics,
  svgFile,
  drawingFile,
  json,
}: VectorizedFile): TracedPicture => ({
  traceStats,
  qualityDiagnostics,
  svg: svgFile,
  drawingFile: () => drawingFile,
  answerJson() {
    const long = Object.entries(json).map(([name, bytes]) => `"${name}":${new TextDecoder().decode(bytes)}`);
    return `${long.join(',')},${JSON.stringify({ qualityDiagnostics, traceStats }).slice(1, -1)}`;
  },
});

export type TraceProgress = (stage: TraceStage, fraction: number) => void;

/** Traces the bytes of a picture file. Rejects with a ServiceError. */
export type TraceBytes = (bytes: Uint8Array, onProgress: TraceProgress | undefined) => Promise<TracedPicture>;

export const inThisThread =
  (vectorize: VectorizeImage, settings: Readonly<Record<string, unknown>>): TraceBytes =>
  async (bytes, onProgress) =>
    ofImage(await vectorize({ picture: { kind: 'encoded', bytes }, settings, ...(onProgress && { onProgress }) }));

export const inWorkers =
  (vectorize: VectorizeToFile, settings: Readonly<Record<string, unknown>>, signal: AbortSignal): TraceBytes =>
  async (bytes, onProgress) =>
    ofFile(
      await vectorize({ picture: { kind: 'encoded', bytes }, settings, ...(onProgress && { onProgress }) }, signal),
    );

export interface WriteFilesDeps {
  readonly encodeDrawing: EncodeDrawing | undefined;
  /** The options of each format that is not simply the SVG as it was traced. */
  readonly optionsOf: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly stdout: Writable;
}

/** The bytes of one file, and what the format could not keep. */
async function encode(picture: TracedPicture, format: string, { encodeDrawing, optionsOf }: WriteFilesDeps) {
  const options = optionsOf.get(format);
  if (options === undefined || encodeDrawing === undefined) return { bytes: picture.svg, warnings: [] };
  const source = { kind: 'drawing-file', bytes: picture.drawingFile() } as const;
  return encodeDrawing({ source, format, options });
}

/** Reads what a job names. Rejects before that where its files could not be written. */
export async function readPicture({ input, outputs }: TraceJob, stdin: Readable): Promise<Uint8Array> {
  for (const { path } of outputs) if (path !== PIPE) assertWritable(path);
  return input === PIPE ? readStream(stdin) : readInput(input);
}

/** Writes every file of a job, each wholly or not at all, and answers what could not be kept. */
export async function writeFiles(picture: TracedPicture, { outputs }: TraceJob, deps: WriteFilesDeps) {
  let written = 0;
  const warnings: string[] = [];
  for (const { path, format } of outputs) {
    const { bytes, warnings: lost } = await encode(picture, format, deps);
    if (path === PIPE) await writeStream(deps.stdout, bytes);
    else await writeWhole(path, bytes);
    written += typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
    warnings.push(...lost.map(({ message }) => `${format}: ${message}`));
  }
  return { bytes: written, warnings };
}
