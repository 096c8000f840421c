import { createFilesystemArtifactStore } from '#adapters/storage/filesystem-artifact-store.js';
import { createMemoryArtifactStore } from '#adapters/storage/memory-artifact-store.js';
import { createS3ArtifactStore } from '#adapters/storage/s3-artifact-store.js';
import type { ArtifactStore } from '#application/ports/artifact-store.js';
import type { Clock } from '#application/ports/clock.js';
import type { IdSource } from '#application/ports/id-source.js';
import type { Config } from './env.js';

/** The store of produced files that these settings name, with what is in it counted. */
export async function openArtifactStore(
  { target, capBytes, redirects, s3 }: Config['storage'],
  clock: Clock,
  ids: IdSource,
  /** Whether other processes keep files there too. */
  shared = false,
): Promise<ArtifactStore> {
  switch (target.kind) {
    case 'memory':
      return createMemoryArtifactStore({ clock, ids, capBytes });
    case 'file':
      return createFilesystemArtifactStore({ folder: target.folder, clock, ids, capBytes, shared });
    case 's3':
      // Which Node this runs on is ours to say, and the SDK's version is pinned.
      process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
      return createS3ArtifactStore({ ...target, limits: s3, clock, ids, capBytes, links: redirects });
  }
}
