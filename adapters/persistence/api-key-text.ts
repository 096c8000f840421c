import { hashSecret, isSameHash, randomSecret } from './secrets.js';

const MARK = 'brn_live_';
const PREFIX_LENGTH = MARK.length + 8;
const KEY = /^brn_live_[A-Za-z0-9_-]{8}[A-Za-z0-9_-]{43}$/;
/** Compared where there is no key, so that this takes as long. */
const NO_HASH = hashSecret('');

/** Notes of use are written this seldom. */
export const LAST_USE_STEP_MS = 60 * 1000;
export const MAX_KEY_NAME_LENGTH = 100;

export interface NewKeyText {
  readonly secret: string;
  readonly prefix: string;
  readonly hash: string;
}

/** `brn_live_`, 8 characters to find it by, and 256 random bits. */
export function createKeyText(): NewKeyText {
  const secret = MARK + randomSecret().slice(0, 8) + randomSecret();
  return { secret, prefix: secret.slice(0, PREFIX_LENGTH), hash: hashSecret(secret) };
}

/** The prefix to look a key up by; undefined for what cannot be a key. */
export const prefixOf = (secret: string): string | undefined =>
  KEY.test(secret) ? secret.slice(0, PREFIX_LENGTH) : undefined;

/** The one of these whose key this is. All are compared, whichever it is, and one where there are none. */
export function findByHash<T extends { readonly hash: string }>(
  candidates: readonly T[],
  secret: string,
): T | undefined {
  const hash = hashSecret(secret);
  let found: T | undefined;
  for (const candidate of candidates) if (isSameHash(candidate.hash, hash)) found = candidate;
  if (candidates.length === 0) isSameHash(NO_HASH, hash);
  return found;
}
