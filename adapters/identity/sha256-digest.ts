import { createHash } from 'node:crypto';
import type { Digest } from '#application/ports/digest.js';

export const sha256Digest: Digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
