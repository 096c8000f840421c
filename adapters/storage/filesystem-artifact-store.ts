import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactReceipt, ArtifactStore, NewArtifact, StoredArtifact } from '#application/ports/artifact-store.js';
import type { Clock } from '#application/ports/clock.js';
import type { IdSource } from '#application/ports/id-source.js';
import { bytesOf, createCapacity } from './capacity.js';

export interface FilesystemArtifactStoreDeps {
  /** Made where it is missing; holds nothing else. */
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Bytes of all artifacts together, companions included. */
  readonly capBytes: number;
}

/** An artifact is a folder named for its basename, with these files in it; a folder that is being written has another name. */
const CONTENT = 'content';
const COMPANION = 'companion';
const RECORD = 'record.json';
const UNFINISHED = '.unfinished-';
const BASENAME = /^[A-Za-z0-9_-]{22}$/;

interface Record {
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly companionBytes: number;
  readonly expiresAtMs: number;
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

const orMissing = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/**
 * Removes one artifact of a folder that another process serves from: to it the artifact is not found any more, and its bytes
 * count until they would have expired. Nothing happens where it has gone already.
 */
export async function removeStoredArtifact(folder: string, basename: string): Promise<void> {
  if (BASENAME.test(basename)) await rm(join(folder, basename), { recursive: true, force: true });
}

/**
 * Keeps files in a folder of the machine; they outlive the process. One process per folder: it knows what it keeps by heart.
 * Resolves when what is there already has been counted.
 */
export async function createFilesystemArtifactStore(deps: FilesystemArtifactStoreDeps): Promise<ArtifactStore> {
  const { folder, clock, ids, capBytes } = deps;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  /** Of every artifact that is there, by basename: sweeping and refusing need no disk. */
  const records = new Map<string, Record>();

  const readRecord = async (basename: string): Promise<Record | undefined> => {
    const text = await orMissing(readFile(join(folder, basename, RECORD), 'utf8'));
    if (text === undefined) return undefined;
    const record = JSON.parse(text) as Record;
    const content = await orMissing(stat(join(folder, basename, CONTENT)));
    return content?.size === record.sizeBytes ? record : undefined;
  };

  for (const name of await readdir(folder)) {
    const record = BASENAME.test(name) ? await readRecord(name).catch(() => undefined) : undefined;
    if (record !== undefined) records.set(name, record);
    // Left behind by a process that died while writing or removing.
    else if (name.startsWith(UNFINISHED) || BASENAME.test(name)) await rm(join(folder, name), { recursive: true });
  }
  const totalBytes = ({ sizeBytes, companionBytes }: Record) => sizeBytes + companionBytes;
  const capacity = createCapacity(
    capBytes,
    [...records.values()].reduce((sum, record) => sum + totalBytes(record), 0),
  );

  const live = (basename: string): Record | undefined => {
    const record = records.get(basename);
    return record !== undefined && record.expiresAtMs > clock.wallMs() ? record : undefined;
  };

  const remove = async (basename: string, record: Record) => {
    // Another sweep may be at it already.
    if (!records.delete(basename)) return;
    await rm(join(folder, basename), { recursive: true, force: true });
    capacity.release(totalBytes(record));
  };

  const sweep = async () => {
    const now = clock.wallMs();
    const expired = [...records].filter(([, { expiresAtMs }]) => expiresAtMs <= now);
    for (const [basename, record] of expired) await remove(basename, record);
    return expired.length;
  };

  const write = async (artifact: NewArtifact): Promise<ArtifactReceipt> => {
    const { bytes, companion, fileName, mediaType, lifetimeMs } = artifact;
    const record: Record = {
      fileName,
      mediaType,
      sizeBytes: bytes.byteLength,
      companionBytes: companion?.byteLength ?? 0,
      expiresAtMs: clock.wallMs() + lifetimeMs,
    };
    const basename = ids.next();
    const unfinished = join(folder, UNFINISHED + basename);
    try {
      await mkdir(unfinished, { mode: 0o700 });
      await writeFile(join(unfinished, CONTENT), bytes, { flag: 'wx' });
      if (companion !== undefined) await writeFile(join(unfinished, COMPANION), companion, { flag: 'wx' });
      await writeFile(join(unfinished, RECORD), JSON.stringify(record), { flag: 'wx' });
      await rename(unfinished, join(folder, basename));
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true });
      throw error;
    }
    records.set(basename, record);
    return { basename, fileName, sizeBytes: record.sizeBytes, expiresAtMs: record.expiresAtMs };
  };
  const reserve = (bytes: number) => capacity.reserve(bytes, sweep, write);

  return {
    sweep,
    reserve,
    async remove(basename) {
      const record = records.get(basename);
      if (record !== undefined) await remove(basename, record);
    },
    put: async (artifact) => (await reserve(bytesOf(artifact))).put(artifact),

    // Only names that were given out are looked up on the disk, so no path can be made of one.
    async get(basename, fileName): Promise<StoredArtifact | undefined> {
      const record = live(basename);
      if (record === undefined || record.fileName !== fileName) return undefined;
      const file = await orMissing(open(join(folder, basename, CONTENT), 'r'));
      if (file === undefined) return undefined;
      const { mediaType, sizeBytes, expiresAtMs } = record;
      return { basename, fileName, mediaType, sizeBytes, expiresAtMs, content: file.createReadStream() };
    },

    async companion(basename) {
      const record = live(basename);
      if (record === undefined || record.companionBytes === 0) return undefined;
      return orMissing(readFile(join(folder, basename, COMPANION)));
    },
  };
}
