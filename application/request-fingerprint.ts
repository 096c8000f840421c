import type { Digest } from './ports/digest.js';

/** JSON with its objects' fields in one order. */
function orderedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(orderedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${orderedJson(field)}`).join(',')}}`;
}

/**
 * What an IdempotencyStore compares: equal for equal operations, parsed fields (in whatever order they were sent) and files'
 * bytes (in their order); the form they were sent in, boundaries and file names do not count.
 */
export function requestFingerprint(
  digest: Digest,
  request: { readonly operation: string; readonly fields: unknown; readonly files?: readonly Uint8Array[] },
): string {
  const { operation, fields, files = [] } = request;
  const text = orderedJson([operation, fields, files.map((bytes) => digest(bytes))]);
  return digest(new TextEncoder().encode(text));
}
