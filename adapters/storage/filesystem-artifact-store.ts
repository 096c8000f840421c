import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
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
  /** Whether other processes keep files in the same folder; they do not, when left out. */
  readonly shared?: boolean;
}

/** An artifact is a folder named for its basename, with these files in it; a folder that is being written has another name. */
const CONTENT = 'content';
const COMPANION = 'companion';
const RECORD = 'record.json';
const UNFINISHED = '.unfinished-';
/** What others write is finished or given up after so long. */
const UNFINISHED_FOR_MS = 60 * 60_000;
const BASENAME = /^[A-Za-z0-9_-]{22}$/;
/** Files up to here are read in one piece: a stream asks the disk three times. */
const ONE_PIECE_BYTES = 64 * 1024;
const RECORD_BYTES = 4096;

interface Record {
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly companionBytes: number;
  readonly expiresAtMs: number;
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Rejects with the first failure, when nothing goes on any more. */
async function allEnded(works: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason;
}

const orMissing = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** Nobody waits for a file that was only read to be closed. */
const closeLater = (file: FileHandle) => void file.close().catch(() => {});

/** A file that is hardly ever longer than a record. */
async function readRecordFile(path: string): Promise<string | undefined> {
  const file = await orMissing(open(path, 'r'));
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(RECORD_BYTES), 0, RECORD_BYTES, 0);
    return bytesRead < RECORD_BYTES ? buffer.toString('utf8', 0, bytesRead) : await file.readFile('utf8');
  } finally {
    closeLater(file);
  }
}

/** The file's bytes, from the disk already where they are few; closes the file in time. */
async function contentOf(file: FileHandle, sizeBytes: number): Promise<AsyncIterable<Uint8Array>> {
  if (sizeBytes > ONE_PIECE_BYTES) return file.createReadStream();
  const bytes = Buffer.alloc(sizeBytes);
  try {
    for (let at = 0; at < sizeBytes; ) {
      const { bytesRead } = await file.read(bytes, at, sizeBytes - at, at);
      if (bytesRead === 0) throw new Error('a stored file is shorter than it was');
      at += bytesRead;
    }
  } finally {
    closeLater(file);
  }
  return (async function* () {
    yield bytes;
  })();
}

/** An artifact has few files, of known names: asking what is there, as `rm` does for each, takes several times as long. */
async function removeFolder(path: string, { companionBytes }: Pick<Record, 'companionBytes'>): Promise<void> {
  const files = [CONTENT, RECORD, ...(companionBytes > 0 ? [COMPANION] : [])];
  await Promise.allSettled(files.map((name) => unlink(join(path, name))));
  // What has gone already, or holds something else, is left to `rm`.
  await rmdir(path).catch(() => rm(path, { recursive: true, force: true }));
}

/**
 * Removes one artifact of a folder that another process serves from: to it the artifact is not found any more, and its bytes
 * count until they would have expired. Nothing happens where it has gone already.
 */
export async function removeStoredArtifact(folder: string, basename: string): Promise<void> {
  if (BASENAME.test(basename)) await rm(join(folder, basename), { recursive: true, force: true });
}

/**
 * Keeps files in a folder of the machine; they outlive the process. It knows what it keeps by heart; where others keep files in
 * the same folder, theirs are looked up on the disk, and count against the cap from the next sweep on. Resolves when what is there
 * already has been counted.
 */
