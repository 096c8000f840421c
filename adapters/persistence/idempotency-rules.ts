import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { invalid } from '#domain/errors.js';

/** How long an answer is remembered, from its first request on. */
export const ANSWER_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** How long work counts as under way after it last said so. */
export const LEASE_MS = 2 * 60 * 1000;

const MAX_KEY_LENGTH = 255;

/** Throws INVALID_REQUEST for what cannot be an Idempotency-Key. */
export function assertIdempotencyKey(key: string): void {
  if (key.length === 0 || key.length > MAX_KEY_LENGTH)
    throw invalid('Idempotency-Key', `has ${key.length} characters; give 1 to ${MAX_KEY_LENGTH}`);
}

/** Drawings are text, which packs to a quarter. */
export const packBody = promisify(deflate) as (body: Uint8Array) => Promise<Buffer>;
export const unpackBody = promisify(inflate) as (body: Uint8Array) => Promise<Buffer>;
