import type { S3Address } from './s3-address.js';
import { answered, answeredIfThere, type S3Connection } from './s3-client.js';

/** What a mark says of its file. */
export interface ExpiryMark {
  readonly basename: string;
  readonly expiresAtMs: number;
  /** Of the file with its companion. */
  readonly bytes: number;
}

/**
 * One empty object for each file, whose key begins with the time at which the file expires: a list of them, which S3 gives in
 * the order of their keys, says what to sweep and how much there is without a look at any file.
 */
export interface S3ExpiryList {
  add(mark: ExpiryMark): Promise<void>;
  remove(mark: ExpiryMark): Promise<void>;
  /** Every mark, the earliest first. */
  all(): AsyncIterable<ExpiryMark>;
}

const NOTHING = new Uint8Array();
const TIME_DIGITS = 15;
const KEY = /(\d{15})-(\d+)-([A-Za-z0-9_-]{22})$/;

export function createS3ExpiryList({ sdk, client }: S3Connection, { bucket, prefix }: S3Address): S3ExpiryList {
  const folder = `${prefix}expiry/`;
  const object = ({ basename, expiresAtMs, bytes }: ExpiryMark) => ({
    Bucket: bucket,
    Key: `${folder}${String(expiresAtMs).padStart(TIME_DIGITS, '0')}-${bytes}-${basename}`,
  });
  return {
    async add(mark) {
      await answered(client.send(new sdk.PutObjectCommand({ ...object(mark), Body: NOTHING, ContentLength: 0 })));
    },
    async remove(mark) {
      await answeredIfThere(client.send(new sdk.DeleteObjectCommand(object(mark))));
    },
    async *all() {
      let next: string | undefined;
      do {
        const page = await answered(
          client.send(
            new sdk.ListObjectsV2Command({
              Bucket: bucket,
              Prefix: folder,
              ...(next !== undefined && { ContinuationToken: next }),
            }),
          ),
        );
        for (const { Key = '' } of page.Contents ?? []) {
          const [, time, bytes, basename] = KEY.exec(Key) ?? [];
          if (basename !== undefined) yield { basename, expiresAtMs: Number(time), bytes: Number(bytes) };
        }
        next = page.NextContinuationToken;
      } while (next !== undefined);
    },
  };
}