export async function createFilesystemArtifactStore(deps: FilesystemArtifactStoreDeps): Promise<ArtifactStore> {
  const { folder, clock, ids, capBytes, shared = false } = deps;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  /** Of every artifact that is there, by basename: sweeping and refusing need no disk. */
  const records = new Map<string, Record>();

  const readRecord = async (basename: string): Promise<Record | undefined> => {
    const [text, content] = await Promise.all([
      readRecordFile(join(folder, basename, RECORD)),
      orMissing(stat(join(folder, basename, CONTENT))),
    ]);
    if (text === undefined) return undefined;
    const record = JSON.parse(text) as Record;
    return content?.size === record.sizeBytes ? record : undefined;
  };

  for (const name of await readdir(folder)) {
    const record = BASENAME.test(name) ? await readRecord(name).catch(() => undefined) : undefined;
    if (record !== undefined) records.set(name, record);
    // Left behind by a process that died while writing or removing.
    else if (name.startsWith(UNFINISHED) || BASENAME.test(name)) {
      const folderOf = join(folder, name);
      // Unless somebody else is at it.
      const sinceMs = shared ? (await orMissing(stat(folderOf)))?.mtimeMs : 0;
      if (sinceMs !== undefined && Date.now() - sinceMs > UNFINISHED_FOR_MS)
        await rm(folderOf, { recursive: true, force: true });
    }
  }
  const totalBytes = ({ sizeBytes, companionBytes }: Record) => sizeBytes + companionBytes;
  const capacity = createCapacity(
    capBytes,
    [...records.values()].reduce((sum, record) => sum + totalBytes(record), 0),
  );

  const forget = (basename: string, record: Record) => {
    if (records.delete(basename)) capacity.release(totalBytes(record));
  };
  /** What another process has kept. */
  const adopt = async (basename: string): Promise<Record | undefined> => {
    const record = await readRecord(basename).catch(() => undefined);
    if (record === undefined || records.has(basename)) return records.get(basename);
    records.set(basename, record);
    capacity.take(totalBytes(record));
    return record;
  };

  // Only names of the form that was given out are looked up on the disk, so no path can be made of one.
  const live = async (basename: string): Promise<Record | undefined> => {
    const record = records.get(basename) ?? (shared && BASENAME.test(basename) ? await adopt(basename) : undefined);
    return record !== undefined && record.expiresAtMs > clock.wallMs() ? record : undefined;
  };

  const remove = async (basename: string, record: Record) => {
    // Another sweep may be at it already.
    if (!records.delete(basename)) return;
    await removeFolder(join(folder, basename), record);
    capacity.release(totalBytes(record));
  };

  /** What others have kept and removed since. */
  const lookAround = async () => {
    const names = new Set(await readdir(folder));
    for (const [basename, record] of records) if (!names.has(basename)) forget(basename, record);
    for (const name of names) if (BASENAME.test(name) && !records.has(name)) await adopt(name);
  };

  const sweep = async () => {
    if (shared) await lookAround();
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
      await allEnded([
        writeFile(join(unfinished, CONTENT), bytes, { flag: 'wx' }),
        writeFile(join(unfinished, RECORD), JSON.stringify(record), { flag: 'wx' }),
        ...(companion === undefined ? [] : [writeFile(join(unfinished, COMPANION), companion, { flag: 'wx' })]),
      ]);
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
      else if (shared) await removeStoredArtifact(folder, basename);
    },
    put: async (artifact) => (await reserve(bytesOf(artifact))).put(artifact),

    async get(basename, fileName): Promise<StoredArtifact | undefined> {
      const openContent = () => orMissing(open(join(folder, basename, CONTENT), 'r'));
      // What another process has kept is looked up and opened at once.
      const opening = shared && !records.has(basename) && BASENAME.test(basename) ? openContent() : undefined;
      opening?.catch(() => {});
      const record = await live(basename);
      if (record === undefined || record.fileName !== fileName) {
        opening?.then((file) => file && closeLater(file)).catch(() => {});
        return undefined;
      }
      const file = await (opening ?? openContent());
      if (file === undefined) {
        forget(basename, record);
        return undefined;
      }
      const { mediaType, sizeBytes, expiresAtMs } = record;
      return { basename, fileName, mediaType, sizeBytes, expiresAtMs, content: await contentOf(file, sizeBytes) };
    },

    async companion(basename) {
      const record = await live(basename);
      if (record === undefined || record.companionBytes === 0) return undefined;
      return orMissing(readFile(join(folder, basename, COMPANION)));
    },
  };
}
