import { stat } from 'node:fs/promises';
import { DETAIL_PLANS } from './detail-plans.js';
import { loadModel, ModelProblem, type OnnxRuntime } from './load-model.js';
import type { ChildAnswer, ChildRequest } from './onnx-edge-recovery.js';
import type { RestoringModel } from './restore-planes.js';
import { countWork, restoreRaster } from './restore-raster.js';

/**
 * The process in which models run: a thread that is ended while onnxruntime is at work takes the whole process with it, and a
 * model is a file from outside. One request at a time; it ends with its parent, and when it holds more memory than it may.
 */

let loaded: { readonly key: string; readonly model: RestoringModel } | undefined;

async function loadRuntime(name: string): Promise<OnnxRuntime> {
  try {
    const found = (await import(name)) as OnnxRuntime & { readonly default?: OnnxRuntime };
    return found.InferenceSession === undefined ? (found.default as OnnxRuntime) : found;
  } catch (cause) {
    throw new ModelProblem('no-runtime', `the package ${name} is not installed here`, { cause });
  }
}

/** The model as it lies there now: a file that was exchanged is loaded again. */
async function modelOf({ file, runtime, threads }: ChildRequest): Promise<RestoringModel> {
  const found = await stat(file.path).catch(() => undefined);
  const key = JSON.stringify([file, runtime, found?.ino, found?.size, found?.mtimeMs]);
  if (loaded?.key === key && found !== undefined) return loaded.model;
  loaded = undefined;
  const model = await loadModel(file, await loadRuntime(runtime), threads);
  loaded = { key, model };
  return model;
}

/** Throws where the process has grown beyond its limit. */
function checkMemory(limitBytes: number): void {
  if (process.memoryUsage.rss() > limitBytes)
    throw new ModelProblem('failed', `restoring took more than ${Math.round(limitBytes / 1024 / 1024)} MB`);
}

async function answer(request: ChildRequest): Promise<ChildAnswer> {
  try {
    const model = await modelOf(request);
    const { picture } = request;
    if (picture === undefined) return { kind: 'ready' };
    const plan = DETAIL_PLANS[picture.detail];
    const tiles = countWork(picture.raster, plan);
    let done = 0;
    const raster = await restoreRaster(picture.raster, model, plan, () => {
      checkMemory(request.memoryBytes);
      process.send?.({ kind: 'progress', fraction: done++ / tiles } satisfies ChildAnswer);
    });
    checkMemory(request.memoryBytes);
    return { kind: 'restored', raster };
  } catch (error) {
    if (error instanceof ModelProblem) return { kind: 'problem', problem: error.problem, reason: error.message };
    return { kind: 'problem', problem: 'failed', reason: 'the restoring model failed on this picture' };
  }
}

process.on('message', async (request: ChildRequest) => process.send?.(await answer(request)));
process.on('disconnect', () => process.exit());
