/**
 * The JSON object of these entries. Bytes are JSON in UTF-8 already and are put in as they are: what is long was written where
 * it holds nobody up.
 */
export function jsonBody(entries: Readonly<Record<string, unknown>>): Buffer {
  const pieces = Object.entries(entries).flatMap(([key, value], i) => [
    Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(key)}:`),
    value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value)),
  ]);
  return Buffer.concat([...(pieces.length === 0 ? [Buffer.from('{')] : pieces), Buffer.from('}')]);
}
