import { availableParallelism } from 'node:os';
import { createOnnxEdgeRecovery } from '#adapters/restoration/onnx-edge-recovery.js';
import { OWN_MODEL } from '#adapters/restoration/own-model.js';
import type { EdgeRecovery } from '#application/ports/edge-recovery.js';
import { invalid } from '#domain/errors.js';
import { ConfigError, loadRestoreModel } from './env.js';
import type { ModelChoice } from './variables.js';

/** As many cores as a large picture's curves are fitted on. */
const MOST_THREADS = 2;

/** The model that the environment names. Throws INVALID_REQUEST where it names none in an accepted form. */
export function chosenModel(env: NodeJS.ProcessEnv = process.env): ModelChoice {
  try {
    return loadRestoreModel(env);
  } catch (error) {
    if (error instanceof ConfigError) throw invalid('environment', error.message);
    throw error;
  }
}

/** Restoring by the model that the environment names. The process that does it is begun when it is first asked. */
export function composeEdgeRecovery(model: ModelChoice = chosenModel()): EdgeRecovery {
  const file = model.kind === 'own' ? OWN_MODEL : model.kind === 'file' ? model : null;
  return createOnnxEdgeRecovery({
    model: file && { path: file.path, sha256: file.sha256 },
    threads: Math.min(MOST_THREADS, availableParallelism()),
  });
}
