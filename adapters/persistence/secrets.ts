import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 128 random bits in 22 URL-safe characters, of which the first is no dash: on a command line that begins an option. */
export function randomId(): string {
  for (;;) {
    const id = randomBytes(16).toString('base64url');
    if (!id.startsWith('-')) return id;
  }
}

/** 256 random bits in 43 URL-safe characters. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

/** SHA-256 as 64 hexadecimal digits. Enough for secrets that are random bits; passwords need scrypt. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret, 'utf8').digest('hex');

/** Compares two hashes of equal length in a time that says nothing of where they differ. */
export const isSameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
