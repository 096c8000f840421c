import type { Readable } from 'node:stream';
import type { ArtifactReceipt, ArtifactStore, NewArtifact, StoredArtifact } from '#application/ports/artifact-store.js';
import type { Clock } from '#application/ports/clock.js';
import type { IdSource } from '#application/ports/id-source.js';
import { bytesOf, createCapacity } from './capacity.js';
import { answered, answeredIfThere, connectS3, type S3Access } from './s3-client.js';
import { createS3ExpiryList, type ExpiryMark } from './s3-expiry-list.js';

export interface S3ArtifactStoreDeps extends S3Access {
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Bytes of all artifacts together, companions included; those of other processes are counted at every sweep. */
  readonly capBytes: number;
  /** Whether links are given, so that clients fetch files from the store themselves. */
  readonly links?: boolean;
}

const BASENAME = /^[A-Za-z0-9_-]{22}$/;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A link is followed at once. */
const LINK_LIFETIME_S = 60;
/** Expired artifacts that are removed at once, three requests each. */
const REMOVALS_AT_ONCE = 16;
/** With an artifact's content and companion, as S3 keeps it: in headers, so in ASCII. */
const [FILE_NAME, EXPIRES_AT, TOTAL_BYTES] = ['file-name', 'expires-at-ms', 'total-bytes'] as const;
/** For rules of the bucket's lifecycle: whole days after which the object is of no use. */
const LIFE_TAG = 'burin-days';

/** By RFC 6266; the store sends what a signed link says. */
const disposition = (fileName: string) => `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`;

/**
 * Keeps files in a bucket of S3 or of a server that speaks as it does, for any number of processes. Rejects with
 * UPSTREAM_UNAVAILABLE where the store refuses or does not answer. Resolves when what is there already has been counted.
 */
