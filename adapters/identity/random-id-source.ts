import { randomBytes } from 'node:crypto';
import type { IdSource } from '#application/ports/id-source.js';

/** Names from the system's own random source. */
export const randomIdSource: IdSource = {
  next: () => randomBytes(16).toString('base64url'),
};
