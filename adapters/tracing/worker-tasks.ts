import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { TraceOutcome, TraceRequest, Tracer, TraceStage } from '#application/ports/tracer.js';
import type { EncodeDrawing, EncodeDrawingInput, EncodedDrawing } from '#application/use-cases/encode-drawing.js';
import type { VectorizeImageInput } from '#application/use-cases/vectorize-image.js';
import type { VectorizedFile, VectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { ServiceError } from '#domain/errors.js';
import { toFailure, type WorkerCall, type WorkerReply } from './worker-protocol.js';

/** A request without what cannot cross to another thread. */
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
  /** Answers as soon as the worker has loaded. */
  readonly ready: Task<undefined, undefined>;
  readonly trace: Task<TraceInput, TraceOutcome>;
  readonly vectorize: Task<VectorizeInput, VectorizedFile>;
  /** Reads and writes a drawing; of the workers that export. */
  readonly encode: Task<EncodeDrawingInput, EncodedDrawing>;
}
export type TaskName = keyof WorkerTasks;
export type TaskInput<Name extends TaskName> = Parameters<WorkerTasks[Name]>[0]['input'];
export type TaskOutput<Name extends TaskName> =
  WorkerTasks[Name] extends Task<infer _Input, infer Output> ? Output : never;

/** Handed over instead of copied. A view on part of a larger buffer is cut out first. */
function handOver<Output>(reply: WorkerReply<Output>, buffers: readonly ArrayBufferLike[]): WorkerReply<Output> {
  const transferable = { [transferableSymbol]: [...new Set(buffers)], [valueSymbol]: reply };
  return move(transferable as never) as unknown as WorkerReply<Output>;
}

const ownBuffer = <View extends Uint8Array | Float64Array>(view: View): View =>
  view.byteLength === view.buffer.byteLength ? view : (view.slice() as View);

/** Called by the tracer at its checkpoints: reports, and stops the work when the main thread has asked for it. */
const checkpointOf =
  ({ stop, progress }: WorkerCall<unknown>) =>
  (stage: TraceStage, fraction: number) => {
    if (Atomics.load(stop, 0) !== 0) throw new ServiceError('CANCELLED');
    progress?.postMessage([stage, fraction]);
  };

const guarded =
  <Input, Output>(
    work: (call: WorkerCall<Input>) => Promise<{ output: Output; buffers: readonly ArrayBufferLike[] }>,
  ): Task<Input, Output> =>
  async (call) => {
    try {
      const { output, buffers } = await work(call);
      return handOver({ ok: true, output }, buffers);
    } catch (error) {
      return toFailure(error);
    } finally {
      call.progress?.close();
    }
  };

/** The worker's side of the pool: a worker's entry file composes its tracers and exports what this returns, by these names. */
export const createWorkerTasks = ({ tracers, vectorizeToFile }: WorkerTasksDeps): Omit<WorkerTasks, 'encode'> => ({
  ready: guarded(async () => ({ output: undefined, buffers: [] })),

  trace: guarded(async (call) => {
    const { tracerId, ...request } = call.input;
    const tracer = tracers.find(({ id }) => id === tracerId);
    if (tracer === undefined) throw new RangeError(`the worker has no tracer ${tracerId}`);
    const outcome = await tracer.trace({ ...request, onProgress: checkpointOf(call) });
    const { drawing } = outcome;
    const commands = ownBuffer(drawing.commands);
    const coords = ownBuffer(drawing.coords);
    return {
      output: { ...outcome, drawing: { ...drawing, commands, coords } },
      buffers: [commands.buffer, coords.buffer],
    };
  }),

  vectorize: guarded(async (call) => {
    const output = await vectorizeToFile({ ...call.input, onProgress: checkpointOf(call) });
    const { svgFile, drawingFile, json } = output;
    return { output, buffers: [svgFile, drawingFile, ...Object.values(json)].map(({ buffer }) => buffer) };
  }),
});

/** As `createWorkerTasks`, for the entry file of a worker that exports. */
export const createExportWorkerTasks = (deps: {
  readonly encodeDrawing: EncodeDrawing;
}): Pick<WorkerTasks, 'ready' | 'encode'> => ({
  ready: guarded(async () => ({ output: undefined, buffers: [] })),

  encode: guarded(async ({ input }) => {
    const encoded = await deps.encodeDrawing(input);
    // Buffers of Node's own pool are shared with others and cannot be handed over.
    const bytes = encoded.bytes.slice();
    return { output: { ...encoded, bytes }, buffers: [bytes.buffer] };
  }),
});
