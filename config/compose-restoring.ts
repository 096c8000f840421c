import { availableParallelism } from 'node:os';
import { createOnnxEdgeRecovery } from '#adapters/restoration/onnx-edge-recovery.js';
import { OWN_MODEL } from '#adapters/restoration/own-model.js';
import type { EdgeRecovery } from '#application/ports/edge-recovery.js';
import { loadRestoreModel } from './env.js';
import type { ModelChoice } from './variables.js';

/** As many cores as a large picture's curves are fitted on. */
const MOST_THREADS = 2;

/** Restoring by the model that the environment names. The process that does it is begun when it is first asked. */
export function composeEdgeRecovery(model: ModelChoice = loadRestoreModel(process.env)): EdgeRecovery {
  const file = model.kind === 'own' ? OWN_MODEL : model.kind === 'file' ? model : null;
  return createOnnxEdgeRecovery({
    model: file && { path: file.path, sha256: file.sha256 },
    threads: Math.min(MOST_THREADS, availableParallelism()),
  });
}
