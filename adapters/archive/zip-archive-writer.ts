import { once } from 'node:events';
import type { ZipArchive } from 'archiver';
import type { ArchiveEntry, ArchiveWriter } from '#application/ports/archive-writer.js';
import type { Clock } from '#application/ports/clock.js';

/** Compression from 0 to 9; what comes in is text for the most part, and pictures that shrink no more. */
const LEVEL = 6;

/** Writes ZIP files with archiver, which is loaded with the first. `clock` dates the entries. */
export function createZipArchiveWriter({ clock }: { readonly clock: Clock }): ArchiveWriter {
  return {
    mediaType: 'application/zip',
    extension: 'zip',
    async *write(entries) {
      const { ZipArchive } = await import('archiver');
      const archive = new ZipArchive({ zlib: { level: LEVEL } });
      const date = new Date(clock.wallMs());
      const stopped = new AbortController();
      const feeding = feed(archive, entries, date, stopped.signal);
      // Whoever reads the archive sees the fault; here it only must not count as unhandled.
      feeding.catch((error: unknown) => archive.destroy(error as Error));
      try {
        for await (const piece of archive) yield piece as Uint8Array;
        await feeding;
      } finally {
        stopped.abort();
        archive.destroy();
      }
    },
  };
}

async function feed(
  archive: ZipArchive,
  entries: AsyncIterable<ArchiveEntry>,
  date: Date,
  signal: AbortSignal,
): Promise<void> {
  for await (const { name, bytes } of entries) {
    const written = once(archive, 'entry', { signal });
    archive.append(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { name, date });
    await written;
  }
  await archive.finalize();
}