export async function createS3ArtifactStore(deps: S3ArtifactStoreDeps): Promise<ArtifactStore> {
  const { address, clock, ids, capBytes, links = false } = deps;
  const { bucket, prefix } = address;
  const connection = await connectS3(deps);
  const { sdk, client, publicClient } = connection;
  const marks = address.sweep ? createS3ExpiryList(connection, address) : undefined;
  const capacity = createCapacity(marks === undefined ? Number.POSITIVE_INFINITY : capBytes);
  const object = (basename: string, part: 'content' | 'companion') => ({
    Bucket: bucket,
    Key: `${prefix}files/${basename}/${part}`,
  });

  /** Bytes by basename of what this process has put or is putting while it lists; the list may have them or not. */
  const writing = new Map<string, number>();
  let writtenWhileListing: Map<string, number> | undefined;

  const removeObjects = async (basename: string, mark: ExpiryMark | undefined) => {
    // The content goes first, and the mark last: what is left behind is swept by it.
    for (const part of ['content', 'companion'] as const)
      await answeredIfThere(client.send(new sdk.DeleteObjectCommand(object(basename, part))));
    if (mark !== undefined) await marks?.remove(mark);
  };

  const sweepOnce = async (): Promise<number> => {
    if (marks === undefined) return 0;
    const now = clock.wallMs();
    const written = new Map<string, number>();
    writtenWhileListing = written;
    const expired: ExpiryMark[] = [];
    let bytes = 0;
    for await (const mark of marks.all()) {
      if (mark.expiresAtMs <= now) expired.push(mark);
      else if (!written.has(mark.basename) && !writing.has(mark.basename)) bytes += mark.bytes;
    }
    writtenWhileListing = undefined;
    for (const own of [...written.values(), ...writing.values()]) bytes += own;
    capacity.recount(bytes);
    for (let at = 0; at < expired.length; at += REMOVALS_AT_ONCE)
      await Promise.all(expired.slice(at, at + REMOVALS_AT_ONCE).map((mark) => removeObjects(mark.basename, mark)));
    return expired.length;
  };
  let sweeping: Promise<number> | undefined;
  const sweep = () => {
    sweeping ??= sweepOnce().finally(() => {
      sweeping = undefined;
    });
    return sweeping;
  };

  const write = async (artifact: NewArtifact): Promise<ArtifactReceipt> => {
    const { bytes, companion, fileName, mediaType, lifetimeMs } = artifact;
    const basename = ids.next();
    const totalBytes = bytesOf(artifact);
    const expiresAtMs = clock.wallMs() + lifetimeMs;
    const mark = { basename, expiresAtMs, bytes: totalBytes };
    const common = {
      Metadata: {
        [FILE_NAME]: encodeURIComponent(fileName),
        [EXPIRES_AT]: String(expiresAtMs),
        [TOTAL_BYTES]: String(totalBytes),
      },
      ...(address.tags && { Tagging: `${LIFE_TAG}=${Math.ceil(lifetimeMs / DAY_MS)}` }),
    };
    const upload = (part: 'content' | 'companion', body: Uint8Array, type: string) =>
      answered(
        new sdk.Upload({
          client,
          params: { ...object(basename, part), ...common, Body: body, ContentType: type },
        }).done(),
      );
    writing.set(basename, totalBytes);
    try {
      // The content comes last: without it, there is no such file.
      await Promise.all([marks?.add(mark), companion && upload('companion', companion, 'application/octet-stream')]);
      await upload('content', bytes, mediaType);
    } catch (error) {
      // As far as it goes now; the sweep takes the rest.
      void removeObjects(basename, mark).catch(() => {});
      throw error;
    } finally {
      writing.delete(basename);
    }
    writtenWhileListing?.set(basename, totalBytes);
    return { basename, fileName, sizeBytes: bytes.byteLength, expiresAtMs };
  };
  const reserve = (bytes: number) => capacity.reserve(bytes, sweep, write);

  const isLive = (metadata: Readonly<Record<string, string>> | undefined) =>
    Number(metadata?.[EXPIRES_AT] ?? 0) > clock.wallMs();
  const isCalled = (metadata: Readonly<Record<string, string>> | undefined, fileName: string) =>
    decodeURIComponent(metadata?.[FILE_NAME] ?? '') === fileName;

  /** An object of a name that could have been given out, while it lasts; others are not asked for. */
  const fetchLive = async (
    basename: string,
    part: 'content' | 'companion',
    mayHave = (_?: Record<string, string>) => true,
  ) => {
    if (!BASENAME.test(basename)) return undefined;
    const found = await answeredIfThere(client.send(new sdk.GetObjectCommand(object(basename, part))));
    if (found === undefined) return undefined;
    if (isLive(found.Metadata) && mayHave(found.Metadata)) return found;
    (found.Body as Readable).destroy();
    return undefined;
  };

  const store: ArtifactStore = {
    sweep,
    reserve,
    put: async (artifact) => (await reserve(bytesOf(artifact))).put(artifact),

    async get(basename, fileName): Promise<StoredArtifact | undefined> {
      const found = await fetchLive(basename, 'content', (metadata) => isCalled(metadata, fileName));
      if (found === undefined) return undefined;
      const { ContentLength: sizeBytes = 0, ContentType: mediaType = 'application/octet-stream', Metadata } = found;
      const expiresAtMs = Number(Metadata?.[EXPIRES_AT]);
      return { basename, fileName, mediaType, sizeBytes, expiresAtMs, content: found.Body as Readable };
    },

    async companion(basename) {
      const found = await fetchLive(basename, 'companion');
      return found?.Body === undefined ? undefined : answered(found.Body.transformToByteArray());
    },

    async remove(basename) {
      if (!BASENAME.test(basename)) return;
      const found = await answeredIfThere(client.send(new sdk.HeadObjectCommand(object(basename, 'content'))));
      if (found === undefined) return;
      const [bytes, expiresAtMs] = [Number(found.Metadata?.[TOTAL_BYTES]), Number(found.Metadata?.[EXPIRES_AT])];
      await removeObjects(basename, { basename, expiresAtMs, bytes });
      capacity.release(bytes);
    },
  };
  if (links) {
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    store.link = async (basename, fileName) => {
      if (!BASENAME.test(basename)) return undefined;
      const found = await answeredIfThere(client.send(new sdk.HeadObjectCommand(object(basename, 'content'))));
      if (!isLive(found?.Metadata) || !isCalled(found?.Metadata, fileName)) return undefined;
      const download = new sdk.GetObjectCommand({
        ...object(basename, 'content'),
        ResponseContentDisposition: disposition(fileName),
        ResponseCacheControl: 'private, no-store',
      });
      return getSignedUrl(publicClient, download, { expiresIn: LINK_LIFETIME_S });
    };
  }
  await sweep();
  return store;
}
