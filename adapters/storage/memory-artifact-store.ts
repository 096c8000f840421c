import type { ArtifactReceipt, ArtifactStore, NewArtifact, StoredArtifact } from '#application/ports/artifact-store.js';
import type { Clock } from '#application/ports/clock.js';
import type { IdSource } from '#application/ports/id-source.js';
import { bytesOf, createCapacity } from './capacity.js';

export interface MemoryArtifactStoreDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Bytes of all artifacts together, companions included. */
  readonly capBytes: number;
}

interface Entry {
  readonly artifact: NewArtifact;
  readonly totalBytes: number;
  readonly expiresAtMs: number;
}

/** Keeps files as long as the process lives: for tests, and for services that must leave nothing on a disk. */
export function createMemoryArtifactStore({ clock, ids, capBytes }: MemoryArtifactStoreDeps): ArtifactStore {
  const entries = new Map<string, Entry>();
  const capacity = createCapacity(capBytes);

  const live = (basename: string): Entry | undefined => {
    const entry = entries.get(basename);
    return entry !== undefined && entry.expiresAtMs > clock.wallMs() ? entry : undefined;
  };

  const sweep = async () => {
    const now = clock.wallMs();
    const expired = [...entries].filter(([, { expiresAtMs }]) => expiresAtMs <= now);
    for (const [basename, { totalBytes }] of expired) {
      entries.delete(basename);
      capacity.release(totalBytes);
    }
    return expired.length;
  };

  const write = async (artifact: NewArtifact): Promise<ArtifactReceipt> => {
    const { bytes, companion, fileName, lifetimeMs } = artifact;
    const basename = ids.next();
    const expiresAtMs = clock.wallMs() + lifetimeMs;
    const kept = { ...artifact, bytes: bytes.slice(), ...(companion && { companion: companion.slice() }) };
    entries.set(basename, { artifact: kept, totalBytes: bytesOf(artifact), expiresAtMs });
    return { basename, fileName, sizeBytes: bytes.byteLength, expiresAtMs };
  };
  const reserve = (bytes: number) => capacity.reserve(bytes, sweep, write);

  return {
    sweep,
    reserve,
    async remove(basename) {
      const entry = entries.get(basename);
      if (entry !== undefined && entries.delete(basename)) capacity.release(entry.totalBytes);
    },
    put: async (artifact) => (await reserve(bytesOf(artifact))).put(artifact),
    async get(basename, fileName): Promise<StoredArtifact | undefined> {
      const entry = live(basename);
      if (entry === undefined || entry.artifact.fileName !== fileName) return undefined;
      const { bytes, mediaType } = entry.artifact;
      async function* content() {
        yield bytes;
      }
      return {
        basename,
        fileName,
        mediaType,
        sizeBytes: bytes.byteLength,
        expiresAtMs: entry.expiresAtMs,
        content: content(),
      };
    },
    companion: async (basename) => live(basename)?.artifact.companion?.slice(),
  };
}
