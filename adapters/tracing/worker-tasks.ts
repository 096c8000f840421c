import type { TraceOutcome, TraceRequest, Tracer, TraceStage } from '#application/ports/tracer.js';
import type { EncodeDrawing, EncodeDrawingInput, EncodedDrawing } from '#application/use-cases/encode-drawing.js';
import type { VectorizeImageInput } from '#application/use-cases/vectorize-image.js';
import type { VectorizedFile, VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { ServiceError } from '#domain/errors.js';
import { toFailure, type WorkerCall, type WorkerReply } from './worker-protocol.js';

/** A request without what cannot cross to another process. */
export interface TraceInput extends Omit<TraceRequest, 'onProgress'> {
  /** Which of the worker's tracers. */
  readonly tracerId: string;
}
export type VectorizeInput = Omit<VectorizeImageInput, 'onProgress'>;

export interface WorkerTasksDeps {
  readonly tracers: readonly Tracer[];
  readonly vectorizeToFile: VectorizeToFile;
}

type Task<Input, Output> = (call: WorkerCall<Input>) => Promise<WorkerReply<Output>>;

/** What a worker can do, by the names under which the pool asks for it. */
export interface WorkerTasks {
  readonly trace: Task<TraceInput, TraceOutcome>;
  readonly vectorize: Task<VectorizeInput, VectorizedFile>;
  /** Reads and writes a drawing; of the workers that export. */
  readonly encode: Task<EncodeDrawingInput, EncodedDrawing>;
}
export type TaskName = keyof WorkerTasks;
export type TaskInput<Name extends TaskName> = Parameters<WorkerTasks[Name]>[0]['input'];
export type TaskOutput<Name extends TaskName> =
  WorkerTasks[Name] extends Task<infer _Input, infer Output> ? Output : never;

/** Called by the tracer at its checkpoints: reports, and stops the work when whoever asked for it wants it no more. */
const checkpointOf =
  ({ isStopped, onProgress }: WorkerCall<unknown>) =>
  (stage: TraceStage, fraction: number) => {
    if (isStopped()) throw new ServiceError('CANCELLED');
    onProgress?.(stage, fraction);
  };

const guarded =
  <Input, Output>(work: (call: WorkerCall<Input>) => Promise<Output>): Task<Input, Output> =>
  async (call) => {
    try {
      return { ok: true, output: await work(call) };
    } catch (error) {
      return toFailure(error);
    }
  };

/** The worker's side of the pool: a worker's entry file composes its tracers and exports what this returns, by these names. */
export const createWorkerTasks = ({ tracers, vectorizeToFile }: WorkerTasksDeps): Omit<WorkerTasks, 'encode'> => ({
  trace: guarded(async (call) => {
    const { tracerId, ...request } = call.input;
    const tracer = tracers.find(({ id }) => id === tracerId);
    if (tracer === undefined) throw new RangeError(`the worker has no tracer ${tracerId}`);
    return tracer.trace({ ...request, onProgress: checkpointOf(call) });
  }),

  vectorize: guarded((call) => vectorizeToFile({ ...call.input, onProgress: checkpointOf(call) })),
});

/** As `createWorkerTasks`, for the entry file of a worker that exports. */
export const createExportWorkerTasks = (deps: {
  readonly encodeDrawing: EncodeDrawing;
}): Pick<WorkerTasks, 'encode'> => ({ encode: guarded(({ input }) => deps.encodeDrawing(input)) });
