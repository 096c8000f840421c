import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { RestoreProblem } from '#application/ports/edge-recovery.js';
import { CHANNELS, emptyPlanes, type Planes } from './planes.js';
import type { RestoringModel } from './restore-planes.js';

/** What of onnxruntime-node is used. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(bytes: Uint8Array, options: Readonly<Record<string, unknown>>): Promise<OnnxSession>;
  };
  readonly Tensor: new (type: 'float32', values: Float32Array, dims: readonly number[]) => OnnxTensor;
}
export interface OnnxTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
}
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
}

export interface ModelFile {
  readonly path: string;
  /** In hexadecimal; null where any file will do. */
  readonly sha256: string | null;
}

/** Why there is no model to restore with. */
export class ModelProblem extends Error {
  override readonly name = 'ModelProblem';
  readonly problem: RestoreProblem;

  constructor(problem: RestoreProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** The largest of the known restorers has 64 MB. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Wider than high: a model that exchanges the two, or takes one size only, is found out. */
const PROBE = { width: 24, height: 16 } as const;
/** onnxruntime's own messages on standard error: only fatal ones. */
const FATAL_ONLY = 4;

async function readModel({ path, sha256 }: ModelFile): Promise<Uint8Array> {
  let bytes: Uint8Array;
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES) throw new ModelProblem('corrupt-model', `the restoring model has ${size} bytes`);
    bytes = await readFile(path);
  } catch (cause) {
    if (cause instanceof ModelProblem) throw cause;
    throw new ModelProblem('no-model', 'no restoring model is installed', { cause });
  }
  if (sha256 !== null && createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new ModelProblem('corrupt-model', 'the restoring model is not the one whose SHA-256 was given');
  return bytes;
}

/** Runs the session on planes; the answer's sides are not checked yet. */
async function runSession(session: OnnxSession, { Tensor }: OnnxRuntime, planes: Planes): Promise<OnnxTensor> {
  const { width, height, values } = planes;
  const input = new Tensor('float32', values, [1, CHANNELS, height, width]);
  const answers = await session.run({ [session.inputNames[0] as string]: input });
  return answers[session.outputNames[0] as string] as OnnxTensor;
}

const wrongShape = (cause?: unknown) =>
  new ModelProblem(
    'wrong-shape',
    'the restoring model does not turn 1x3xHxW into twice or four times its size',
    cause === undefined ? {} : { cause },
  );

const isFloats = (data: unknown): data is Float32Array => data instanceof Float32Array;

/** Tries the model on a few pixels: what it makes of them is how it is known. */
async function probeScale(session: OnnxSession, runtime: OnnxRuntime): Promise<2 | 4> {
  if (session.inputNames.length !== 1 || session.outputNames.length !== 1) throw wrongShape();
  const probe = emptyPlanes(PROBE.width, PROBE.height);
  probe.values.forEach((_, i) => {
    probe.values[i] = (i % 7) / 7;
  });
  let answer: OnnxTensor;
  try {
    answer = await runSession(session, runtime, probe);
  } catch (cause) {
    throw wrongShape(cause);
  }
  const scale = ([2, 4] as const).find(
    (times) =>
      answer.dims.length === 4 &&
      answer.dims.every((side, i) => side === [1, CHANNELS, PROBE.height * times, PROBE.width * times][i]),
  );
  if (scale === undefined || !isFloats(answer.data) || !answer.data.every(Number.isFinite)) throw wrongShape();
  return scale;
}

/**
 * Any model of Real-ESRGAN's layout: one input 1x3xHxW of RGB from 0 to 1, one output of two or four times the size. Throws
 * ModelProblem for a file that is missing, not the one that was named, no model, or one of another layout.
 */
export async function loadModel(file: ModelFile, runtime: OnnxRuntime, threads: number): Promise<RestoringModel> {
  const bytes = await readModel(file);
  let session: OnnxSession;
  try {
    session = await runtime.InferenceSession.create(bytes, {
      executionProviders: ['cpu'],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // Tiles differ in size, and memory kept for each size adds up.
      enableMemPattern: false,
      enableCpuMemArena: false,
      logSeverityLevel: FATAL_ONLY,
    });
  } catch (cause) {
    throw new ModelProblem('corrupt-model', 'the restoring model cannot be read', { cause });
  }
  const scale = await probeScale(session, runtime);
  return {
    scale,
    async run(planes) {
      const { data } = await runSession(session, runtime, planes);
      return { width: planes.width * scale, height: planes.height * scale, values: data as Float32Array };
    },
  };
}
