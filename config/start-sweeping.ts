import type { ArtifactStore } from '#application/ports/artifact-store.js';
import type { Logger } from '#application/ports/logger.js';

/** Expired files are swept this often, or four times in their life where that is shorter. */
const SWEEP_EVERY_MS = 10 * 60_000;

/** Removes expired files now and then, until the answer is called. Where others share the store, it learns of theirs as well. */
export function startSweeping(
  artifacts: ArtifactStore,
  fileLifetimeMs: number,
  logger: Pick<Logger, 'error'>,
): () => void {
  const sweeping = setInterval(
    () => artifacts.sweep().catch((err: unknown) => logger.error({ err }, 'expired files could not be swept')),
    Math.min(SWEEP_EVERY_MS, fileLifetimeMs / 4),
  ).unref();
  return () => clearInterval(sweeping);
}
