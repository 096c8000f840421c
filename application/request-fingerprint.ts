import { invalid } from '#domain/errors.js';
import type { Digest } from './ports/digest.js';

/** Nothing that is asked here is nested half as deep. */
const MAX_DEPTH = 32;

/** JSON with its objects' fields in one order. */
function orderedJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw invalid('body', `is nested more than ${MAX_DEPTH} deep`);
  if (Array.isArray(value)) return `[${value.map((one) => orderedJson(one, depth + 1)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${orderedJson(field, depth + 1)}`).join(',')}}`;
}

/**
 * What an IdempotencyStore compares: equal for equal operations, parsed fields (in whatever order they were sent) and files'
 * bytes (in their order); the form they were sent in, boundaries and file names do not count. Throws INVALID_REQUEST for what is
 * nested deeper than anything that can be asked.
 */
export function requestFingerprint(
  digest: Digest,
  request: { readonly operation: string; readonly fields: unknown; readonly files?: readonly Uint8Array[] },
): string {
  const { operation, fields, files = [] } = request;
  const text = orderedJson([operation, fields, files.map((bytes) => digest(bytes))]);
  return digest(new TextEncoder().encode(text));
}
